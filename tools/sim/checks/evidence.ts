// What the checks are given: the records, the world's own journal, and what was seen of the processes from outside.
//
// Nothing of the kernel's own judgement is among it; a check reads the records by the rules of the design and not by
// the functions that wrote them.

import type { Request } from "../../../src/kernel/command/request.ts";
import type { Result } from "../../../src/kernel/command/result.ts";
import type { LedgerRecord } from "../../../src/ledger/record/record.ts";
import type { Process } from "../process.ts";
import type { Setting } from "../seeded-world.ts";
import type { Stage } from "../stage.ts";

/** Of a stage, what tells what happened. */
export type Scene = Pick<Stage, "deaths" | "ledger" | "traces"> & {
  readonly provider: Pick<Stage["provider"], "world">;
  readonly processes: () => readonly Pick<Process, "isReady" | "no" | "state">[];
};
export type Evidence = {
  readonly isSkewed: Setting["isSkewed"];
  readonly stage: Scene;
};
/** What is wrong, in words; nothing when all is well. */
export type Check = (evidence: Evidence) => readonly string[];

/** A record as it is written: what was asked, what it came to. */
export type Entry = {
  readonly record: LedgerRecord;
  readonly request: Request;
  readonly result: Result;
  readonly door: string;
};

/** The body of a record is asked for field by field; what it says is what the checks are about. */
export const entryOf = (record: LedgerRecord): Entry => {
  const { door, request, result } = record.body as {
    readonly door: string;
    readonly request: object;
    readonly result: Result;
  };
  return { door, record, request: { ...request, kind: record.kind } as Request, result };
};

export type EntryOf<K extends Request["kind"]> = Entry & { readonly request: Extract<Request, { readonly kind: K }> };

export const isKind = <K extends Request["kind"]>(entry: Entry, kind: K): entry is EntryOf<K> =>
  entry.request.kind === kind;

export const isGranted = ({ result }: Entry): boolean => result.kind !== "refused";

export const entriesOf = ({ ledger }: Scene): readonly Entry[] => ledger.records.map(entryOf);

/** Every intent that was granted. */
export const intentsIn = (stage: Scene): readonly EntryOf<"apply">[] =>
  entriesOf(stage).filter((entry): entry is EntryOf<"apply"> => isKind(entry, "apply") && isGranted(entry));
