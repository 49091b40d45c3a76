// Which page shows what: one component for each address, loaded when somebody goes there.

import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import type { VisitorSession } from "./ask/visitor-session.ts";
import type { Address, PageName } from "./page-address.ts";

/** In place: another view of the same page, such as a filter that somebody types; going back leaves the page. */
export type Going = (to: string, how?: "in-place") => void;

export type PageProps<P extends PageName> = {
  readonly address: Address<P>;
  /** To another address of the console. */
  readonly go: Going;
  readonly session: VisitorSession;
};

const COMPONENTS: { readonly [P in PageName]: ComponentType<PageProps<P>> } = {
  approvals: lazy(async () => ({ default: (await import("./pages/approvals-page.tsx")).ApprovalsPage })),
  fleet: lazy(async () => ({ default: (await import("./pages/fleet-page.tsx")).FleetPage })),
  rules: lazy(async () => ({ default: (await import("./pages/rules-page.tsx")).RulesPage })),
  start: lazy(async () => ({ default: (await import("./pages/start-page.tsx")).StartPage })),
  step: lazy(async () => ({ default: (await import("./pages/step-page.tsx")).StepPage })),
  incident: lazy(async () => ({ default: (await import("./pages/incident-page.tsx")).IncidentPage })),
  ledger: lazy(async () => ({ default: (await import("./pages/ledger-page.tsx")).LedgerPage })),
  posture: lazy(async () => ({ default: (await import("./pages/posture-page.tsx")).PosturePage })),
  record: lazy(async () => ({ default: (await import("./pages/record-page.tsx")).RecordPage })),
  after: lazy(async () => ({ default: (await import("./pages/then-page.tsx")).ThenPage })),
  vm: lazy(async () => ({ default: (await import("./pages/vm-page.tsx")).VmPage })),
  verify: lazy(async () => ({ default: (await import("./pages/verify-page.tsx")).VerifyPage })),
  plan: lazy(async () => ({ default: (await import("./pages/plan-page.tsx")).PlanPage })),
  plans: lazy(async () => ({ default: (await import("./pages/plans-page.tsx")).PlansPage })),
};

export const PageAt = <P extends PageName>(props: PageProps<P>): ReactNode => {
  const Shown = COMPONENTS[props.address.page] as ComponentType<PageProps<P>>;
  return (
    <Suspense
      fallback={
        <p className="soft" role="status">
          Reading…
        </p>
      }
    >
      <Shown {...props} />
    </Suspense>
  );
};
