// A server that breaks a clause is found out: each way of breaking one is planted between a real door and whoever
// checks it, and turns that clause red. Nothing else of the answers is touched.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type CheckTerms, CLAUSE_IDS, type ClauseId } from "../../../src/boundary/contract/agent-clauses.ts";
import type { Outgoing } from "../../../src/service/remote/send.ts";
import { type AtDoor, atDoor, newKey } from "../at-door.ts";
import { type Alter, approvedBy, byHttp, byMcp, checkDoors, verdictOf, type Way } from "./at-contract.ts";

type Planted = {
  /** What it does to answers; made for each check, because some count. */
  readonly alter: () => Alter;
  readonly clause: ClauseId;
  readonly says: string;
  readonly terms?: Partial<CheckTerms>;
  readonly way?: Way;
};

const APPLY = { isApplying: true, vm: "web-01" } as const;
const ASKED = { vm: "web-01", waitSeconds: 1 } as const;
const FULL = { ...APPLY, waitSeconds: 60 } as const;

const isAt = ({ method, path }: Outgoing, at: RegExp): boolean => at.test(`${method} ${path.split("?")[0]}`);
const PLANS = /^POST \/v1\/plans$/;
const SHOWN = /^GET \/v1\/plans\/[^/]+$/;
const APPLIES = /^POST .*\/applies$/;

/** A text in an answer, replaced. */
const replacing =
  (at: RegExp, found: RegExp, by: string): (() => Alter) =>
  () =>
  (asked, text) =>
    isAt(asked, at) ? { text: text.replace(found, by) } : undefined;

/** A refusal that becomes an answer. */
const granting =
  (at: RegExp, body: object, code = ""): (() => Alter) =>
  () =>
  (asked, text, status) =>
    isAt(asked, at) && status >= 400 && text.includes(code) ? { status: 201, text: JSON.stringify(body) } : undefined;

/** From the second answer on. */
const secondly =
  (at: RegExp, found: RegExp, by: () => string): (() => Alter) =>
  () => {
    let count = 0;
    return (asked, text, status) => {
      if (!isAt(asked, at) || status >= 400) return undefined;
      count += 1;
      return count > 1 ? { text: text.replace(found, by()) } : undefined;
    };
  };

/** A result of a tool, altered in its data and in its text alike. */
const ofTool =
  (name: string, alter: (text: string) => string): (() => Alter) =>
  () => {
    let count = 0;
    return (asked, text) => {
      if (asked.headers["mcp-name"] !== name) return undefined;
      count += 1;
      const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
      const { result, ...message } = JSON.parse(data);
      const told =
        count > 1 ? alter(JSON.stringify(result.structuredContent)) : JSON.stringify(result.structuredContent);
      const altered = { ...result, content: [{ text: told, type: "text" }], structuredContent: JSON.parse(told) };
      return { headers: { "content-type": "application/json" }, text: JSON.stringify({ ...message, result: altered }) };
    };
  };

const OTHER = "0".repeat(64);

const PLANTED: readonly Planted[] = [
  { alter: granting(/whoami$/, { actor: { id: "x", kind: "agent" } }), clause: "C1", says: "answers nobody" },
  { alter: replacing(/whoami$/, /"kind":"agent"/, '"kind":"person"'), clause: "C2", says: "takes it for a person" },
  {
    alter: () => (asked, text) =>
      asked.headers["mcp-method"] === "tools/list"
        ? { text: text.replace('"tools":[', '"tools":[{"name":"approve_step"},') }
        : undefined,
    clause: "C3",
    says: "has a tool that approves",
    way: byMcp,
  },
  { alter: granting(PLANS, {}, "key-unknown"), clause: "C4", says: "drops a member" },
  {
    alter: replacing(PLANS, /"hash":"[0-9a-f]{64}","observation"/, `"hash":"${OTHER}","observation"`),
    clause: "C5",
    says: "changes a plan's hash",
  },
  { alter: replacing(PLANS, /"name":"web-01"/, '"name":"web-02"'), clause: "C6", says: "is not what it is shown as" },
  {
    alter: secondly(PLANS, /"id":"[0-9A-Z]{26}"/, () => `"id":"${newKey()}"`),
    clause: "C7",
    says: "plans twice under one key",
  },
  { alter: granting(/observations$/, {}), clause: "C8", says: "takes a used key for another request" },
  { alter: granting(SHOWN, {}), clause: "C9", says: "shows a plan that nobody made" },
  {
    alter: replacing(/explanation$/, /"effect":"performed"/, '"effect":"nothing"'),
    clause: "C10",
    says: "changes what is explained",
  },
  { alter: replacing(PLANS, /"endsAt":"\d{4}/, '"endsAt":"2999'), clause: "C11", says: "lets a step live on" },
  {
    alter: replacing(PLANS, /"status":"awaiting-approval"/g, '"status":"approved"'),
    clause: "C12",
    says: "calls it approved",
  },
  { alter: granting(/approvals$/, {}), clause: "C13", says: "lets an agent approve" },
  { alter: granting(/denials$/, {}), clause: "C13", says: "lets an agent deny" },
  { alter: granting(/challenges$/, {}), clause: "C13", says: "lets an agent confirm" },
  {
    alter: granting(APPLIES, { intent: newKey() }, "approval-missing"),
    clause: "C14",
    says: "drops the refusal",
    terms: APPLY,
  },
  {
    alter: replacing(SHOWN, /"status":"canceled"/g, '"status":"awaiting-approval"'),
    clause: "C15",
    says: "leaves it open",
  },
  {
    alter: granting(APPLIES, { intent: newKey() }, "plan-closed"),
    clause: "C16",
    says: "applies what was canceled",
    terms: APPLY,
  },
  {
    alter: secondly(/approval-requests$/, /"seq":\d+/, () => '"seq":1'),
    clause: "C17",
    says: "records a request twice",
    terms: ASKED,
  },
  {
    alter: replacing(
      SHOWN,
      /"approvedBy":\[\](.*?)"status":"awaiting-approval"/s,
      '"approvedBy":["ci"]$1"status":"approved"',
    ),
    clause: "C18",
    says: "takes the agent's own approval",
    terms: ASKED,
  },
  { alter: granting(SHOWN, {}, "plan-unknown"), clause: "C9", says: "knows every plan" },
  {
    alter: () => (_, text, status) => (status >= 400 ? { text: text.replaceAll('"rule":', '"x":') } : undefined),
    clause: "C23",
    says: "leaves the rule out",
  },
  {
    alter: () => {
      let count = 0;
      return (asked, text, status) => {
        count += 1;
        return isAt(asked, SHOWN) && status < 400
          ? { headers: { etag: `"7-${String(count % 10).repeat(64)}"` }, text }
          : undefined;
      };
    },
    clause: "C24",
    says: "answers from two ledgers",
  },
];

/** Those that need a person, and change the VM: a door for each. */
const PLANTED_APPLIED: readonly Planted[] = [
  {
    alter: secondly(APPLIES, /"intent":"[0-9A-Z]{26}"/, () => `"intent":"${newKey()}"`),
    clause: "C19",
    says: "repeats an apply as another intent",
  },
  {
    alter: ofTool("apply_step", (text) => text.replace(/"intent":"[0-9A-Z]{26}"/, `"intent":"${newKey()}"`)),
    clause: "C19",
    says: "repeats an apply as another intent, by its tool",
    way: byMcp,
  },
  { alter: granting(APPLIES, { intent: newKey() }, "step-consumed"), clause: "C20", says: "performs a step twice" },
  {
    alter: replacing(/intents/, /"planId":"[0-9A-Z]{26}"/, `"planId":"${newKey()}"`),
    clause: "C21",
    says: "names another plan",
  },
  {
    alter: replacing(/vms$/, /"vmStatus":"running"/, '"vmStatus":"stopped"'),
    clause: "C22",
    says: "says success where none is seen",
  },
  {
    alter: replacing(/intents/, /"outcome":"succeeded"/g, '"outcome":"failed"'),
    clause: "C22",
    says: "says another outcome than the step",
  },
];

const statusUnder = async (at: AtDoor, token: string, { alter, clause, terms = {}, way = byHttp }: Planted) =>
  verdictOf(
    await checkDoors([way(at, token, alter())], {
      terms,
      ...(terms.isApplying === true && terms.waitSeconds !== undefined
        ? { waiting: (plan: string, step: number) => approvedBy(at, plan, step) }
        : {}),
    }),
    clause,
  );

test("a server that breaks a clause of a plan or a request is found out", async (t) => {
  const at = await atDoor(t);
  const token = await at.tokenFor("ci", ["agent"]);
  for (const planted of PLANTED)
    await t.test(`${planted.clause}: it ${planted.says}`, async () => {
      assert.equal(await statusUnder(at, token, planted), "broken");
    });
  assert.equal(at.served.provider.counts.calls, 0);
});

for (const planted of PLANTED_APPLIED)
  test(`a server that breaks a clause of an apply is found out: ${planted.clause}, it ${planted.says}`, async (t) => {
    const at = await atDoor(t);
    const token = await at.tokenFor("ci", ["agent"]);
    assert.equal(await statusUnder(at, token, { ...planted, terms: FULL }), "broken");
  });

test("every clause has been broken by something", () => {
  const planted = new Set([...PLANTED, ...PLANTED_APPLIED].map(({ clause }) => clause));
  assert.deepEqual(
    CLAUSE_IDS.filter((clause) => !planted.has(clause)),
    [],
  );
});
