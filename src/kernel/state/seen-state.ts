// A state as somebody sees it who has no role in some environments: what is of those is not in it, so that whoever
// shows it cannot forget to leave it out. keeps B3
//
// Every part of the state says how it is seen: a new one does not compile without. What people and tokens are known by,
// and under which configurations, stays: how a plan stands is judged by it, and only reads of the whole show it.
// Not here: who sees what (decide/actors.ts). Nothing is decided on such a state.

import { entries, mapFrom, type PersistentMap } from "./persistent-map.ts";
import type { Recent } from "./recent.ts";
import { EVERYWHERE, type State } from "./state.ts";

/** Whether what is of this environment is seen. */
export type SeesEnvironment = (environment: string) => boolean;
type Located = { readonly environment: string };

const filtered = <V>(map: PersistentMap<V>, isSeen: (key: string, value: V) => boolean): PersistentMap<V> =>
  mapFrom(Array.from(entries(map)).filter(([key, value]) => isSeen(key, value)));

/** What names its environment itself. */
const own = <V extends Located>(map: PersistentMap<V>, sees: SeesEnvironment): PersistentMap<V> =>
  filtered(map, (_, { environment }) => sees(environment));
const ownRecent = <V extends Located>({ day, old, young }: Recent<V>, sees: SeesEnvironment): Recent<V> => ({
  day,
  old: own(old, sees),
  young: own(young, sees),
});
/** What is kept by environment; EVERYWHERE is everybody's. */
const named = <V>(map: PersistentMap<V>, sees: SeesEnvironment): PersistentMap<V> =>
  filtered(map, (name) => name === EVERYWHERE || sees(name));
/** As vmKey and actionKey write it: no name of an environment has a slash. */
const firstNamed = <V>(map: PersistentMap<V>, sees: SeesEnvironment): PersistentMap<V> =>
  filtered(map, (key) => sees(key.slice(0, key.indexOf("/"))));
const all = <V>(part: V): V => part;
const none = (): undefined => undefined;

const PARTS: { readonly [K in keyof State]-?: (part: State[K], sees: SeesEnvironment) => State[K] | undefined } = {
  anchors: all,
  answered: all,
  blocked: own,
  challenges: all,
  claims: own,
  configs: all,
  denials: firstNamed,
  desired: named,
  freezes: named,
  identities: named,
  intents: ownRecent,
  invitations: all,
  issued: all,
  latest: all,
  observations: ownRecent,
  open: own,
  people: all,
  plans: ownRecent,
  programs: all,
  reAnchored: none,
  seal: none,
  sections: all,
  serving: all,
  servings: all,
  sessions: all,
  size: all,
  started: all,
  subjects: all,
  tokens: all,
  voided: all,
};

export const stateSeen = (state: State, sees: SeesEnvironment): State =>
  Object.fromEntries(
    Object.entries(state).flatMap(([name, part]) => {
      const seen = (PARTS[name as keyof State] as (part: unknown, sees: SeesEnvironment) => unknown)(part, sees);
      return seen === undefined ? [] : [[name, seen]];
    }),
  ) as State;
