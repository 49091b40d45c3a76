// One environment's credential never serves another: the configuration is refused that names one twice, and so is a
// secret that is used in two.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { seenSecrets } from "../../src/adapters/seen-secrets.ts";
import { parseConfig } from "../../src/formats/dedalus/dedalus-yaml.ts";
import type { Problem } from "../../src/formats/problem.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { known, servicePorts } from "../../src/wire.ts";
import { cannot } from "../cannot.ts";

const environment = (observe: string, apply = ""): string =>
  `{ adapter: proxmox, url: https://pve.example, tls: { verify: system }, credentials: { observe: ${observe}${apply} }, approval: four-eyes, maxObservationAge: 5 min, desired: d.yaml }`;

const configured = (
  environments: Readonly<Record<string, string>>,
  ledger = "{ engine: sqlite, path: ledger.db }",
): ReturnType<typeof parseConfig> => {
  const text = `version: 1
operator: alice
ledger: ${ledger}
anchor: anchor.txt
signingKey: ledger.key
environments:
${Object.entries(environments)
  .map(([name, written]) => `  ${name}: ${written}\n`)
  .join("")}`;
  return parseConfig(text, "dedalus.yaml", known);
};

const naming = (home: string, cloud: string): readonly Problem[] => {
  const parsed = configured({ home: environment(home), cloud: environment(cloud) });
  return parsed.kind === "ok" ? [] : parsed.problems;
};

cannot("B3", "let one variable serve two environments", {
  neighbour: () => naming("{ env: HOME }", "{ env: CLOUD }"),
  offence: () => naming("{ env: HOME }", "{ env: HOME }"),
});

cannot("B3", "let one secret file serve two environments", {
  neighbour: () => naming("{ file: key }", "{ env: key }"),
  offence: () => naming("{ file: key }", "{ file: key }"),
});

const ledgerBeside = (url: string): readonly Problem[] => {
  const parsed = configured({ home: environment("{ file: key }") }, `{ engine: postgres, url: ${url} }`);
  return parsed.kind === "ok" ? [] : parsed.problems;
};

cannot("B3", "let one secret file serve the ledger and an environment", {
  neighbour: () => ledgerBeside("{ file: address }"),
  offence: () => ledgerBeside("{ file: key }"),
});

test("a shared credential is named under its code, at the environment that repeats it", () => {
  const [found] = naming("{ env: HOME }", "{ env: HOME }");
  assert.equal(found?.code, "credential-shared");
  assert.deepEqual(found?.facts, { other: "home" });
  assert.equal(found?.at.line, 8);
});

// By their values, which no configuration shows: seen when they are used.

const TOKEN = "dedalus@pve!home=00000000-0000-4000-8000-00000000000";
const [ONE, ANOTHER, THIRD] = [`${TOKEN}1`, `${TOKEN}2`, `${TOKEN}3`];

type Used = {
  /** The environment's credentials are read as they are given. */
  readonly adapter: (environment: string, observe: string, apply?: string) => Promise<readonly Refusal[]>;
  /** A copy goes to the address in a file. */
  readonly copy: (address: string) => readonly Refusal[];
  readonly folder: string;
  readonly ledger: (address: string) => readonly Refusal[];
  readonly service: (value: string) => readonly Refusal[];
};

/** A process with a folder of secrets; `folder` lets two of them share one. */
const processAt = (folder = mkdtempSync(join(tmpdir(), "dedalus-secrets-"))): Used => {
  after(() => rmSync(folder, { force: true, recursive: true }));
  const { adapter, ledger, serviceSecret } = servicePorts();
  const secret = (name: string, value: string): { readonly file: string } => {
    writeFileSync(join(folder, name), value, { mode: 0o600 });
    return { file: name };
  };
  return {
    adapter: async (name, observe, apply) => {
      const observing = `{ file: ${secret(`${name}-observe`, observe).file} }`;
      const acting = apply === undefined ? "" : `, apply: { file: ${secret(`${name}-apply`, apply).file} }`;
      const parsed = configured({ [name]: environment(observing, acting) });
      const found = parsed.kind === "ok" ? parsed.value.environments.get(name) : undefined;
      const opened = await adapter(name, found ?? assert.fail("it is configured"), folder);
      return "code" in opened ? [opened] : [];
    },
    copy: (value) => {
      const found = ledger.target({ address: secret("copy", value), folder });
      return "code" in found ? [found] : [];
    },
    folder,
    ledger: (value) => {
      const url = `{ file: ${secret("ledger", value).file} }`;
      const parsed = configured({ home: environment("{ file: key }") }, `{ engine: postgres, url: ${url} }`);
      const found = ledger.location(
        parsed.kind === "ok" ? parsed.value.ledger : assert.fail("it is configured"),
        folder,
      );
      return "code" in found ? [found] : [];
    },
    service: (value) => {
      const found = serviceSecret(secret("service", value), folder);
      return typeof found === "string" ? [] : [found];
    },
  };
};

const usedInTwo = async (home: string, cloud: string): Promise<readonly Refusal[]> => {
  const { adapter } = processAt();
  return [...(await adapter("home", home)), ...(await adapter("cloud", cloud))];
};

cannot("B3", "use a secret in two environments, wherever each of them keeps it", {
  neighbour: () => usedInTwo(ONE, ANOTHER),
  offence: () => usedInTwo(ONE, ONE),
});

cannot("B3", "observe with what acts in another environment", {
  neighbour: async () => {
    const { adapter } = processAt();
    return [...(await adapter("home", ONE, ANOTHER)), ...(await adapter("cloud", THIRD))];
  },
  offence: async () => {
    const { adapter } = processAt();
    return [...(await adapter("home", ONE, ANOTHER)), ...(await adapter("cloud", ANOTHER))];
  },
});

cannot("B3", "use in one environment what was rotated away in another", {
  neighbour: async () => {
    const { adapter } = processAt();
    return [
      ...(await adapter("home", ONE)),
      ...(await adapter("home", ANOTHER)),
      ...(await adapter("home", ONE)),
      ...(await adapter("cloud", THIRD)),
    ];
  },
  offence: async () => {
    const { adapter } = processAt();
    return [...(await adapter("home", ONE)), ...(await adapter("home", ANOTHER)), ...(await adapter("cloud", ONE))];
  },
});

cannot("B3", "use at a provider what the service itself signs with", {
  neighbour: async () => {
    const { adapter, service } = processAt();
    return [...service(ONE), ...service(ONE), ...(await adapter("home", ANOTHER))];
  },
  offence: async () => {
    const { adapter, service } = processAt();
    return [...service(ONE), ...(await adapter("home", ONE))];
  },
});

cannot("B3", "sign with what an environment uses at its provider", {
  neighbour: async () => {
    const { adapter, service } = processAt();
    return [...(await adapter("home", ONE)), ...service(ANOTHER)];
  },
  offence: async () => {
    const { adapter, service } = processAt();
    return [...(await adapter("home", ONE)), ...service(ONE)];
  },
});

const [ADDRESS, OTHER_ADDRESS] = [
  "postgres://dedalus:one@db.example/ledger",
  "postgres://dedalus:two@db.example/ledger",
];

cannot("B3", "use at a provider what the ledger is reached by", {
  neighbour: async () => {
    const { adapter, ledger } = processAt();
    return [...ledger(ADDRESS), ...ledger(ADDRESS), ...(await adapter("home", ONE))];
  },
  offence: async () => {
    const { adapter, ledger } = processAt();
    return [...ledger(ONE), ...(await adapter("home", ONE))];
  },
});

cannot("B3", "reach the ledger by what an environment uses at its provider", {
  neighbour: async () => {
    const { adapter, ledger } = processAt();
    return [...(await adapter("home", ONE)), ...ledger(ADDRESS)];
  },
  offence: async () => {
    const { adapter, ledger } = processAt();
    return [...(await adapter("home", ONE)), ...ledger(ONE)];
  },
});

cannot("B3", "copy a ledger to an address that an environment uses at its provider", {
  neighbour: async () => {
    const { adapter, copy, ledger } = processAt();
    return [...(await adapter("home", ONE)), ...ledger(ADDRESS), ...copy(ADDRESS), ...copy(OTHER_ADDRESS)];
  },
  offence: async () => {
    const { adapter, copy } = processAt();
    return [...(await adapter("home", ONE)), ...copy(ONE)];
  },
});

test("one environment may observe and act with one credential", async () => {
  const { adapter } = processAt();
  assert.deepEqual(await adapter("home", ONE, ONE), []);
  assert.deepEqual(await adapter("home", ONE, ONE), []);
});

test("a refused secret stays the first one's, and is named by the other environment alone", async () => {
  const { adapter, service } = processAt();
  await adapter("home", ONE);
  for (let times = 0; times < 2; times += 1) {
    const [refusal] = await adapter("cloud", ONE);
    assert.deepEqual(
      [refusal?.code, refusal?.cause, refusal?.facts],
      ["secret-shared", "environments", { environment: "cloud", other: "home" }],
    );
    assert.ok(!JSON.stringify(refusal).includes(ONE.slice(-12)));
  }
  assert.deepEqual(await adapter("home", ONE), []);
  service(THIRD);
  const [refusal] = await adapter("cloud", THIRD);
  assert.deepEqual(
    [refusal?.code, refusal?.cause, refusal?.facts],
    ["secret-shared", "service", { environment: "cloud" }],
  );
});

test("what was seen is left nowhere: no file is written, and another process begins with nothing", async () => {
  const one = processAt();
  await one.adapter("home", ONE);
  await one.adapter("cloud", ONE);
  assert.deepEqual(readdirSync(one.folder).sort(), ["cloud-observe", "home-observe"]);
  assert.deepEqual(await processAt(one.folder).adapter("cloud", ONE), []);
});

test("a secret is known by a hash under a key that each process makes for itself", () => {
  const keys: string[] = [];
  const see = seenSecrets(() => {
    keys.push("key");
    return "key";
  });
  assert.deepEqual(keys, [], "no secret, no key");
  const [home, cloud] = (["home", "cloud"] as const).map((name) => ({ kind: "environment", name }) as const);
  assert.ok(home !== undefined && cloud !== undefined);
  assert.equal(see(home, ONE), undefined);
  for (const text of [ONE, ` ${ONE}\n`]) assert.equal(see(cloud, text)?.code, "secret-shared");
  assert.deepEqual(keys, ["key"]);
});
