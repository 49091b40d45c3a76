// Remarks that people and agents recorded about a record, as they wrote them.

import type { ReactNode } from "react";
import { remarkIn } from "../../boundary/contract/seen-record.ts";
import type { RecordEntry } from "../verify/ledger-entries.ts";
import { InstantShown } from "./instant.tsx";
import { Link } from "./link.tsx";
import { Quoted } from "./quoted.tsx";

export const RemarkList = ({ remarks }: { readonly remarks: readonly RecordEntry[] }): ReactNode =>
  remarks.length === 0 ? (
    <p className="soft">No remarks.</p>
  ) : (
    <ul>
      {remarks.map(({ record }) => (
        <li key={record.seq}>
          <Quoted text={remarkIn(record)?.text ?? ""} whole />{" "}
          <span className="soft">
            <Quoted text={record.actor.id} />, <InstantShown at={record.processTime} />,{" "}
            <Link to={{ page: "record", parts: { seq: String(record.seq) }, query: {} }}>record {record.seq}</Link>
          </span>
        </li>
      ))}
    </ul>
  );
