// An agent that forges, alters or carries elsewhere what a question to people was sealed with, or takes its client's
// yes for an approval.

import assert from "node:assert/strict";
import { suite } from "node:test";
import type { Replied } from "../boundary/at-door.ts";
import { type Agent, rpcIn } from "../boundary/mcp/agents.ts";
import { cannot } from "../cannot.ts";
import { applied, hostile } from "./hostile.ts";
import { approve, atStep, planBy, type Stage, stageOf, tool } from "./stage.ts";

const URLS = { elicitation: { url: {} } };

type Question = { readonly plan: string; readonly requestState: string };

const asking = (agent: Agent, plan: string, more: object = {}, step = 1): Promise<Replied> =>
  agent.ask("tools/call", { arguments: atStep(plan, step), name: "request_approval", ...more }, URLS);

const questionOf = async ({ freshVm, robo }: Stage): Promise<Question> => {
  const plan = await planBy(robo, freshVm());
  const { requestState } = Object(rpcIn(await asking(robo, plan)).result);
  assert.equal(typeof requestState, "string");
  return { plan, requestState };
};

const answered = { decide: { action: "accept", content: { approved: true } } };

suite("an agent that forges a question", () => {
  const stage = stageOf();

  const forged: Readonly<Record<string, (state: string) => string>> = {
    "of another algorithm": (state) => state.replace(/\.[^.]*$/, ".none"),
    "that is an answer": () => "accept",
    "that is empty": () => "",
    "that it wrote itself": () => `v1.${Buffer.from('{"approved":true}').toString("base64url")}.AAAA`,
    "with another ending": (state) => `${state.slice(0, -3)}AAA`,
    "with another beginning": (state) => state.replace(/^v1\.(..)/, "v1.ZZ"),
    "without its seal": (state) => state.split(".").slice(0, 2).join("."),
    "with more behind it": (state) => `${state}.${state}`,
  };
  for (const [what, forge] of Object.entries(forged)) {
    cannot(
      "B2",
      `come back with a requestState ${what}`,
      hostile(stage, {
        code: "invalid_request_state",
        given: questionOf,
        neighbour: ({ robo }, { plan, requestState }) => asking(robo, plan, { requestState }),
        offence: ({ robo }, { plan, requestState }) => asking(robo, plan, { requestState: forge(requestState) }),
      }),
    );
  }
  cannot(
    "B2",
    "come back with the requestState of another agent",
    hostile(stage, {
      code: "invalid_request_state",
      given: questionOf,
      neighbour: ({ robo }, { plan, requestState }) => asking(robo, plan, { requestState }),
      offence: ({ kilo }, { plan, requestState }) => asking(kilo, plan, { requestState }),
    }),
  );
  cannot(
    "B2",
    "come back with the requestState of another plan",
    hostile(stage, {
      code: "invalid_request_state",
      given: async (at) => ({ ...(await questionOf(at)), other: (await questionOf(at)).plan }),
      neighbour: ({ robo }, { plan, requestState }) => asking(robo, plan, { requestState }),
      offence: ({ robo }, { other, requestState }) => asking(robo, other, { requestState }),
    }),
  );
  cannot(
    "B2",
    "come back with the requestState of another step",
    hostile(stage, {
      code: "invalid_request_state",
      given: questionOf,
      neighbour: ({ robo }, { plan, requestState }) => asking(robo, plan, { requestState }),
      offence: ({ robo }, { plan, requestState }) => asking(robo, plan, { requestState }, 2),
    }),
  );
  cannot(
    "P7-A2",
    "apply because its client accepted a question",
    hostile(stage, {
      code: "approval-missing",
      given: async (at) => {
        const { plan, requestState } = await questionOf(at);
        await asking(at.robo, plan, { inputResponses: answered, requestState });
        return plan;
      },
      neighbour: async (at, plan) => {
        assert.equal((await approve(at, plan, at.ada)).status, 201);
        return applied(at, at.robo, plan);
      },
      offence: ({ robo }, plan) => tool(robo, "apply_step", atStep(plan)),
      records: ["agent apply refused"],
    }),
  );
  cannot(
    "P7-A2",
    "apply by the answer to a question that it hands in itself",
    hostile(stage, {
      code: "approval-missing",
      given: questionOf,
      neighbour: async (at, { plan }) => {
        assert.equal((await approve(at, plan, at.ada)).status, 201);
        return applied(at, at.robo, plan);
      },
      offence: ({ robo }, { plan }) =>
        robo.ask("tools/call", { arguments: atStep(plan), inputResponses: answered, name: "apply_step" }, URLS),
      records: ["agent apply refused"],
    }),
  );
});
