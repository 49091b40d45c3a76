// Moving a ledger between real engines by command: sqlite → postgres → sqlite, and the root never changes.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { noteText, readNotes } from "../../src/ledger/anchor/anchor.ts";
import { postgresDesk, sql } from "../ledger/postgres-desk.ts";
import { tamper } from "../ledger/sqlite-files.ts";
import { ANCHOR, codesIn, type Dedalus, moveTo, withLedger } from "./ledger-desk.ts";

const verified = async (dedalus: Dedalus) => {
  const { code, out } = await dedalus("ledger", "verify", "--json");
  assert.equal(code, 0, out);
  return JSON.parse(out);
};
const linesOf = async (dedalus: Dedalus): Promise<string> =>
  (await dedalus("ledger", "show", "--json")).out.slice('{"records":['.length, -"]}\n".length);

suite("ledger move", () => {
  const { fresh } = postgresDesk();

  test("sqlite → postgres → sqlite keeps every line, head and root, and one of them goes on each time", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    await withLedger(3, async (dedalus, folder) => {
      writeFileSync(join(folder, "url"), where, { mode: 0o600 });
      const start = await linesOf(dedalus);

      const there = await dedalus("ledger", "move", "--yes", "--to-file", "url", "--json");
      assert.equal(there.code, 0, there.out);
      const first = JSON.parse(there.out);
      const source = await verified(dedalus);
      assert.deepEqual([first.size, first.root], [4, source.root]);
      const sealed = await dedalus("ledger", "checkpoint", "--json");
      assert.deepEqual([sealed.code, codesIn(sealed)], [3, ["ledger-sealed"]]);
      const copied = await linesOf(dedalus);
      assert.ok(copied.startsWith(start));

      moveTo(folder, "  engine: postgres\n  url: { file: url }\n");
      const onPostgres = await verified(dedalus);
      assert.deepEqual([onPostgres.head, onPostgres.root], [source.head, source.root]);
      assert.equal(await linesOf(dedalus), copied);
      assert.equal((await dedalus("ledger", "checkpoint")).code, 0);
      const grown = await linesOf(dedalus);
      await sql(where, "UPDATE dedalus_ledger.head SET read_only = 'the disk was full'");
      const readOnly = await dedalus("doctor");
      assert.equal(readOnly.code, 2);
      assert.match(readOnly.out, /WRONG ledger: [\s\S]*the disk was full[\s\S]*ledger unlock --reason/);
      assert.equal((await dedalus("ledger", "unlock", "--reason", "more disk")).code, 0);
      assert.match((await dedalus("doctor")).out, /ok {4}ledger: postgres/);
      const unlocked = await linesOf(dedalus);
      assert.ok(unlocked.startsWith(grown));

      const back = await dedalus("ledger", "move", "--yes", "--to", "back/ledger.db", "--json");
      assert.equal(back.code, 0, back.out);
      const before = await verified(dedalus);
      assert.equal(JSON.parse(back.out).root, before.root);
      assert.deepEqual(codesIn(await dedalus("ledger", "checkpoint", "--json")), ["ledger-sealed"]);

      moveTo(folder, "  engine: sqlite\n  path: back/ledger.db\n");
      const home = await verified(dedalus);
      assert.deepEqual([home.head, home.root, home.size], [before.head, before.root, 7]);
      const moved = join(folder, "back/ledger.db");
      tamper(moved, "UPDATE keys SET seq = 3 WHERE caller = '' AND seq > 0");
      const marked = await dedalus("ledger", "verify", "--json");
      assert.equal(marked.code, 7, "a copy goes on after the seal that names it, and no other");
      const [finding] = JSON.parse(marked.out).findings;
      assert.deepEqual([finding.cause, finding.facts.mark, finding.seq], ["copy-mark-stray", "finished", 3]);
      tamper(moved, "UPDATE keys SET seq = 6 WHERE caller = '' AND seq > 0");
      assert.ok((await linesOf(dedalus)).startsWith(grown));
      assert.equal((await dedalus("ledger", "checkpoint")).code, 0);

      moveTo(folder, "  engine: sqlite\n  path: ledger/dedalus.db\n");
      const behind = await dedalus("ledger", "show", "--json");
      assert.deepEqual([behind.code, codesIn(behind)], [3, ["ledger-sealed"]], "its copy has gone on, and it says so");
      const password = new URL(where).password;
      for (const text of [there.out, back.out, grown, readFileSync(join(folder, ANCHOR), "utf8")])
        assert.ok(!text.includes(password));
    });
  });

  test("a server that holds a ledger already is left alone", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    await withLedger(1, async (dedalus, folder) => {
      writeFileSync(join(folder, "url"), where, { mode: 0o600 });
      assert.equal((await dedalus("ledger", "move", "--yes", "--to-file", "url")).code, 0);
    });
    await withLedger(2, async (dedalus, folder) => {
      writeFileSync(join(folder, "url"), where, { mode: 0o600 });
      const { code, out } = await dedalus("ledger", "move", "--yes", "--to-file", "url", "--json");
      assert.deepEqual([code, codesIn({ code, err: "", out })], [3, ["target-occupied"]]);
      assert.equal((await dedalus("ledger", "checkpoint")).code, 0, "the source is not sealed");
    });
  });
});

test("the target is said once, and a secret in it is read from where it is", async () => {
  await withLedger(1, async (dedalus, folder) => {
    assert.equal((await dedalus("ledger", "move")).code, 2);
    assert.equal((await dedalus("ledger", "move", "--yes", "--to", "a.db", "--to-file", "b")).code, 2);
    assert.deepEqual(codesIn(await dedalus("ledger", "move", "--yes", "--to-file", "none", "--json")), [
      "secret-absent",
    ]);
    writeFileSync(join(folder, "open"), "postgres://a:b@localhost/c", { mode: 0o644 });
    assert.deepEqual(codesIn(await dedalus("ledger", "move", "--yes", "--to-file", "open", "--json")), ["secret-open"]);
    const elsewhere = await dedalus("ledger", "move", "--yes", "--to", "mysql://a@localhost/c", "--json");
    assert.deepEqual([elsewhere.code, codesIn(elsewhere)], [2, ["usage"]]);
    const inline = await dedalus("ledger", "move", "--yes", "--to", "mysql://a:b@localhost/c", "--json");
    assert.deepEqual([inline.code, codesIn(inline)], [2, ["secret-inline"]]);
    assert.equal((await dedalus("ledger", "checkpoint")).code, 0);
    assert.ok(!existsSync(join(folder, "a.db")));
  });
});

test("a finished copy that is asked for again is said to be done, and nothing is added to the anchor", async () => {
  await withLedger(2, async (dedalus, folder) => {
    const first = await dedalus("ledger", "move", "--yes", "--to", "other.db", "--json");
    const anchor = readFileSync(join(folder, ANCHOR), "utf8");
    const again = await dedalus("ledger", "move", "--yes", "--to", "other.db", "--json");
    assert.deepEqual(again, first);
    assert.equal(readFileSync(join(folder, ANCHOR), "utf8"), anchor);
    // A kill before the note over the seal: whoever asks again is who signs it.
    const { notes } = readNotes(join(folder, ANCHOR));
    writeFileSync(join(folder, ANCHOR), notes.slice(0, -1).map(noteText).join(""));
    assert.deepEqual(await dedalus("ledger", "move", "--yes", "--to", "other.db", "--json"), first);
    assert.equal(readFileSync(join(folder, ANCHOR), "utf8"), anchor);
    const elsewhere = await dedalus("ledger", "move", "--yes", "--to", "third.db", "--json");
    assert.deepEqual([elsewhere.code, codesIn(elsewhere)], [3, ["ledger-sealed"]]);
  });
});

test("an unfinished copy is named when somebody opens it for writing", async () => {
  await withLedger(2, async (dedalus, folder) => {
    const { copyLedger } = await import("../../src/ledger/write/copy.ts");
    const { openSqlite } = await import("../../src/ledger/engines/sqlite/sqlite.ts");
    const { copyingOf } = await import("../ledger/moving.ts");
    const [source, target] = await Promise.all(
      ["ledger/dedalus.db", "other.db"].map(async (name) => {
        const opened = await openSqlite(join(folder, name), { mode: "write" });
        assert.ok(opened.kind === "open");
        return opened.engine;
      }),
    );
    assert.ok(source && target);
    const killed = { ...source, append: () => Promise.reject(new Error("killed")) };
    await assert.rejects(copyLedger(copyingOf(killed, target)), /killed/);
    await Promise.all([source.close(), target.close()]);
    moveTo(folder, "  engine: sqlite\n  path: other.db\n");
    const refused = await dedalus("ledger", "checkpoint", "--json");
    assert.deepEqual([refused.code, codesIn(refused)], [3, ["copy-unfinished"]]);
    moveTo(folder, "  engine: sqlite\n  path: ledger/dedalus.db\n");
    assert.equal((await dedalus("ledger", "move", "--yes", "--to", "other.db")).code, 0);
  });
});
