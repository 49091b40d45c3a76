// dedalus.yaml: what is read, and that it can hold no secret and no unverified connection.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { configToRecord } from "../../src/formats/dedalus/config-to-record.ts";
import { type Config, parseConfig, secretFiles } from "../../src/formats/dedalus/dedalus-yaml.ts";
import type { Problem } from "../../src/formats/problem.ts";
import { sectionsOf } from "../../src/kernel/command/recorded-config.ts";
import { known } from "../../src/wire.ts";
import { cannot } from "../cannot.ts";

const FINGERPRINT = Array.from({ length: 32 }, (_, at) => at.toString(16).padStart(2, "0")).join(":");
const PARTS = {
  head: "version: 1\noperator: alice",
  ledger: "{ engine: sqlite, path: ledger/dedalus.db }",
  rest: "anchor: anchor/checkpoints.txt\nsigningKey: keys/ledger.key",
  environments: "{}",
};
const COMMON = "approval: single-operator, maxObservationAge: 5 min, desired: desired.yaml";
const file = (parts: Partial<typeof PARTS>): string => {
  const { environments, head, ledger, rest } = { ...PARTS, ...parts };
  return `${head}\nledger: ${ledger}\n${rest}\nenvironments: ${environments}\n`;
};
const problems = (text: string): readonly Problem[] => {
  const parsed = parseConfig(text, "dedalus.yaml", known);
  return parsed.kind === "ok" ? [] : parsed.problems;
};
const read = (text: string): Config => {
  const parsed = parseConfig(text, "dedalus.yaml", known);
  assert.ok(parsed.kind === "ok", JSON.stringify(parsed));
  return parsed.value;
};

const PROXMOX = {
  adapter: "proxmox",
  credentials: "{ observe: { env: HOME_PVE_AUDIT }, apply: { file: secrets/home-apply } }",
  tls: `{ verify: pinned, sha256: "${FINGERPRINT}" }`,
  url: "https://pve1.example:8006",
};
const proxmox = (changed: Partial<typeof PROXMOX> & { readonly more?: string }): string => {
  const { adapter, credentials, more = "", tls, url } = { ...PROXMOX, ...changed };
  const own = `adapter: ${adapter}, url: "${url}", tls: ${tls}, credentials: ${credentials}${more}`;
  return file({ environments: `{ home: { ${own}, ${COMMON} } }` });
};

test("the documented file is read, with its times in milliseconds and its environments in order", () => {
  const config = read(
    proxmox({}).replace(
      "{ home:",
      "{ zoo: { adapter: replay, path: z, approval: four-eyes, maxObservationAge: 1h, desired: z }, home:",
    ),
  );
  assert.deepEqual([...config.environments.keys()], ["home", "zoo"]);
  assert.deepEqual(config.environments.get("home"), {
    acts: true,
    adapter: "proxmox",
    approval: "single-operator",
    desired: "desired.yaml",
    live: true,
    maxObservationAgeMs: 300_000,
    numbers: "provider",
    secrets: [{ env: "HOME_PVE_AUDIT" }, { file: "secrets/home-apply" }],
    settings: {
      credentials: { apply: { file: "secrets/home-apply" }, observe: { env: "HOME_PVE_AUDIT" } },
      tls: { sha256: FINGERPRINT.toUpperCase(), verify: "pinned" },
      url: "https://pve1.example:8006",
    },
  });
  assert.deepEqual(
    { ...config, environments: undefined },
    {
      anchor: "anchor/checkpoints.txt",
      environments: undefined,
      ledger: { engine: "sqlite", secrets: [], settings: { path: "ledger/dedalus.db" } },
      operator: "alice",
      signingKey: "keys/ledger.key",
    },
  );
});

test("every adapter and every engine has its keys and no others", () => {
  const adapters = {
    proxmox: "url: https://pve.example, tls: { verify: system }, credentials: { observe: { env: A } }",
    replay: "path: current.json",
  };
  for (const [adapter, keys] of Object.entries(adapters)) {
    const written = (more: string): string =>
      file({ environments: `{ a: { adapter: ${adapter}, ${keys}, ${COMMON}${more} } }` });
    assert.deepEqual(problems(written("")), [], adapter);
    const foreign = adapter === "replay" ? "url: https://pve.example" : "path: x";
    const [other] = problems(written(`, ${foreign}`));
    assert.equal(other?.code, "key-unknown", adapter);
    assert.deepEqual([other?.cause, other?.facts["by"], other?.facts["word"]], ["other-variant", "adapter", adapter]);
    const without = file({ environments: `{ a: { adapter: ${adapter}, ${COMMON} } }` });
    assert.deepEqual([...new Set(problems(without).map(({ code }) => code))], ["key-missing"], adapter);
  }
  const environments = `{ a: { adapter: replay, path: x, ${COMMON} } }`;
  for (const ledger of [
    "{ engine: postgres, url: { env: PG } }",
    "{ engine: postgres, url: { env: PG }, tls: { verify: system } }",
    "{ engine: postgres, url: { env: PG }, tls: { verify: ca, file: ca.pem } }",
  ]) {
    assert.deepEqual(problems(file({ environments, ledger })), []);
  }
  for (const ledger of [
    "{ engine: postgres, path: x }",
    `{ engine: postgres, url: { env: PG }, tls: { verify: pinned, sha256: "${FINGERPRINT}" } }`,
    "{ engine: sqlite, path: x, tls: { verify: system } }",
    "{ engine: jetstream, url: { file: n } }",
    "{ engine: mysql }",
    "sqlite",
  ]) {
    assert.notDeepEqual(problems(file({ environments, ledger })), [], ledger);
  }
});

test("a name that is in no table is refused, and the tables say which there are", () => {
  const written = (adapter: string): string =>
    file({ environments: `{ a: { adapter: ${adapter}, path: x, ${COMMON} } }` });
  assert.deepEqual(problems(written("replay")), []);
  for (const adapter of ["telepathy", "Replay", "toString", "__proto__"]) {
    const [first] = problems(written(adapter));
    assert.deepEqual([first?.code, first?.at.field], ["value-wrong", "environments.a.adapter"], adapter);
    assert.deepEqual(first?.facts["words"], ["proxmox", "replay"]);
  }
  const [engine] = problems(file({ environments: HOME, ledger: "{ engine: mysql, path: x }" }));
  assert.deepEqual([engine?.code, engine?.at.field], ["value-wrong", "ledger.engine"]);
});

test("every key of the file is required, and at least one environment", () => {
  assert.deepEqual(
    problems("{}").map(({ at }) => at.field),
    ["version", "operator", "ledger", "anchor", "signingKey", "environments"],
  );
  assert.deepEqual(
    problems(file({})).map(({ code }) => code),
    ["value-wrong"],
  );
  for (const key of [
    "approval: single-operator, ",
    "maxObservationAge: 5 min, ",
    ", desired: desired.yaml",
    "adapter: proxmox, ",
  ]) {
    assert.ok(
      problems(proxmox({}).replace(key, "")).some(({ code }) => code === "key-missing"),
      key,
    );
  }
});

test("nobody is not an operator", () => {
  for (const nobody of ["anonymous", "dedalus", "nobody", "unknown", '""', "101", "Alice", "аlice", "al--ice"]) {
    assert.deepEqual(
      problems(proxmox({}).replace("alice", nobody)).map(({ at }) => at.field),
      ["operator"],
      nobody,
    );
  }
});

test("the maximum age has a unit that leaves no doubt", () => {
  const of = (age: string): string => proxmox({}).replace("5 min", age);
  const ms = { "1 h": 3_600_000, "1h": 3_600_000, "30 s": 30_000, "90min": 5_400_000 };
  for (const [age, expected] of Object.entries(ms))
    assert.equal(read(of(age)).environments.get("home")?.maxObservationAgeMs, expected);
  for (const age of ["5m", "5 minutes", "300"])
    assert.deepEqual(
      problems(of(age)).map(({ code }) => code),
      ["unit-unknown"],
      age,
    );
  assert.equal(problems(of("5m"))[0]?.facts["meant"], "5 min");
  for (const age of ["0 s", "-5 min", "1.5 h", "100000 s", "five"])
    assert.deepEqual(
      problems(of(age)).map(({ code }) => code),
      ["value-wrong"],
      age,
    );
});

test("environment names from JavaScript are names or problems, never more", () => {
  const named = (name: string): string => proxmox({}).replace("{ home:", `{ ${name}:`);
  const config = read(named("constructor"));
  assert.deepEqual([...config.environments.keys()], ["constructor"]);
  for (const name of ["__proto__", "hasOwnProperty", "Home", "a_b"])
    assert.deepEqual(
      problems(named(name)).map(({ code }) => code),
      ["value-wrong"],
      name,
    );
});

const HOME = `{ a: { adapter: replay, path: x, ${COMMON} } }`;

cannot("B4", "turn TLS verification off", {
  neighbour: () => problems(proxmox({ tls: "{ verify: system }" })),
  offence: () => problems(proxmox({ tls: "{ verify: none }" })),
});

const onPostgres = (tls: string) =>
  problems(file({ environments: HOME, ledger: `{ engine: postgres, url: { env: PG }, tls: ${tls} }` }));
cannot("B4", "turn off the verification of the ledger's server", {
  neighbour: () => onPostgres("{ verify: system }"),
  offence: () => onPostgres("{ verify: none }"),
});

cannot("B4", "connect without TLS", {
  neighbour: () => problems(proxmox({ url: "https://pve1.example:8006" })),
  offence: () => problems(proxmox({ url: "http://pve1.example:8006" })),
});

test("no spelling of off is taken", () => {
  const offs = [
    ...["none", "off", "false", "insecure", "no", "0", "NONE", "skip", '"false"'].map((word) =>
      proxmox({ tls: `{ verify: ${word} }` }),
    ),
    ...["off", "false", "none"].map((tls) => proxmox({ tls })),
    ...[
      "insecure: true",
      "rejectUnauthorized: false",
      "skipVerify: true",
      "verify_ssl: false",
      "verify: false",
      "ssl: off",
      "insecureSkipVerify: false",
    ].flatMap((key) => [
      proxmox({ more: `, ${key}` }),
      proxmox({ tls: `{ verify: system, ${key.replace("verify: false", "tlsVerify: false")} }` }),
    ]),
    proxmox({ url: "HTTP://pve1.example" }),
  ];
  for (const text of offs) {
    assert.ok(
      problems(text).some(({ code }) => code === "tls-off"),
      text,
    );
  }
});

cannot("B5", "write a secret into the configuration", {
  neighbour: () => problems(proxmox({ credentials: "{ observe: { env: HOME_PVE_AUDIT } }" })),
  offence: () => problems(proxmox({ credentials: "{ observe: HOME_PVE_AUDIT }" })),
});

cannot("B5", "write a password into an address", {
  neighbour: () => problems(proxmox({ url: "https://pve1.example" })),
  offence: () => problems(proxmox({ url: "https://root:hunter2@pve1.example" })),
});

cannot("P7-F1", "lose a misspelt key of the configuration", {
  neighbour: () => problems(proxmox({ credentials: "{ observe: { env: A }, apply: { env: B } }" })),
  offence: () => problems(proxmox({ credentials: "{ observe: { env: A }, aply: { env: B } }" })),
});

const SECRET = "hunter2-0451";

test("no message, place or path repeats a value that may be a secret", () => {
  const written = [
    ...[
      SECRET,
      `{ observe: ${SECRET} }`,
      `{ observe: { env: ${SECRET} } }`,
      `{ observe: { env: A }, token: ${SECRET} }`,
    ].map((credentials) => proxmox({ credentials })),
    ...[`{ observe: { token: ${SECRET} } }`, `{ observe: { file: "-----BEGIN ${SECRET}" } }`].map((credentials) =>
      proxmox({ credentials }),
    ),
    ...["token", "password", "secret", "key", "apiKey", "private_key"].map((key) =>
      proxmox({ more: `, ${key}: ${SECRET}` }),
    ),
    proxmox({ url: `https://root:${SECRET}@pve1.example` }),
    `password: ${SECRET}\n${proxmox({})}`,
    proxmox({}).replace("keys/ledger.key", `"-----BEGIN ${SECRET}"`),
    file({
      environments: `{ a: { adapter: replay, path: x, ${COMMON} } }`,
      ledger: `{ engine: postgres, url: "postgres://a:${SECRET}@h" }`,
    }),
  ];
  for (const text of written) {
    const found = problems(text);
    assert.ok(
      found.some(({ code }) => code === "secret-inline"),
      text,
    );
    assert.ok(!JSON.stringify(found).includes(SECRET), JSON.stringify(found));
  }
  const hushed = [
    proxmox({ credentials: `{ observe: { ${SECRET} } }` }),
    proxmox({ credentials: `{ ${SECRET}: x }` }),
    proxmox({ credentials: `{ observe: { env: [${SECRET}] } }` }),
    proxmox({ adapter: SECRET }),
    proxmox({ tls: `{ verify: pinned, sha256: ${SECRET} }` }),
    proxmox({ credentials: `{ observe: "${SECRET} }` }),
    proxmox({ credentials: `{ observe: ${SECRET}: x: y }` }),
    proxmox({ credentials: `{ observe: @${SECRET} }` }),
    proxmox({ credentials: `{ observe: *${SECRET} }` }),
    proxmox({ credentials: `{ observe: "\\q${SECRET}" }` }),
  ];
  for (const text of hushed) {
    assert.notDeepEqual(problems(text), []);
    assert.ok(!JSON.stringify(problems(text)).includes(SECRET), JSON.stringify(problems(text)));
  }
});

test("a number in a credential's place is a secret too", () => {
  assert.deepEqual(
    problems(proxmox({ credentials: "{ observe: 450451 }" })).map(({ code }) => code),
    ["secret-inline"],
  );
});

test("an environment's section has one canonical form, whatever the order of its keys", () => {
  const section = (text: string): string => sectionsOf(configToRecord(read(text), new Map()))["home"] ?? assert.fail();
  const keys = [
    `adapter: proxmox`,
    `url: ${PROXMOX.url}`,
    `tls: ${PROXMOX.tls}`,
    `credentials: ${PROXMOX.credentials}`,
    ...COMMON.split(", "),
  ];
  const expected = section(proxmox({}));
  fc.assert(
    fc.property(fc.shuffledSubarray(keys, { minLength: keys.length }), (shuffled) => {
      assert.equal(section(file({ environments: `{ home: { ${shuffled.join(", ")} } }` })), expected);
    }),
    { numRuns: 30 },
  );
  assert.notEqual(section(proxmox({}).replace("5 min", "6 min")), expected);
  assert.equal(section(proxmox({}).replace("alice", "bob")), expected);
});

test("the files of secrets are listed once, the signing key among them", () => {
  const ledger = "{ engine: postgres, url: { file: secrets/pg } }";
  const credentials = "{ observe: { file: secrets/home }, apply: { file: secrets/home } }";
  assert.deepEqual(secretFiles(read(proxmox({ credentials }).replace(PARTS.ledger, ledger))), [
    "keys/ledger.key",
    "secrets/home",
    "secrets/pg",
  ]);
});
