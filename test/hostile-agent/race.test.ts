// Agents that race: one step applied many times at once, by both doors and by two agents; and an apply against
// whatever takes its ground away, before the claim and between the claim and its call.
//
// Whoever comes first in the ledger, one call leaves at most, and none after a no that came before the claim. Several
// processes on one ledger race in test/live/instances.test.ts.

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { bodyOf } from "../../src/kernel/command/record-body.ts";
import type { LedgerRecord, Ulid } from "../../src/ledger/record/record.ts";
import { newKey, type Replied } from "../boundary/at-door.ts";
import { type Agent, agentAt } from "../boundary/mcp/agents.ts";
import { soon, until } from "../service/bound.ts";
import { OPERATOR, ok } from "../service/serving.ts";
import { refusedIn, untilEnded } from "./hostile.ts";
import { approve, approvedBy, atStep, planBy, type Stage, stageOf, tool } from "./stage.ts";

/** Closed, it keeps the next observations waiting: a claim observes once more before its call. */
const gate = () => {
  let closed: PromiseWithResolvers<void> | undefined;
  let waiting = 0;
  return {
    close: () => {
      closed = Promise.withResolvers<void>();
      waiting = 0;
    },
    open: () => {
      closed?.resolve();
      closed = undefined;
    },
    pass: async () => {
      if (closed === undefined) return;
      waiting += 1;
      await closed.promise;
    },
    waiting: () => waiting,
  };
};

type Ended = { readonly cause: string; readonly outcome: string };

const appliesSince = async ({ served }: Stage, size: number): Promise<readonly LedgerRecord[]> =>
  (await served.records()).slice(size).filter(({ kind }) => kind === "apply");
const isGranted = (record: LedgerRecord): boolean => bodyOf(record)?.result.kind !== "refused";

const codesOf = (replied: Replied): readonly string[] => refusedIn(replied).map(({ code }) => code);
const sizeOf = async ({ served }: Stage): Promise<number> => (await served.records()).length;

suite("agents that race", () => {
  const seeing = gate();
  const stage = stageOf({
    between: ({ actuator, source }) => ({
      actuator,
      source: {
        observe: async (...given) => {
          await seeing.pass();
          return source.observe(...given);
        },
      },
    }),
  });

  test("B6 cannot apply a step twice by asking sixteen times at once", async () => {
    const at = stage();
    const plan = await approvedBy(at, at.robo);
    const [calls, size] = [at.calls(), await sizeOf(at)];
    const told = await Promise.all(Array.from({ length: 16 }, () => at.robo.call("apply_step", atStep(plan))));
    const intents = new Set(told.map(({ structuredContent }) => structuredContent.answer?.intent));
    assert.equal(intents.size, 1, JSON.stringify(told[0]));
    await untilEnded(at.robo, [...intents][0] ?? assert.fail("it has an intent"));
    assert.equal((await appliesSince(at, size)).length, 1);
    assert.equal(at.calls(), calls + 1);
  });

  test("B6 cannot apply a step twice by both doors at once, each under a key of its own", async () => {
    const at = stage();
    const plan = await approvedBy(at, at.robo);
    const [calls, size] = [at.calls(), await sizeOf(at)];
    const path = `/v1/plans/${plan}/steps/1/applies`;
    const replies = await Promise.all([
      tool(at.robo, "apply_step", atStep(plan)),
      at.post(path, {}, { key: newKey(), token: at.robo.token }),
      at.post(path, {}, { key: newKey(), token: at.robo.token }),
    ]);
    const refused = replies.map(codesOf).filter((codes) => codes.length > 0);
    assert.equal(refused.length, 2, "one of them goes through");
    for (const codes of refused) assert.equal(codes[0], "step-consumed");
    const records = await appliesSince(at, size);
    assert.equal(records.filter(isGranted).length, 1);
    await untilEnded(at.robo, records.find(isGranted)?.auditId ?? assert.fail("one is granted"));
    assert.equal(at.calls(), calls + 1);
  });

  test("P7-E1 cannot be two agents that change one VM at once", async () => {
    const at = stage();
    const vm = at.freshVm();
    const plans = [await approvedBy(at, at.robo, vm), await approvedBy(at, at.kilo, vm)] as const;
    const [calls, size] = [at.calls(), await sizeOf(at)];
    seeing.close();
    const [first, second] = await Promise.all([
      tool(at.robo, "apply_step", atStep(plans[0])),
      tool(at.kilo, "apply_step", atStep(plans[1])),
    ]);
    seeing.open();
    const refused = [codesOf(first), codesOf(second)].filter((codes) => codes.length > 0);
    assert.deepEqual(refused, [["vm-busy"]]);
    const [granted] = (await appliesSince(at, size)).filter(isGranted);
    await untilEnded(at.robo, granted?.auditId ?? assert.fail("one is granted"));
    assert.equal(at.calls(), calls + 1);
  });

  /** What takes the ground of an apply away, and the code that an apply is refused with afterwards. */
  const brakes: Readonly<Record<string, readonly [code: string, brake: (at: Stage, of: Braked) => Promise<unknown>]>> =
    {
      "a denial": [
        "step-denied",
        ({ bo, post }, { plan }) => post(`/v1/plans/${plan}/steps/1/denials`, { reason: "no" }, { token: bo }),
      ],
      "a freeze": [
        "frozen",
        ({ given }) => given.service.freeze(OPERATOR, { environment: "home", reason: "incident" }),
      ],
      "a protection": [
        "desired-changed",
        ({ register }, { vm }) =>
          register("home", (text) => text.replace(`name: vm-${vm}, target: running`, "$&, protected: true")),
      ],
      "its own cancel": [
        "plan-closed",
        (_, { agent, plan }) => tool(agent, "cancel_plan", { plan, reason: "not needed" }),
      ],
      "its token's end": ["actor-unknown", ({ given }, { name }) => given.service.revokeToken(OPERATOR, { name })],
      "the approval's withdrawal": [
        "approval-missing",
        ({ ada, post }, { plan }) => post(`/v1/plans/${plan}/steps/1/revocations`, { reason: "no" }, { token: ada }),
      ],
    };
  type Braked = { readonly agent: Agent; readonly name: string; readonly plan: string; readonly vm: number };
  const braked = async (at: Stage): Promise<Braked> => {
    const [name, vm] = [`racer-${newKey().toLowerCase()}`, at.freshVm()];
    const agent = await agentAt(at, name);
    return { agent, name, plan: await approvedBy(at, agent, vm), vm };
  };
  const thaw = async ({ given }: Stage): Promise<void> => {
    ok(await given.service.unfreeze(OPERATOR, { environment: "home", reason: "over" }));
  };
  /** The brakes of a step, as the ledger has them. */
  const KINDS: ReadonlySet<string> = new Set(["cancel", "deny", "freeze", "register", "revoke", "token"]);

  for (const [what, [code, brake]] of Object.entries(brakes)) {
    test(`P7-A2 cannot apply past ${what} that comes first, however close`, async () => {
      const at = stage();
      const of = await braked(at);
      const [calls, size] = [at.calls(), await sizeOf(at)];
      const [replied] = await Promise.all([tool(of.agent, "apply_step", atStep(of.plan)), brake(at, of)]);
      const since = (await at.served.records()).slice(size);
      const [claimed, stopped] = [
        since.findIndex((record) => record.kind === "apply" && isGranted(record)),
        since.findIndex((record) => KINDS.has(record.kind) && isGranted(record)),
      ];
      if (claimed === -1) assert.equal(codesOf(replied)[0], code);
      else assert.ok(stopped === -1 || claimed < stopped, "an apply was granted after it");
      const intent = since[claimed]?.auditId;
      if (intent !== undefined) await endOf(at, intent);
      assert.ok(at.calls() - calls <= (claimed === -1 ? 0 : 1), "one call at most");
      if (what === "a freeze") await thaw(at);
    });
  }

  /** How an intent ended, whoever reads it. */
  const endOf = async ({ get }: Stage, intent: Ulid): Promise<Ended> => {
    let end: Ended | undefined;
    await until("the end of the intent", async () => {
      const { body } = await get(`/v1/intents/${intent}`);
      end = (body as { readonly end?: Ended }).end;
      return end !== undefined;
    });
    return end ?? assert.fail("it has ended");
  };

  /** Between the claim and its call: the call is not made, or the no says that it comes too late. */
  const late: Readonly<Record<string, string>> = {
    "a denial": "step-claimed",
    "a freeze": "frozen",
    "a protection": "grounds-changed",
    "its token's end": "grounds-changed",
    "the approval's withdrawal": "step-claimed",
  };
  for (const [what, cause] of Object.entries(late)) {
    const [, brake] = brakes[what] ?? assert.fail(what);
    test(`P7-E2 cannot outrun ${what} between the claim and the call, without its being told`, async () => {
      const at = stage();
      const of = await braked(at);
      const [calls, size] = [at.calls(), await sizeOf(at)];
      seeing.close();
      const asked = tool(of.agent, "apply_step", atStep(of.plan));
      await until("the claim", () => seeing.waiting() > 0);
      const braking = (await soon("the brake", brake(at, of))) as Partial<Replied> | undefined;
      seeing.open();
      assert.deepEqual(codesOf(await asked), []);
      const [claim] = await appliesSince(at, size);
      const end = await endOf(at, claim?.auditId ?? assert.fail("it was claimed"));
      if (cause === "step-claimed") {
        assert.deepEqual(codesOf(braking as Replied), [cause]);
        assert.deepEqual([end.outcome, at.calls() - calls], ["succeeded", 1]);
      } else assert.deepEqual([end.outcome, end.cause, at.calls() - calls], ["failed", cause, 0]);
      if (what === "a freeze") await thaw(at);
    });
  }

  test("P7-A2 cannot apply by an approval that is asked for at the same time", async () => {
    const at = stage();
    const plan = await planBy(at.robo, at.freshVm());
    const [calls, size] = [at.calls(), await sizeOf(at)];
    const asks = Array.from({ length: 4 }, () => tool(at.robo, "apply_step", atStep(plan)));
    const [approved] = await Promise.all([approve(at, plan, at.ada), ...asks]);
    assert.equal(approved.status, 201);
    const since = (await at.served.records()).slice(size);
    const agreed = since.findIndex(({ kind }) => kind === "approve");
    for (const [at, record] of since.entries())
      if (record.kind === "apply") assert.equal(isGranted(record), at > agreed, `record ${at} of ${agreed}`);
    const granted = since.filter((record) => record.kind === "apply" && isGranted(record));
    assert.ok(granted.length <= 1);
    for (const { auditId } of granted) await untilEnded(at.robo, auditId);
    assert.equal(at.calls() - calls, granted.length);
  });
});
