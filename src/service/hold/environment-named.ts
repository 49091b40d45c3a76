// One environment of the configuration, by its name or because there is no other.

import type { EnvironmentConfig } from "../../formats/dedalus/dedalus-environment.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Configuration } from "../ports.ts";

export type EnvironmentNamed = { readonly name: string; readonly environment: EnvironmentConfig };

export const environmentAt = (name: string, { config, file }: Configuration): EnvironmentNamed | Refusal => {
  const environment = config.environments.get(name);
  if (environment !== undefined) return { environment, name };
  const facts = { environment: name, file, known: [...config.environments.keys()] };
  return refuse("environment-unknown", { cause: "not-in-file", facts });
};

/** The only one that is configured, where none is named. */
export const environmentOrOnly = (
  name: string | undefined,
  configuration: Configuration,
): EnvironmentNamed | Refusal => {
  if (name !== undefined) return environmentAt(name, configuration);
  const { config, file } = configuration;
  const [only, ...others] = config.environments.keys();
  if (only !== undefined && others.length === 0) return environmentAt(only, configuration);
  const facts = { file, known: [...config.environments.keys()] };
  return refuse("environment-unknown", { cause: "not-chosen", facts });
};
