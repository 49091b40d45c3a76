// The service of dedalus.yaml: what is read, what is taken when nothing is written, and that no unsafe service can be
// spelled.

import assert from "node:assert/strict";
import { test } from "node:test";
import { configToRecord } from "../../src/formats/dedalus/config-to-record.ts";
import { PERSON_ROLES } from "../../src/formats/dedalus/dedalus-oidc.ts";
import type { ServiceConfig } from "../../src/formats/dedalus/dedalus-service.ts";
import { type Config, parseConfig, secretFiles } from "../../src/formats/dedalus/dedalus-yaml.ts";
import type { Problem } from "../../src/formats/problem.ts";
import { isRole } from "../../src/kernel/command/roles.ts";
import { canonical } from "../../src/spine/values/canonical.ts";
import { known } from "../../src/wire.ts";
import { cannot } from "../cannot.ts";

const HEAD = `version: 1
operator: alice
ledger: { engine: sqlite, path: ledger/dedalus.db }
anchor: anchor/checkpoints.txt
signingKey: keys/ledger.key
environments:
  home: { adapter: proxmox, url: "https://pve.example", tls: { verify: system }, credentials: { observe: { env: A } }, approval: four-eyes, maxObservationAge: 5 min, desired: desired.yaml }
`;
const parse = (service: string) => parseConfig(`${HEAD}service:\n${service}`, "dedalus.yaml", known);
const problems = (service: string): readonly Problem[] => {
  const parsed = parse(service);
  return parsed.kind === "ok" ? [] : parsed.problems;
};
const config = (service: string): Config => {
  const parsed = parse(service);
  assert.ok(parsed.kind === "ok", JSON.stringify(parsed));
  return parsed.value;
};
const read = (service: string): ServiceConfig => config(service).service ?? assert.fail();

const TLS = "  tls: { certificate: tls/service.pem, key: tls/service.key }\n";
const URL = "  url: https://dedalus.example\n";
const OIDC = (more = "", groups = "{ ops: { roles: [operator, approver], environments: all } }"): string =>
  `  oidc:\n    issuer: https://id.example/realms/ops\n    clientId: dedalus\n${more}    groups: ${groups}\n`;

test("what is not written of a service has its usual value, and nothing listens beyond this machine", () => {
  assert.deepEqual(read("  {}\n"), {
    drainSeconds: 30,
    listen: "127.0.0.1:7400",
    sessions: { hours: 12, idleMinutes: 30 },
    webhooks: [],
  });
  const without = parseConfig(HEAD, "dedalus.yaml", known);
  assert.ok(without.kind === "ok" && without.value.service === undefined);
});

const WHOLE = `  listen: 0.0.0.0:7400
${URL}${TLS}  drainSeconds: 10
  sessions: { idleMinutes: 15 }
  sealingKey: { file: secrets/seal }
${OIDC("    clientSecret: { file: secrets/oidc }\n", '{ "/ops": { roles: [operator, approver], environments: all }, eyes: { roles: [observer], environments: [home] } }')}  webhooks:
    - { format: standard, url: https://hooks.example/dedalus, secret: { env: HOOK }, events: [outcome, approval-requested] }
    - { format: slack, url: { file: secrets/slack }, events: [outcome] }
`;

test("a whole service is read, its groups and words in order", () => {
  assert.deepEqual(read(WHOLE), {
    drainSeconds: 10,
    listen: "0.0.0.0:7400",
    oidc: {
      clientId: "dedalus",
      clientSecret: { file: "secrets/oidc" },
      groups: [
        { environments: "all", group: "/ops", roles: ["approver", "operator"] },
        { environments: ["home"], group: "eyes", roles: ["observer"] },
      ],
      groupsClaim: "groups",
      issuer: "https://id.example/realms/ops",
      nameClaim: "preferred_username",
    },
    sealingKey: { file: "secrets/seal" },
    sessions: { hours: 12, idleMinutes: 15 },
    tls: { certificate: "tls/service.pem", key: "tls/service.key" },
    url: "https://dedalus.example",
    webhooks: [
      {
        events: ["approval-requested", "outcome"],
        format: "standard",
        secret: { env: "HOOK" },
        url: "https://hooks.example/dedalus",
      },
      { events: ["outcome"], format: "slack", url: { file: "secrets/slack" } },
    ],
  });
});

test("the files of its secrets are known, its key among them, and its record names only their places", () => {
  assert.deepEqual(secretFiles(config(WHOLE)), [
    "keys/ledger.key",
    "secrets/oidc",
    "secrets/seal",
    "secrets/slack",
    "tls/service.key",
  ]);
  assert.match(canonical(configToRecord(config(WHOLE), new Map())), /"clientSecret":\{"file":"secrets\/oidc"\}/);
});

test("every role of a group is a role that a token can have", () => {
  assert.ok(PERSON_ROLES.every(isRole));
});

/** The first problem: its code, its cause, and where it is. */
const first = (service: string): readonly unknown[] => {
  const [problem] = problems(service);
  return [problem?.code, problem?.cause, problem?.at.field, problem?.at.line, problem?.at.column];
};

test("what is wrong with a service is named by its place", () => {
  const cases: readonly (readonly [string, readonly unknown[]])[] = [
    ["  listen: localhost:7400\n", ["value-wrong", "listen", "service.listen", 9, 11]],
    ["  listen: 7400\n", ["type-wrong", "listen-unquoted", "service.listen", 9, 11]],
    ["  listen: 127.0.0.1:0\n", ["value-wrong", "listen", "service.listen", 9, 11]],
    ["  url: https://dedalus.example/console\n", ["value-wrong", "origin", "service.url", 9, 8]],
    ["  drainSeconds: 601\n", ["value-wrong", "integer", "service.drainSeconds", 9, 17]],
    ["  sessions: { hours: 0 }\n", ["value-wrong", "integer", "service.sessions.hours", 9, 22]],
    ["  session: { hours: 1 }\n", ["key-unknown", "meant", "service.session", 9, 3]],
    [OIDC(), ["key-missing", "absent", "service.url", 9, 3]],
    [URL + OIDC("", "{}"), ["value-wrong", "no-group", "service.oidc.groups", 13, 13]],
    [
      URL + OIDC("", "{ a: { roles: [], environments: all } }"),
      ["value-wrong", "list-empty", "service.oidc.groups.a.roles", 13, 27],
    ],
    [`${URL}  webhooks: []\n`, ["value-wrong", "list-empty", "service.webhooks", 10, 13]],
  ];
  for (const [service, expected] of cases) assert.deepEqual(first(service), expected, service);
});

cannot("B4", "listen beyond this machine without TLS", {
  neighbour: () => problems(`  listen: 0.0.0.0:7400\n${URL}${TLS}`),
  offence: () => problems(`  listen: 0.0.0.0:7400\n${URL}`),
});

cannot("B4", "turn off the TLS of the service", {
  neighbour: () => problems(TLS),
  offence: () => problems("  tls: off\n"),
});

cannot("B4", "be reached by plain http from another machine", {
  neighbour: () => problems("  url: http://localhost:7400\n"),
  offence: () => problems("  url: http://dedalus.example:7400\n"),
});

cannot("B4", "be named by plain http where it has TLS", {
  neighbour: () => problems(`  url: https://localhost:7400\n${TLS}`),
  offence: () => problems(`  url: http://localhost:7400\n${TLS}`),
});

cannot("B4", "believe an issuer that is not verified", {
  neighbour: () => problems(URL + OIDC()),
  offence: () => problems(URL + OIDC().replace("https://id", "http://id")),
});

cannot("B5", "write the client's secret into the configuration", {
  neighbour: () => problems(URL + OIDC("    clientSecret: { env: OIDC_SECRET }\n")),
  offence: () => problems(URL + OIDC("    clientSecret: hunter2\n")),
});

cannot("B5", "write the key that seals sessions into the configuration", {
  neighbour: () => problems("  sealingKey: { env: SEAL }\n"),
  offence: () => problems("  sealingKey: hunter2\n"),
});

cannot("B5", "write the secret address of a chat room into the configuration", {
  neighbour: () => problems(`${URL}  webhooks: [{ format: slack, url: { env: ROOM }, events: [outcome] }]\n`),
  offence: () => problems(`${URL}  webhooks: [{ format: slack, url: https://chat.example/x, events: [outcome] }]\n`),
});

cannot("B3", "sign in with the credential of an environment", {
  neighbour: () => problems(URL + OIDC("    clientSecret: { env: B }\n")),
  offence: () => problems(URL + OIDC("    clientSecret: { env: A }\n")),
});

cannot("P7-F1", "give a group a role that there is not", {
  neighbour: () => problems(URL + OIDC("", "{ a: { roles: [approver], environments: all } }")),
  offence: () => problems(URL + OIDC("", "{ a: { roles: [admin], environments: all } }")),
});

cannot("P7-F1", "make people of a group into agents", {
  neighbour: () => problems(URL + OIDC("", "{ a: { roles: [operator], environments: all } }")),
  offence: () => problems(URL + OIDC("", "{ a: { roles: [agent], environments: all } }")),
});

cannot("P7-F1", "give a group roles in an environment that there is not", {
  neighbour: () => problems(URL + OIDC("", "{ a: { roles: [approver], environments: [home] } }")),
  offence: () => problems(URL + OIDC("", "{ a: { roles: [approver], environments: [cloud] } }")),
});

test("no problem of a service repeats a secret", () => {
  for (const service of [
    URL + OIDC("    clientSecret: hunter2-0451\n"),
    `${URL}  webhooks: [{ format: slack, url: https://chat.example/hunter2-0451, events: [outcome] }]\n`,
    `${URL}  webhooks: [{ format: standard, url: https://a.example, secret: hunter2-0451, events: [outcome] }]\n`,
    "  url: https://root:hunter2-0451@dedalus.example\n",
    '  tls: { certificate: a, key: "-----BEGIN hunter2-0451" }\n',
    "  password: hunter2-0451\n",
  ]) {
    const found = problems(service);
    assert.notDeepEqual(found, [], service);
    assert.ok(!JSON.stringify(found).includes("hunter2-0451"), JSON.stringify(found));
  }
});
