// The kernel's state as JSON and back, for saved states of it. Pure; the same state gives the same text.
//
// Maps become lists of pairs in the order of their keys: what they are keyed by may hold characters that no key of a
// record may. Not here: the file, its signature and what it is held against (ledger/write/saved-state.ts).

import type { Codec } from "../../ledger/write/saved-state.ts";
import type { Instant } from "../../spine/model.ts";
import { RULES_VERSION } from "../../spine/rules/rules-version.ts";
import { canonical, type Json } from "../../spine/values/canonical.ts";
import { isSha256, sha256 } from "../../spine/values/hash.ts";
import { entries, mapFrom, type PersistentMap } from "./persistent-map.ts";
import type { Recent } from "./recent.ts";
import type { PlanState, ReAnchored, RecentClaims, State } from "./state.ts";
import { timesFrom, timesIn } from "./times.ts";

/** One more whenever evolve makes another state of the same records, or a state has other parts; a test tells. */
export const STATE_VERSION = 27;

type Pairs = readonly (readonly [string, Json])[];

/** No key stands twice in a map. */
const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

const pairsOf = <V>(map: PersistentMap<V>, toJson: (value: V) => Json): Pairs =>
  Array.from(entries(map), ([key, value]) => [key, toJson(value)] as const).sort(byKey);

/** Values of the state are JSON as they stand, but for a plan, which holds a map, and for the times of applies. */
const plain = (value: unknown): Json => value as Json;
const claimsJson = ({ action, at, environment, hands }: RecentClaims): Json => ({
  action,
  at: timesIn(at),
  environment,
  hands: hands.map(({ id, kind }) => ({ id, kind })),
});
const planJson = ({ consumed, ...rest }: PlanState): Json => ({
  ...(rest as object),
  consumed: pairsOf(consumed, plain),
});

const recentOf = <V>({ day, old, young }: Recent<V>, toJson: (value: V) => Json): Json => ({
  day,
  old: pairsOf(old, toJson),
  young: pairsOf(young, toJson),
});

const toJson = (state: State): Json => ({
  anchors: pairsOf(state.anchors, plain),
  answered: recentOf(state.answered, plain),
  blocked: pairsOf(state.blocked, plain),
  challenges: recentOf(state.challenges, plain),
  claims: pairsOf(state.claims, claimsJson),
  configs: pairsOf(state.configs, plain),
  denials: pairsOf(state.denials, plain),
  desired: pairsOf(state.desired, plain),
  freezes: pairsOf(state.freezes, plain),
  identities: pairsOf(state.identities, plain),
  intents: recentOf(state.intents, plain),
  invitations: pairsOf(state.invitations, plain),
  issued: pairsOf(state.issued, plain),
  latest: recentOf(state.latest, plain),
  observations: recentOf(state.observations, plain),
  open: pairsOf(state.open, plain),
  people: pairsOf(state.people, plain),
  plans: recentOf(state.plans, planJson),
  programs: pairsOf(state.programs, plain),
  reAnchored: plain(state.reAnchored ?? null),
  seal: state.seal ?? null,
  sections: pairsOf(state.sections, plain),
  serving: plain(state.serving ?? null),
  servings: pairsOf(state.servings, plain),
  sessions: pairsOf(state.sessions, plain),
  size: state.size,
  ...(state.started === undefined ? {} : { started: state.started }),
  subjects: pairsOf(state.subjects, plain),
  tokens: pairsOf(state.tokens, plain),
  voided: pairsOf(state.voided, plain),
});

type Written = { readonly [K in keyof State]-?: Json };

// What is read was written by toJson: the saved state's signature and its code say so before anybody asks here.
const mapIn = <V>(pairs: Json): PersistentMap<V> => mapFrom(pairs as readonly (readonly [string, never])[]);

const claimsIn = (value: Json): PersistentMap<RecentClaims> =>
  mapFrom(
    (value as Pairs).map(([key, one]) => {
      const { at, ...rest } = one as { readonly at: readonly Instant[] };
      return [key, { ...rest, at: timesFrom(at) } as RecentClaims] as const;
    }),
  );

const plansIn = (value: Json): PersistentMap<PlanState> =>
  mapFrom(
    (value as Pairs).map(([id, plan]) => {
      const { consumed, ...rest } = plan as { readonly consumed: Json };
      return [id, { ...rest, consumed: mapIn(consumed) } as PlanState] as const;
    }),
  );

const recentIn = <V>(value: Json, read: (pairs: Json) => PersistentMap<V> = mapIn): Recent<V> => {
  const { day, old, young } = value as { readonly day: string; readonly old: Json; readonly young: Json };
  return { day, old: read(old), young: read(young) };
};

const reAnchoredIn = (value: Json): Pick<State, "reAnchored"> =>
  value === null ? {} : { reAnchored: value as ReAnchored };

const fromJson = (json: Json): State => {
  const written = json as Written;
  return {
    anchors: mapIn(written.anchors),
    answered: recentIn(written.answered),
    blocked: mapIn(written.blocked),
    challenges: recentIn(written.challenges),
    claims: claimsIn(written.claims),
    configs: mapIn(written.configs),
    denials: mapIn(written.denials),
    desired: mapIn(written.desired),
    freezes: mapIn(written.freezes),
    identities: mapIn(written.identities),
    intents: recentIn(written.intents),
    invitations: mapIn(written.invitations),
    issued: mapIn(written.issued),
    latest: recentIn(written.latest),
    observations: recentIn(written.observations),
    open: mapIn(written.open),
    people: mapIn(written.people),
    plans: recentIn(written.plans, plansIn),
    programs: mapIn(written.programs),
    ...reAnchoredIn(written.reAnchored),
    ...(written.seal === null ? {} : { seal: written.seal as NonNullable<State["seal"]> }),
    sections: mapIn(written.sections),
    ...(written.serving === null ? {} : { serving: written.serving as NonNullable<State["serving"]> }),
    servings: mapIn(written.servings),
    sessions: mapIn(written.sessions),
    size: written.size as number,
    ...(isSha256(written.started) ? { started: written.started } : {}),
    subjects: mapIn(written.subjects),
    tokens: mapIn(written.tokens),
    voided: mapIn(written.voided),
  };
};

/** The same for states that every decision before was made again for; neither is taken for the other. */
export const REPLAYED_STATE_CODEC: Codec<State> = {
  code: sha256(canonical({ replayed: true, rules: RULES_VERSION, state: STATE_VERSION })),
  fromJson,
  toJson,
};

export const STATE_CODEC: Codec<State> = {
  code: sha256(canonical({ rules: RULES_VERSION, state: STATE_VERSION })),
  fromJson,
  toJson,
};
