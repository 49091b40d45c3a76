// What a re-anchor accepts, and from whom: nothing that is known to be lost, and nobody but an operator.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { rootOf } from "../../src/ledger/tree/merkle.ts";
import { readChainState, START } from "../../src/ledger/verify/chain-state.ts";
import { counting } from "../ledger/counting.ts";
import { tamper } from "../ledger/sqlite-files.ts";
import { atDesk, type Printed } from "./desk.ts";
import { ANCHOR, codesIn, DATABASE, edit } from "./ledger-desk.ts";
import { added, anchorIn, linesIn, rewritten, SAVED_STATE, withSessions } from "./lost-ledger-desk.ts";

test("a saved state tells of notes that were taken away together with the records that name them", async () => {
  await withSessions(async (dedalus, folder) => {
    for (const file of [ANCHOR, DATABASE]) copyFileSync(join(folder, file), join(folder, `${file}.old`));
    await added(folder, 300);
    assert.equal((await dedalus("freeze", "--reason", "four")).code, 0);
    assert.ok(existsSync(join(folder, SAVED_STATE)));
    for (const name of ["-wal", "-shm"]) rmSync(join(folder, DATABASE + name), { force: true });
    for (const file of [ANCHOR, DATABASE]) copyFileSync(join(folder, `${file}.old`), join(folder, file));
    const refused = await dedalus("freeze", "--reason", "five", "--json");
    assert.deepEqual([refused.code, codesIn(refused)], [7, ["ledger-cut-short"]], refused.out);
    const made = await dedalus("ledger", "re-anchor", "--reason", "never mind", "--json");
    assert.deepEqual(codesIn(made), ["ledger-cut-short"], "what is known to be lost is not blessed");
  });
});

test("a saved state that knows the old anchor does not stand in the way of the new one", async () => {
  await withSessions(async (dedalus, folder) => {
    await added(folder, 300);
    assert.equal((await dedalus("freeze", "--reason", "four")).code, 0);
    assert.ok(existsSync(join(folder, SAVED_STATE)));
    rmSync(anchorIn(folder));
    assert.deepEqual(codesIn(await dedalus("freeze", "--reason", "five", "--json")), ["anchor-absent"]);
    assert.equal((await dedalus("ledger", "re-anchor", "--reason", "lost")).code, 0);
    for (const reason of ["five", "six"]) {
      const { code, err } = await dedalus("freeze", "--reason", reason);
      assert.deepEqual([code, err], [0, ""]);
    }
    assert.ok(existsSync(join(folder, SAVED_STATE)), "the next session leaves one of its own");
  });
});

test("a ledger is re-anchored only when its anchor is lost, the ledger verifies, and what is left of the anchor fits", async () => {
  await withSessions(async (dedalus, folder) => {
    const reAnchor = (reason = "lost"): Promise<Printed> =>
      dedalus("ledger", "re-anchor", "--reason", reason, "--json");
    assert.deepEqual(codesIn(await reAnchor()), ["anchor-holds"]);
    assert.deepEqual(codesIn(await reAnchor("a\u0007b")), ["usage"]);
    assert.equal((await dedalus("ledger", "re-anchor")).code, 2);
    copyFileSync(anchorIn(folder), join(folder, "kept"));
    // One note that cannot be believed, and all the others say that records are missing.
    edit(folder, ANCHOR, (text) => text.replace("\n2\n", "\n1\n"));
    tamper(join(folder, DATABASE), "DELETE FROM lines WHERE seq >= 5");
    assert.deepEqual(codesIn(await reAnchor()), ["ledger-cut-short"]);
    rmSync(anchorIn(folder));
    const cut = await reAnchor();
    assert.deepEqual(codesIn(cut), ["ledger-broken"], "a key is in use for a record that is gone");
    tamper(
      join(folder, DATABASE),
      "UPDATE lines SET line = CAST(replace(CAST(line AS TEXT), 'alice', 'alicf') AS BLOB) WHERE seq = 1",
    );
    assert.deepEqual(codesIn(await reAnchor()), ["ledger-broken"]);
    assert.ok(!existsSync(anchorIn(folder)), "nothing was signed");
  });
});

test("records that verify and were never decided so are not blessed by a re-anchor", async () => {
  await withSessions(async (dedalus, folder) => {
    await rewritten(folder);
    rmSync(anchorIn(folder));
    await added(folder, 1, {
      ...counting,
      decide: (...args) => {
        const { draft } = counting.decide(...args);
        const body = { door: "local", request: { reason: "all is well" }, result: { kind: "done" }, state: {} };
        return { draft: { ...draft, body, kind: "unfreeze" } };
      },
    });
    const refused = await dedalus("ledger", "re-anchor", "--reason", "lost", "--json");
    const { error } = JSON.parse(refused.out);
    assert.deepEqual(
      [refused.code, error.domain, codesIn(refused)],
      [7, "validation", ["replay-differs"]],
      refused.out,
    );
    assert.ok(!existsSync(anchorIn(folder)));
  });
});

test("only an operator re-anchors: a token without the role is refused, and nothing is signed", async () => {
  await withSessions(async (dedalus, folder) => {
    assert.equal((await dedalus("unfreeze", "--reason", "for tokens")).code, 0);
    for (const [name, role] of [
      ["bob", "approver"],
      ["robot", "agent"],
    ] as const) {
      const made = await dedalus("token", "create", "--name", name, "--role", role, "--days", "7", "--json");
      assert.equal(made.code, 0, made.out);
      writeFileSync(join(folder, name), JSON.parse(made.out).token);
    }
    const kept = readFileSync(anchorIn(folder));
    const before = await linesIn(folder);
    rmSync(join(folder, "anchor"), { recursive: true });
    try {
      for (const name of ["bob", "robot"]) {
        process.env["DEDALUS_TOKEN"] = readFileSync(join(folder, name), "utf8");
        const refused = await dedalus("ledger", "re-anchor", "--reason", "let me", "--json");
        assert.deepEqual([refused.code, codesIn(refused)], [3, ["role-missing"]], refused.out);
        assert.equal(await linesIn(folder), before, "who may not leaves no record");
        assert.ok(!existsSync(join(folder, "anchor")), "nor a folder: what is not mounted is still called so");
      }
    } finally {
      delete process.env["DEDALUS_TOKEN"];
    }
    const lost = await dedalus("freeze", "--reason", "again", "--json");
    assert.deepEqual([lost.code, codesIn(lost)], [7, ["anchor-unmounted"]]);
    mkdirSync(join(folder, "anchor"), { mode: 0o700 });
    writeFileSync(anchorIn(folder), kept, { mode: 0o600 });
    assert.equal(
      (await dedalus("freeze", "--reason", "again")).code,
      0,
      "an anchor that comes back is as good as ever",
    );
  });
});

test("where no new anchor can be written, nothing is recorded", async () => {
  await withSessions(async (dedalus, folder) => {
    const before = await linesIn(folder);
    rmSync(join(folder, "anchor"), { recursive: true });
    writeFileSync(join(folder, "anchor"), "no folder", { mode: 0o600 });
    const refused = await dedalus("ledger", "re-anchor", "--reason", "lost", "--json");
    assert.deepEqual([refused.code, codesIn(refused)], [2, ["anchor-unwritable"]], refused.out);
    assert.equal(await linesIn(folder), before);
  });
});

test("what others write while the ledger is verified is not accepted by the act behind it", async () => {
  let onVerified = (): void => undefined;
  const err = (text: string): void => {
    if (text.includes("verifying: ")) onVerified();
  };
  await atDesk(
    {},
    async (dedalus, folder) => {
      assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
      assert.equal((await dedalus("freeze", "--reason", "one")).code, 0);
      const path = join(folder, DATABASE);
      const verified = await linesIn(folder);
      await added(folder, 1);
      const giveBack = takenFrom(path, verified);
      rmSync(anchorIn(folder));
      let given = 0;
      onVerified = () => {
        if (given === 0) giveBack();
        given += 1;
      };
      const made = await dedalus("ledger", "re-anchor", "--reason", "lost", "--json");
      assert.equal(made.code, 0, made.out);
      const { root, seq, size } = JSON.parse(made.out);
      assert.deepEqual([given > 0, seq, size], [true, verified + 1, verified]);
      assert.equal(root, await rootIn(path, verified));
    },
    { err, isErrTerminal: true },
  );
});

/** Takes the last record out of the database; what it gives puts it back. */
const takenFrom = (path: string, seq: number): (() => void) => {
  const database = new DatabaseSync(path);
  const line = database.prepare("SELECT hex(line) AS line FROM lines WHERE seq = ?").get(seq)?.["line"];
  const use = database
    .prepare("SELECT hex(key) AS key, caller, hex(request) AS request FROM keys WHERE seq = ?")
    .get(seq);
  database.close();
  tamper(path, `DELETE FROM lines WHERE seq = ${seq}; DELETE FROM keys WHERE seq = ${seq}`);
  const key = `x'${use?.["key"]}', '${use?.["caller"]}', x'${use?.["request"]}', ${seq}`;
  return () =>
    tamper(
      path,
      `INSERT INTO lines (seq, line) VALUES (${seq}, x'${line}');
       INSERT INTO keys (key, caller, request, seq) VALUES (${key})`,
    );
};

const rootIn = async (path: string, size: number): Promise<string> => {
  const opened = await openSqlite(path, { mode: "read" });
  assert.ok(opened.kind === "open");
  const { tree } = await readChainState(opened.engine, START, size);
  await opened.engine.close();
  return rootOf(tree);
};
