// One process, one service, many callers: one writer, one observation of an environment at a time, an adapter for each,
// an apply that answers before it ends, recovery when a request comes, and checkpoints outside the ledger in time.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { soon, until } from "./bound.ts";
import { bearer, codes, OPERATOR, ok, readyToApply, serving } from "./serving.ts";

/** A disk of a few pages; false where nothing may be mounted, and test/cli/anchor-full.test.ts says so too. */
const mountAt = (t: TestContext, folder: string): boolean => {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=32768", "tmpfs", folder], { stdio: "pipe" });
    return true;
  } catch (error) {
    t.diagnostic(`no small file system here: ${String(error)}`);
    return false;
  }
};

const fill = (file: string): void => {
  assert.throws(() => {
    for (;;) writeFileSync(file, "\n".repeat(4_096), { flag: "a" });
  });
};

const HOME = { environment: "home" };

test("many requests have one start, and every read names the head that it stands on", async (t) => {
  const { open, records } = await serving(t);
  const service = open();
  const before = (await records()).filter(({ kind }) => kind === "start").length;
  for (const _ of [1, 2, 3]) ok(await service.observe(OPERATOR, HOME));
  const status = ok(await service.status(OPERATOR, {}));
  const all = await records();
  assert.equal(all.filter(({ kind }) => kind === "start").length, before + 1);
  assert.equal(status.head.size, all.length);
  assert.equal(status.value.records, all.length);
  ok(await service.freeze(OPERATOR, { reason: "a drill" }));
  const last = (await records()).at(-1) ?? assert.fail("there are records");
  assert.equal(last.prev, status.head.hash);
});

test("observations of one environment go one after another, each with an adapter of its own", async (t) => {
  const { open, provider } = await serving(t);
  const service = open();
  const answers = await Promise.all([1, 2, 3, 4].map(() => service.observe(OPERATOR, HOME)));
  assert.equal(new Set(answers.map((answer) => ok(answer).value.id)).size, 4);
  assert.deepEqual([provider.most(), provider.counts.adapters], [1, 4]);
});

test("an apply answers with its durable intent while the call is under way", async (t) => {
  const { open, provider, records } = await serving(t);
  const service = open();
  const request = await readyToApply(service);
  const go = provider.verdict.close();
  const { record, value } = ok(await service.apply(OPERATOR, request));
  assert.equal(record?.auditId, value.intent);
  const { value: open1 } = ok(await service.intent(OPERATOR, { intent: value.intent }));
  assert.equal(open1.end, undefined);
  go();
  const ended = await soon("the outcome", (value.underway ?? assert.fail("it is performed here")).ended);
  assert.deepEqual([ended.intent, ended.file.outcome, ended.recorded], [value.intent, "succeeded", true]);
  assert.equal(ok(await service.intent(OPERATOR, { intent: value.intent })).value.end?.outcome, "succeeded");
  assert.equal((await records()).filter(({ kind }) => kind === "outcome").length, 1);
});

test("a service that closes finishes what it performs", async (t) => {
  const { open, provider, records } = await serving(t);
  const service = open();
  const request = await readyToApply(service);
  const go = provider.verdict.close();
  ok(await service.apply(OPERATOR, request));
  const closed = service.close();
  go();
  assert.deepEqual(await closed, []);
  assert.equal((await records()).filter(({ kind }) => kind === "outcome").length, 1);
});

test("a service that closes answers what it was asked before", async (t) => {
  const { open, provider } = await serving(t);
  const service = open();
  const go = provider.observing.close();
  const asked = service.makePlan(OPERATOR, { ...HOME, scope: "all" });
  await until("an observation", () => provider.counts.observations > 0);
  const closed = service.close();
  go();
  ok(await asked);
  assert.deepEqual(await closed, []);
});

test("an intent past its end is ended as unknown by the next request that writes, and by no read", async (t) => {
  const { clock, open, provider, recovered } = await serving(t);
  const [here, there] = [open(), open()];
  const request = await readyToApply(here);
  const go = provider.verdict.close();
  const { value } = ok(await here.apply(OPERATOR, request));
  ok(await there.freeze(OPERATOR, { reason: "a drill" }));
  assert.deepEqual(recovered, [], "a live owner's intent is left alone");
  clock.aheadMs = 24 * 3_600_000;
  const status = ok(await there.status(OPERATOR, {}));
  assert.deepEqual([status.value.open.length, recovered.length], [1, 0]);
  const lifted = await Promise.all([1, 2, 3].map(() => there.unfreeze(OPERATOR, { reason: "the drill is over" })));
  assert.equal(lifted.filter(({ kind }) => kind === "ok").length, 1);
  assert.deepEqual(
    recovered.map(({ id }) => id),
    [value.intent],
  );
  assert.equal(ok(await there.status(OPERATOR, {})).value.blocked.length, 1);
  go();
});

test("checkpoints: at most one a second, one before every call, one after every outcome", async (t) => {
  const { clock, notes, open } = await serving(t);
  const service = open();
  const start = notes();
  for (const _ of [1, 2, 3]) ok(await service.observe(OPERATOR, HOME));
  assert.equal(notes(), start, "within a second nothing is signed");
  clock.aheadMs += 1_000;
  for (const _ of [1, 2, 3]) ok(await service.observe(OPERATOR, HOME));
  assert.equal(notes(), start + 1);
  const request = await readyToApply(service);
  const before = notes();
  const { value } = ok(await service.apply(OPERATOR, request));
  await soon("the outcome", (value.underway ?? assert.fail("it is performed here")).ended);
  await new Promise((resume) => setTimeout(resume, 20));
  assert.equal(notes(), before + 2);
  assert.deepEqual(await service.close(), []);
  assert.equal(notes(), before + 2, "what is covered is not signed again");
});

test("while the anchor cannot be written a brake is recorded, and nothing else is", async (t) => {
  const { folder, open, records } = await serving(t);
  const disk = join(folder, "anchor");
  const kept = readFileSync(join(disk, "checkpoints.txt"));
  if (!mountAt(t, disk)) return;
  try {
    writeFileSync(join(disk, "checkpoints.txt"), kept);
    fill(join(disk, "filler"));
    const before = (await records()).length;
    const service = open();
    assert.deepEqual(codes(await service.observe(OPERATOR, HOME)), ["anchor-unwritable"]);
    assert.equal((await records()).length, before);
    ok(await service.freeze(OPERATOR, { reason: "an incident" }));
    assert.deepEqual(
      (await records()).slice(before).map(({ kind }) => kind),
      ["start", "freeze"],
    );
    assert.deepEqual(codes(await service.observe(OPERATOR, HOME)), ["anchor-unwritable"]);
    rmSync(join(disk, "filler"));
    ok(await service.observe(OPERATOR, HOME));
    assert.deepEqual(await service.close(), []);
  } finally {
    execFileSync("umount", ["--lazy", disk]);
  }
});

test("a token proves its subject at the service's door, until it is revoked; the operator's files prove nobody there", async (t) => {
  const { open } = await serving(t);
  const service = open();
  const { value } = ok(await service.createToken(OPERATOR, { days: 7, kind: "agent", name: "ci", roles: ["agent"] }));
  const agent = bearer(value.token ?? "");
  assert.deepEqual(ok(await service.whoami(agent, {})).value, {
    actor: { id: "ci", kind: "agent" },
    expiresAt: value.expiresAt,
    grants: [{ environments: "all", roles: ["agent"] }],
  });
  ok(await service.status(agent, {}));
  assert.deepEqual(codes(await service.tokens(agent, {})), ["role-missing"]);
  assert.deepEqual(codes(await service.status({ ...OPERATOR, door: "service" }, {})), ["actor-unknown"]);
  assert.deepEqual(codes(await service.freeze({ ...OPERATOR, door: "service" }, { reason: "x" })), ["actor-unknown"]);
  ok(await service.revokeToken(OPERATOR, { name: "ci" }));
  assert.deepEqual(codes(await service.status(agent, {})), ["actor-unknown"]);
  assert.deepEqual(codes(await service.observe(agent, HOME)), ["actor-unknown"]);
  // Whoever asks a service has set no variable of its process.
  const unknown = await service.status(agent, {});
  assert.equal(unknown.kind === "refused" && unknown.refusals[0]?.cause, "token");
  const here = await service.status({ ...agent, door: "local" }, {});
  assert.equal(here.kind === "refused" && here.refusals[0]?.cause, "token-unnamed");
});

test("everything that a request leaves is bound together by the caller's correlation id", async (t) => {
  const { open, records } = await serving(t);
  const [first] = await records();
  const correlationId = first?.auditId ?? assert.fail("there is a record");
  ok(await open().makePlan({ ...OPERATOR, correlationId }, { ...HOME, scope: "all" }));
  const bound = (await records()).filter((one) => one.correlationId === correlationId && one !== first);
  assert.deepEqual(bound.map(({ kind }) => kind).slice(-2), ["observe", "plan"]);
});

test("a ledger that cannot be opened is an answer, and is tried again by the next request", async (t) => {
  const { folder, open } = await serving(t);
  const service = open();
  const [there, away] = [join(folder, "keys"), join(folder, "keys-away")];
  renameSync(there, away);
  const refused = await service.status(OPERATOR, {});
  assert.deepEqual([codes(refused), refused.kind === "refused" && refused.domain], [["key-unusable"], "input"]);
  mkdirSync(there);
  renameSync(join(away, "ledger.key"), join(there, "ledger.key"));
  ok(await service.status(OPERATOR, {}));
});
