// At the doors of a service the newest configuration that was started to serve rules. An instance with another one, or
// with older rules, may decide otherwise than the others do: it shows, stops and ends what was begun, and writes
// nothing else. Judged before the decider is asked. keeps P7-A2

import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Command } from "../command/request.ts";
import { get } from "../state/persistent-map.ts";
import { rulesFor } from "../state/rules-in-force.ts";
import type { State } from "../state/state.ts";

/** Before any process has served nothing rules there, and each command stands on its own configuration alone. */
export const outdatedRefusal = (state: State, { configHash, door, request }: Command): Refusal | undefined => {
  const { serving } = state;
  if (door === "local" || serving === undefined) return undefined;
  if (configHash !== serving.configHash && get(state.servings, configHash) !== serving.digest)
    return refuse("instance-outdated", { cause: "configuration" });
  const rules = rulesFor(state, configHash, request);
  return rules < serving.rules
    ? refuse("instance-outdated", { cause: "rules", facts: { newest: serving.rules, rules } })
    : undefined;
};
