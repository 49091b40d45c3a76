// Every record that concerns one VM, in the order of the ledger, each with the way to it.

import type { ReactNode } from "react";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { actionWord } from "../action-word.ts";
import { InstantShown } from "../parts/instant.tsx";
import { Link } from "../parts/link.tsx";
import { LongTable, type TableColumn } from "../parts/long-table.tsx";
import { RuleLink } from "../parts/problem.tsx";
import { Quoted, Sentence } from "../parts/quoted.tsx";

type VmEvent = AnswerBodies["history"]["events"][number];

const COLUMNS: readonly TableColumn<VmEvent>[] = [
  {
    cell: ({ seq }) => (
      <Link to={{ page: "record", parts: { seq: String(seq) }, query: {} }}>
        <span className="machine">{seq}</span>
      </Link>
    ),
    head: "Record",
    isHeader: true,
    share: 10,
  },
  { cell: ({ at }) => <InstantShown at={at} />, head: "At", share: 20 },
  { cell: ({ by }) => <Quoted text={by} />, head: "By", share: 15 },
  { cell: ({ kind }) => <span className="machine">{kind}</span>, head: "Kind", share: 15 },
  { cell: (event) => <Came {...event} />, head: "What", share: 40 },
];

const Came = ({ action, answer, end, reason, refusals = [] }: VmEvent): ReactNode => (
  <>
    {[action && actionWord(action), answer?.kind, end?.outcome].filter((one) => one !== undefined).join(", ") ||
      "recorded"}
    {reason === undefined ? undefined : (
      <>
        {" "}
        “<Quoted text={reason} />”
      </>
    )}
    {refusals.map(({ code, rule, text }) => (
      <div key={code}>
        refused: <Sentence text={text.detail} /> (<RuleLink rule={rule} />)
      </div>
    ))}
  </>
);

export const VmRecords = ({ events }: { readonly events: readonly VmEvent[] }): ReactNode => (
  <section aria-labelledby="records">
    <h2 id="records">Records</h2>
    {events.length === 0 ? (
      <p>No records yet.</p>
    ) : (
      <LongTable caption="Records of this VM, oldest first" columns={COLUMNS} keyOf={({ id }) => id} rows={events} />
    )}
  </section>
);
