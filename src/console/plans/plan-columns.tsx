// What every list of plans begins with: the plan, who asked for it, and when it was observed what it is based on.

import { InstantShown } from "../parts/instant.tsx";
import { Link } from "../parts/link.tsx";
import type { TableColumn } from "../parts/long-table.tsx";
import { Quoted } from "../parts/quoted.tsx";

type PlanListed = { readonly by: string; readonly id: string; readonly observedAt?: string };

/** Shares of the width, in hundredths. */
type Shares = { readonly by: number; readonly observed: number; readonly plan: number };

export const planColumns = ({ by, observed, plan }: Shares) =>
  ({
    by: { cell: (row: PlanListed) => <Quoted text={row.by} />, head: "Requested by", share: by },
    observed: {
      cell: ({ observedAt }: PlanListed) => (observedAt === undefined ? "not timed" : <InstantShown at={observedAt} />),
      head: "Observed",
      share: observed,
    },
    plan: {
      cell: ({ id }: PlanListed) => (
        <Link to={{ page: "plan", parts: { plan: id }, query: {} }}>
          <span className="machine">{id}</span>
        </Link>
      ),
      head: "Plan",
      isHeader: true,
      share: plan,
    },
  }) as const satisfies Readonly<Record<keyof Shares, TableColumn<PlanListed>>>;
