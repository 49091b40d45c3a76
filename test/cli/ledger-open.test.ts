// Opening a ledger: what was cut, rewritten or unsigned is not believed, and everything that stands in the way has a
// name.

import assert from "node:assert/strict";
import { appendFileSync, chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { readNotes } from "../../src/ledger/anchor/anchor.ts";
import { makeKeyFile } from "../../src/ledger/tree/key-file.ts";
import { freePort } from "../../tools/servers/free-port.ts";
import { cannot } from "../cannot.ts";
import type { Printed } from "./desk.ts";
import { ANCHOR, codesIn, DATABASE, edit, KEY, moveTo, refusalsIn, withLedger } from "./ledger-desk.ts";

const sql = (folder: string, text: string): void => {
  const database = new DatabaseSync(join(folder, DATABASE));
  database.exec(text);
  database.close();
};

/** Three anchored records, something done to them, and what a command says then. */
const after = (
  harm: (folder: string) => void,
  ...argv: readonly string[]
): Promise<Printed & { readonly folder: readonly string[] }> =>
  withLedger(3, async (dedalus, folder) => {
    harm(folder);
    return { ...(await dedalus(...argv, "--json")), folder: readdirSync(folder) };
  });

const CUT = "DELETE FROM lines WHERE seq >= 2";
const ALTER = "UPDATE lines SET line = CAST(replace(CAST(line AS TEXT), 'alice', 'alicf') AS BLOB) WHERE seq = 1";
const COMMANDS = [
  ["ledger", "show"],
  ["ledger", "export", "--out", "audit"],
  ["ledger", "prove", "0"],
  ["ledger", "checkpoint"],
  ["ledger", "move", "--yes", "--to", "other.db"],
  ["ledger", "unlock", "--reason", "mended"],
] as const;

test("every command refuses a ledger whose last records were cut off, and writes nothing", async () => {
  for (const argv of COMMANDS) {
    const refused = await after((folder) => sql(folder, CUT), ...argv);
    assert.deepEqual([refused.code, codesIn(refused)], [7, ["ledger-cut-short"]], argv.join(" "));
    assert.deepEqual(refused.folder.toSorted(), [
      ".gitignore",
      "anchor",
      "dedalus.yaml",
      "desired.yaml",
      "keys",
      "ledger",
    ]);
  }
});

test("every command refuses a ledger that was rewritten, and verify names the place", async () => {
  for (const argv of COMMANDS) {
    const refused = await after((folder) => sql(folder, ALTER), ...argv);
    assert.deepEqual([refused.code, codesIn(refused)], [7, ["ledger-rewritten"]], argv.join(" "));
  }
  const verified = await after((folder) => sql(folder, ALTER), "ledger", "verify");
  assert.equal(verified.code, 7);
  const { findings } = JSON.parse(verified.out);
  assert.deepEqual(
    findings.map(({ seq, what }: { seq: number; what: string }) => `${seq} ${what}`),
    ["1 checkpoint-differs", "2 broken-link", "2 checkpoint-differs"],
  );
});

test("a ledger that is gone while its anchor stands was cut to nothing, and none is made in its place", async () => {
  for (const argv of [
    ["ledger", "show"],
    ["ledger", "checkpoint"],
  ]) {
    await withLedger(2, async (dedalus, folder) => {
      rmSync(join(folder, "ledger"), { recursive: true });
      const refused = await dedalus(...argv, "--json");
      assert.deepEqual([refused.code, codesIn(refused)], [7, ["ledger-cut-short"]], argv.join(" "));
      assert.ok(!existsSync(join(folder, "ledger")));
    });
  }
});

const cut = await after((folder) => sql(folder, CUT), "ledger", "checkpoint");
const whole = await after(() => undefined, "ledger", "checkpoint");
cannot("G1", "go on with a ledger that lost its last records", {
  neighbour: () => refusalsIn(whole),
  offence: () => refusalsIn(cut),
});

const rewritten = await after((folder) => sql(folder, ALTER), "ledger", "show");
const shown = await after(() => undefined, "ledger", "show");
cannot("N7", "show a ledger that was rewritten as if it were the one that was signed", {
  neighbour: () => refusalsIn(shown),
  offence: () => refusalsIn(rewritten),
});

const forged = await after(
  (folder) => edit(folder, ANCHOR, (text) => text.replace("\n2\n", "\n1\n")),
  "ledger",
  "show",
);
cannot("N7", "believe an anchor whose notes were altered", {
  neighbour: () => refusalsIn(shown),
  offence: () => refusalsIn(forged),
});

test("an anchor that another key signed, or that ends in nonsense, is not believed", async () => {
  const otherKey = (folder: string): void => {
    rmSync(join(folder, KEY));
    makeKeyFile(join(folder, KEY));
  };
  const nonsense = (folder: string): void => appendFileSync(join(folder, ANCHOR), "nonsense\nand more\n");
  for (const harm of [otherKey, nonsense]) {
    for (const command of ["show", "checkpoint", "verify"]) {
      const refused = await after(harm, "ledger", command);
      assert.deepEqual([refused.code, codesIn(refused)], [7, ["anchor-unverified"]], command);
    }
    const { code, out } = await after(harm, "doctor");
    const wrong = JSON.parse(out).checks.filter(({ refusals }: { refusals: object[] }) => refusals.length > 0);
    assert.deepEqual([code, wrong.map(({ check }: { check: string }) => check)], [7, ["anchor"]]);
  }
});

test("a note whose write was cut short counts for nothing, and the next one stands", async () => {
  await withLedger(2, async (dedalus, folder) => {
    const before = readFileSync(join(folder, ANCHOR), "utf8");
    const note = before.slice(0, before.indexOf("\n\n—") + 20);
    appendFileSync(join(folder, ANCHOR), note);
    assert.equal((await dedalus("ledger", "verify")).code, 0);
    assert.equal((await dedalus("ledger", "checkpoint")).code, 0);
    const { out } = await dedalus("ledger", "verify", "--json");
    assert.equal(JSON.parse(out).checkpoints, 3);
    assert.ok(readFileSync(join(folder, ANCHOR), "utf8").startsWith(before));
  });
});

test("where the anchor could not be kept nothing is recorded, not even the first record", async () => {
  await withLedger(0, async (dedalus, folder) => {
    writeFileSync(join(folder, "anchor"), "a file where the folder belongs\n");
    const { code, out } = await dedalus("ledger", "checkpoint", "--json");
    assert.deepEqual([code, codesIn({ code, err: "", out })], [7, ["anchor-unreadable"]]);
    assert.match(out, /a part of its path is not a folder/);
    rmSync(join(folder, "anchor"));
    assert.equal((await dedalus("ledger", "checkpoint")).code, 0);
    assert.equal(JSON.parse((await dedalus("ledger", "verify", "--json")).out).size, 1);
  });
});

test("doctor sees key, anchor and ledger, and what is wrong with them", async () => {
  await withLedger(2, async (dedalus, folder) => {
    const healthy = await dedalus("doctor");
    assert.equal(healthy.code, 0, healthy.out);
    assert.match(healthy.out, /ok {4}anchor: anchor\/checkpoints\.txt, 2 checkpoints, the last over 2 records/);
    assert.match(healthy.out, /ok {4}ledger: sqlite dedalus\.db, 2 records, fits its anchor/);
    sql(folder, "DELETE FROM lines");
    const cutShort = await dedalus("doctor");
    assert.equal(cutShort.code, 7);
    assert.match(cutShort.out, /WRONG ledger/);
    writeFileSync(join(folder, KEY), "no key\n");
    const keyless = await dedalus("doctor");
    assert.equal(keyless.code, 2);
    assert.match(keyless.out, /key-unusable/);
  });
});

test("without a ledger there is nothing to read, and reading makes nothing", async () => {
  await withLedger(0, async (dedalus, folder) => {
    for (const argv of COMMANDS.filter(([, command]) => command !== "checkpoint")) {
      const refused = await dedalus(...argv, "--json");
      assert.deepEqual([refused.code, codesIn(refused)], [2, ["ledger-absent"]], argv.join(" "));
    }
    assert.deepEqual(readdirSync(folder).toSorted(), [".gitignore", "dedalus.yaml", "desired.yaml", "keys"]);
    const verified = await dedalus("ledger", "verify", "--json");
    assert.deepEqual([verified.code, codesIn(verified)], [2, ["ledger-absent"]]);
  });
});

test("a key that is missing, open to others or no key stops what needs it", async () => {
  await withLedger(1, async (dedalus, folder) => {
    const refusal = async () => codesIn(await dedalus("ledger", "show", "--json"));
    chmodSync(join(folder, KEY), 0o644);
    assert.deepEqual(await refusal(), ["secret-open"]);
    chmodSync(join(folder, KEY), 0o600);
    writeFileSync(join(folder, KEY), "hunter2\n");
    const { err } = await dedalus("ledger", "show");
    assert.match(err, /key-unusable/);
    assert.doesNotMatch(err, /hunter2/);
    rmSync(join(folder, KEY));
    assert.deepEqual(await refusal(), ["key-unusable"]);
  });
});

test("a server that nobody answers for is exit code 8, without a word of its password", async () => {
  const port = await freePort();
  await withLedger(0, async (dedalus, folder) => {
    const secret = "correct-horse";
    writeFileSync(join(folder, "url"), `postgres://someone:${secret}@127.0.0.1:${port}/ledger\n`, { mode: 0o600 });
    moveTo(folder, "  engine: postgres\n  url: { file: url }\n");
    for (const command of ["show", "verify", "checkpoint"]) {
      const { code, out } = await dedalus("ledger", command, "--json");
      assert.equal(code, 8, out);
      assert.deepEqual(codesIn({ code, err: "", out }), ["ledger-unreachable"]);
      assert.equal(JSON.parse(out).error.domain, "transport");
      assert.ok(!out.includes(secret));
    }
    assert.equal((await dedalus("doctor")).code, 8);
    chmodSync(join(folder, "url"), 0o640);
    const open = await dedalus("ledger", "show", "--json");
    assert.deepEqual([open.code, codesIn(open)], [2, ["secret-open"]]);
    assert.ok(!open.out.includes(secret));
    rmSync(join(folder, "url"));
    assert.deepEqual(codesIn(await dedalus("ledger", "show", "--json")), ["secret-absent"]);
    moveTo(folder, "  engine: postgres\n  url: { env: DEDALUS_TEST_OF_A_VARIABLE_THAT_NOBODY_SETS }\n");
    assert.deepEqual(codesIn(await dedalus("ledger", "show", "--json")), ["secret-absent"]);
  });
});

test("an engine that nobody knows, a newer format and a foreign file are said so", async () => {
  await withLedger(1, async (dedalus, folder) => {
    sql(folder, "PRAGMA user_version = 99");
    const newer = await dedalus("ledger", "show", "--json");
    assert.deepEqual([newer.code, codesIn(newer)], [3, ["ledger-unusable"]]);
    assert.match(newer.out, /its format is 99.*use a newer Dedalus/);
    writeFileSync(join(folder, DATABASE), "not a database, but long enough to be looked at by somebody\n".repeat(20));
    for (const suffix of ["-wal", "-shm"]) rmSync(join(folder, `${DATABASE}${suffix}`), { force: true });
    assert.deepEqual(codesIn(await dedalus("ledger", "show", "--json")), ["ledger-unusable"]);
    moveTo(folder, "  engine: papyrus\n  path: ledger\n");
    const refused = await dedalus("ledger", "show", "--json");
    assert.deepEqual([refused.code, codesIn(refused)], [2, ["value-wrong"]]);
  });
});

const READ_ONLY_MARK = `${DATABASE}-read-only`;

/** How many records the last note of the anchor covers. */
const lastNoted = (folder: string): number =>
  Number(readNotes(join(folder, ANCHOR)).notes.at(-1)?.split("\n")[1] ?? Number.NaN);

test("a read-only ledger is read and verified, takes no record, and is unlocked by a recorded act", async () => {
  await withLedger(1, async (dedalus, folder) => {
    const early = await dedalus("ledger", "unlock", "--reason", "to be sure", "--json");
    assert.deepEqual([early.code, codesIn(early)], [3, ["ledger-not-read-only"]]);
    writeFileSync(join(folder, READ_ONLY_MARK), "the disk was full\n");
    const refused = await dedalus("ledger", "checkpoint", "--json");
    assert.deepEqual([refused.code, codesIn(refused)], [3, ["ledger-read-only"]]);
    for (const command of ["show", "verify"]) assert.equal((await dedalus("ledger", command)).code, 0);
    const examined = await dedalus("doctor");
    assert.equal(examined.code, 2);
    assert.match(examined.out, /WRONG ledger: sqlite dedalus\.db, 1 record, fits its anchor\n[\s\S]*the disk was full/);
    assert.match(examined.out, /dedalus ledger unlock --reason "…"/);
    assert.ok(existsSync(join(folder, READ_ONLY_MARK)));
    assert.equal((await dedalus("ledger", "unlock")).code, 2);
    assert.equal((await dedalus("ledger", "unlock", "--reason", "a\u0007b")).code, 2);
    const { code, out } = await dedalus("ledger", "unlock", "--reason", "disk enlarged", "--json");
    assert.equal(code, 0, out);
    assert.ok(!existsSync(join(folder, READ_ONLY_MARK)));
    assert.equal(lastNoted(folder), JSON.parse(out).seq + 1, "its note covers the record");
    const { records } = JSON.parse((await dedalus("ledger", "show", "--json", "--kind", "ledger.unlock")).out);
    assert.deepEqual(
      records.map(({ body: { request, result } }: { body: { request: Record<string, unknown>; result: object } }) => [
        request["reason"],
        request["why"],
        result,
      ]),
      [["disk enlarged", { cause: "mark-foreign", facts: { said: "the disk was full" } }, { kind: "done" }]],
    );
    assert.equal((await dedalus("ledger", "checkpoint")).code, 0);
    assert.match((await dedalus("doctor")).out, /ok {4}ledger: sqlite/);
  });
});

test("doctor says that a ledger is sealed by its copy, and that the copy is to be named", async () => {
  await withLedger(2, async (dedalus, folder) => {
    assert.equal((await dedalus("ledger", "move", "--yes", "--to", "copy.db")).code, 0);
    const sealed = await dedalus("doctor", "--json");
    assert.equal(sealed.code, 2);
    assert.deepEqual(ledgerCodes(sealed), ["ledger-sealed"]);
    assert.match(sealed.out, /record 2 seals sqlite dedalus\.db.*Name the copy in the ledger section/);
    moveTo(folder, "  engine: sqlite\n  path: copy.db\n");
    assert.deepEqual(ledgerCodes(await dedalus("doctor", "--json")), []);
  });
});

const ledgerCodes = ({ out }: Printed): readonly string[] =>
  JSON.parse(out)
    .checks.find(({ check }: { check: string }) => check === "ledger")
    .refusals.map(({ code }: { code: string }) => code);

const readOnly = await after(
  (folder) => writeFileSync(join(folder, READ_ONLY_MARK), "the disk was full\n"),
  "ledger",
  "checkpoint",
);
cannot("P7-F1", "write to a ledger after a failed write that nobody has looked at", {
  neighbour: () => refusalsIn(whole),
  offence: () => refusalsIn(readOnly),
});

test("what a broken record or a read-only mark says cannot speak to the terminal", async () => {
  await withLedger(3, async (dedalus, folder) => {
    const esc = Buffer.from("\u001b]0;owned\u0007").toString("hex");
    sql(
      folder,
      `UPDATE lines SET line = CAST(replace(CAST(line AS TEXT), '"prev":"', '"prev":"' || CAST(x'${esc}' AS TEXT)) AS BLOB) WHERE seq = 1`,
    );
    for (const argv of [
      ["ledger", "verify"],
      ["ledger", "show"],
    ]) {
      const { code, err, out } = await dedalus(...argv);
      assert.equal(code, 7);
      assert.doesNotMatch(`${err}${out}`.replaceAll("\n", ""), /\p{C}/u);
    }
  });
  await withLedger(1, async (dedalus, folder) => {
    writeFileSync(join(folder, READ_ONLY_MARK), `full \u001b[2J${"x".repeat(70_000)}\n`);
    assert.doesNotMatch((await dedalus("ledger", "checkpoint")).err.replaceAll("\n", ""), /\p{C}/u);
    const { code, out } = await dedalus("ledger", "unlock", "--reason", "mended");
    assert.equal(code, 0);
    assert.doesNotMatch(out.replaceAll("\n", ""), /\p{C}/u);
  });
});

test("damage inside the database is told with its record, under --json as one value", async () => {
  await withLedger(3, async (dedalus, folder) => {
    // An anchor that covers nothing, so that the lines alone tell.
    edit(folder, ANCHOR, (text) => text.slice(0, text.indexOf("\n\n", text.indexOf("\n\n") + 2) + 2));
    sql(folder, "UPDATE lines SET line = x'7b7d' WHERE seq = 1");
    const { code, out } = await dedalus("ledger", "show", "--json");
    assert.equal(code, 7);
    const { error, records } = JSON.parse(out);
    assert.equal(records.length, 1);
    assert.equal(error.refusals[0].code, "ledger-broken");
    assert.equal(error.refusals[0].facts.seq, 1);
    const text = await dedalus("ledger", "show");
    assert.equal(text.code, 7);
    assert.match(text.out, / 1 {2}BROKEN/);
    for (const argv of [["export", "--out", "audit"], ["move", "--yes", "--to", "other.db"], ["checkpoint"]]) {
      const refused = await dedalus("ledger", ...argv, "--json");
      assert.deepEqual([refused.code, codesIn(refused)], [7, ["ledger-broken"]], argv.join(" "));
    }
    assert.ok(!existsSync(join(folder, "audit")) && !existsSync(join(folder, "audit.part")));
  });
});
