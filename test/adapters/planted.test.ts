// A new adapter and a new engine are one descriptor each, added to a table by one line: nothing else has to know them.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type Beginning, describeAdapter, NO_WORDS } from "../../src/adapters/descriptor.ts";
import { configTemplate, liveTemplate } from "../../src/cli/commands/init-templates.ts";
import { pathAt, secretAt } from "../../src/formats/dedalus/dedalus-guards.ts";
import { parseConfig, secretFiles } from "../../src/formats/dedalus/dedalus-yaml.ts";
import type { LedgerLocation } from "../../src/ledger/engine.ts";
import { describeEngine } from "../../src/ledger/engines/descriptor.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { ADAPTERS, ENGINES, joined } from "../../src/wire.ts";
import { observationOf, state } from "../spine/world.ts";

const beginning: Beginning = {
  certificateAt: async () => "00:11",
  comparedWith: "pythia --seal",
  example: ["adapter: oracle", "shrine: pythia"],
  section: ({ observe, url }) => [
    "adapter: oracle",
    `shrine: ${new URL(url).hostname}`,
    `tribute: { env: ${observe} }`,
  ],
  tokenForm: "COINS",
};

const oracle = describeAdapter({
  acts: () => false,
  begins: {
    address: "oracle://SHRINE",
    load: async () => beginning,
    takes: (address) => address.startsWith("oracle://"),
  },
  keys: { shrine: pathAt },
  live: true,
  name: "oracle",
  numbers: "operator",
  open: async ({ shrine }, { environment }) => ({
    source: { observe: async () => ({ ...observationOf([state({ name: shrine })]), environment }) },
  }),
  optional: { tribute: secretAt },
  secrets: ({ tribute }) => (tribute === undefined ? [] : [tribute]),
  words: NO_WORDS,
});

const scrollAt = (scroll: string, resolve: (path: string) => string): LedgerLocation => ({
  claims: () => [],
  readOnlyMark: async () => undefined,
  name: async () => `papyrus ${scroll}`,
  open: (mode) => openSqlite(resolve(scroll), { mode }),
});

const papyrus = describeEngine({
  at: ({ scroll }, { resolve }) => scrollAt(scroll, resolve),
  keys: { scroll: pathAt },
  name: "papyrus",
  optional: {},
  secrets: () => [],
  target: ({ value }, resolve) =>
    value.startsWith("papyrus://") ? scrollAt(value.slice("papyrus://".length), resolve) : undefined,
});

const planted = joined([...ADAPTERS, oracle], [...ENGINES, papyrus]);
const ports = planted.servicePorts();

const CONFIG = `version: 1
operator: alice
ledger: { engine: papyrus, scroll: ledger.db }
anchor: anchor.txt
signingKey: ledger.key
environments:
  delphi: { adapter: oracle, shrine: pythia, tribute: { file: gold }, approval: four-eyes, maxObservationAge: 5 min, desired: d.yaml }
`;

const read = (text: string) => parseConfig(text, "dedalus.yaml", planted.known);

test("a planted adapter and a planted engine are read, opened and used", async () => {
  const parsed = read(CONFIG);
  assert.ok(parsed.kind === "ok", JSON.stringify(parsed));
  const { environments, ledger } = parsed.value;
  const delphi = environments.get("delphi") ?? assert.fail("no delphi");
  assert.deepEqual(
    [delphi.live, delphi.numbers, delphi.settings],
    [true, "operator", { shrine: "pythia", tribute: { file: "gold" } }],
  );
  assert.deepEqual(secretFiles(parsed.value), ["gold", "ledger.key"]);
  const home = mkdtempSync(join(tmpdir(), "planted-"));
  try {
    const adapter = await ports.adapter("delphi", delphi, home);
    assert.ok("source" in adapter);
    const { environment, vms } = await adapter.source.observe([], new AbortController().signal);
    assert.deepEqual([environment, vms[0]?.name], ["delphi", "pythia"]);
    const place = ports.ledger.location(ledger, home);
    assert.ok("open" in place);
    assert.equal(await place.name(), "papyrus ledger.db");
    const opened = await place.open("write");
    assert.ok(opened.kind === "open");
    assert.equal((await opened.engine.head()).size, 0);
    await opened.engine.close();
    assert.deepEqual(ports.ledger.files(ledger, home), []);
    assert.deepEqual((await ports.ledger.owners(ledger, home)).ended(), []);
    assert.equal(ports.ledger.savedState(ledger, home), join(home, "ledger-saved-state"));
  } finally {
    rmSync(home, { force: true, recursive: true });
  }
});

test("an installation begins with a planted adapter, by its address and its own section", async () => {
  const begun = await planted.beginningAt("oracle://delphi");
  assert.equal(begun, beginning);
  const at = { observe: "TRIBUTE", sha256: "00:11", url: "oracle://delphi" };
  const parsed = read(liveTemplate("alice", { at, beginning }));
  assert.ok(parsed.kind === "ok", JSON.stringify(parsed));
  const home = parsed.value.environments.get("home");
  assert.deepEqual([home?.adapter, home?.settings], ["oracle", { shrine: "delphi", tribute: { env: "TRIBUTE" } }]);
  assert.match(configTemplate("alice", await planted.beginnings()), /^ {2}# {3}shrine: pythia$/m);
});

test("an address that no adapter takes begins nothing, and each says how its own are written", async () => {
  const own = joined(ADAPTERS, ENGINES);
  assert.deepEqual(await planted.beginningAt("gopher://delphi"), ["https://host:8006", "oracle://SHRINE"]);
  assert.deepEqual(await own.beginningAt("oracle://delphi"), ["https://host:8006"]);
  for (const address of ["https://pve1:8006", "https://pve1"]) {
    assert.equal(await planted.beginningAt(address), await own.beginningAt(address));
    assert.ok("section" in (await own.beginningAt(address)), address);
  }
});

test("without its line in the table a name is refused, and its keys belong to nobody else", () => {
  const codes = (text: string, known = planted.known): readonly string[] => {
    const parsed = parseConfig(text, "dedalus.yaml", known);
    return parsed.kind === "ok" ? [] : parsed.problems.map(({ at, code }) => `${at.field} ${code}`);
  };
  assert.deepEqual(codes(CONFIG), []);
  const bare = codes(CONFIG, joined(ADAPTERS, ENGINES).known);
  assert.ok(bare.includes("ledger.engine value-wrong"), bare.join());
  assert.ok(bare.includes("environments.delphi.adapter value-wrong"), bare.join());
  assert.deepEqual(codes(CONFIG.replace("shrine: pythia", "shrine: pythia, path: x")), [
    "environments.delphi.path key-unknown",
  ]);
  assert.deepEqual(codes(CONFIG.replace("shrine: pythia, ", "")), ["environments.delphi.shrine key-missing"]);
});

test("a target belongs to the engine whose address it is, plain or kept as a secret, and otherwise to none", async () => {
  const folder = mkdtempSync(join(tmpdir(), "planted-"));
  const named = async (to: typeof ports.ledger, address: string | { readonly file: string }): Promise<string> => {
    const place = to.target({ address, folder });
    return "code" in place ? `${place.code} ${place.cause}` : place.name();
  };
  const own = joined(ADAPTERS, ENGINES).servicePorts().ledger;
  const cases = [
    ["papyrus://copy", "papyrus copy", "usage target-unknown"],
    ["postgres://a:b@localhost/c", "postgres localhost/c", "postgres localhost/c"],
    ["postgresql://a:b@localhost/c", "postgres localhost/c", "postgres localhost/c"],
    ["mysql://a:b@localhost/c", "usage target-unknown", "usage target-unknown"],
    ["Mysql+tls://localhost/c", "usage target-unknown", "usage target-unknown"],
  ] as const;
  try {
    for (const [address, withPapyrus, without] of cases) {
      writeFileSync(join(folder, "url"), address, { mode: 0o600 });
      for (const given of [address, { file: "url" }]) {
        assert.equal(await named(ports.ledger, given), withPapyrus, address);
        assert.equal(await named(own, given), without, address);
      }
    }
    writeFileSync(join(folder, "url"), "copy.db", { mode: 0o600 });
    assert.equal(await named(own, "copy.db"), "sqlite copy.db");
    assert.equal(await named(own, { file: "url" }), "usage target-unknown");
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
});
