// The commands on the ledger as an operator meets them: show, checkpoint, verify, export, prove.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readNotes } from "../../src/ledger/anchor/anchor.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { keyUseOf } from "../../src/ledger/record/asked.ts";
import type { Draft } from "../../src/ledger/record/record.ts";
import { seal } from "../../src/ledger/record/seal.ts";
import { draft, ulid } from "../ledger/drafts.ts";
import { commitOn } from "../ledger/lines.ts";
import { tamper } from "../ledger/sqlite-files.ts";
import { runAt } from "./desk.ts";
import { ANCHOR, codesIn, DATABASE, withLedger } from "./ledger-desk.ts";

const DEDALUS = fileURLToPath(new URL("../../bin/dedalus", import.meta.url));

/** Records as a kernel would write them. */
const append = async (folder: string, drafts: readonly Partial<Draft>[]): Promise<void> => {
  const opened = await openSqlite(join(folder, DATABASE), { mode: "write" });
  assert.ok(opened.kind === "open");
  const { engine } = opened;
  for (const changes of drafts) {
    const { hash: prev, size: seq } = await engine.head();
    const { line, record } = seal(draft(seq, changes), { prev, seq });
    const keys = [keyUseOf(record)];
    assert.equal((await engine.append({ blobs: new Map(), keys, lines: [line] }, { size: seq })).kind, "ok");
  }
  await engine.close();
};

const seqsOf = (out: string): readonly number[] =>
  JSON.parse(out).records.map(({ seq }: { readonly seq: number }) => seq);

test("a checkpoint is a record of who asked for it, a note in the anchor, and durable before it is said", async () => {
  await withLedger(0, async (dedalus, folder) => {
    const { code, out } = await dedalus("ledger", "checkpoint", "--json");
    assert.equal(code, 0);
    const { key, note, root, seq, size } = JSON.parse(out);
    assert.deepEqual([seq, size], [0, 1]);
    const { notes } = readNotes(join(folder, ANCHOR));
    assert.match(
      notes[0] ?? "",
      /^dedalus\/[0-9a-f]{16}\n0\n/,
      "the first covers nothing: it was there before the record",
    );
    assert.deepEqual(notes.slice(1), [note]);
    const [record] = JSON.parse((await dedalus("ledger", "show", "--json")).out).records;
    assert.deepEqual([record.actor.id, record.actor.kind], ["alice", "person"]);
    assert.equal(record.kind, "ledger.checkpoint");
    assert.deepEqual([record.body.door, record.body.result], ["local", { kind: "done" }]);
    assert.equal(record.body.request.config.operator, "alice", "it brings its configuration with it");
    const verified = JSON.parse((await dedalus("ledger", "verify", "--json")).out);
    assert.deepEqual([verified.root, verified.size, verified.checkpoints], [root, 1, 1]);
    assert.match(key, /^dedalus\/[0-9a-f]{16}\+/);
  });
});

test("two processes of one configuration say the same configuration and different instances", async () => {
  await withLedger(2, async (dedalus) => {
    const [a, b] = JSON.parse((await dedalus("ledger", "show", "--json")).out).records;
    assert.equal(a.configHash, b.configHash);
    assert.notEqual(a.instance, b.instance);
  });
});

test("records are shown by place, kind, VM and correlation, exactly as they were written", async () => {
  await withLedger(1, async (dedalus, folder) => {
    await append(folder, [
      { body: { request: { vmid: 101 } }, kind: "apply.intent" },
      { body: { result: { answers: [{ vmid: 102 }] } }, kind: "plan" },
      { body: { request: { scope: [101, 103] } }, kind: "observe" },
      { body: { cpus: 101, note: "101", vmid: "101" }, kind: "applied" },
    ]);
    const show = async (...argv: readonly string[]) => seqsOf((await dedalus("ledger", "show", "--json", ...argv)).out);
    assert.deepEqual(await show(), [0, 1, 2, 3, 4]);
    assert.deepEqual(await show("--from", "1", "--to", "2"), [1, 2]);
    assert.deepEqual(await show("--vm", "101"), [1, 3]);
    assert.deepEqual(await show("--vm", "102"), [2]);
    assert.deepEqual(await show("--kind", "apply"), [1], "the kinds below a word, not those that begin with it");
    assert.deepEqual(await show("--kind", "ledger"), [0]);
    for (const kind of ["aply", "ledge", "apply."]) {
      const { code, out } = await dedalus("ledger", "show", "--json", "--kind", kind);
      const [{ cause, facts }] = JSON.parse(out).error.refusals;
      assert.deepEqual([code, cause, facts.argument, facts.found], [2, "not-one-of", "--kind", kind]);
      assert.ok(facts.known.includes("apply"));
    }
    assert.deepEqual(await show("--correlation", ulid(3)), [3]);
    assert.deepEqual(await show("--from", "9"), []);
    const { out } = await dedalus("ledger", "show", "--json", "--from", "1", "--to", "1");
    const opened = await openSqlite(join(folder, DATABASE), { mode: "read" });
    assert.ok(opened.kind === "open");
    for await (const line of opened.engine.read(1, 2)) assert.ok(out.includes(Buffer.from(line).toString()));
    await opened.engine.close();
    for (const wrong of [
      ["--from", "-1"],
      ["--to", "x"],
      ["--follow", "--to", "3"],
    ])
      assert.equal((await dedalus("ledger", "show", ...wrong)).code, 2, wrong.join(" "));
    // These records are nobody's decisions: who has a name is not known here.
    assert.equal((await dedalus("ledger", "show", "--vm", "abc")).code, 7);
  });
});

test("what a record says cannot speak to the terminal", async () => {
  await withLedger(0, async (dedalus, folder) => {
    await dedalus("ledger", "checkpoint");
    const evil = "\u001b]0;owned\u0007\u202etxt.exe\r\n";
    await append(folder, [
      { actor: { id: evil, kind: "agent", roles: [] }, body: { evil }, environment: evil, kind: evil },
    ]);
    const { code, out } = await dedalus("ledger", "show");
    assert.equal(code, 0);
    assert.equal(out.trimEnd().split("\n").length, 5, "two lines of the checkpoint, three of what has no words");
    assert.doesNotMatch(out.replaceAll("\n", ""), /\p{C}/u);
    assert.match(out, /\\u\{1b\}/);
  });
});

test("--follow gives what is written later, one JSON value a line, and ends at Ctrl-C with 0", async () => {
  await withLedger(1, async (dedalus, folder) => {
    const child = spawn(DEDALUS, ["ledger", "show", "--follow", "--json"], { cwd: folder });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<number> => JSON.parse((await lines.next()).value ?? "").seq;
    assert.equal(await next(), 0);
    await dedalus("ledger", "checkpoint");
    assert.equal(await next(), 1);
    child.kill("SIGINT");
    assert.deepEqual(await once(child, "close"), [0, null]);
  });
});

test("a reader of a long list that leaves early is no error, and what is left is not read for nobody", async () => {
  await withLedger(1, async (_dedalus, folder) => {
    const opened = await openSqlite(join(folder, DATABASE), { mode: "write" });
    assert.ok(opened.kind === "open");
    const { commit, head } = commitOn(await opened.engine.head(), 250, { note: "x".repeat(1_000) });
    assert.equal((await opened.engine.append(commit, { size: 1 })).kind, "ok");
    assert.equal(head.size, 251);
    await opened.engine.close();
    for (const more of ["", " --json", " --follow"]) {
      const command = `"${DEDALUS}" ledger show${more} | head -c 1 > first; cat first`;
      const { stderr, stdout } = spawnSync("sh", ["-c", command], { cwd: folder, encoding: "utf8" });
      assert.deepEqual([stderr, stdout], ["", more === " --json" ? "{" : " "]);
    }
  });
});

test("an export verifies with the public key alone, in a folder without a configuration", async () => {
  await withLedger(3, async (dedalus, folder) => {
    const made = JSON.parse((await dedalus("ledger", "export", "--out", "audit/", "--json")).out);
    assert.deepEqual([made.size, made.folder], [3, "audit"]);
    assert.ok(!existsSync(join(folder, "audit.part")));
    const audit = join(folder, "audit");
    const elsewhere = async (...argv: readonly string[]) => {
      const { code, err, out } = await runAt("/", argv);
      return { code, out: `${out}${err}` };
    };
    const good = await elsewhere("ledger", "verify", "--export", audit, "--key", made.key);
    assert.equal(good.code, 0, good.out);
    assert.match(good.out, /3 records, 1 signed checkpoint, 0 blobs\n/);
    const other = made.key.replace(/.$/, made.key.endsWith("A") ? "B" : "A");
    assert.equal((await elsewhere("ledger", "verify", "--export", audit, "--key", other)).code, 2);
    assert.equal((await elsewhere("ledger", "verify", "--export", audit)).code, 2);
    const again = await dedalus("ledger", "export", "--out", "audit", "--json");
    assert.deepEqual([again.code, codesIn(again)], [2, ["file-exists"]]);
    assert.equal((await dedalus("ledger", "verify", "--export", "none")).code, 2);
  });
});

test("an export is held against the anchor too, as far as it reaches", async () => {
  await withLedger(2, async (dedalus, folder) => {
    await dedalus("ledger", "export", "--out", "audit");
    await dedalus("ledger", "checkpoint");
    const { code, out } = await dedalus("ledger", "verify", "--export", "audit", "--json");
    assert.equal(code, 0, out);
    assert.equal(JSON.parse(out).checkpoints, 2);
    assert.equal((await dedalus("ledger", "verify", "--export", "audit", "--anchor", ANCHOR)).code, 0);
    assert.ok(readdirSync(join(folder, "audit")).length > 0);
  });
});

test("a used key that was taken away or put there is found in the ledger, with exit code 7", async () => {
  for (const [sql, found] of [
    ["DELETE FROM keys WHERE seq = 1", ["key-unlisted", 1, "use-missing"]],
    ["INSERT INTO keys SELECT key, caller || 'x', request, 2 FROM keys WHERE seq = 0", ["key-stray", 2, "use-stray"]],
    ["INSERT INTO keys SELECT key, '', request, 2 FROM keys WHERE seq = 0", ["key-stray", 2, "use-stray"]],
  ] as const) {
    await withLedger(3, async (dedalus, folder) => {
      assert.equal((await dedalus("ledger", "verify")).code, 0);
      tamper(join(folder, DATABASE), sql);
      const { code, out } = await dedalus("ledger", "verify", "--json");
      assert.equal(code, 7);
      const { error, findings, findingsCount } = JSON.parse(out);
      assert.equal(error.refusals[0].code, "ledger-broken");
      const { cause, facts } = error.refusals[0];
      assert.deepEqual([cause, facts.seq, facts.what], found);
      assert.deepEqual([findings.length, findingsCount], [1, 1]);
    });
  }
});

test("a broken export names its first broken record, with exit code 7", async () => {
  await withLedger(3, async (dedalus, folder) => {
    await dedalus("ledger", "export", "--out", "audit");
    const path = join(folder, "audit/audit_export.jsonl");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(/("prev":")([1-9a-f0])(?=[0-9a-f]{63}","processTime":"[^"]+","seq":1)/, "$1x"));
    const broken = await dedalus("ledger", "verify", "--export", "audit", "--json");
    assert.equal(broken.code, 7);
    const { error, findings } = JSON.parse(broken.out);
    assert.equal(error.refusals[0].code, "ledger-broken");
    assert.equal(error.refusals[0].facts.seq, 1);
    assert.ok(findings.length > 0);
    writeFileSync(path, text.split("\n").slice(0, 2).join("\n"));
    assert.equal((await dedalus("ledger", "verify", "--export", "audit")).code, 7);
    writeFileSync(path, `${text}{}\n`);
    assert.equal((await dedalus("ledger", "verify", "--export", "audit")).code, 7);
    writeFileSync(path, text);
    writeFileSync(join(folder, "audit/checkpoint"), Buffer.from([0xff, 0xfe]));
    const unsigned = await dedalus("ledger", "verify", "--export", "audit", "--json");
    assert.deepEqual([unsigned.code, codesIn(unsigned)], [7, ["export-unverified"]]);
    assert.equal(JSON.parse(unsigned.out).error.refusals[0].cause, "not-utf8");
    rmSync(join(folder, "audit/checkpoint"));
    const absent = await dedalus("ledger", "verify", "--export", "audit", "--json");
    assert.deepEqual([absent.code, JSON.parse(absent.out).error.refusals[0].cause], [7, "ENOENT"]);
  });
});

test("a proof is written once asked for, verified by its file, and refused when it is altered", async () => {
  await withLedger(3, async (dedalus, folder) => {
    const made = await dedalus("ledger", "prove", "1", "--json");
    assert.equal(made.code, 0, made.out);
    const {
      key,
      size,
      written: [file],
    } = JSON.parse(made.out);
    assert.deepEqual([file, size], ["1.tlog-proof", 3]);
    const holds = await dedalus("ledger", "verify", "--proof", file, "--key", key, "--json");
    assert.equal(JSON.parse(holds.out).record.seq, 1);
    assert.equal((await dedalus("ledger", "prove", "1")).code, 0, "an earlier proof may be replaced");
    assert.equal((await dedalus("ledger", "prove", "1", "--out", "dedalus.yaml")).code, 2);
    assert.equal((await dedalus("ledger", "prove", "3")).code, 2);
    assert.equal((await dedalus("ledger", "prove", "x")).code, 2);
    writeFileSync(join(folder, file), readFileSync(join(folder, file), "utf8").replace("index 1", "index 2"));
    const broken = await dedalus("ledger", "verify", "--proof", file, "--json");
    assert.deepEqual([broken.code, codesIn(broken)], [7, ["proof-broken"]]);
    assert.equal((await dedalus("ledger", "verify", "--proof", file, "--export", "x")).code, 2);
  });
});

test("a record that no checkpoint covers is proven with one that is signed for it", async () => {
  await withLedger(1, async (dedalus, folder) => {
    await append(folder, [{}, {}]);
    const made = JSON.parse((await dedalus("ledger", "prove", "2", "--json")).out);
    assert.deepEqual([made.anchored, made.size], [false, 3]);
    assert.equal((await dedalus("ledger", "verify", "--proof", "2.tlog-proof")).code, 0);
  });
});

test("a person who watches sees a bar, and a pipe does not", async () => {
  await withLedger(2, async (_dedalus, folder) => {
    const seen = await runAt(folder, ["ledger", "verify"], { isErrTerminal: true });
    assert.equal(seen.code, 0);
    assert.match(seen.err, /verifying \[#{30}\] 2 of 2 records/);
    assert.doesNotMatch(seen.out, /verifying/);
  });
});
