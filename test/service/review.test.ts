// A step as whoever decides on it reads it: what they would be answered is what they are answered, and nothing is
// recorded by asking.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ulids } from "../../src/ids.ts";
import type { Role } from "../../src/kernel/command/roles.ts";
import type { StepReviewed } from "../../src/service/act/review-step.ts";
import type { Caller } from "../../src/service/hold/callers.ts";
import type { LocalService } from "../../src/service/local-service.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { nextStepsOf } from "../../src/spine/rules/next-steps.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { cannot } from "../cannot.ts";
import { bearer, codes, type Ending, OPERATOR, ok, type Serving, serving } from "./serving.ts";

const nextId = ulids();
const keyedAs = (caller: Caller): Caller => ({ ...caller, key: nextId() });

type Reviewed = Awaited<ReturnType<typeof reviewing>>;

/** An agent asked for a start where four eyes are required; bob and carol approve, olga operates. */
const reviewing = async (t: Ending) => {
  const more = "service: { url: http://localhost:7400 }\n";
  const at: Serving = await serving(t, more, (ports) => ({ ...ports, serves: true }), "four-eyes");
  const service: LocalService = at.open();
  const tokenOf = async (name: string, roles: readonly Role[], by: Caller = OPERATOR): Promise<Caller> => {
    const { value } = ok(await service.createToken(by, { days: 7, name, roles }));
    return bearer(value.token ?? assert.fail("it is shown once"));
  };
  const robo = await tokenOf("robo", ["agent"]);
  const bob = await tokenOf("bob", ["approver"]);
  const olga = await tokenOf("olga", ["approver", "operator"]);
  const plan = async (by: Caller): Promise<{ readonly plan: string; readonly step: { readonly number: 1 } }> => {
    const { value } = ok(await service.makePlan(keyedAs(by), { environment: "home", scope: "all" }));
    return { plan: value.id, step: { number: 1 } };
  };
  return { at, bob, olga, plan, robo, service, tokenOf };
};

const against = async ({ service }: Reviewed, by: Caller, step: Parameters<LocalService["review"]>[1]) => {
  const { approve, challenge, deny } = ok(await service.review(by, step)).value.against;
  const codesOf = (refusals: typeof approve) => refusals.map(({ code }) => code);
  return { approve: codesOf(approve), challenge: codesOf(challenge), deny: codesOf(deny) };
};

test("a review has the explanation, who asked by which door, what is needed, and leaves no record", async (t) => {
  const where = await reviewing(t);
  const { at, bob, plan, robo, service } = where;
  const step = await plan(robo);
  const { length } = await at.records();
  const { value } = ok(await service.review(bob, step));
  const explained = ok(await service.explain(bob, step)).value;
  assert.deepEqual(value.explanation, explained.explanation);
  assert.deepEqual(value.requester, { door: "service", id: "robo", kind: "agent", maker: "alice" });
  assert.deepEqual([value.shown.needed, value.shown.approvedBy, value.uncounted], [1, [], []]);
  assert.deepEqual(await against(where, bob, step), { approve: [], challenge: ["role-missing"], deny: [] });
  assert.equal((await at.records()).length, length);
  assert.equal(value.of.planHash, value.explanation.plan);
});

test("an approval is told with whether it counts, and the applier's outcome with the intent", async (t) => {
  const { bob, plan, robo, service } = await reviewing(t);
  const step = await plan(robo);
  const { explanation, words } = ok(await service.review(bob, step)).value;
  const { value } = ok(
    await service.approve(keyedAs(bob), { ...step, explanation: explanation.hash, reason: "agreed", words }),
  );
  const approved = ok(await service.review(bob, step)).value;
  assert.deepEqual(
    approved.approvals.map(({ by, counted, id }) => ({ by, counted, id })),
    [{ by: "bob", counted: true, id: value.id }],
  );
  assert.deepEqual([approved.shown.approvedBy, approved.shown.status], [["bob"], "approved"]);
  const applied = ok(await service.apply(keyedAs(robo), step));
  await applied.value.underway?.ended;
  const after = ok(await service.review(bob, step)).value;
  assert.deepEqual([after.intent?.id, after.intent?.end?.outcome], [applied.value.intent, "succeeded"]);
  assert.deepEqual(
    after.against.approve.map(({ code }) => code),
    ["step-consumed"],
  );
});

test("a number of no step is told by how many there are, and of one step as the only one", async (t) => {
  const { bob, plan, robo, service } = await reviewing(t);
  const { plan: of } = await plan(robo);
  const answer = await service.review(bob, { plan: of, step: { number: 2 } });
  const refusals = answer.kind === "refused" ? answer.refusals : [];
  assert.deepEqual(
    refusals.map(({ cause, code }) => [code, cause]),
    [["usage", "only-step"]],
  );
  ok(await service.review(bob, { plan: of, step: { number: 1 } }));
});

test("only whose approval would count is led to approve", async (t) => {
  const { bob, olga, plan, robo, service, tokenOf } = await reviewing(t);
  const oscar = await tokenOf("oscar", ["approver"], olga);
  const ledTo = async (by: Caller, of: string) =>
    ok(await service.showPlan(by, { plan: of })).value.steps.flatMap(({ objections, where }) =>
      objections.flatMap((refusal) => nextStepsOf(refusal, where).map(({ ask }) => ask)),
    );
  const start = await plan(robo);
  assert.ok(!(await ledTo(robo, start.plan)).includes("approve"), "an agent");
  ok(await service.approve(keyedAs(bob), { ...start, reason: "agreed" }));
  await ok(await service.apply(keyedAs(robo), start)).value.underway?.ended;
  const request = { action: { kind: "vm.stop" }, vmid: "101" } as const;
  const { value } = ok(await service.makePlan(keyedAs(olga), { environment: "home", request, scope: ["101"] }));
  assert.deepEqual(await ledTo(olga, value.id), ["explain", "requestApproval"], "who asked for it");
  assert.deepEqual(await ledTo(oscar, value.id), ["explain", "requestApproval"], "whose token is hers");
  assert.deepEqual(await ledTo(bob, value.id), ["explain", "requestApproval", "approve"]);
});

test("what has its approvals is listed for whoever may apply it, until it is applied, and for nobody else", async (t) => {
  const { bob, olga, plan, robo, service } = await reviewing(t);
  const listed = async (by: Caller) => {
    const { approved, waiting } = ok(await service.status(by, {})).value;
    return { approved: approved.map((one) => [one.plan, one.step, one.approvedBy]), waiting: waiting.length };
  };
  const start = await plan(robo);
  assert.deepEqual(await listed(robo), { approved: [], waiting: 1 });
  ok(await service.approve(keyedAs(bob), { ...start, reason: "agreed" }));
  assert.deepEqual(await listed(robo), { approved: [[start.plan, 1, ["bob"]]], waiting: 0 });
  assert.deepEqual((await listed(bob)).approved, [], "who may not apply");
  await ok(await service.apply(keyedAs(robo), start)).value.underway?.ended;
  assert.deepEqual(await listed(robo), { approved: [], waiting: 0 });
  const request = { action: { kind: "vm.stop" }, vmid: "101" } as const;
  const { value } = ok(await service.makePlan(keyedAs(olga), { environment: "home", request, scope: ["101"] }));
  const stop = { plan: value.id, step: { number: 1 } } as const;
  ok(await service.approve(keyedAs(bob), { ...stop, reason: "agreed" }));
  assert.deepEqual(await listed(olga), { approved: [[stop.plan, 1, ["bob"]]], waiting: 0 });
  ok(await service.freeze(keyedAs(olga), { environment: "home", reason: "a break" }));
  assert.deepEqual((await listed(olga)).approved, [], "what cannot be applied now");
});

test("whoever could be the one who asked is named as not counted", async (t) => {
  const { bob, olga, plan, robo, service, tokenOf } = await reviewing(t);
  await tokenOf("oscar", ["approver"], olga);
  const start = await plan(robo);
  ok(await service.approve(keyedAs(bob), { ...start, reason: "agreed" }));
  await ok(await service.apply(keyedAs(robo), start)).value.underway?.ended;
  const stopped = async (by: Caller): Promise<Pick<StepReviewed, "shown" | "uncounted">> => {
    const request = { action: { kind: "vm.stop" }, vmid: "101" } as const;
    const { value } = ok(await service.makePlan(keyedAs(by), { environment: "home", request, scope: ["101"] }));
    return ok(await service.review(bob, { plan: value.id, step: { number: 1 } })).value;
  };
  const ofPerson = await stopped(olga);
  assert.deepEqual([ofPerson.shown.needed, ofPerson.uncounted], [1, ["olga", "oscar"]]);
  const ofAgent = await stopped(robo);
  assert.deepEqual([ofAgent.shown.needed, ofAgent.uncounted], [2, []]);
});

test("a plan says who asked for it, how it stands, and of each step whose approval would not count", async (t) => {
  const { bob, olga, plan, robo, service, tokenOf } = await reviewing(t);
  await tokenOf("oscar", ["approver"], olga);
  const start = await plan(robo);
  const before = ok(await service.showPlan(bob, start)).value;
  assert.deepEqual(
    [before.requester, before.status, before.steps.map(({ uncounted }) => uncounted)],
    [{ door: "service", id: "robo", kind: "agent", maker: "alice" }, "awaiting-approval", [[]]],
  );
  assert.ok(before.observedAt);
  ok(await service.approve(keyedAs(bob), { ...start, reason: "agreed" }));
  await ok(await service.apply(keyedAs(robo), start)).value.underway?.ended;
  assert.equal(ok(await service.showPlan(bob, start)).value.status, "applied");
  const request = { action: { kind: "vm.stop" }, vmid: "101" } as const;
  const stop = ok(await service.makePlan(keyedAs(olga), { environment: "home", request, scope: ["101"] })).value;
  const { requester, steps } = ok(await service.showPlan(bob, { plan: stop.id })).value;
  assert.deepEqual([requester?.id, steps.map(({ uncounted }) => uncounted)], ["olga", [["olga", "oscar"]]]);
  const { plans } = ok(await service.plans(bob, {})).value;
  assert.deepEqual(
    plans.map(({ counts, id }) => [id, counts.differ, counts.inSync]),
    [
      [start.plan, 1, 0],
      [stop.id, 1, 0],
    ],
  );
});

/** Each way in which a decision is refused, with who decides. */
const HINDERED: Readonly<Record<string, (where: Reviewed) => Promise<{ readonly by: Caller; readonly step: Step }>>> = {
  "a closed plan": async ({ bob, plan, robo, service }) => {
    const step = await plan(robo);
    ok(await service.cancel(keyedAs(robo), { plan: step.plan, reason: "not wanted" }));
    return { by: bob, step };
  },
  "a denied step": async ({ bob, plan, robo, service }) => {
    const step = await plan(robo);
    ok(await service.deny(keyedAs(bob), { ...step, reason: "not today" }));
    return { by: bob, step };
  },
  "a freeze": async ({ bob, plan, robo, service }) => {
    const step = await plan(robo);
    ok(await service.freeze(OPERATOR, { environment: "home", reason: "incident" }));
    return { by: bob, step };
  },
  "a role that is missing": async ({ plan, robo, tokenOf }) => ({
    by: await tokenOf("vera", ["observer"]),
    step: await plan(robo),
  }),
  "an agent": async ({ plan, robo }) => ({ by: robo, step: await plan(robo) }),
  "an own request": async ({ olga, plan }) => ({ by: olga, step: await plan(olga) }),
  "the end of its time": async ({ at, bob, plan, robo }) => {
    const step = await plan(robo);
    at.clock.aheadMs = 61 * 60_000;
    return { by: bob, step };
  },
};
type Step = { readonly plan: string; readonly step: { readonly number: 1 } };

for (const [why, hindered] of Object.entries(HINDERED))
  test(`what is foreseen is what is answered: ${why}`, async (t) => {
    const where = await reviewing(t);
    const { by, step } = await hindered(where);
    const foreseen = await against(where, by, step);
    const { explanation, words } = ok(await where.service.review(by, step)).value;
    const approving = { ...step, explanation: explanation.hash, reason: "agreed", words };
    assert.ok(foreseen.approve.length > 0);
    assert.deepEqual(codes(await where.service.approve(keyedAs(by), approving)), foreseen.approve);
    assert.deepEqual(codes(await where.service.challenge(keyedAs(by), step)), foreseen.challenge);
    assert.deepEqual(codes(await where.service.deny(keyedAs(by), { ...step, reason: "no" })), foreseen.deny);
  });

test("a decision names its plan, and a review does too", async (t) => {
  const { bob, plan, robo, service } = await reviewing(t);
  await plan(robo);
  assert.deepEqual(codes(await service.review(bob, { plan: "latest", step: { number: 1 } })), ["usage"]);
  const unknown = { plan: "01KA4QJ5V8R3W2T6Y7Z8N9M0P1", step: { number: 1 } };
  assert.deepEqual(codes(await service.review(bob, unknown)), ["plan-unknown"]);
});

test("a request for approval says where a person decides, where an address is configured", async (t) => {
  const { plan, robo, service } = await reviewing(t);
  const step = await plan(robo);
  const { value } = ok(await service.requestApproval(keyedAs(robo), step));
  assert.equal(value.approvalPage, `http://localhost:7400/approve/${step.plan}/1`);
  const bare = (await serving(t)).open();
  const other = ok(await bare.makePlan(OPERATOR, { environment: "home", scope: "all" })).value.id;
  const asked = ok(await bare.requestApproval(OPERATOR, { plan: other, step: { number: 1 } }));
  assert.equal(asked.value.approvalPage, undefined);
});

const approvedIn = async (wordsOf: (words: ReturnType<typeof sha256>) => ReturnType<typeof sha256>) => {
  const ends: (() => Promise<void>)[] = [];
  try {
    const { bob, plan, robo, service } = await reviewing({ after: (end) => void ends.push(end) });
    const step = await plan(robo);
    const { explanation, words } = ok(await service.review(bob, step)).value;
    const shown = { explanation: explanation.hash, words: wordsOf(words) };
    const answer = await service.approve(keyedAs(bob), { ...step, ...shown, reason: "agreed" });
    return answer.kind === "ok" ? [] : (answer.refusals as readonly Refusal[]);
  } finally {
    for (const end of ends) await end();
  }
};

cannot("P7-A2", "approve what was shown in words that the serving program does not have", {
  neighbour: () => approvedIn((words) => words),
  offence: () => approvedIn(() => sha256("the words of another version")),
});
