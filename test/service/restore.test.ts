// A ledger that goes on from a backup, asked as values: what is written, what is void, and what a kill leaves.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Engine } from "../../src/ledger/engine.ts";
import type { LedgerService } from "../../src/service/ledger-service.ts";
import { vmidOf } from "../spine/world.ts";
import {
  bearerAtFiles,
  codes,
  type Ending,
  keyed,
  OPERATOR,
  ok,
  readyToApply,
  type Serving,
  serving,
} from "./serving.ts";

const ANCHOR = "anchor/checkpoints.txt";
const REASON = "the disk died";

const backupAt = ({ folder }: Serving, name = "backup") => ({ name, path: join(folder, name) });
const backUp = async (at: Serving) => ok(await at.ledger.backup(OPERATOR, { to: backupAt(at) })).value;
const restore = (at: Serving, ledger: LedgerService = at.ledger, caller = OPERATOR) =>
  ledger.restore(caller, { from: backupAt(at), reason: REASON });
/** The disk of the ledger is gone; the anchor is elsewhere. */
const loseLedger = ({ folder }: Serving): void => rmSync(join(folder, "ledger"), { recursive: true });
const linesIn = (folder: string): string => readFileSync(join(folder, "backup/audit_export.jsonl"), "utf8");

/** Three records after the backup, then the disk is gone. */
const lost = async (at: Serving) => {
  const made = await backUp(at);
  const service = at.open();
  ok(await service.freeze(OPERATOR, { reason: "after the backup" }));
  ok(await service.observe(OPERATOR, { environment: "home" }));
  await service.close();
  const records = await at.records();
  loseLedger(at);
  return { made, records };
};

test("a restore is the backup byte for byte and one record that names both sizes and roots", async (t) => {
  const at = await serving(t);
  const { made, records } = await lost(at);
  const { head, record, value } = ok(await restore(at));
  const restored = await at.records();
  assert.deepEqual([value.size, value.root, value.seq], [made.size, made.root, made.size]);
  assert.deepEqual([head.size, restored.length], [made.size + 1, made.size + 1]);
  assert.deepEqual(restored.slice(0, -1), records.slice(0, made.size));
  assert.ok(record);
  const { request } = record.body as { readonly request: { readonly [key: string]: unknown } };
  assert.deepEqual(
    [record.kind, record.actor?.id, request["size"], request["root"]],
    ["ledger.restore", "alice", made.size, made.root],
  );
  assert.deepEqual([request["anchored"], value.lost], [value.anchored, records.length - made.size]);
  assert.equal(value.anchored?.size, records.length);
  assert.equal(value.kept, `${ANCHOR}.before-${made.size}`);
  assert.deepEqual([existsSync(join(at.folder, value.kept)), at.notes()], [true, 1]);
});

test("a restored ledger verifies, replays equal, is frozen everywhere, and every later start accepts its anchor", async (t) => {
  const at = await serving(t);
  await lost(at);
  ok(await restore(at));
  for (const reason of ["once", "again"]) {
    const service = at.open();
    ok(await service.freeze(OPERATOR, { reason }));
    await service.close();
  }
  const verified = ok(await at.ledger.verify({})).value;
  assert.deepEqual([verified.refusal, verified.reAnchored.map(({ lost }) => lost)], [undefined, [3]]);
  const service = at.open();
  assert.equal(ok(await service.replay(OPERATOR, {})).value.result, "equal");
  const { freezes, reAnchored } = ok(await service.status(OPERATOR, {})).value;
  assert.deepEqual(
    freezes.map(({ reason, where }) => [where, reason]),
    [
      ["everything", REASON],
      ["everything", "once"],
      ["everything", "again"],
    ],
  );
  assert.equal(reAnchored?.lost, 3);
});

test("a key from before the backup still gets its stored answer, and one from the lost part is unknown", async (t) => {
  const at = await serving(t);
  const [before, after] = [keyed(), keyed()];
  const first = at.open();
  const stored = ok(await first.freeze(before, { reason: "kept" }));
  await first.close();
  await backUp(at);
  const second = at.open();
  ok(await second.freeze(after, { reason: "lost" }));
  await second.close();
  loseLedger(at);
  ok(await restore(at));
  const service = at.open();
  const again = ok(await service.freeze(before, { reason: "kept" }));
  assert.deepEqual([again.replayed, again.record?.seq], [true, stored.record?.seq]);
  assert.equal(ok(await service.freeze(after, { reason: "lost" })).replayed, false);
});

test("a ledger with records is refused by name, a restore that is done too, and nothing is changed", async (t) => {
  const at = await serving(t);
  await backUp(at);
  const before = await at.records();
  const refused = await restore(at);
  assert.ok(refused.kind === "refused");
  const [{ code, facts } = assert.fail("it is refused")] = refused.refusals;
  assert.deepEqual([code, facts["size"]], ["target-occupied", before.length]);
  assert.match(String(facts["name"]), /dedalus\.db/);
  assert.deepEqual(await at.records(), before);
  loseLedger(at);
  ok(await restore(at));
  assert.deepEqual(codes(await restore(at)), ["target-occupied"]);
  assert.equal(at.notes(), 1);
});

test("where nothing was recorded after the backup, nothing is said to be lost", async (t) => {
  const at = await serving(t);
  await backUp(at);
  loseLedger(at);
  assert.equal(ok(await restore(at)).value.lost, 0);
});

test("with the anchor lost too, the record names no size that it covered, and a new one begins", async (t) => {
  const at = await serving(t);
  await lost(at);
  rmSync(join(at.folder, "anchor"), { recursive: true });
  const { value } = ok(await restore(at));
  assert.deepEqual([value.anchored, value.kept, value.lost, at.notes()], [undefined, undefined, 0, 1]);
  assert.equal(ok(await at.ledger.verify({})).value.refusal, undefined);
});

test("an anchor that was kept aside stays, however often the same backup is restored", async (t) => {
  const at = await serving(t);
  await lost(at);
  const first = ok(await restore(at)).value;
  loseLedger(at);
  const second = ok(await restore(at)).value;
  assert.notEqual(first.kept, second.kept);
  for (const kept of [first.kept, second.kept]) assert.ok(existsSync(join(at.folder, kept ?? assert.fail("kept"))));
  assert.equal(ok(await at.ledger.verify({})).value.refusal, undefined);
});

test("what was open in the backup is unknown, and its VM is blocked until it is reconciled", async (t) => {
  const at = await serving(t);
  const performing = at.open();
  const request = await readyToApply(performing);
  const go = at.provider.verdict.close();
  const { value: applied } = ok(await performing.apply(OPERATOR, request));
  await backUp(at);
  go();
  await performing.close();
  assert.equal((await at.records()).at(-1)?.kind, "outcome", "it was performed, and that is lost");
  loseLedger(at);
  const { value } = ok(await restore(at));
  assert.deepEqual(value.blocked, [{ environment: "home", vmid: 101 }]);
  const service = at.open();
  const { end } = ok(await service.intent(OPERATOR, { intent: applied.intent })).value;
  assert.deepEqual([end?.outcome, end?.cause], ["unknown", "ledger-restored"]);
  ok(await service.unfreeze(OPERATOR, { reason: "looked at every VM" }));
  const plans = ok(await service.plans(OPERATOR, {})).value;
  assert.ok(JSON.stringify(plans).includes("voided"));
  at.clock.aheadMs = 3_600_000;
  ok(await service.reconcile(OPERATOR, { environment: "home", vmid: vmidOf(101) }));
  assert.deepEqual(ok(await service.status(OPERATOR, {})).value.blocked, []);
});

const tokenFor = async (at: Serving, role: "approver" | "auditor" | "operator"): Promise<string> => {
  const service = at.open();
  const made = await service.createToken(OPERATOR, { days: 1, kind: "person", name: role, roles: [role] });
  await service.close();
  return ok(made).value.token ?? assert.fail("it is shown once");
};

test("whoever may not operate restores nothing and leaves nothing; whoever may, does", async (t) => {
  const at = await serving(t);
  const tokens = [await tokenFor(at, "approver"), await tokenFor(at, "auditor"), await tokenFor(at, "operator")];
  const [approver = "", auditor = "", operator = ""] = tokens;
  await backUp(at);
  loseLedger(at);
  for (const token of [approver, auditor])
    assert.deepEqual(codes(await restore(at, at.ledger, bearerAtFiles(token))), ["role-missing"]);
  assert.deepEqual(codes(await restore(at, at.ledger, bearerAtFiles("dedalus_x"))), ["actor-unknown"]);
  assert.equal(existsSync(join(at.folder, "ledger")), false);
  assert.equal(ok(await restore(at, at.ledger, bearerAtFiles(operator))).record?.actor?.id, "operator");
});

test("a reason that is no text is named by its field, and nothing is left", async (t) => {
  const at = await serving(t);
  await backUp(at);
  loseLedger(at);
  const answer = await at.ledger.restore(OPERATOR, { from: backupAt(at), reason: "a\u0007b" });
  assert.deepEqual([answer.kind === "refused" && answer.domain, codes(answer)], ["input", ["usage"]]);
  assert.equal(existsSync(join(at.folder, "ledger")), false);
});

/** The process is gone at its n-th commit: before it is made, or before its answer comes. */
const killedAt = (commit: number, when: "before" | "after") => {
  let made = 0;
  return (engine: Engine): Engine => ({
    ...engine,
    append: async (...given) => {
      made += 1;
      if (made < commit) return engine.append(...given);
      if (when === "after") await engine.append(...given);
      throw new Error("killed");
    },
  });
};

/** More records than one commit holds. */
const many = async (at: Serving): Promise<void> => {
  const service = at.open();
  for (let made = 0; made < 300; made += 1) ok(await service.freeze(OPERATOR, { reason: `${made}` }));
  await service.close();
};

for (const [commit, when] of [
  [1, "before"],
  [1, "after"],
  [2, "after"],
  [3, "before"],
  [3, "after"],
] as const)
  test(`a kill ${when} commit ${commit} of a restore leaves nothing that opens, and the same command finishes`, async (t) => {
    const at = await serving(t);
    await many(at);
    const { made } = await lost(at);
    await assert.rejects(restore(at, at.ledgerOver(killedAt(commit, when))), /killed/);
    const notes = at.notes();
    for (const ask of [
      async () => at.open().status(OPERATOR, {}),
      async () => at.open().freeze(OPERATOR, { reason: "no" }),
      async () => at.open().export(OPERATOR, {}),
    ])
      assert.equal((await ask()).kind, "refused");
    assert.equal(at.notes(), notes, "nothing was signed");
    const { value } = ok(await restore(at));
    assert.deepEqual([value.size, value.lost], [made.size, 3]);
    assert.equal(ok(await at.ledger.verify({})).value.refusal, undefined);
    const lines = (await at.records()).length;
    assert.equal(lines, made.size + 1, "no record of it is there twice");
    ok(await at.open().freeze(OPERATOR, { reason: "goes on" }));
  });

test("a kill between the record and the new anchor is finished by the same command, and the old anchor is kept", async (t) => {
  const at = await serving(t);
  await lost(at);
  const old = readFileSync(join(at.folder, ANCHOR), "utf8");
  await assert.rejects(restore(at, at.ledgerOver(killedAt(2, "after"))), /killed/);
  assert.equal(readFileSync(join(at.folder, ANCHOR), "utf8"), old);
  assert.deepEqual(codes(await at.open().freeze(OPERATOR, { reason: "no" })), ["ledger-cut-short"]);
  const { record, value } = ok(await restore(at));
  assert.deepEqual([record?.kind, value.lost, value.reason], ["ledger.restore", 3, REASON]);
  assert.equal(readFileSync(join(at.folder, value.kept ?? ""), "utf8"), old);
  ok(await at.open().freeze(OPERATOR, { reason: "goes on" }));
});

test("a backup holds what stood when it began, while others go on writing", async (t) => {
  const at = await serving(t);
  const service = at.open();
  const [made] = await Promise.all([
    at.ledger.backup(OPERATOR, { to: backupAt(at) }),
    ...["one", "two", "three"].map((reason) => service.freeze(OPERATOR, { reason })),
  ]);
  const { head, value } = ok(made);
  assert.equal(head.size, value.size);
  assert.equal(linesIn(at.folder).split("\n").length - 1, value.size);
  await service.close();
  assert.deepEqual(
    readdirSync(at.folder).filter((name) => name.endsWith(".part")),
    [],
  );
});

/** Something happens after the backup and the anchor were read, and before the target is opened to be written. */
const betweenReadAndWrite = (between: () => Promise<unknown>) => {
  let isDone = false;
  return (engine: Engine): Engine => ({
    ...engine,
    close: async () => {
      await engine.close();
      if (isDone) return;
      isDone = true;
      await between();
    },
  });
};

/** What a restore is answered when this happens in the middle of it, and which anchors are there then. */
const restoreWhile = async (t: Ending, between: (at: Serving) => Promise<unknown>) => {
  const at = await serving(t);
  await lost(at);
  // The target is there, so that it is looked at before it is written.
  await assert.rejects(restore(at, at.ledgerOver(killedAt(1, "after"))), /killed/);
  const answer = await restore(at, at.ledgerOver(betweenReadAndWrite(() => between(at))));
  assert.equal(at.notes(), 1);
  ok(await at.open().freeze(OPERATOR, { reason: "goes on" }));
  return { codes: codes(answer), files: readdirSync(join(at.folder, "anchor")).toSorted() };
};

for (const [what, between, expected] of [
  ["leaves the anchor where it is that another has begun since it read the old one", restore, ["anchor-holds"]],
  ["begins the anchor anew where nobody else did", async () => undefined, []],
] as const)
  test(`a restore ${what}`, async (t) => {
    const told = await restoreWhile(t, between);
    assert.deepEqual(told.codes, expected);
    assert.deepEqual(
      told.files.map((name) => name.replace(/\d+$/, "N")),
      ["checkpoints.txt", "checkpoints.txt.before-N"],
    );
  });
