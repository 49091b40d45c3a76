// The service of dedalus.yaml: where it listens, under which address people reach it, how they sign in, whom it tells.
//
// Nothing here can spell an unsafe service: beyond this machine it has TLS and an https address (B4), and secrets are
// named by their places (B5). Not here: how people sign in (dedalus-oidc.ts), whom it tells (dedalus-webhooks.ts).

import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { plainly, wholeNumber } from "../expectation.ts";
import { fieldsAt, plain, reportMissing, type Spot, type YamlReader } from "../yaml/yaml-reader.ts";
import { integerAt, type TextRule, textAt } from "../yaml/yaml-values.ts";
import { isListen, isLoopbackListen, isOrigin, isPlainOrigin } from "./dedalus-fields.ts";
import { isOff, keyPathAt, pathAt, type SecretRef, secretAt, verifiedAt } from "./dedalus-guards.ts";
import { type OidcConfig, oidcAt } from "./dedalus-oidc.ts";
import { type WebhookConfig, webhookSecret, webhooksAt } from "./dedalus-webhooks.ts";

/** Paths; the key's file is readable by its owner alone. */
export type ServiceTls = { readonly certificate: string; readonly key: string };

/** When a session ends: not used for so long, and in any case after so many hours. */
export type SessionLimits = { readonly hours: number; readonly idleMinutes: number };

export type ServiceConfig = {
  /** How long a process that is told to end waits for calls that were sent. */
  readonly drainSeconds: number;
  /** ADDRESS:PORT, by number. */
  readonly listen: string;
  readonly oidc?: OidcConfig;
  /** Seals what browsers keep for it: the same for all instances. Without it each start makes one. */
  readonly sealingKey?: SecretRef;
  readonly sessions: SessionLimits;
  /** Always there when it listens beyond this machine. */
  readonly tls?: ServiceTls;
  /** The origin under which people reach it; always there where people sign in by it, or are told of it. */
  readonly url?: string;
  readonly webhooks: readonly WebhookConfig[];
};

const LISTEN_DEFAULT = "127.0.0.1:7400";
const DRAIN_SECONDS = { default: 30, max: 600, min: 0 } as const;
const SESSION_HOURS = { default: 12, max: 168, min: 1 } as const;
const IDLE_MINUTES = { default: 30, max: 1440, min: 1 } as const;

const KEYS = ["listen", "url", "tls", "drainSeconds", "sessions", "sealingKey", "oidc", "webhooks"];
const LISTEN: TextRule = { expected: plainly("listen"), is: isListen };
const ORIGIN: TextRule = { expected: plainly("origin"), is: isOrigin };

export const serviceAt = (
  reader: YamlReader,
  spot: Spot,
  environments: readonly string[],
): ServiceConfig | undefined => {
  const fields = fieldsAt(reader, spot, KEYS);
  if (fields === undefined) return undefined;
  const listen = orElse(fields, "listen", LISTEN_DEFAULT, (at) => textAt(reader, at, LISTEN));
  const drainSeconds = numberAt(reader, fields, "drainSeconds", DRAIN_SECONDS);
  const sessions = orElse(fields, "sessions", NO_SESSIONS, (at) => sessionsAt(reader, at));
  const oidc = orElse(fields, "oidc", null, (at) => oidcAt(reader, at, environments));
  const sealingKey = orElse(fields, "sealingKey", null, (at) => secretAt(reader, at));
  const tls = orElse(fields, "tls", null, (at) => servedTlsAt(reader, at));
  const url = orElse(fields, "url", null, (at) => verifiedAt(reader, at, ORIGIN));
  const webhooks = orElse(fields, "webhooks", [], (at) => webhooksAt(reader, at));
  const isReached = reportUnreached(reader, spot, fields, listen);
  if (listen === undefined || drainSeconds === undefined || sessions === undefined || webhooks === undefined)
    return undefined;
  if (oidc === undefined || sealingKey === undefined || tls === undefined || url === undefined || !isReached)
    return undefined;
  const optional = {
    oidc: oidc ?? undefined,
    sealingKey: sealingKey ?? undefined,
    tls: tls ?? undefined,
    url: url ?? undefined,
  };
  return { drainSeconds, listen, sessions, webhooks, ...present(optional) };
};

type Fields = ReadonlyMap<string, Spot>;

/** Undefined only for what is written and wrong. */
const orElse = <T, D>(
  fields: Fields,
  key: string,
  otherwise: D,
  read: (spot: Spot) => T | undefined,
): T | D | undefined => {
  const spot = fields.get(key);
  return spot === undefined ? otherwise : read(spot);
};

type Range = { readonly default: number; readonly max: number; readonly min: number };
const numberAt = (reader: YamlReader, fields: Fields, key: string, { default: usual, max, min }: Range) =>
  orElse(fields, key, usual, (spot) =>
    integerAt(reader, spot, {
      expected: wholeNumber(min, max),
      is: (value): value is number => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
    }),
  );

const NO_SESSIONS: SessionLimits = { hours: SESSION_HOURS.default, idleMinutes: IDLE_MINUTES.default };
const sessionsAt = (reader: YamlReader, spot: Spot): SessionLimits | undefined => {
  const fields = fieldsAt(reader, spot, ["idleMinutes", "hours"]);
  if (fields === undefined) return undefined;
  const hours = numberAt(reader, fields, "hours", SESSION_HOURS);
  const idleMinutes = numberAt(reader, fields, "idleMinutes", IDLE_MINUTES);
  return hours === undefined || idleMinutes === undefined ? undefined : { hours, idleMinutes };
};

const servedTlsAt = (reader: YamlReader, spot: Spot): ServiceTls | undefined => {
  if (isOff(plain(spot))) {
    reader.report(spot, refuse("tls-off", { cause: "service-off" }));
    return undefined;
  }
  const fields = fieldsAt(reader, spot, ["certificate", "key"]);
  if (fields === undefined) return undefined;
  reportMissing(reader, spot, fields, ["certificate", "key"]);
  const certificate = pathAt(reader, fields.get("certificate"));
  const key = keyPathAt(reader, fields.get("key"));
  return certificate === undefined || key === undefined ? undefined : { certificate, key };
};

/**
 * Whether the parts fit: who listens beyond this machine has TLS, and whoever is named to others has an address for
 * them.
 */
const reportUnreached = (reader: YamlReader, spot: Spot, fields: Fields, listen: string | undefined): boolean => {
  const [at, url] = [fields.get("listen"), fields.get("url")];
  const isFar = at !== undefined && listen !== undefined && !isLoopbackListen(listen);
  const isPlain = url !== undefined && isPlainOrigin(plain(url)) && isOrigin(plain(url));
  const lacksTls = isFar && !fields.has("tls");
  const lacksUrl = url === undefined && (isFar || fields.has("oidc") || fields.has("webhooks"));
  const isMixed = isPlain && (isFar || fields.has("tls"));
  if (lacksTls) reader.report(at, refuse("tls-off", { cause: "listen" }));
  if (lacksUrl) reportMissing(reader, spot, fields, ["url"]);
  if (isMixed) reader.report(url, refuse("tls-off", { cause: "address" }));
  return !(lacksTls || lacksUrl || isMixed);
};

/** Where its secrets are, each as written; the key of its certificate is a file beside them. */
export const serviceSecrets = ({ oidc, sealingKey, webhooks }: ServiceConfig): readonly SecretRef[] => [
  ...(oidc?.clientSecret === undefined ? [] : [oidc.clientSecret]),
  ...(sealingKey === undefined ? [] : [sealingKey]),
  ...webhooks.map(webhookSecret),
];
