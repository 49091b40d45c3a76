// Several instances at one ledger on a real PostgreSQL server, each with an anchor and a signing key of its own.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { postgresDesk, sql } from "../ledger/postgres-desk.ts";
import { ANCHOR_FILE, atAnotherHome, joinWords, keyOf } from "./another-home.ts";
import { applied, atCluster, type Cluster, codesIn, planned, type StatusValue } from "./cluster.ts";

type Shown = { readonly error?: { readonly refusals: readonly { readonly code: string }[] } };
const refusedWith = async (cluster: Cluster, words: readonly string[]): Promise<readonly string[]> =>
  codesIn(await cluster.value<Shown & Parameters<typeof codesIn>[0]>(...words));

/** The last record is gone, with its key, as if it had never been there. */
const CUT_ONE = `
  DELETE FROM dedalus_ledger.keys WHERE seq = (SELECT size - 1 FROM dedalus_ledger.head);
  DELETE FROM dedalus_ledger.lines WHERE seq = (SELECT size - 1 FROM dedalus_ledger.head);
  UPDATE dedalus_ledger.head SET size = size - 1,
    hash = (SELECT sha256('\\x00'::bytea || line) FROM dedalus_ledger.lines ORDER BY seq DESC LIMIT 1)`;

suite("joining a ledger on PostgreSQL", () => {
  const { fresh } = postgresDesk();
  const atTwo = async (work: (first: Cluster, second: Cluster, where: string) => Promise<void>): Promise<void> => {
    const { remove, where } = await fresh();
    try {
      await atCluster((first) => atAnotherHome(first, (second) => work(first, second, where)), { ledgerUrl: where });
    } finally {
      await remove();
    }
  };

  test("an instance that has not joined records nothing; one that has goes on with the plans of the others", async () => {
    await atTwo(async (first, second) => {
      const { id } = await planned(first, "vm.start", 101);
      const words = await joinWords(first);
      const { size } = await first.value<StatusValue>("status");
      assert.deepEqual(await refusedWith(second, ["plan", "--env", "home"]), ["anchor-unjoined"]);
      assert.deepEqual(await refusedWith(second, ["freeze", "--reason", "x"]), ["anchor-unjoined"]);
      assert.match((await second.dedalus("plan", "--env", "home")).err, /dedalus ledger join/);
      assert.equal((await second.value<StatusValue>("status")).size, size, "it is shown, and nothing was recorded");
      const joined = await second.dedalus(...words);
      assert.equal(joined.code, 0, joined.err);
      assert.match(joined.out, /^verified and accepted: \d+ records, root [\s\S]*: ledger\.join by alice$/m);
      assert.equal((await applied(second, id)).applied?.[0]?.result.outcome, "succeeded", "its plan is not void");
      assert.equal(first.mutations().length, 1);
      for (const one of [first, second]) {
        assert.equal((await one.dedalus("observe", "--env", "home")).code, 0);
        assert.equal((await one.dedalus("ledger", "verify")).code, 0);
      }
      assert.match((await first.dedalus("replay")).out, /every decision comes out the same/);
      const [one, other] = [await first.value<StatusValue>("status"), await second.value<StatusValue>("status")];
      assert.deepEqual([one.size, one.last], [other.size, other.last]);
    });
  });

  test("N7 an instance that lost its anchor does not join: it begins a new one", async () => {
    await atTwo(async (first, second) => {
      assert.equal((await second.dedalus(...(await joinWords(first)))).code, 0);
      assert.deepEqual(await refusedWith(second, await joinWords(first)), ["anchor-holds"]);
      assert.equal((await second.dedalus("observe", "--env", "home")).code, 0);
      renameSync(join(second.folder, ANCHOR_FILE), join(second.folder, "lost"));
      assert.deepEqual(await refusedWith(second, await joinWords(first)), ["anchor-absent"]);
      assert.equal((await second.dedalus("ledger", "re-anchor", "--reason", "its disk burnt")).code, 0);
    });
  });

  test("N7 an instance with the anchor of another is refused, and so is one that joins on what proves nothing", async () => {
    await atTwo(async (first, second, where) => {
      const anchor = join(first.folder, ANCHOR_FILE);
      const words = await joinWords(first);
      const early = join(second.folder, "early.txt");
      copyFileSync(anchor, early);
      mkdirSync(join(second.folder, "anchor"), { recursive: true });
      copyFileSync(anchor, join(second.folder, ANCHOR_FILE));
      for (const one of [["plan", "--env", "home"], words])
        assert.deepEqual(await refusedWith(second, one), ["anchor-unverified"], "it is signed with another key");
      renameSync(join(second.folder, ANCHOR_FILE), join(second.folder, "foreign.txt"));

      const withKey = (key: string) => words.map((word, at) => (words[at - 1] === "--key" ? key : word));
      const vkey = await keyOf(first);
      assert.deepEqual(await refusedWith(second, withKey("nonsense")), ["usage"]);
      const other = vkey.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
      assert.notEqual((await second.dedalus(...withKey(other))).code, 0);

      assert.equal((await first.dedalus("observe", "--env", "home")).code, 0);
      assert.equal((await first.dedalus("ledger", "checkpoint")).code, 0);
      await sql(where, CUT_ONE);
      assert.deepEqual(await refusedWith(second, words), ["ledger-broken"], "a record that was signed is gone");
      const before = words.map((word) => (word === anchor ? early : word));
      assert.equal(existsSync(join(second.folder, ANCHOR_FILE)), false, "nothing was begun");
      assert.equal((await second.dedalus(...before)).code, 0, "what an older copy of the anchor covers is there");
    });
  });
});
