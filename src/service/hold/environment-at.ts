// An environment of the configuration, by its name.

import type { EnvironmentConfig } from "../../formats/dedalus/dedalus-environment.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { nearest } from "../../spine/values/nearest.ts";
import type { Configuration } from "../ports.ts";

export type EnvironmentNamed = { readonly name: string; readonly environment: EnvironmentConfig };

/** By its name; the only one needs none. What was meant by a name that is unknown is told, and never taken. */
export const environmentAt = (
  name: string | undefined,
  { config, file }: Configuration,
): EnvironmentNamed | Refusal => {
  const known = [...config.environments.keys()];
  const [only, ...others] = known;
  const taken = name ?? (others.length === 0 ? only : undefined);
  if (taken === undefined) return refuse("environment-unknown", { cause: "several", facts: { file, known } });
  const environment = config.environments.get(taken);
  if (environment !== undefined) return { environment, name: taken };
  const facts = { environment: taken, file, known };
  const meant = nearest(taken, known);
  return meant === undefined
    ? refuse("environment-unknown", { cause: "not-in-file", facts })
    : refuse("environment-unknown", { cause: "not-in-file-meant", facts: { ...facts, meant } });
};
