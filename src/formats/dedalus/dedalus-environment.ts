// One environment of dedalus.yaml: its adapter, who must agree, how old an observation may be, and where things are.
//
// Which adapters there are, and which keys each has, is handed in (own-keys.ts). There are no defaults (P7-A2).

import type { Numbers } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { plainly } from "../expectation.ts";
import { plain, reportFound, reportType, reportValue, type Spot, type YamlReader } from "../yaml/yaml-reader.ts";
import { textAt, wordAt } from "../yaml/yaml-values.ts";
import { nearestAge, parseAge } from "./dedalus-fields.ts";
import { PATH, type SecretRef } from "./dedalus-guards.ts";
import { type OwnKeys, type OwnSettings, ownAt, type Table } from "./own-keys.ts";

export type AdapterKeys = OwnKeys & {
  /** Whether it shows its provider as it is; what was recorded, collected or pushed shows what was. */
  readonly live: boolean;
  readonly numbers: Numbers;
  /** Whether these settings name what acting needs; without it an environment is only observed. */
  readonly acts: (settings: OwnSettings) => boolean;
};

export type EnvironmentConfig = {
  readonly acts: boolean;
  readonly adapter: string;
  readonly approval: "single-operator" | "four-eyes";
  readonly desired: string;
  readonly live: boolean;
  readonly maxObservationAgeMs: number;
  readonly numbers: Numbers;
  /** The path of its policy file; its text is read beside this one (policy-yaml.ts). */
  readonly policy?: string;
  /** Where the adapter's secrets are: some of what its settings name. */
  readonly secrets: readonly SecretRef[];
  /** What its adapter alone has. */
  readonly settings: OwnSettings;
};

const APPROVALS = ["single-operator", "four-eyes"] as const satisfies readonly EnvironmentConfig["approval"][];
const SHARED = { by: "adapter", common: ["approval", "maxObservationAge", "desired"], optional: ["policy"] } as const;

export const environmentConfigAt = (
  reader: YamlReader,
  spot: Spot,
  adapters: Table<AdapterKeys>,
): EnvironmentConfig | undefined => {
  const read = ownAt(reader, spot, adapters, SHARED);
  if (read === undefined) return undefined;
  const { fields, own } = read;
  const approval = wordAt(reader, fields.get("approval"), APPROVALS);
  const desired = textAt(reader, fields.get("desired"), PATH);
  const maxObservationAgeMs = ageAt(reader, fields.get("maxObservationAge"));
  const policy = textAt(reader, fields.get("policy"), PATH);
  if (own === undefined || approval === undefined || desired === undefined) return undefined;
  if (maxObservationAgeMs === undefined) return undefined;
  const { name: adapter, row, settings } = own;
  const { live, numbers } = row;
  const acts = row.acts(settings);
  const common = {
    acts,
    approval,
    desired,
    live,
    maxObservationAgeMs,
    numbers,
    secrets: row.secrets(settings),
    settings,
  };
  return { adapter, ...common, ...present({ policy }) };
};

const AGE = plainly("age");

const ageAt = (reader: YamlReader, spot: Spot | undefined): number | undefined => {
  if (spot === undefined) return undefined;
  const value = plain(spot);
  const ms = typeof value === "string" ? parseAge(value) : undefined;
  if (ms !== undefined) return ms;
  if (typeof value === "number")
    return reportFound(reader, spot, (found) => refuse("unit-unknown", { cause: "age", facts: found }));
  if (typeof value !== "string") return reportType(reader, spot, AGE);
  const meant = nearestAge(value);
  if (meant === undefined) return reportValue(reader, spot, AGE);
  return reportFound(reader, spot, (found) =>
    refuse("unit-unknown", { cause: "age-meant", facts: { ...found, meant } }),
  );
};
