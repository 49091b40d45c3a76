// What dedalus.yaml must not say: a secret instead of its place (B5), or a connection that is not verified (B4).
//
// No message here quotes a value, and no path names a key of a map in which a secret may have been pasted as a key.

import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { kindFound, plainly, suchAs } from "../expectation.ts";
import {
  entriesAt,
  fieldsAt,
  type Manner,
  plain,
  reportMissing,
  reportValue,
  type Spot,
  type YamlEntry,
  type YamlReader,
} from "../yaml/yaml-reader.ts";
import { type TextRule, textAt, variantAt } from "../yaml/yaml-values.ts";
import { isFingerprint, isHttps, isPath, isVariable } from "./dedalus-fields.ts";

/** Where a secret is; never the secret. */
export type SecretRef = { readonly env: string } | { readonly file: string };
export type Tls =
  | { readonly verify: "system" }
  | { readonly verify: "ca"; readonly file: string }
  | { readonly verify: "pinned"; readonly sha256: string };
/** Without `apply` an environment can only be observed. */
export type Credentials = { readonly observe: SecretRef; readonly apply?: SecretRef };

export const PATH: TextRule = { expected: plainly("path"), is: isPath };
export const pathAt = (reader: YamlReader, spot: Spot | undefined): string | undefined => textAt(reader, spot, PATH);
const VARIABLE: TextRule = { expected: plainly("variable"), is: isVariable };
const HTTPS: TextRule = { expected: suchAs("address", "https://host:8006"), is: isHttps };
const FINGERPRINT: TextRule = {
  expected: plainly("fingerprint"),
  is: isFingerprint,
};

const SECRET_KEY = /token|secret|passw|passphrase|credential|private.?key|api.?key|^(?:key|pass|pwd|auth|cookie)$/i;
const UNVERIFIED_KEY =
  /insecure|unauthorized|no.?verif|skip.?verif|verif.{0,3}(?:tls|ssl|cert|host)|(?:tls|ssl|cert|host).{0,3}verif|self.?signed/i;

const objects = (reader: YamlReader, { key, name, value }: YamlEntry): boolean => {
  if (UNVERIFIED_KEY.test(name) || (/^(?:tls|ssl|verify)$/i.test(name) && isOff(plain(value)))) {
    reader.report(key, refuse("tls-off", { cause: "switch" }));
    return true;
  }
  if (SECRET_KEY.test(name) && isWritten(plain(value))) {
    reader.report(key, refuse("secret-inline", { cause: "key" }));
    return true;
  }
  return false;
};

export const MANNER: Manner = { objects, shows: kindFound };

const isWritten = (value: unknown): boolean => typeof value === "string" || typeof value === "number";

const OFF = new Set(["0", "disable", "disabled", "false", "ignore", "insecure", "never", "no", "none", "off", "skip"]);
export const isOff = (value: unknown): boolean =>
  value === false || value === 0 || (typeof value === "string" && OFF.has(value.toLowerCase()));

export const secretAt = (reader: YamlReader, spot: Spot | undefined): SecretRef | undefined => {
  if (spot === undefined) return undefined;
  if (isWritten(plain(spot))) return inline(reader, spot);
  const fields = fieldsAt(reader, spot, ["env", "file"], true);
  if (fields === undefined) return undefined;
  const [env, file] = [fields.get("env"), fields.get("file")];
  if (env !== undefined && file !== undefined) {
    reader.report(file, refuse("value-wrong", { cause: "secret-twice" }));
    return undefined;
  }
  if (env === undefined && file === undefined) reader.report(spot, refuse("key-missing", { cause: "secret-unnamed" }));
  const variable = secretRefAt(reader, env, VARIABLE);
  const path = secretRefAt(reader, file, PATH);
  return variable === undefined ? (path === undefined ? undefined : { file: path }) : { env: variable };
};

/** A text that cannot be a place is taken for the secret itself. */
const secretRefAt = (
  reader: YamlReader,
  spot: Spot | undefined,
  rule: TextRule,
  cause: Inline = "value",
): string | undefined => {
  if (spot === undefined) return undefined;
  const value = plain(spot);
  return isWritten(value) && !rule.is(value) ? inline(reader, spot, cause) : textAt(reader, spot, rule);
};

type Inline = "key-file" | "value";
const inline = (reader: YamlReader, spot: Spot, cause: Inline = "value"): undefined => {
  reader.report(spot, refuse("secret-inline", { cause }));
};

export const keyPathAt = (reader: YamlReader, spot: Spot | undefined): string | undefined =>
  secretRefAt(reader, spot, PATH, "key-file");

export const credentialsAt = (reader: YamlReader, spot: Spot | undefined): Credentials | undefined => {
  if (spot === undefined) return undefined;
  if (isWritten(plain(spot))) return inline(reader, spot);
  const fields = fieldsAt(reader, spot, ["observe", "apply"], true);
  if (fields === undefined) return undefined;
  reportMissing(reader, spot, fields, ["observe"]);
  const apply = secretAt(reader, fields.get("apply"));
  const observe = secretAt(reader, fields.get("observe"));
  return observe === undefined ? undefined : { ...present({ apply }), observe };
};

const TLS_KEYS = { by: "verify", common: [], of: { ca: ["file"], pinned: ["sha256"], system: [] } } as const;

export const tlsAt = (reader: YamlReader, spot: Spot | undefined): Tls | undefined => {
  if (spot === undefined) return undefined;
  const verify = isWritten(plain(spot)) || plain(spot) === false ? spot : peek(spot, "verify");
  if (verify !== undefined && isOff(plain(verify))) {
    reader.report(verify, refuse("tls-off", { cause: "off" }));
    return undefined;
  }
  const variant = variantAt(reader, spot, TLS_KEYS);
  if (variant === undefined) return undefined;
  const file = textAt(reader, variant.fields.get("file"), PATH);
  const sha256 = textAt(reader, variant.fields.get("sha256"), FINGERPRINT)?.toUpperCase();
  if (variant.word === "system") return { verify: "system" };
  if (variant.word === "ca") return file === undefined ? undefined : { file, verify: "ca" };
  return variant.word === undefined || sha256 === undefined ? undefined : { sha256, verify: "pinned" };
};

/** The driver of a ledger's server verifies by authorities; it cannot be told of one certificate alone. */
export type LedgerTls = Exclude<Tls, { readonly verify: "pinned" }>;

export const ledgerTlsAt = (reader: YamlReader, spot: Spot | undefined): LedgerTls | undefined => {
  const tls = tlsAt(reader, spot);
  if (spot === undefined || tls?.verify !== "pinned") return tls as LedgerTls | undefined;
  reader.report(spot, refuse("value-wrong", { cause: "tls-pinned" }));
  return undefined;
};

const SILENT: YamlReader = { lineAt: () => 1, manner: MANNER, report: () => undefined };
/** Looks without reporting. */
const peek = (spot: Spot, name: string): Spot | undefined =>
  entriesAt(SILENT, spot)?.find((entry) => entry.name === name)?.value;
/** The keys of a map as they are written, whatever is wrong with their values. */
export const namesIn = (spot: Spot | undefined): readonly string[] =>
  (spot === undefined ? undefined : entriesAt(SILENT, spot))?.map(({ name }) => name) ?? [];

const USER_INFO = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i;

export const httpsAt = (reader: YamlReader, spot: Spot | undefined): string | undefined =>
  verifiedAt(reader, spot, HTTPS);

/** An address of which the rule takes no unverified one. */
export const verifiedAt = (reader: YamlReader, spot: Spot | undefined, rule: TextRule): string | undefined =>
  addressAt(reader, spot, rule, USER_INFO, /^http:/i);

const addressAt = (
  reader: YamlReader,
  spot: Spot | undefined,
  rule: TextRule,
  secret: RegExp,
  off: RegExp,
): string | undefined => {
  const value = spot === undefined ? undefined : plain(spot);
  if (spot === undefined || typeof value !== "string" || rule.is(value)) return textAt(reader, spot, rule);
  if (secret.test(value)) {
    reader.report(spot, refuse("secret-inline", { cause: "address" }));
    return undefined;
  }
  if (off.test(value)) {
    reader.report(spot, refuse("tls-off", { cause: "address" }));
    return undefined;
  }
  return reportValue(reader, spot, rule.expected);
};
