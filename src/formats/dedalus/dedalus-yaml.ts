// dedalus.yaml: who operates, where the ledger, its anchor and its signing key are, and the environments.
//
// It holds the places of secrets and never a secret (B5), and has no way to say that a connection is not verified (B4).
// Paths are as written; whoever opens a file resolves them. Not here: an environment's own keys (dedalus-environment.ts).

import { isSubject, RESERVED_SUBJECTS, SUBJECT_EXPECTED } from "../../spine/values/subject.ts";
import { isEnvironmentName } from "../fields.ts";
import type { Parsed } from "../problem.ts";
import { entriesAt, fieldsAt, parseYaml, type Reader, reportMissing, type Spot } from "../yaml/yaml-reader.ts";
import { integerAt, textAt, variantAt, versionAt } from "../yaml/yaml-values.ts";
import { type EnvironmentConfig, environmentAt } from "./dedalus-environment.ts";
import { isStream } from "./dedalus-fields.ts";
import { keyPathAt, type LedgerTls, ledgerTlsAt, MANNER, PATH, type SecretRef, secretAt } from "./dedalus-guards.ts";

export type LedgerConfig =
  | { readonly engine: "sqlite"; readonly path: string }
  | { readonly engine: "postgres"; readonly tls?: LedgerTls; readonly url: SecretRef }
  | { readonly engine: "jetstream"; readonly replicas: number; readonly stream: string; readonly url: SecretRef };

export type Config = {
  readonly anchor: string;
  /** In the order of their names. */
  readonly environments: ReadonlyMap<string, EnvironmentConfig>;
  readonly ledger: LedgerConfig;
  /** Who acts when no token is given. */
  readonly operator: string;
  readonly signingKey: string;
};

const KEYS = ["version", "operator", "ledger", "anchor", "signingKey", "environments"];
const LEDGER = {
  by: "engine",
  common: [],
  of: { sqlite: ["path"], postgres: ["url"], jetstream: ["url", "stream", "replicas"] },
  optionalOf: { postgres: ["tls"] },
} as const;

const REPLICAS_MAX = 5;
const OPERATOR = { expected: `${SUBJECT_EXPECTED}, and not ${RESERVED_SUBJECTS.join(", ")}`, is: isSubject };
const STREAM = { expected: "a stream's name: letters, digits, hyphens and underscores", is: isStream };
const REPLICAS = {
  expected: `a whole number from 1 to ${REPLICAS_MAX}`,
  is: (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= REPLICAS_MAX,
};

export const parseConfig = (text: string, file: string): Parsed<Config> => parseYaml(text, file, MANNER, readConfig);

const readConfig = (reader: Reader, root: Spot): Config | undefined => {
  const fields = fieldsAt(reader, root, KEYS);
  if (fields === undefined) return undefined;
  reportMissing(reader, root, fields, KEYS);
  versionAt(reader, fields.get("version"));
  const anchor = textAt(reader, fields.get("anchor"), PATH);
  const environments = environmentsAt(reader, fields.get("environments"));
  const ledger = ledgerAt(reader, fields.get("ledger"));
  const operator = textAt(reader, fields.get("operator"), OPERATOR);
  const signingKey = keyPathAt(reader, fields.get("signingKey"));
  if (anchor === undefined || environments === undefined || ledger === undefined) return undefined;
  if (operator === undefined || signingKey === undefined) return undefined;
  return { anchor, environments, ledger, operator, signingKey };
};

const ledgerAt = (reader: Reader, spot: Spot | undefined): LedgerConfig | undefined => {
  const variant = spot === undefined ? undefined : variantAt(reader, spot, LEDGER);
  if (variant === undefined) return undefined;
  const { fields, word: engine } = variant;
  const path = textAt(reader, fields.get("path"), PATH);
  const replicas = integerAt(reader, fields.get("replicas"), REPLICAS);
  const stream = textAt(reader, fields.get("stream"), STREAM);
  const url = secretAt(reader, fields.get("url"));
  if (engine === "sqlite") return path === undefined ? undefined : { engine, path };
  if (engine === "postgres") {
    const tls = ledgerTlsAt(reader, fields.get("tls"));
    return url === undefined ? undefined : { engine, ...(tls === undefined ? {} : { tls }), url };
  }
  if (engine === undefined || replicas === undefined || stream === undefined || url === undefined) return undefined;
  return { engine, replicas, stream, url };
};

const credentialsOf = (environment: EnvironmentConfig): readonly SecretRef[] =>
  "credentials" in environment ? Object.values<SecretRef>(environment.credentials) : [];

const isIn = (one: SecretRef, list: readonly SecretRef[]): boolean =>
  list.some((other) =>
    "env" in one ? "env" in other && one.env === other.env : "file" in other && one.file === other.file,
  );

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

const environmentsAt = (reader: Reader, spot: Spot | undefined): Config["environments"] | undefined => {
  const entries = spot === undefined ? undefined : entriesAt(reader, spot);
  if (spot === undefined || entries === undefined) return undefined;
  if (entries.length === 0) reader.report("value-wrong", spot, "no environment is written; expected at least one");
  const read: (readonly [string, EnvironmentConfig])[] = [];
  for (const { key, name, value } of entries) {
    if (!isEnvironmentName(name)) {
      const expected = "a small letter, then up to 62 small letters, digits and hyphens";
      reader.report("value-wrong", key, `an environment's name that is not allowed; expected ${expected}`);
    }
    const environment = environmentAt(reader, value);
    if (environment === undefined) continue;
    const other = read.find(([, earlier]) =>
      credentialsOf(earlier).some((one) => isIn(one, credentialsOf(environment))),
    );
    if (other !== undefined) reader.report("credential-shared", key, `it names a credential of ${other[0]}`);
    read.push([name, environment]);
  }
  return new Map(read.sort(byName));
};

/** The files that hold a secret, as written, each once and in order: others must not be able to read them. */
export const secretFiles = (config: Config): readonly string[] => {
  const references = Array.from(config.environments.values(), credentialsOf).flat();
  if ("url" in config.ledger) references.push(config.ledger.url);
  const files = references.flatMap((reference) => ("file" in reference ? [reference.file] : []));
  return [...new Set([config.signingKey, ...files])].sort();
};
