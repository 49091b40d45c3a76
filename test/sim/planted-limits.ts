// Planted bugs about what a policy adds to the rules: what it refuses or raises, hours, and numbers of applies.

import type { Result } from "../../src/kernel/command/result.ts";
import { EMPTY, entries, put } from "../../src/kernel/state/persistent-map.ts";
import { SEND_MS } from "../../src/kernel/state/spans.ts";
import type { State } from "../../src/kernel/state/state.ts";
import type { Json } from "../../src/spine/values/canonical.ts";
import { later } from "../../src/spine/values/instant.ts";
import { type Parts, REAL } from "../../tools/sim/parts.ts";
import { type Planted, withPlans } from "./planted-parts.ts";

/** The configurations and the plans as if no policy had ever been written. */
const unruled = (state: State): State => ({
  ...withPlans(state, ({ policy: _, ...plan }) => plan),
  configs: [...entries(state.configs)].reduce((configs, [hash, config]) => {
    const environments = Object.entries(config.environments).map(([name, { policy: _, ...rest }]) => [name, rest]);
    return put(configs, hash, { ...config, environments: Object.fromEntries(environments) });
  }, state.configs),
});

export const JUDGES_WITHOUT_POLICY: Planted = {
  bug: "judge by the rules alone, whatever a policy adds",
  check: "agreed",
  parts: { ...REAL, decide: (state, command, floor) => REAL.decide(unruled(state), command, floor) },
};

export const COUNTS_NO_APPLY: Planted = {
  bug: "count no apply of the last hour",
  check: "limited",
  parts: { ...REAL, decide: (state, command, floor) => REAL.decide({ ...state, claims: EMPTY }, command, floor) },
};

const sendsLate: Parts["decide"] = (state, command, floor) => {
  const decided = REAL.decide(state, command, floor);
  const { body, processTime } = decided.draft;
  const { result } = body as { readonly result: Result };
  if (result.kind !== "intended") return decided;
  const late = { ...result, sendBy: later(processTime, SEND_MS) } as Json;
  return { ...decided, draft: { ...decided.draft, body: { ...(body as object), result: late } } };
};

export const SENDS_AFTER_HOURS: Planted = {
  bug: "let a call leave after the hours of the policy",
  check: "limited",
  parts: { ...REAL, decide: sendsLate },
};
