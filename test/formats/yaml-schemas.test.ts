// The parsers of the YAML files and their published schemas agree: what one takes, the other takes.
//
// Valid values are made and then spoilt in every way a schema can speak of; both answers must really occur.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { stringify } from "yaml";
import { parseConfig } from "../../src/formats/dedalus/dedalus-yaml.ts";
import { parseDesired } from "../../src/formats/desired-yaml.ts";
import * as fields from "../../src/formats/fields.ts";
import { MEMORY_PATTERN } from "../../src/formats/memory-text.ts";
import { parsePolicy } from "../../src/formats/policy-yaml.ts";
import type { Parsed, Problem } from "../../src/formats/problem.ts";
import { ACTION_KINDS, higherTier, rowOf } from "../../src/spine/rules/actions.ts";
import type { RefusalCode } from "../../src/spine/rules/refusals.ts";
import { isSubject } from "../../src/spine/values/subject.ts";
import { known } from "../../src/wire.ts";
import { POLICY_LEVELS, policyValues } from "./policy-values.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
const schemaOf = (name: string): Json =>
  JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), "utf8"));

/** What a schema cannot say of a value. What it cannot say of a text (keys twice, aliases, 0x10) is not made here. */
const BEYOND_SCHEMA: ReadonlySet<RefusalCode> = new Set(["action-duplicate", "credential-shared", "vmid-duplicate"]);
/** That a group is given roles in an environment that is not there. */
const isBeyondSchema = ({ cause, code }: Problem): boolean => BEYOND_SCHEMA.has(code) || cause === "group-environment";

const escaped = (text: string): string =>
  text.replace(/[^\n\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
const inFlow = (value: Json): string => escaped(JSON.stringify(value));
const inBlocks = (value: Json): string =>
  escaped(stringify(value, { aliasDuplicateObjects: false, defaultStringType: "QUOTE_DOUBLE", lineWidth: 0 }));

const junk: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    false,
    0,
    1,
    2,
    -1,
    1.5,
    5,
    6,
    8192,
    8193,
    999_999_999,
    1e9,
    2 ** 50,
    2 ** 50 + 1,
    1e21,
  ),
  fc.constantFrom<Json>(
    "",
    " ",
    "a ",
    "running",
    "stopped",
    "shutdown",
    "2 GiB",
    "2GB",
    "1024 TiB",
    "999999 GiB",
    "5 min",
    "1h",
    "5m",
  ),
  fc.constantFrom<Json>(
    "anonymous",
    "none",
    "system",
    "ca",
    "pinned",
    "proxmox",
    "replay",
    "sqlite",
    "four-eyes",
    "eu-west-1",
    "standard",
    "0.0.0.0:7400",
    "x".repeat(256),
  ),
  fc.constantFrom<Json>(
    "http://a",
    "https://a:65536",
    "https://a:65535",
    "https://u@a",
    "qemu:///system",
    "-----BEGIN",
    "a\nb",
    "a\u202eb",
  ),
  fc.constantFrom<Json>(
    [],
    {},
    [1],
    { a: 1 },
    { env: "A" },
    { file: "a" },
    { env: "A", file: "a" },
    { env: "a-b" },
    { observe: { env: "A" } },
  ),
  fc.string({ maxLength: 8, unit: "binary" }),
  fc.string({ maxLength: 8, unit: "grapheme" }),
);
const strayKey = fc.constantFrom(
  "x",
  "stop",
  "cpus",
  "path",
  "url",
  "uri",
  "file",
  "sha256",
  "apply",
  "region",
  "env",
  "token",
  "__proto__",
  "constructor",
  "$schema",
);

type Spot = { readonly holder: Json[] | { [key: string]: Json }; readonly key: string };
const placesOf = (value: Json): readonly Spot[] => {
  if (value === null || typeof value !== "object") return [];
  return Object.keys(value).flatMap((key) => {
    const member = Reflect.get(value, key);
    return [{ holder: value, key }, ...placesOf(member)];
  });
};
const put = (holder: object, key: string, value: Json): void => {
  Object.defineProperty(holder, key, { configurable: true, enumerable: true, value, writable: true });
};

type Spoil = {
  readonly how: "drop" | "add" | "replace" | "none";
  readonly at: number;
  readonly key: string;
  readonly value: Json;
};
const spoils: fc.Arbitrary<readonly Spoil[]> = fc.array(
  fc.record({ at: fc.nat(), how: fc.constantFrom("drop", "add", "replace", "none"), key: strayKey, value: junk }),
  { maxLength: 2 },
);
const spoilt = (value: Json, { at, how, key, value: other }: Spoil): Json => {
  const copy: Json = structuredClone(value);
  const spots = placesOf(copy);
  const spot = spots[at % Math.max(spots.length, 1)];
  if (spot === undefined || how === "none") return copy;
  if (how === "replace") put(spot.holder, spot.key, other);
  else if (how === "add" && !Array.isArray(spot.holder)) put(spot.holder, key, other);
  else if (Array.isArray(spot.holder)) spot.holder.splice(Number(spot.key), 1);
  else delete spot.holder[spot.key];
  return copy;
};

const name = fc.oneof(fc.string({ maxLength: 12, unit: "grapheme" }).filter(fields.isName), fc.constant("web-01"));
const subject = fc.oneof(name, fc.stringMatching(/^[a-z][a-z0-9]{0,8}(?:[._-][a-z0-9]{1,4}){0,3}$/).filter(isSubject));
const environment = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
const optional = { cpus: fc.integer({ max: 8192, min: 1 }), identity: name, protected: fc.constant(true) };
const memory = fc.oneof(fc.integer({ max: 2 ** 50, min: 1 }), fc.stringMatching(new RegExp(MEMORY_PATTERN)));
const vm = fc
  .tuple(
    fc.record(
      { memory, name, vmid: fc.integer({ max: 999_999_999, min: 1 }), ...optional },
      { requiredKeys: ["name", "vmid"] },
    ),
    fc.constantFrom(
      { target: "running" },
      { stop: "shutdown", target: "stopped" },
      { stop: "power-off", target: "stopped" },
    ),
  )
  .map(([wanted, target]): Json => ({ ...wanted, ...target }));
const desired = fc.record({ environment, version: fc.constant(1), vms: fc.array(vm, { maxLength: 3 }) });

const path = fc.constantFrom("a", "keys/ledger.key", "/var/lib/x y", "./-");
const secret: fc.Arbitrary<Json> = fc.oneof(
  fc.constant({ env: "TOKEN" }),
  path.map((file) => ({ file })),
);
const fingerprint = fc.uint8Array({ maxLength: 32, minLength: 32 }).map((bytes) =>
  Buffer.from(bytes)
    .toString("hex")
    .replace(/..(?!$)/g, "$&:"),
);
const tls: fc.Arbitrary<Json> = fc.oneof(
  fc.constant({ verify: "system" }),
  path.map((file) => ({ file, verify: "ca" })),
  fingerprint.map((sha256) => ({ sha256, verify: "pinned" })),
);
const credentials = fc.record({ apply: secret, observe: secret }, { requiredKeys: ["observe"] });
const url = fc.constantFrom("https://pve1.example:8006", "https://[::1]/", "https://10.0.0.1/api");
const ofAdapter = <T extends Record<string, fc.Arbitrary<Json>>>(
  kinds: readonly string[],
  own: T,
): fc.Arbitrary<Json> => fc.record({ adapter: fc.constantFrom(...kinds), ...own });
const adapterOwn = fc.oneof(ofAdapter(["proxmox"], { credentials, tls, url }), ofAdapter(["replay"], { path }));
const section = fc
  .tuple(
    adapterOwn,
    fc.constantFrom("four-eyes", "single-operator"),
    fc.constantFrom("30 s", "5min", "999 h"),
    path,
    fc.option(path, { nil: undefined }),
  )
  .map(
    ([own, approval, maxObservationAge, desiredPath, policy]): Json => ({
      ...Object(own),
      approval,
      desired: desiredPath,
      maxObservationAge,
      ...(policy === undefined ? {} : { policy }),
    }),
  );
const ledgerTls: fc.Arbitrary<Json> = fc.oneof(
  fc.constant({ verify: "system" }),
  path.map((at) => ({ file: at, verify: "ca" })),
);
const ledger: fc.Arbitrary<Json> = fc.oneof(
  path.map((at) => ({ engine: "sqlite", path: at })),
  secret.map((at) => ({ engine: "postgres", url: at })),
  fc.tuple(secret, ledgerTls).map(([at, trust]) => ({ engine: "postgres", tls: trust, url: at })),
);
const group = fc.record({
  environments: fc.oneof(
    { arbitrary: fc.constant("all"), weight: 6 },
    { arbitrary: fc.uniqueArray(environment, { maxLength: 2, minLength: 1 }), weight: 1 },
  ),
  roles: fc.uniqueArray(fc.constantFrom("observer", "operator", "approver", "auditor"), { minLength: 1 }),
});
const endpoint = fc.constantFrom("https://id.example/realms/ops", "http://127.0.0.1:4000", "http://localhost/x");
const oidc = fc.record(
  {
    clientId: name,
    clientSecret: secret,
    groups: fc.dictionary(name, group, { maxKeys: 2, minKeys: 1, noNullPrototype: true }),
    groupsClaim: name,
    issuer: endpoint,
    nameClaim: name,
  },
  { requiredKeys: ["clientId", "groups", "issuer"] },
);
const events = fc.uniqueArray(fc.constantFrom("approval-requested", "outcome"), { minLength: 1 });
const webhook = fc.oneof(
  fc.record({ events, format: fc.constant("standard"), secret, url: endpoint }),
  fc.record({ events, format: fc.constant("slack"), url: secret }),
);
const ORIGINS = ["https://dedalus.example", "https://dedalus.example:8443", "https://[::1]", "http://localhost:7400"];
const service: fc.Arbitrary<Json> = fc.record(
  {
    drainSeconds: fc.integer({ max: 600, min: 0 }),
    listen: fc.constantFrom("127.0.0.1:7400", "[::1]:1", "0.0.0.0:7400", "[::]:65535"),
    oidc,
    sessions: fc.record(
      { hours: fc.integer({ max: 168, min: 1 }), idleMinutes: fc.integer({ max: 1440, min: 1 }) },
      { requiredKeys: [] },
    ),
    tls: fc.record({ certificate: path, key: path }),
    url: fc.constantFrom(...ORIGINS),
    webhooks: fc.array(webhook, { maxLength: 2, minLength: 1 }),
  },
  { requiredKeys: ["url"] },
);
const config = fc.record(
  {
    anchor: path,
    environments: fc.dictionary(environment, section, { maxKeys: 2, minKeys: 1, noNullPrototype: true }),
    ledger,
    operator: subject,
    service,
    signingKey: path,
    version: fc.constant(1),
  },
  { requiredKeys: ["anchor", "environments", "ledger", "operator", "signingKey", "version"] },
);

const agreement = (
  label: string,
  valid: fc.Arbitrary<Json>,
  parse: (text: string, file: string) => Parsed<unknown>,
): void => {
  const isTaken = new Ajv2020({ allErrors: false, strict: true, strictRequired: false, strictTypes: false }).compile(
    Object(schemaOf(label)),
  );
  const count = { refused: 0, taken: 0 };
  fc.assert(
    fc.property(valid, spoils, fc.boolean(), (value, ways, blocks) => {
      const given = ways.reduce(spoilt, value);
      const text = blocks ? inBlocks(given) : inFlow(given);
      const parsed = parse(text, label);
      const isBeyond = parsed.kind === "bad" && parsed.problems.every(isBeyondSchema);
      assert.equal(isTaken(given), parsed.kind === "ok" || isBeyond, `${text}\n${JSON.stringify(parsed)}`);
      count[parsed.kind === "ok" ? "taken" : "refused"] += 1;
    }),
    { numRuns: 400 },
  );
  assert.ok(count.taken > 50 && count.refused > 50, JSON.stringify(count));
};

test("desired.yaml: parser and schema take the same values", () => agreement("desired", desired, parseDesired));
test("dedalus.yaml: parser and schema take the same values", () =>
  agreement("dedalus", config, (text, file) => parseConfig(text, file, known)));
test("policy.yaml: parser and schema take the same values", () => agreement("policy", policyValues, parsePolicy));

test("policy.yaml: parser and schema take the same word for every action", () => {
  const isTaken = new Ajv2020().compile(Object(schemaOf("policy")));
  for (const action of [...ACTION_KINDS, "vm.explode"] as const) {
    for (const to of POLICY_LEVELS) {
      const given = { tighten: [{ action, to }], version: 1 };
      const isTier = to !== "refused" && to !== "allow";
      const isMore = action !== "vm.explode" && to !== "read" && isTier && higherTier(to, rowOf(action).tier) === to;
      const expected = isMore || (to === "refused" && action !== "vm.explode");
      assert.deepEqual([isTaken(given), parsePolicy(inFlow(given), "f").kind === "ok"], [expected, expected]);
    }
  }
});

test("what is beyond the schema is refused by the parser alone", () => {
  const twice = { environment: "a", version: 1, vms: [1, 1].map((vmid) => ({ name: "a", target: "running", vmid })) };
  assert.ok(new Ajv2020().compile(Object(schemaOf("desired")))(twice));
  const parsed = parseDesired(inFlow(twice), "f");
  assert.deepEqual(parsed.kind === "bad" && parsed.problems.map(({ code }) => code), ["vmid-duplicate"]);
  const both = { tighten: [1, 2].map(() => ({ action: "vm.stop", to: "refused" })), version: 1 };
  assert.ok(new Ajv2020().compile(Object(schemaOf("policy")))(both));
  const read = parsePolicy(inFlow(both), "f");
  assert.deepEqual(read.kind === "bad" && read.problems.map(({ code }) => code), ["action-duplicate"]);
});
