// An agent that uses an agreement for something else: another step, plan or agent than the one that people agreed
// to.

import assert from "node:assert/strict";
import { suite } from "node:test";
import { newKey, type Replied } from "../boundary/at-door.ts";
import { cannot } from "../cannot.ts";
import { applied, hostile } from "./hostile.ts";
import { approve, approvedBy, atStep, planBy, type Stage, stageOf, tool } from "./stage.ts";

const ownApproved = (at: Stage): Promise<string> => approvedBy(at, at.robo);
const applies = (at: Stage, plan: string): Promise<Replied> => applied(at, at.robo, plan);
const appliesOther = async (at: Stage): Promise<Replied> => applies(at, await ownApproved(at));
const asked = ({ robo }: Stage, plan: string): Promise<Replied> => tool(robo, "apply_step", atStep(plan));
const REFUSED = ["agent apply refused"];

/** A plan of two steps, of which the first is approved. */
const halfApproved = async (at: Stage): Promise<string> => {
  const scope = [at.freshVm(), at.freshVm()];
  const { structuredContent } = await at.robo.call("plan_desired", { environment: "home", scope });
  const plan = structuredContent.answer?.id ?? assert.fail(JSON.stringify(structuredContent));
  assert.equal((await approve(at, plan, at.ada)).status, 201);
  return plan;
};

suite("an agent that uses an agreement for something else", () => {
  const stage = stageOf();

  suite("swaps", () => {
    cannot(
      "P7-A2",
      "apply another step of a plan than the one that was approved",
      hostile(stage, {
        code: "approval-missing",
        given: halfApproved,
        neighbour: applies,
        offence: ({ robo }, plan) => tool(robo, "apply_step", atStep(plan, 2)),
        records: REFUSED,
      }),
    );
    for (const number of [0, 2, 999, Number.MAX_SAFE_INTEGER]) {
      cannot(
        "P7-F1",
        `apply step ${number} of a plan of one step`,
        hostile(stage, {
          // Steps are counted from 1, and the schema says so.
          code: number === 0 ? "value-wrong" : "usage",
          given: ownApproved,
          neighbour: applies,
          offence: ({ robo }, plan) => tool(robo, "apply_step", atStep(plan, number)),
        }),
      );
    }
    const altered: Readonly<Record<string, readonly [code: string, more: object]>> = {
      "an environment beside": ["key-unknown", { environment: "away" }],
      "another explanation": ["key-unknown", { explanation: "0".repeat(64) }],
      "another hash of the plan": ["key-unknown", { hash: "0".repeat(64) }],
      "a key of its own": ["key-unknown", { key: newKey() }],
      "a step as a number": ["type-wrong", { step: 1 }],
      "a step by the name of its VM": ["key-missing", { step: { vmid: 101 } }],
      "a word for a plan": ["value-wrong", { plan: "latest" }],
      "the beginning of an id": ["value-wrong", { plan: "01" }],
      "a plan by a path": ["value-wrong", { plan: "../plans/latest" }],
    };
    for (const [what, [code, more]] of Object.entries(altered)) {
      cannot(
        "P7-F1",
        `apply an approved step with ${what}`,
        hostile(stage, {
          code,
          given: ownApproved,
          neighbour: applies,
          offence: ({ robo }, plan) => tool(robo, "apply_step", { ...atStep(plan), ...more }),
        }),
      );
    }
    cannot(
      "B1",
      "apply a plan that nobody made",
      hostile(stage, {
        code: "plan-unknown",
        neighbour: appliesOther,
        offence: ({ robo }) => tool(robo, "apply_step", atStep(newKey())),
      }),
    );
  });

  suite("takes another's", () => {
    for (const door of ["agent", "service"] as const) {
      cannot(
        "P7-A2",
        `apply at the door ${door} what was approved for another agent`,
        hostile(stage, {
          code: "agent-foreign-plan",
          given: (at) => approvedBy(at, at.kilo),
          neighbour: (at, plan) => applied(at, at.kilo, plan),
          offence: ({ post, robo }, plan) =>
            door === "agent"
              ? tool(robo, "apply_step", atStep(plan))
              : post(`/v1/plans/${plan}/steps/1/applies`, {}, { token: robo.token }),
          records: [`${door} apply refused`],
        }),
      );
    }
    cannot(
      "P7-A2",
      "apply as an agent what was approved for a person",
      hostile(stage, {
        code: "agent-foreign-plan",
        given: async (at) => {
          const { body } = await at.post("/v1/plans", { environment: "home", scope: [at.freshVm()] });
          const { id } = body as { readonly id: string };
          assert.equal((await approve(at, id, at.ada)).status, 201);
          return id;
        },
        neighbour: appliesOther,
        offence: asked,
        records: REFUSED,
      }),
    );
    cannot(
      "P7-A1",
      "close the plan of another agent",
      hostile(stage, {
        code: "role-missing",
        given: (at) => approvedBy(at, at.kilo),
        neighbour: ({ kilo }, plan) => tool(kilo, "cancel_plan", { plan, reason: "not needed" }),
        offence: ({ robo }, plan) => tool(robo, "cancel_plan", { plan, reason: "not needed" }),
        records: ["agent cancel refused"],
      }),
    );
    cannot(
      "P7-A2",
      "withdraw an approval as an agent",
      hostile(stage, {
        code: "agent-decides",
        given: async (at) => {
          const plan = await planBy(at.robo, at.freshVm());
          const { body } = await approve(at, plan, at.ada);
          return { approval: (body as { readonly id: string }).id, plan };
        },
        neighbour: ({ ada, post }, { approval, plan }) =>
          post(`/v1/plans/${plan}/steps/1/revocations`, { approval, reason: "another day" }, { token: ada }),
        offence: ({ post, robo }, { approval, plan }) =>
          post(`/v1/plans/${plan}/steps/1/revocations`, { approval, reason: "mine" }, { token: robo.token }),
        records: ["service revoke refused"],
      }),
    );
  });
});
