// Which records to look at for what is asked, by the index: of an undertaking, of a VM or of a kind, whichever is named
// first here, because it finds the fewest. What else is asked is judged on the records.

import type { Head } from "../../ledger/engine.ts";
import { isUlid } from "../../ledger/record/ulid.ts";
import type { Vmid } from "../../spine/model.ts";
import type { FittingIndex } from "../hold/held-terms.ts";
import { correlationTerm, idTerm, kindTerm, vmTerm } from "./record-terms.ts";

/** Seqs that ascend, some at a time, below what is covered. */
export type Indexed = { readonly covers: Head; readonly seqs: () => Iterable<readonly number[]> };

type Asked = {
  readonly correlationId?: string | undefined;
  readonly from: number;
  readonly kind?: string | undefined;
  readonly to?: number | undefined;
  readonly vmid: Vmid | undefined;
};

const PAGE = 2_048;

/** Undefined where there is no index, or nothing that it could find by: then all of it is walked. */
export const findIndexed = (
  index: FittingIndex | undefined,
  { correlationId, from, kind, to = Number.MAX_SAFE_INTEGER, vmid }: Asked,
): Indexed | undefined => {
  if (index === undefined) return undefined;
  const { covers, seqs } = index;
  const end = Math.min(to, covers.size);
  if (correlationId !== undefined) {
    const own = isUlid(correlationId) ? seqs(idTerm(correlationId), 0, end, PAGE) : [];
    const all = new Set([...own, ...seqs(correlationTerm(correlationId), 0, end, Number.MAX_SAFE_INTEGER)]);
    // What concerns a VM may go on with records of other undertakings.
    return vmid === undefined ? { covers, seqs: () => [[...all].sort((a, b) => a - b)] } : ofVm(index, vmid, end);
  }
  if (vmid !== undefined) return ofVm(index, vmid, end);
  if (kind === undefined) return undefined;
  return { covers, seqs: () => paged((after) => seqs(kindTerm(kind), after, end, PAGE), from) };
};

const ofVm = ({ covers, related }: FittingIndex, vmid: Vmid, end: number): Indexed => ({
  covers,
  seqs: () => [related(vmTerm(vmid)).filter((seq) => seq < end)],
});

function* paged(next: (after: number) => readonly number[], from: number): Generator<readonly number[]> {
  for (let page = next(from); page.length > 0; page = next((page.at(-1) ?? 0) + 1)) yield page;
}
