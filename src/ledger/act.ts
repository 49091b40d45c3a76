// An operator's act on the ledger itself as one record: drafted on where the ledger stands, appended, its fate certain.
//
// For commands that write one record and end. Not here: the queue of a running service (sequencer.ts). A commit is sent
// once for each place in the chain; after a lost reply the ledger is read.

import type { Json } from "../spine/canonical.ts";
import { latest } from "../spine/instant.ts";
import type { Instant, Sha256 } from "../spine/model.ts";
import { useOf } from "./asked.ts";
import type { Appended, Commit, Engine } from "./engine.ts";
import type { Actor, Draft, LedgerRecord, Sealed, Ulid } from "./record.ts";
import { seal } from "./seal.ts";
import { START, type Standing, standingOf, stepped } from "./standing.ts";

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

export type Acted =
  | { readonly kind: "recorded"; readonly record: LedgerRecord; readonly standing: Standing }
  | Extract<Appended, { readonly kind: "conflict" | "read-only" | "unknown" }>;

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

const commitOf = ({ line, record }: Sealed): Commit => ({ blobs: new Map(), keys: [useOf(record)], lines: [line] });

/** At exactly this place in the chain, or not at all. */
export const recordAt = (engine: Engine, standing: Standing, acting: Acting, act: Act): Promise<Acted> =>
  draftAt(engine, standing, draftOf(acting, act, standing.floor));

/** The same, of what was decided elsewhere on exactly this place. */
export const draftAt = async (engine: Engine, standing: Standing, draft: Draft): Promise<Acted> => {
  const { size } = standing.tree;
  const sealed = seal(draft, { prev: standing.hash, seq: size });
  const result = await engine.append(commitOf(sealed), { size });
  const fate = result.kind === "unknown" ? await fateOf(engine, sealed, result) : result;
  if (fate.kind === "duplicate") throw new Error("a key that was just made is in the ledger already");
  if (fate.kind !== "ok") return fate;
  const { line, record } = sealed;
  return { kind: "recorded", record, standing: { ...stepped(standing, line), floor: record.processTime } };
};

/** After a lost reply: a commit goes in only at the size it expects, and its key names it. */
const fateOf = async (engine: Engine, { record }: Sealed, doubt: Appended): Promise<Appended> => {
  const use = await engine.lookup(record.actor.id, record.idempotencyKey).catch(() => "unread" as const);
  if (use === "unread") return doubt;
  if (use?.seq === record.seq) return { kind: "ok" };
  const { size } = await engine.head();
  return size > record.seq ? { kind: "conflict", size } : doubt;
};

/** Other writers may be first this often in a row before we give up. */
const CONFLICTS_MAX = 100;

/** Wherever the ledger stands when its turn comes; it is walked from where it is known to stand. */
export const recordNext = async (
  engine: Engine,
  acting: Acting,
  actOn: (standing: Standing) => Act,
  from: Standing = START,
): Promise<Exclude<Acted, { readonly kind: "conflict" }>> => {
  let standing = await standingOf(engine, from);
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
    const acted = await recordAt(engine, standing, acting, actOn(standing));
    if (acted.kind !== "conflict") return acted;
    standing = await standingOf(engine, standing);
  }
  return {
    because: `other writers were first ${CONFLICTS_MAX} times in a row; nothing was written`,
    kind: "read-only",
  };
};
