// One environment of dedalus.yaml: its adapter, who must agree, how old a look may be, and where things are.
//
// Which keys an adapter has is one table; a key of another adapter is refused as unknown and says whose it is.
// There are no defaults (P7-A2). Not here: secrets and TLS (dedalus-guards.ts).

import { refuse } from "../../spine/rules/refusals.ts";
import { plainly } from "../expectation.ts";
import { plain, type Reader, reportFound, reportType, reportValue, type Spot } from "../yaml/yaml-reader.ts";
import { textAt, variantAt, wordAt } from "../yaml/yaml-values.ts";
import { isRegion, nearestAge, parseAge } from "./dedalus-fields.ts";
import {
  type Credentials,
  credentialsAt,
  httpsAt,
  libvirtAt,
  PATH,
  type SecretRef,
  type Tls,
  tlsAt,
} from "./dedalus-guards.ts";

type Common = {
  readonly approval: "single-operator" | "four-eyes";
  readonly desired: string;
  readonly maxObservationAgeMs: number;
  /** The path of its policy file; its text is read beside this one (policy-yaml.ts). */
  readonly policy?: string;
};
export type EnvironmentConfig = Common &
  (
    | {
        readonly adapter: "proxmox" | "lxd";
        readonly url: string;
        readonly tls: Tls;
        readonly credentials: Credentials;
      }
    | { readonly adapter: "replay" | "dfir"; readonly path: string }
    | { readonly adapter: "libvirt"; readonly uri: string }
    | { readonly adapter: "ec2"; readonly region: string; readonly credentials: Credentials }
    | { readonly adapter: "telemetry"; readonly credentials: { readonly observe: SecretRef } }
  );
export type AdapterKind = EnvironmentConfig["adapter"];

const APPROVALS = ["single-operator", "four-eyes"] as const satisfies readonly Common["approval"][];

const ADAPTER_KEYS = {
  proxmox: ["url", "tls", "credentials"],
  replay: ["path"],
  libvirt: ["uri"],
  lxd: ["url", "tls", "credentials"],
  dfir: ["path"],
  ec2: ["region", "credentials"],
  telemetry: ["credentials"],
} as const satisfies Record<AdapterKind, readonly string[]>;

const VARIANTS = {
  by: "adapter",
  common: ["approval", "maxObservationAge", "desired"],
  of: ADAPTER_KEYS,
  optional: ["policy"],
} as const;
const REGION = { expected: plainly("region"), is: isRegion };

export const environmentAt = (reader: Reader, spot: Spot): EnvironmentConfig | undefined => {
  const variant = variantAt(reader, spot, VARIANTS);
  if (variant === undefined) return undefined;
  const { fields, word: adapter } = variant;
  const approval = wordAt(reader, fields.get("approval"), APPROVALS);
  const desired = textAt(reader, fields.get("desired"), PATH);
  const maxObservationAgeMs = ageAt(reader, fields.get("maxObservationAge"));
  const policy = textAt(reader, fields.get("policy"), PATH);
  const own = {
    credentials: credentialsAt(
      reader,
      fields.get("credentials"),
      adapter === "telemetry" ? ["observe"] : ["observe", "apply"],
    ),
    path: textAt(reader, fields.get("path"), PATH),
    region: textAt(reader, fields.get("region"), REGION),
    tls: tlsAt(reader, fields.get("tls")),
    uri: libvirtAt(reader, fields.get("uri")),
    url: httpsAt(reader, fields.get("url")),
  };
  if (adapter === undefined || approval === undefined || desired === undefined) return undefined;
  return maxObservationAgeMs === undefined
    ? undefined
    : joined(adapter, { approval, desired, maxObservationAgeMs, ...(policy === undefined ? {} : { policy }) }, own);
};

type Own = {
  readonly credentials: Credentials | undefined;
  readonly path: string | undefined;
  readonly region: string | undefined;
  readonly tls: Tls | undefined;
  readonly uri: string | undefined;
  readonly url: string | undefined;
};

/** Undefined when a key of this adapter was missing or wrong. */
const joined = (adapter: AdapterKind, common: Common, own: Own): EnvironmentConfig | undefined => {
  const { credentials, path, region, tls, uri, url } = own;
  switch (adapter) {
    case "proxmox":
    case "lxd":
      if (credentials === undefined || tls === undefined || url === undefined) return undefined;
      return { adapter, ...common, credentials, tls, url };
    case "replay":
    case "dfir":
      return path === undefined ? undefined : { adapter, ...common, path };
    case "libvirt":
      return uri === undefined ? undefined : { adapter, ...common, uri };
    case "ec2":
      return credentials === undefined || region === undefined
        ? undefined
        : { adapter, ...common, credentials, region };
    case "telemetry":
      return credentials === undefined ? undefined : { adapter, ...common, credentials };
  }
};

const AGE = plainly("age");

const ageAt = (reader: Reader, spot: Spot | undefined): number | undefined => {
  if (spot === undefined) return undefined;
  const value = plain(spot);
  const ms = typeof value === "string" ? parseAge(value) : undefined;
  if (ms !== undefined) return ms;
  if (typeof value === "number")
    return reportFound(reader, spot, (found) => refuse("unit-unknown", { cause: "age", facts: { found } }));
  if (typeof value !== "string") return reportType(reader, spot, AGE);
  const meant = nearestAge(value);
  if (meant === undefined) return reportValue(reader, spot, AGE);
  return reportFound(reader, spot, (found) => refuse("unit-unknown", { cause: "age-meant", facts: { found, meant } }));
};
