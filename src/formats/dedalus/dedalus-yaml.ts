// dedalus.yaml: who operates, where the ledger, its anchor and its signing key are, the environments, and what is
// served.
//
// It holds the places of secrets and never a secret (B5), and has no way to say that a connection is not verified
// (B4). Paths are as written; whoever opens a file resolves them. Which adapters and engines there are is handed in.
// Not here: an environment's own keys (dedalus-environment.ts), the service's (dedalus-service.ts).

import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { isSubject, RESERVED_SUBJECTS } from "../../spine/values/subject.ts";
import { isEnvironmentName } from "../fields.ts";
import type { Parsed } from "../problem.ts";
import { entriesAt, fieldsAt, parseYaml, reportMissing, type Spot, type YamlReader } from "../yaml/yaml-reader.ts";
import { textAt, versionAt } from "../yaml/yaml-values.ts";
import { type AdapterKeys, type EnvironmentConfig, environmentConfigAt } from "./dedalus-environment.ts";
import { keyPathAt, MANNER, namesIn, PATH, type SecretRef } from "./dedalus-guards.ts";
import { type ServiceConfig, serviceAt, serviceSecrets } from "./dedalus-service.ts";
import { type OwnKeys, type OwnSettings, ownAt, type Table } from "./own-keys.ts";

export type LedgerConfig = {
  readonly engine: string;
  readonly secrets: readonly SecretRef[];
  readonly settings: OwnSettings;
};

/** What can be named in the file. */
export type Known = { readonly adapters: Table<AdapterKeys>; readonly engines: Table<OwnKeys> };

export type Config = {
  readonly anchor: string;
  /** In the order of their names. */
  readonly environments: ReadonlyMap<string, EnvironmentConfig>;
  readonly ledger: LedgerConfig;
  /** Who acts when no token is given. */
  readonly operator: string;
  /** What a serving process needs; without it nothing is served. */
  readonly service?: ServiceConfig;
  readonly signingKey: string;
};

const REQUIRED = ["version", "operator", "ledger", "anchor", "signingKey", "environments"];
const KEYS = [...REQUIRED, "service"];
const LEDGER = { by: "engine", common: [], optional: [] } as const;
const OPERATOR = { expected: { cause: "subject", facts: { reserved: RESERVED_SUBJECTS } }, is: isSubject } as const;

export const parseConfig = (text: string, file: string, known: Known): Parsed<Config> =>
  parseYaml(text, file, MANNER, (reader, root) => readConfig(reader, root, known));

const readConfig = (reader: YamlReader, root: Spot, known: Known): Config | undefined => {
  const fields = fieldsAt(reader, root, KEYS);
  if (fields === undefined) return undefined;
  reportMissing(reader, root, fields, REQUIRED);
  versionAt(reader, fields.get("version"));
  const anchor = textAt(reader, fields.get("anchor"), PATH);
  const environments = environmentsAt(reader, fields.get("environments"), known.adapters);
  const ledger = ledgerAt(reader, fields.get("ledger"), known.engines);
  const operator = textAt(reader, fields.get("operator"), OPERATOR);
  const signingKey = keyPathAt(reader, fields.get("signingKey"));
  const served = fields.get("service");
  const service = served === undefined ? undefined : serviceAt(reader, served, namesIn(fields.get("environments")));
  if (served !== undefined && service === undefined) return undefined;
  if (anchor === undefined || environments === undefined || ledger === undefined) return undefined;
  if (operator === undefined || signingKey === undefined) return undefined;
  if (served !== undefined && service !== undefined)
    reportShared(reader, served, serviceSecrets(service), environments);
  reportShared(reader, fields.get("ledger") ?? root, ledger.secrets, environments);
  return { anchor, environments, ledger, operator, ...present({ service }), signingKey };
};

const ledgerAt = (reader: YamlReader, spot: Spot | undefined, engines: Known["engines"]): LedgerConfig | undefined => {
  const own = spot === undefined ? undefined : ownAt(reader, spot, engines, LEDGER)?.own;
  if (own === undefined) return undefined;
  const { name: engine, row, settings } = own;
  return { engine, secrets: row.secrets(settings), settings };
};

const isIn = (one: SecretRef, list: readonly SecretRef[]): boolean =>
  list.some((other) =>
    "env" in one ? "env" in other && one.env === other.env : "file" in other && one.file === other.file,
  );

/** What the service signs or signs in with, or reaches its ledger by, is nobody's credential at a provider. */
const reportShared = (
  reader: YamlReader,
  spot: Spot,
  own: readonly SecretRef[],
  environments: Config["environments"],
): void => {
  for (const [name, { secrets }] of environments)
    if (secrets.some((one) => isIn(one, own)))
      reader.report(spot, refuse("credential-shared", { facts: { other: name } }));
};

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

const environmentsAt = (
  reader: YamlReader,
  spot: Spot | undefined,
  adapters: Known["adapters"],
): Config["environments"] | undefined => {
  const entries = spot === undefined ? undefined : entriesAt(reader, spot);
  if (spot === undefined || entries === undefined) return undefined;
  if (entries.length === 0) reader.report(spot, refuse("value-wrong", { cause: "no-environment" }));
  const read: (readonly [string, EnvironmentConfig])[] = [];
  for (const { key, name, value } of entries) {
    if (!isEnvironmentName(name)) reader.report(key, refuse("value-wrong", { cause: "environment-name-key" }));
    const environment = environmentConfigAt(reader, value, adapters);
    if (environment === undefined) continue;
    const other = read.find(([, earlier]) => earlier.secrets.some((one) => isIn(one, environment.secrets)));
    if (other !== undefined) reader.report(key, refuse("credential-shared", { facts: { other: other[0] } }));
    read.push([name, environment]);
  }
  return new Map(read.sort(byName));
};

/** The files that hold a secret, as written, each once and in order: others must not be able to read them. */
export const secretFiles = (config: Config): readonly string[] => {
  const environments = Array.from(config.environments.values(), ({ secrets }) => secrets).flat();
  const own = config.service === undefined ? [] : serviceSecrets(config.service);
  const references = [...environments, ...config.ledger.secrets, ...own];
  const files = references.flatMap((reference) => ("file" in reference ? [reference.file] : []));
  const key = config.service?.tls?.key;
  return [...new Set([config.signingKey, ...files, ...(key === undefined ? [] : [key])])].sort();
};
