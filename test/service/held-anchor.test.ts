// A service that lives long and its anchor: what a fresh opening would refuse is refused, whatever was shown before; a
// note that could not be appended covers nothing; a brake is recorded all the same, and what is not covered is told.

import assert from "node:assert/strict";
import { copyFileSync, readFileSync, renameSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ServiceAnswer } from "../../src/service/answer.ts";
import type { Service } from "../../src/service/service.ts";
import { cannot } from "../cannot.ts";
import { codes, type Ending, keyed, OPERATOR, ok, readyToApply, type Serving, serving } from "./serving.ts";

const HOME = { environment: "home" };
const TOKEN = { days: 7, kind: "person", name: "bob", roles: ["operator"] } as const;

const anchorOf = ({ folder }: Serving): string => join(folder, "anchor/checkpoints.txt");
const takeAway = (at: Serving): void => renameSync(anchorOf(at), `${anchorOf(at)}.away`);
const bringBack = (at: Serving): void => renameSync(`${anchorOf(at)}.away`, anchorOf(at));
const sizes = (at: Serving): readonly number[] =>
  [...readFileSync(anchorOf(at), "utf8").matchAll(/^dedalus\/\w+\n(\d+)$/gm)].map(([, size]) => Number(size));
const besides = (answer: ServiceAnswer<unknown>): readonly string[] =>
  (answer.beside ?? []).flatMap(({ refusals }) => refusals.map(({ code }) => code));

type Ask = (service: Service) => Promise<ServiceAnswer<unknown>>;
/** Whole, because an export has its turn until its last piece is taken. */
const exportAll: Ask = async (service) => {
  const answer = await service.export(OPERATOR, {});
  if (answer.kind === "ok") for await (const piece of answer.value.pieces) assert.ok(piece);
  return answer;
};
const READS: Readonly<Record<string, Ask>> = {
  export: exportAll,
  plans: (service) => service.plans(OPERATOR, {}),
  prove: (service) => service.prove(OPERATOR, { seq: 0 }),
  replay: (service) => service.replay(OPERATOR, {}),
};
const ACTS: Readonly<Record<string, Ask>> = {
  "create a token": (service) => service.createToken(OPERATOR, TOKEN),
  "sign a checkpoint": (service) => service.checkpoint(OPERATOR, {}),
  observe: (service) => service.observe(OPERATOR, HOME),
  unfreeze: (service) => service.unfreeze(OPERATOR, { reason: "x" }),
};

/** A service of one offence, ended with it. */
const within = async <T>(work: (at: Serving) => Promise<T>): Promise<T> => {
  const ends: (() => Promise<void>)[] = [];
  const ending: Ending = { after: (end) => void ends.push(end) };
  try {
    return await work(await serving(ending));
  } finally {
    for (const end of ends) await end();
  }
};
const objectionsTo = async (answer: ServiceAnswer<unknown>) =>
  answer.kind === "ok" ? [] : answer.refusals.flatMap((one) => ("rule" in one ? [one] : []));

/** `before` is asked, then the anchor is lost or not, then `after`. */
const asked = (before: Ask, isLost: boolean, after: Ask) =>
  within(async (at) => {
    const service = at.open();
    ok(await service.freeze(OPERATOR, { reason: "a drill" }));
    await service.close();
    const long = at.open();
    ok(await before(long));
    if (isLost) takeAway(at);
    const answer = await after(long);
    if (isLost) bringBack(at);
    return objectionsTo(answer);
  });

const status: Ask = (service) => service.status(OPERATOR, {});
for (const [what, ask] of Object.entries(READS)) {
  cannot("N7", `${what} on a ledger whose anchor was lost after the service read it`, {
    neighbour: () => asked(ask, false, ask),
    offence: () => asked(ask, true, ask),
  });
}
for (const [what, ask] of Object.entries(ACTS)) {
  cannot("N7", `${what} through a service whose anchor was lost after it recorded`, {
    neighbour: () => asked((service) => service.observe(OPERATOR, HOME), false, ask),
    offence: () => asked((service) => service.observe(OPERATOR, HOME), true, ask),
  });
}

/** The ledger is shown by status while its anchor is lost; then it is asked for more. */
const afterShown = (isLost: boolean, ask: Ask) =>
  within(async (at) => {
    if (isLost) takeAway(at);
    const service = at.open();
    ok(await status(service));
    const answer = await ask(service);
    ok(await status(service));
    if (isLost) bringBack(at);
    return objectionsTo(answer);
  });
for (const [what, ask] of Object.entries(READS)) {
  cannot("N7", `${what} on a ledger without an anchor because status showed it`, {
    neighbour: () => afterShown(false, ask),
    offence: () => afterShown(true, ask),
  });
}

const open = async (t: TestContext): Promise<{ readonly at: Serving; readonly service: Service }> => {
  const at = await serving(t);
  const service = at.open();
  ok(await service.observe(OPERATOR, HOME));
  return { at, service };
};

test("a brake is recorded without the anchor, the answer tells it, and close tells it again", async (t) => {
  const { at, service } = await open(t);
  takeAway(at);
  at.clock.aheadMs += 2_000;
  const frozen = ok(await service.freeze(OPERATOR, { reason: "a drill" }));
  assert.deepEqual(besides(frozen), ["file-unwritable"]);
  at.clock.aheadMs += 2_000;
  const denied = await service.deny(OPERATOR, { plan: "none", reason: "x", step: { number: 1 } });
  assert.equal(denied.kind, "refused");
  assert.deepEqual(besides(denied), ["file-unwritable"], "a refusal tells it too");
  assert.deepEqual(
    (await service.close()).flatMap((one) => codes(one)),
    ["file-unwritable"],
  );
});

test("what could not be kept is kept when the anchor is back", async (t) => {
  const { at, service } = await open(t);
  takeAway(at);
  at.clock.aheadMs += 2_000;
  ok(await service.freeze(OPERATOR, { reason: "a drill" }));
  bringBack(at);
  assert.deepEqual(await service.close(), []);
  assert.equal(sizes(at).at(-1), (await at.records()).length);
});

test("an anchor that was shortened in its place is refused, and no call leaves", async (t) => {
  const { at, service } = await open(t);
  const request = await readyToApply(service);
  truncateSync(anchorOf(at), 0);
  assert.deepEqual(codes(await service.apply(OPERATOR, request)), ["anchor-empty"]);
  assert.deepEqual(codes(await service.plans(OPERATOR, {})), ["anchor-empty"]);
  assert.equal(at.provider.counts.calls, 0);
});

test("an anchor that was replaced by a whole copy is gone on with, and written to", async (t) => {
  const { at, service } = await open(t);
  takeAway(at);
  copyFileSync(`${anchorOf(at)}.away`, anchorOf(at));
  const answers = await Promise.all([1, 2, 3].map(() => service.observe(OPERATOR, HOME)));
  for (const answer of answers) ok(answer);
  ok(await service.plans(OPERATOR, {}));
  assert.deepEqual(await service.close(), []);
  assert.equal(sizes(at).at(-1), (await at.records()).length);
});

test("a repeated checkpoint whose note is missing is signed then, or refused", async (t) => {
  const { at, service } = await open(t);
  const [caller, { clock }] = [keyed(), at];
  // The clock is read between the test of the anchor and the record: the one place to lose it there.
  let [loses, ahead] = [false, 0];
  Object.defineProperty(clock, "aheadMs", {
    get: () => {
      if (loses) takeAway(at);
      loses = false;
      return ahead;
    },
    set: (ms: number) => {
      ahead = ms;
    },
  });
  loses = true;
  const first = await service.checkpoint(caller, {});
  assert.deepEqual([codes(first), first.kind === "refused" && first.outcome], [["file-unwritable"], "executed"]);
  bringBack(at);
  loses = true;
  assert.deepEqual(codes(await service.checkpoint(caller, {})), ["file-unwritable"]);
  bringBack(at);
  const { record, replayed } = ok(await service.checkpoint(caller, {}));
  assert.equal(replayed, true);
  assert.ok((sizes(at).at(-1) ?? 0) > (record?.seq ?? assert.fail("it has its record")));
  const { length } = sizes(at);
  ok(await service.checkpoint(caller, {}));
  assert.equal(sizes(at).length, length, "once is enough");
});
