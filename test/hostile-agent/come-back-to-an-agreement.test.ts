// An agent that comes back to an agreement which no longer stands: its plan, approval, VM, time or configuration is
// another, or it was spent.

import assert from "node:assert/strict";
import { suite } from "node:test";
import { newKey, type Replied } from "../boundary/at-door.ts";
import type { Agent } from "../boundary/mcp/agents.ts";
import { cannot } from "../cannot.ts";
import { OPERATOR, ok } from "../service/serving.ts";
import { applied, hostile } from "./hostile.ts";
import { approve, approvedBy, atStep, planBy, type Stage, stageOf, tool } from "./stage.ts";

const ownApproved = (at: Stage): Promise<string> => approvedBy(at, at.robo);
const applies = (at: Stage, plan: string): Promise<Replied> => applied(at, at.robo, plan);
const appliesOther = async (at: Stage): Promise<Replied> => applies(at, await ownApproved(at));
const asked = ({ robo }: Stage, plan: string): Promise<Replied> => tool(robo, "apply_step", atStep(plan));
const REFUSED = ["agent apply refused"];

suite("an agent that comes back to an agreement", () => {
  const stage = stageOf();

  suite("uses an old approval", () => {
    const vmOf = async (at: Stage, agent: Agent) => {
      const vm = at.freshVm();
      return { plan: await approvedBy(at, agent, vm), vm };
    };
    cannot(
      "P7-A2",
      "use the approval of an older plan for the one that took its place",
      hostile(stage, {
        code: "approval-missing",
        given: async (at) => {
          const { vm } = await vmOf(at, at.robo);
          at.provider.home.change({ kind: "set", key: "memory", value: "4096", vmid: vm });
          return planBy(at.robo, vm);
        },
        neighbour: async (at, plan) => {
          assert.equal((await approve(at, plan, at.bo)).status, 201);
          return applies(at, plan);
        },
        offence: asked,
        records: REFUSED,
      }),
    );
    cannot(
      "B1",
      "apply the older plan after another took its place",
      hostile(stage, {
        code: "plan-closed",
        given: async (at) => {
          const { plan, vm } = await vmOf(at, at.robo);
          at.provider.home.change({ kind: "set", key: "memory", value: "4096", vmid: vm });
          await planBy(at.robo, vm);
          return plan;
        },
        neighbour: appliesOther,
        offence: asked,
        records: REFUSED,
      }),
    );
    cannot(
      "B6",
      "apply over HTTP, under another key, a step that was applied",
      hostile(stage, {
        code: "step-consumed",
        given: async (at) => {
          const plan = await ownApproved(at);
          await applies(at, plan);
          return plan;
        },
        neighbour: asked,
        offence: ({ post, robo }, plan) => post(`/v1/plans/${plan}/steps/1/applies`, {}, { token: robo.token }),
        records: ["service apply refused"],
      }),
    );
    cannot(
      "P7-A2",
      "apply after the approval was withdrawn",
      hostile(stage, {
        code: "approval-missing",
        given: async (at) => {
          const plan = await planBy(at.robo, at.freshVm());
          const { body } = await approve(at, plan, at.ada);
          const { id: approval } = body as { readonly id: string };
          const path = `/v1/plans/${plan}/steps/1/revocations`;
          assert.equal((await at.post(path, { approval, reason: "another day" }, { token: at.ada })).status, 201);
          return plan;
        },
        neighbour: async (at, plan) => {
          assert.equal((await approve(at, plan, at.bo)).status, 201);
          return applies(at, plan);
        },
        offence: asked,
        records: REFUSED,
      }),
    );
    cannot(
      "P7-A2",
      "apply by an approval of somebody whose token was revoked since",
      hostile(stage, {
        code: "approval-missing",
        given: async (at) => {
          const plan = await planBy(at.robo, at.freshVm());
          const name = `leaver-${newKey().toLowerCase()}`;
          assert.equal((await approve(at, plan, await at.tokenFor(name, ["approver"]))).status, 201);
          assert.equal((await at.post("/v1/token-revocations", { name })).status, 201);
          return plan;
        },
        neighbour: async (at, plan) => {
          assert.equal((await approve(at, plan, at.bo)).status, 201);
          return applies(at, plan);
        },
        offence: asked,
        records: REFUSED,
      }),
    );
    cannot(
      "P7-A2",
      "apply a step that a person denied after another approved",
      hostile(stage, {
        code: "step-denied",
        given: async (at) => {
          const plan = await ownApproved(at);
          const { status } = await at.post(`/v1/plans/${plan}/steps/1/denials`, { reason: "no" }, { token: at.bo });
          assert.equal(status, 201);
          return plan;
        },
        neighbour: appliesOther,
        offence: asked,
        records: REFUSED,
      }),
    );
    cannot(
      "B1",
      "apply a plan that it closed itself",
      hostile(stage, {
        code: "plan-closed",
        given: async (at) => {
          const plan = await ownApproved(at);
          await at.robo.call("cancel_plan", { plan, reason: "not needed" });
          return plan;
        },
        neighbour: appliesOther,
        offence: asked,
        records: REFUSED,
      }),
    );
    cannot(
      "P7-A2",
      "apply with one approval what needs two",
      hostile(stage, {
        code: "approval-missing",
        given: async (at) => {
          const vm = at.freshVm();
          await applied(at, at.robo, await approvedBy(at, at.robo, vm));
          const plan = await planBy(at.robo, vm, { kind: "vm.stop" });
          assert.equal((await approve(at, plan, at.ada)).status, 201);
          return plan;
        },
        neighbour: async (at, plan) => {
          assert.equal((await approve(at, plan, at.bo)).status, 201);
          return applies(at, plan);
        },
        offence: asked,
        records: REFUSED,
      }),
    );
    cannot(
      "P7-A2",
      "apply what cannot be undone, whoever approved",
      hostile(stage, {
        code: "agent-irreversible",
        given: async (at) => {
          const plan = await planBy(at.robo, at.freshVm(), { kind: "vm.delete" });
          await approve(at, plan, at.ada);
          await approve(at, plan, at.bo);
          return plan;
        },
        neighbour: appliesOther,
        offence: asked,
        records: REFUSED,
      }),
    );
  });

  suite("goes on under what changed since", () => {
    cannot(
      "P7-F1",
      "apply what was approved before a freeze",
      hostile(stage, {
        code: "frozen",
        given: ownApproved,
        neighbour: async (at, plan) => {
          ok(await at.given.service.freeze(OPERATOR, { environment: "away", reason: "elsewhere" }));
          return applies(at, plan);
        },
        offence: async (at, plan) => {
          ok(await at.given.service.freeze(OPERATOR, { environment: "home", reason: "incident" }));
          const replied = await asked(at, plan);
          ok(await at.given.service.unfreeze(OPERATOR, { environment: "home", reason: "over" }));
          return replied;
        },
        records: ["local freeze done", "agent apply refused", "local unfreeze done"],
      }),
    );
    const HOUR_MS = 3_600_000;
    const NEAR_MS = 20_000;
    cannot(
      "N1",
      "apply what was approved once its plan has expired",
      hostile(stage, {
        code: "step-expired",
        given: ownApproved,
        neighbour: (at, plan) => {
          at.served.clock.aheadMs += HOUR_MS - NEAR_MS;
          return applies(at, plan);
        },
        offence: (at, plan) => {
          at.served.clock.aheadMs += HOUR_MS;
          return asked(at, plan);
        },
        records: REFUSED,
      }),
    );
    cannot(
      "P7-A1",
      "apply what was approved before its VM was written down otherwise",
      hostile(stage, {
        code: "desired-changed",
        given: async (at) => {
          const vm = at.freshVm();
          return { plan: await approvedBy(at, at.robo, vm), vm };
        },
        neighbour: async (at, { plan }) => {
          await at.register("home", (text) => text.replace("name: vm-319, target: running", "$&, protected: true"));
          return applies(at, plan);
        },
        offence: async (at, { plan, vm }) => {
          await at.register("home", (text) => text.replace(`name: vm-${vm}, target: running`, "$&, protected: true"));
          return asked(at, plan);
        },
        records: ["local register done", ...REFUSED],
      }),
    );
    cannot(
      "P7-A2",
      "apply what was approved under another configuration",
      hostile(stage, {
        code: "configuration-differs",
        given: ownApproved,
        neighbour: applies,
        offence: async (at, plan) => {
          const { config } = at.served.configuration;
          const home = config.environments.get("home") ?? assert.fail("it is configured");
          const environments = new Map(config.environments).set("home", { ...home, maxObservationAgeMs: 30_000 });
          at.served.written.config = { ...config, environments };
          const replied = await asked(at, plan);
          delete at.served.written.config;
          return replied;
        },
        records: ["local start done", ...REFUSED],
      }),
    );
  });
});
