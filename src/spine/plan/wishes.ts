// All wishes of one environment as a value that can be hashed: in order, with keys in order.
//
// One vmid with two wishes is refused here: it has no certain meaning (N8). An entry has a hash of its own, which every
// step carries that stands on it: so a step is void when its entry changes, and not when another VM's does.

import type { DesiredVm, Refusal, Request, Sha256, Wish, Wishes } from "../model.ts";
import { refuse } from "../rules/refusals.ts";
import { canonical, canonicalPieces } from "../values/canonical.ts";
import { sha256, sha256OfPieces } from "../values/hash.ts";
import { inOrder } from "../values/in-order.ts";

const hashed = (wish: Wish): object => {
  if (wish.kind === "request") return requested(wish);
  return isUsual(wish) ? usual(wish) : whole(wish);
};

const requested = (wish: Request): object => ({
  action: JSON.parse(canonical(wish.action)),
  entry: wish.entry,
  identity: wish.identity,
  kind: wish.kind,
  name: wish.name,
  protected: wish.protected,
  vmid: wish.vmid,
});

/** JSON.stringify pays for every undefined member, and nearly every entry of a fleet lacks all of these. */
const isUsual = ({ identity, protected: isProtected, target }: DesiredVm): boolean =>
  identity === undefined && isProtected === undefined && target !== "stopped";

const usual = ({ cpus, kind, memory, name, target, vmid }: DesiredVm) => ({ cpus, kind, memory, name, target, vmid });

const whole = (wish: DesiredVm) => ({
  cpus: wish.cpus,
  identity: wish.identity,
  kind: wish.kind,
  memory: wish.memory,
  name: wish.name,
  protected: wish.protected,
  stop: wish.target === "stopped" ? wish.stop : undefined,
  target: wish.target,
  vmid: wish.vmid,
});

/** Of the canonical entry, as it stands in the blob of what is desired. */
export const entryHash = (entry: DesiredVm): Sha256 => sha256(JSON.stringify(hashed(entry)));

/** The entry that a step of this wish stands on. */
export const entryOf = (wish: Wish): Sha256 => (wish.kind === "request" ? wish.entry : entryHash(wish));

/** The canonical text in pieces: the bytes of the blob of what is desired. */
export function* wishesPieces(environment: string, wishes: readonly Wish[]): Generator<string> {
  yield `{"environment":${JSON.stringify(environment)},"wishes":[`;
  yield* canonicalPieces(wishes, hashed);
  yield "]}";
}

export const wishesOf = (environment: string, list: readonly Wish[]): Wishes | Refusal => {
  const { hasTwins, list: wishes } = inOrder(list);
  const twice = hasTwins ? wishes.find((wish, at) => wish.vmid === wishes[at - 1]?.vmid) : undefined;
  if (twice !== undefined) {
    return refuse("vmid-duplicate", { cause: "wishes", vmid: twice.vmid });
  }
  return { digest: sha256OfPieces(wishesPieces(environment, wishes)), environment, wishes };
};
