// An agent that comes as somebody else, or goes where it has no role: another's credential, one that ended, and what
// belongs to another environment.

import assert from "node:assert/strict";
import { suite } from "node:test";
import { SESSION_COOKIE } from "../../src/boundary/identity/session-cookie.ts";
import { newKey, type Replied } from "../boundary/at-door.ts";
import { agentAt, rpcIn } from "../boundary/mcp/agents.ts";
import { cannot } from "../cannot.ts";
import { OPERATOR, ok } from "../service/serving.ts";
import { applied, hostile } from "./hostile.ts";
import { approvedBy, atStep, planBy, type Stage, stageOf, tool, toolUnder } from "./stage.ts";

const listsBy = (at: Stage, token: string): Promise<Replied> => toolUnder(at, { token }, "list_environments", {}, {});
const lists = (at: Stage): Promise<Replied> => listsBy(at, at.robo.token);

suite("an agent that comes as another", () => {
  const stage = stageOf();

  suite("shows another credential", () => {
    const people: Readonly<Record<string, (at: Stage) => string>> = {
      "an approver": ({ ada }) => ada,
      "an operator": ({ token }) => token,
    };
    for (const [who, tokenOf] of Object.entries(people)) {
      cannot(
        "B2",
        `ask at the agents' door by the token of ${who}`,
        hostile(stage, { code: "agents-only", neighbour: lists, offence: (at) => listsBy(at, tokenOf(at)) }),
      );
    }
    cannot(
      "B2",
      "apply at the agents' door, as a person, what was approved for an agent",
      hostile(stage, {
        code: "agents-only",
        given: (at) => approvedBy(at, at.robo),
        neighbour: (at, plan) => applied(at, at.robo, plan),
        offence: (at, plan) => toolUnder(at, at, "apply_step", atStep(plan), {}),
      }),
    );
    const shown: Readonly<Record<string, readonly [code: string, headers: (at: Stage) => Record<string, string>]>> = {
      "a session's cookie that nobody sealed": ["actor-unknown", () => ({ cookie: `${SESSION_COOKIE}=v1.AAAA.BBBB` })],
      "a token in another header": ["actor-unknown", ({ robo }) => ({ "x-api-key": robo.token })],
      "a token that nobody made": ["actor-unknown", () => ({ authorization: `Bearer ddl_${"A".repeat(43)}` })],
      "a token in small letters": [
        "actor-unknown",
        ({ robo }) => ({ authorization: `Bearer ${robo.token.toLowerCase()}` }),
      ],
      "half a token": ["actor-unknown", ({ robo }) => ({ authorization: `Bearer ${robo.token.slice(0, 20)}` })],
      "two tokens in one header": [
        "request-unfit",
        ({ robo, token }) => ({ authorization: `Bearer ${robo.token}, Bearer ${token}` }),
      ],
      "a password": ["request-unfit", () => ({ authorization: `Basic ${Buffer.from("ada:ada").toString("base64")}` })],
    };
    for (const [what, [code, headers]] of Object.entries(shown)) {
      const offence = async ({ post, ...at }: Stage): Promise<Replied> => {
        const message = { id: 1, jsonrpc: "2.0", method: "tools/list", params: {} };
        const accept = "application/json, text/event-stream";
        return post("/mcp", message, { headers: { accept, ...headers({ post, ...at }) }, key: null, token: null });
      };
      cannot(
        code === "actor-unknown" ? "B2" : "P7-F1",
        `ask at the agents' door by ${what}`,
        hostile(stage, { code, neighbour: lists, offence }),
      );
    }
    cannot(
      "P7-A1",
      "plan as a sensor",
      hostile(stage, {
        code: "role-missing",
        given: async (at) => {
          const name = `probe-${newKey().toLowerCase()}`;
          const sensor = await agentAt(at, name, await at.tokenFor(name, ["sensor"], ["home"]));
          return { plan: { action: { kind: "vm.start" }, environment: "home", vm: at.freshVm() }, sensor };
        },
        neighbour: ({ robo }, { plan }) => tool(robo, "plan_action", plan),
        offence: (_, { plan, sensor }) => tool(sensor, "plan_action", plan),
      }),
    );
    cannot(
      "P7-A1",
      "tell what was seen, as an agent that is no sensor",
      hostile(stage, {
        code: "role-missing",
        given: async (at) => {
          const current = (observedAt: string) => ({
            current: {
              file: "current.json",
              text: JSON.stringify({ complete: true, environment: "home", observedAt, version: 1, vms: [] }),
            },
          });
          const name = `sensor-${newKey().toLowerCase()}`;
          return { current, sensor: await at.tokenFor(name, ["sensor"], ["home"]) };
        },
        neighbour: ({ post, served }, { current, sensor }) =>
          post("/v1/environments/home/telemetry", current(new Date(Date.now() + served.clock.aheadMs).toISOString()), {
            token: sensor,
          }),
        offence: ({ post, robo, served }, { current }) =>
          post("/v1/environments/home/telemetry", current(new Date(Date.now() + served.clock.aheadMs).toISOString()), {
            token: robo.token,
          }),
      }),
    );
  });

  suite("goes on by a token that ended", () => {
    const leaving = async (at: Stage) => {
      const name = `leaver-${newKey().toLowerCase()}`;
      const agent = await agentAt(at, name);
      return { agent, name, plan: await approvedBy(at, agent) };
    };
    cannot(
      "B2",
      "apply by a token that was revoked after the approval",
      hostile(stage, {
        code: "actor-unknown",
        given: leaving,
        neighbour: (at, { agent, plan }) => applied(at, agent, plan),
        offence: async (at, { agent, name, plan }) => {
          ok(await at.given.service.revokeToken(OPERATOR, { name }));
          return tool(agent, "apply_step", atStep(plan));
        },
        records: ["local token done"],
      }),
    );
    cannot(
      "B2",
      "apply by a token that was rotated since",
      hostile(stage, {
        code: "actor-unknown",
        given: leaving,
        neighbour: async (at, { agent, name, plan }) => {
          const { value } = ok(await at.given.service.rotateToken(OPERATOR, { days: 1, name }));
          const fresh = await agentAt(at, name, value.token ?? assert.fail("it is shown once"));
          assert.notEqual(fresh.token, agent.token);
          return tool(fresh, "plan_status", { plan });
        },
        offence: async (at, { agent, name, plan }) => {
          ok(await at.given.service.rotateToken(OPERATOR, { days: 1, name }));
          return tool(agent, "apply_step", atStep(plan));
        },
        records: ["local token done"],
      }),
    );
  });

  suite("goes where it has no role", () => {
    const asked: Readonly<Record<string, readonly [code: string, given: (plan: string) => object]>> = {
      apply_step: ["plan-unknown", atStep],
      cancel_plan: ["plan-unknown", (plan) => ({ plan, reason: "not needed" })],
      explain_step: ["plan-unknown", atStep],
      get_vm: ["environment-unknown", () => ({ environment: "home", vm: 101 })],
      list_vms: ["environment-unknown", () => ({ environment: "home" })],
      observe: ["environment-unknown", () => ({ environment: "home" })],
      plan_action: ["environment-unknown", () => ({ action: { kind: "vm.start" }, environment: "home", vm: 101 })],
      plan_desired: ["environment-unknown", () => ({ environment: "home", scope: [101] })],
      plan_status: ["plan-unknown", (plan) => ({ plan })],
      request_approval: ["plan-unknown", atStep],
      search_records: ["environment-unknown", () => ({ environment: "home" })],
    };
    for (const [name, [code, given]] of Object.entries(asked)) {
      cannot(
        code === "plan-unknown" ? "B1" : "B3",
        `${name} of an environment that it has no role in`,
        hostile(stage, {
          code,
          given: (at) => approvedBy(at, at.robo),
          neighbour: ({ robo }, plan) => tool(robo, name, given(plan)),
          offence: ({ faro }, plan) => tool(faro, name, given(plan)),
        }),
      );
    }
    cannot(
      "P7-F3",
      "ask for an intent of an environment that it has no role in",
      hostile(stage, {
        code: "intent-unknown",
        given: async (at) => {
          const replied = await applied(at, at.robo, await approvedBy(at, at.robo));
          return Object(rpcIn(replied).result).structuredContent.answer?.intent ?? assert.fail(replied.text);
        },
        neighbour: ({ robo }, intent) => tool(robo, "intent_status", { intent }),
        offence: ({ faro }, intent) => tool(faro, "intent_status", { intent }),
      }),
    );
    for (const [what, uri] of [
      ["a plan", (plan: string) => `dedalus://plans/${plan}`],
      ["an explanation", (plan: string) => `dedalus://plans/${plan}/steps/1/explanation`],
    ] as const) {
      cannot(
        "B1",
        `read ${what} by its address, of an environment that it has no role in`,
        hostile(stage, {
          code: "plan-unknown",
          given: (at) => planBy(at.robo, at.freshVm()),
          neighbour: ({ robo }, plan) => robo.ask("resources/read", { uri: uri(plan) }),
          offence: ({ faro }, plan) => faro.ask("resources/read", { uri: uri(plan) }),
        }),
      );
    }
    cannot(
      "P7-A1",
      "prove a record of an environment that it has no role in",
      hostile(stage, {
        code: "role-missing",
        given: async (at) => {
          await planBy(at.robo, at.freshVm());
          return { seq: (await at.served.records()).length - 1 };
        },
        neighbour: ({ robo }, given) => tool(robo, "prove_record", given),
        offence: ({ faro }, given) => tool(faro, "prove_record", given),
      }),
    );
  });
});
