// Answers that were computed a moment ago on the same head, for the same caller and request: a plan that many look at
// is put together once. The very same value comes back, so that a door can keep what it made of it.
//
// What hangs on the clock (an approval that ends, a step that expires) is judged at most a second late, and only where
// it is shown: whoever decides judges anew. Another head forgets everything.

import type { Head } from "../../ledger/engine.ts";
import type { Instant } from "../../spine/model.ts";
import { msOf } from "../../spine/values/instant.ts";
import type { ProvenCaller } from "./callers.ts";

const HELD_MS = 1_000;
const ANSWERS_MAX = 1_000;

type Asked = { readonly at: Instant; readonly caller: ProvenCaller; readonly head: Head; readonly name: string };

export type RememberedAnswers = {
  readonly find: (asked: Asked, request: object) => object | undefined;
  readonly keep: (asked: Asked, request: object, value: object) => void;
};

export const rememberAnswers = (): RememberedAnswers => {
  let hash = "";
  const answers = new Map<string, { readonly at: Instant; readonly value: object }>();
  // On one head a token stands for its subject and for everything that was granted with it.
  const keyOf = ({ caller: { actor, door, token }, name }: Asked, request: object): string =>
    `${name} ${door} ${token ?? ""} ${actor.id} ${JSON.stringify(request)}`;
  return {
    find: (asked, request) => {
      if (asked.head.hash !== hash) return undefined;
      const found = answers.get(keyOf(asked, request));
      if (found === undefined) return undefined;
      const ageMs = msOf(asked.at) - msOf(found.at);
      return ageMs >= 0 && ageMs < HELD_MS ? found.value : undefined;
    },
    keep: (asked, request, value) => {
      if (asked.head.hash !== hash || answers.size >= ANSWERS_MAX) answers.clear();
      ({ hash } = asked.head);
      answers.set(keyOf(asked, request), { at: asked.at, value });
    },
  };
};
