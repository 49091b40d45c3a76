// What somebody wrote into the end of a ledger by hand, where no checkpoint covers it: named with its seq by doctor and
// by ledger show, proven by nobody, and never an internal error.

import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { keyUseOf } from "../../src/ledger/record/asked.ts";
import { seal } from "../../src/ledger/record/seal.ts";
import { signerOf } from "../../src/ledger/tree/signer.ts";
import { LedgerDamage } from "../../src/ledger/verify/damage.ts";
import { proveRecord } from "../../src/ledger/verify/prove.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { draft, SECRET_KEY } from "../ledger/drafts.ts";
import { fill, ledgerFolderFor, rootIn } from "../ledger/moving.ts";
import { tamper } from "../ledger/sqlite-files.ts";
import { coded } from "../spine/world.ts";
import { DATABASE, type Dedalus, refusalsIn, withLedger } from "./ledger-desk.ts";

type Damage = { readonly what: string; readonly seq: number; readonly sql: string; readonly seen?: RegExp };

/** The ledger has three records, and no checkpoint covers the last. */
const DAMAGES: readonly Damage[] = [
  { seq: 3, sql: "INSERT INTO lines VALUES (3, x'6a756e6b')", what: "junk" },
  { seq: 3, sql: "INSERT INTO lines VALUES (3, x'')", what: "an empty line" },
  { seq: 3, sql: "INSERT INTO lines VALUES (3, CAST('{\"seq\":3}' AS BLOB))", what: "a JSON value that is no record" },
  { seq: 3, sql: "INSERT INTO lines SELECT 3, line FROM lines WHERE seq = 2", what: "a record twice" },
  {
    seq: 3,
    sql: "INSERT INTO lines SELECT 3, CAST(replace(CAST(line AS TEXT), '\"seq\":2', '\"seq\":3') AS BLOB) FROM lines WHERE seq = 2",
    what: "a record that does not link to the one before",
  },
  { seq: 3, sql: "INSERT INTO lines SELECT 7, line FROM lines WHERE seq = 2", what: "a gap" },
  {
    seq: 2,
    sql: `UPDATE lines SET line = CAST(replace(CAST(line AS TEXT), '"kind":', '"kind": ') AS BLOB) WHERE seq = 2`,
    what: "a record that is not canonical any more",
  },
];

/** One record more, as somebody would write it who has the file and not the key. */
const appended = async (folder: string): Promise<void> => {
  const opened = await openSqlite(join(folder, DATABASE), { mode: "write" });
  assert.ok(opened.kind === "open");
  const { hash: prev, size: seq } = await opened.engine.head();
  const { line, record } = seal(draft(seq, { kind: "test.noted" }), { prev, seq });
  const commit = { blobs: new Map(), keys: [keyUseOf(record)], lines: [line] };
  assert.equal((await opened.engine.append(commit, { size: seq })).kind, "ok");
  await opened.engine.close();
};

const damaged = <T>({ sql }: Pick<Damage, "sql">, work: (dedalus: Dedalus, folder: string) => Promise<T>): Promise<T> =>
  withLedger(2, async (dedalus, folder) => {
    await appended(folder);
    if (sql !== "") tamper(join(folder, DATABASE), sql);
    return work(dedalus, folder);
  });

for (const damage of DAMAGES) {
  const { seq, what } = damage;
  test(`${what} at the end is named by doctor and by show as record ${seq}`, async () => {
    await damaged(damage, async (dedalus) => {
      const examined = await dedalus("doctor", "--json");
      assert.equal(examined.code, 7, examined.out);
      assert.match(examined.out, new RegExp(`"code":"ledger-broken"[^}]*"seq":${seq}\\b`), examined.out);
      const shown = await dedalus("ledger", "show", "--json");
      assert.equal(shown.code, 7);
      const { error, records } = JSON.parse(shown.out);
      assert.deepEqual([records.length, error.refusals[0].facts.seq], [seq, seq]);
      const alone = await dedalus("ledger", "show", "--from", `${seq}`);
      assert.deepEqual([alone.code, /does not verify/.test(alone.out)], [7, true], "whatever it begins with");
      for (const argv of [["status"], ["ledger", "checkpoint"], ["doctor", "--env", "home"]]) {
        const { code, err, out } = await dedalus(...argv);
        assert.equal(code, 7, argv.join(" "));
        assert.doesNotMatch(`${err}${out}`, /internal error/);
      }
    });
  });
}

test("a ledger whose end is whole is said to be, and shown from anywhere", async () => {
  await damaged({ sql: "" }, async (dedalus) => {
    const examined = await dedalus("doctor");
    assert.equal(examined.code, 0, examined.out);
    assert.match(examined.out, /ok {4}records: 3, each linked to the one before/);
    for (const from of ["0", "1", "2", "3"]) assert.equal((await dedalus("ledger", "show", "--from", from)).code, 0);
  });
});

const ALTERED = "UPDATE lines SET line = CAST(replace(CAST(line AS TEXT), 'alice', 'alicf') AS BLOB) WHERE seq = ";
const proven = (sql: string, seq: string): Promise<readonly Refusal[]> =>
  damaged({ sql }, async (dedalus, folder) => {
    const answer = await dedalus("ledger", "prove", seq, "--json");
    assert.equal(
      existsSync(join(folder, `${seq}.tlog-proof`)),
      answer.code === 0,
      "nothing is written that does not hold",
    );
    if (answer.code !== 0) assert.equal(answer.code, 7);
    return refusalsIn(answer) as readonly Refusal[];
  });
cannot("N7", "prove a record that was altered", {
  neighbour: () => proven("", "1"),
  offence: async () => coded("ledger-rewritten", await proven(`${ALTERED}1`, "1")),
});
cannot("N7", "prove a record that no checkpoint covers and that is none", {
  neighbour: () => proven("", "2"),
  offence: async () => coded("ledger-broken", await proven("UPDATE lines SET line = x'6a756e6b' WHERE seq = 2", "2")),
});

/** With a saved state a command need not walk what lies before it; a proof is checked by itself. */
test("a record that was altered in its place is not proven, and neither is another one", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const engine = await ledgers.open("a.db");
  await fill(engine, 7);
  const signer = signerOf({ publicKey: createPublicKey(SECRET_KEY), secretKey: SECRET_KEY });
  const checkpoint = { origin: signer.origin, root: await rootIn(engine), size: 7 };
  const covered = { engine, notes: [{ checkpoint, note: signer.sign(checkpoint) }] };
  assert.ok((await proveRecord(covered, signer, 5))?.anchored);
  tamper(join(ledgers.folder, "a.db"), `${ALTERED}5`);
  for (const seq of [5, 6]) await assert.rejects(proveRecord(covered, signer, seq), LedgerDamage);
  await assert.rejects(proveRecord({ engine, notes: [] }, signer, 6), LedgerDamage);
});
