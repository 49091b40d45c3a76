// Acts that nobody decided, for tests: drafted on where a ledger stands, and recorded there or behind other writers.

import type { Engine } from "../../src/ledger/engine.ts";
import type { Actor, Draft, Ulid } from "../../src/ledger/record/record.ts";
import { type ChainState, readChainState, START } from "../../src/ledger/verify/chain-state.ts";
import { type ActAnswer, appendDraft } from "../../src/ledger/write/record-act.ts";
import type { Instant, Sha256 } from "../../src/spine/model.ts";
import type { Json } from "../../src/spine/values/canonical.ts";
import { latest } from "../../src/spine/values/instant.ts";

/** Who acts, in which process, under which configuration; and where ids and times come from. */
export type Acting = {
  readonly actor: Actor;
  readonly configHash: Sha256;
  readonly instance: Ulid;
  readonly nextId: () => Ulid;
  readonly now: () => Instant;
};

export type Act = {
  readonly kind: string;
  readonly request: { readonly [key: string]: Json };
  readonly result: { readonly [key: string]: Json };
};

const draftOf = ({ actor, configHash, instance, nextId, now }: Acting, act: Act, floor: Instant | undefined): Draft => {
  const at = now();
  return {
    actor,
    auditId: nextId(),
    body: { request: act.request, result: act.result },
    configHash,
    correlationId: nextId(),
    eventTime: at,
    idempotencyKey: nextId(),
    instance,
    kind: act.kind,
    processTime: latest(at, floor),
  };
};

/** At exactly this place in the chain, or not at all. */
export const recordAt = (engine: Engine, chain: ChainState, acting: Acting, act: Act): Promise<ActAnswer> =>
  appendDraft(engine, chain, draftOf(acting, act, chain.floor));

/** Other writers may be first this often in a row before we give up. */
const CONFLICTS_MAX = 100;

/** Wherever the ledger stands when its turn comes; it is walked from where it is known to stand. */
export const recordNext = async (
  engine: Engine,
  acting: Acting,
  actOn: (chain: ChainState) => Act,
  from: ChainState = START,
): Promise<Exclude<ActAnswer, { readonly kind: "conflict" }>> => {
  let chain = await readChainState(engine, from);
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
    const acted = await recordAt(engine, chain, acting, actOn(chain));
    if (acted.kind !== "conflict") return acted;
    chain = await readChainState(engine, chain);
  }
  return {
    failure: { cause: "lock-held", facts: { conflicts: CONFLICTS_MAX, name: engine.name } },
    kind: "read-only",
  };
};
