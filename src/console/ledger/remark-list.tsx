// Remarks that people and agents recorded about a record, as they wrote them.

import type { ReactNode } from "react";
import { remarkIn } from "../../boundary/contract/seen-record.ts";
import { InstantShown } from "../parts/instant.tsx";
import { Link } from "../parts/link.tsx";
import { Quoted, Sentence } from "../parts/quoted.tsx";
import type { RecordEntry } from "../verify/ledger-entries.ts";
import type { RemarksLack } from "./load-remarks.ts";

type Props = { readonly lack: RemarksLack | undefined; readonly remarks: readonly RecordEntry[] };

export const RemarkList = ({ lack, remarks }: Props): ReactNode => (
  <>
    {lack === undefined ? undefined : (
      <p className="broken" role="alert">
        <strong>Not every remark is shown.</strong> <Sentence text={lackText(lack)} />
      </p>
    )}
    {remarks.length === 0 && lack === undefined ? <p className="soft">No remarks.</p> : undefined}
    {remarks.length === 0 ? undefined : (
      <ul>
        {remarks.map(({ isUnproven, record }) => (
          <li key={record.seq}>
            <Quoted text={remarkIn(record)?.text ?? ""} whole />{" "}
            <span className="soft">
              <Quoted text={record.actor.id} />, <InstantShown at={record.processTime} />,{" "}
              <Link to={{ page: "record", parts: { seq: String(record.seq) }, query: {} }}>record {record.seq}</Link>
            </span>
            {isUnproven ? <span className="broken"> unproven</span> : undefined}
          </li>
        ))}
      </ul>
    )}
  </>
);

/** What of them is not known. */
export const lackText = ({ from, unreadable }: RemarksLack): string =>
  [
    ...(from === undefined ? [] : [`The service gave none from record ${from} on.`]),
    ...(unreadable === 0 ? [] : [`${unreadable} that came cannot be read.`]),
  ].join(" ");
