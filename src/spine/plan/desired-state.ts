// All desired entries of one environment as a value that can be hashed: in order, with keys in order.
//
// One vmid with two entries is refused here: it has no certain meaning (N8). An entry has a hash of its own, which
// every step carries that stands on it: so a step is void when its entry changes, and not when another VM's does.

import type { DesiredEntry, DesiredState, DesiredVm, Refusal, RequestedAction, Sha256 } from "../model.ts";
import { refuse } from "../rules/refusals.ts";
import { canonical, canonicalPieces } from "../values/canonical.ts";
import { sha256, sha256OfPieces } from "../values/hash.ts";
import { inOrder } from "../values/in-order.ts";

const hashed = (entry: DesiredEntry): object => {
  if (entry.kind === "request") return requested(entry);
  return isUsual(entry) ? usual(entry) : whole(entry);
};

const requested = (entry: RequestedAction): object => ({
  action: JSON.parse(canonical(entry.action)),
  entry: entry.entry,
  identity: entry.identity,
  kind: entry.kind,
  name: entry.name,
  protected: entry.protected,
  vmid: entry.vmid,
});

/** JSON.stringify pays for every undefined member, and nearly every entry of a fleet lacks all of these. */
const isUsual = ({ identity, protected: isProtected, target }: DesiredVm): boolean =>
  identity === undefined && isProtected === undefined && target !== "stopped";

const usual = ({ cpus, kind, memory, name, target, vmid }: DesiredVm) => ({ cpus, kind, memory, name, target, vmid });

const whole = (entry: DesiredVm) => ({
  cpus: entry.cpus,
  identity: entry.identity,
  kind: entry.kind,
  memory: entry.memory,
  name: entry.name,
  protected: entry.protected,
  stop: entry.target === "stopped" ? entry.stop : undefined,
  target: entry.target,
  vmid: entry.vmid,
});

/** The canonical entry, as it stands in the blob of what is desired. */
export const entryText = (entry: DesiredVm): string => JSON.stringify(hashed(entry));

export const entryHash = (entry: DesiredVm): Sha256 => sha256(entryText(entry));

/** The entry that a step from this one stands on. */
export const entryOf = (entry: DesiredEntry): Sha256 => (entry.kind === "request" ? entry.entry : entryHash(entry));

/** The canonical text in pieces: the bytes of the blob of what is desired. */
export function* desiredPieces(environment: string, entries: readonly DesiredEntry[]): Generator<string> {
  yield `{"entries":[`;
  yield* canonicalPieces(entries, hashed);
  yield `],"environment":${JSON.stringify(environment)}}`;
}

export const desiredStateOf = (environment: string, list: readonly DesiredEntry[]): DesiredState | Refusal => {
  const { hasTwins, list: entries } = inOrder(list);
  const twice = hasTwins ? entries.find((entry, at) => entry.vmid === entries[at - 1]?.vmid) : undefined;
  if (twice !== undefined) {
    return refuse("vmid-duplicate", { cause: "entries", vmid: twice.vmid });
  }
  return { digest: sha256OfPieces(desiredPieces(environment, entries)), environment, entries };
};
