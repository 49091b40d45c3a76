// An agent at the edges of time: a token, an approval, a plan and a question that end, each at its very last instant
// and right before it; clocks that lie; and the days, hours and numbers of a policy.

import assert from "node:assert/strict";
import { after, before, mock, suite } from "node:test";
import type { Instant } from "../../src/spine/model.ts";
import type { PolicyLine } from "../../src/spine/plan/policy.ts";
import { instantOf, later, msOf } from "../../src/spine/values/instant.ts";
import { newKey, type Replied } from "../boundary/at-door.ts";
import { type Agent, agentAt, rpcIn } from "../boundary/mcp/agents.ts";
import { cannot } from "../cannot.ts";
import { OPERATOR, ok } from "../service/serving.ts";
import { applied, hostile } from "./hostile.ts";
import { approve, approvedBy, atStep, planBy, type Stage, stageOf, tool } from "./stage.ts";

const REFUSED = ["agent apply refused"];
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const nowOf = ({ served }: Stage): Instant => instantOf(Date.now() + served.clock.aheadMs);
/** At this very instant, and later from there on. */
const pinned = async (at: Stage, instant: Instant, ask: () => Promise<Replied>): Promise<Replied> => {
  at.pinned.at = instant;
  try {
    return await ask();
  } finally {
    delete at.pinned.at;
    at.served.clock.aheadMs = Math.max(at.served.clock.aheadMs, msOf(instant) - Date.now());
  }
};
const asked = ({ robo }: Stage, plan: string): Promise<Replied> => tool(robo, "apply_step", atStep(plan));

type Stepped = { readonly steps: readonly { readonly endsAt: Instant; readonly number: number }[] };
const endOf = async ({ get }: Stage, plan: string): Promise<Instant> => {
  const { body, text } = await get(`/v1/plans/${plan}`);
  const [{ endsAt } = assert.fail(text)] = (body as Stepped).steps;
  return endsAt;
};

suite("an agent at the edges of time", () => {
  suite("of a plan", () => {
    const stage = stageOf();
    cannot(
      "N1",
      "apply at the very instant at which a plan ends",
      hostile(stage, {
        code: "step-expired",
        given: async (at) => {
          const plan = await approvedBy(at, at.robo);
          return { end: await endOf(at, plan), plan };
        },
        neighbour: (at, { end, plan }) => pinned(at, later(end, -1), () => asked(at, plan)),
        offence: (at, { end, plan }) => pinned(at, end, () => asked(at, plan)),
        records: REFUSED,
      }),
    );
    cannot(
      "N1",
      "apply what has expired, by a clock that is set back",
      hostile(stage, {
        code: "step-expired",
        given: async (at) => {
          const plan = await approvedBy(at, at.robo);
          return { end: await endOf(at, plan), plan };
        },
        neighbour: (at, { plan }) => {
          at.served.clock.aheadMs -= HOUR_MS;
          return asked(at, plan);
        },
        offence: async (at, { end, plan }) => {
          at.served.clock.aheadMs += 2 * HOUR_MS;
          // The provider's clock goes along, and is not set back: it judges whoever plans next.
          at.provider.home.advance(Date.now() + at.served.clock.aheadMs);
          await at.robo.call("plan_status", { plan });
          ok(await at.given.service.freeze(OPERATOR, { environment: "away", reason: "a record of that time" }));
          at.served.clock.aheadMs -= 2 * HOUR_MS;
          assert.ok(nowOf(at) < end, "by the clock it would still stand");
          return asked(at, plan);
        },
        records: ["local freeze done", ...REFUSED],
      }),
    );
  });

  suite("of a provider's clock", () => {
    let aheadMs = 0;
    const stage = stageOf({
      between: ({ actuator, source }) => ({
        actuator,
        source: {
          observe: async (...given) => {
            const { providerTime, ...seen } = await source.observe(...given);
            return providerTime === undefined ? seen : { ...seen, providerTime: later(providerTime, -aheadMs) };
          },
        },
      }),
    });
    cannot(
      "N1",
      "plan by a clock that runs ahead of the provider's",
      hostile(stage, {
        code: "clock-ahead",
        neighbour: async (at) => {
          aheadMs = MINUTE_MS / 2;
          return tool(at.robo, "observe", { environment: "home" });
        },
        offence: async (at) => {
          aheadMs = 2 * MINUTE_MS;
          return tool(at.robo, "observe", { environment: "home" });
        },
        records: ["agent observe refused"],
      }),
    );
  });

  suite("of a token", () => {
    const stage = stageOf();
    const dying = async (at: Stage): Promise<{ readonly agent: Agent; readonly end: Instant }> => {
      const name = `ends-${newKey().toLowerCase()}`;
      const created = ok(
        await at.given.service.createToken(OPERATOR, { days: 1, environments: "all", name, roles: ["agent"] }),
      );
      const token = created.value.token ?? assert.fail("it is shown once");
      return { agent: await agentAt(at, name, token), end: created.value.expiresAt };
    };
    cannot(
      "B2",
      "ask at the very instant at which its token ends",
      hostile(stage, {
        code: "token-expired",
        given: dying,
        neighbour: (at, { agent, end }) => pinned(at, later(end, -1), () => tool(agent, "list_environments")),
        offence: (at, { agent, end }) => pinned(at, end, () => tool(agent, "list_environments")),
      }),
    );
  });

  suite("of an approval", () => {
    const stage = stageOf();
    /** Approved by somebody whose token ends before the plan does. */
    const ending = async (at: Stage) => {
      const name = `leaver-${newKey().toLowerCase()}`;
      const created = ok(
        await at.given.service.createToken(OPERATOR, { days: 1, environments: "all", name, roles: ["approver"] }),
      );
      at.served.clock.aheadMs += DAY_MS - 10 * MINUTE_MS;
      const agent = await agentAt(at, `robo-${newKey().toLowerCase()}`);
      const plan = await planBy(agent, at.freshVm());
      assert.equal((await approve(at, plan, created.value.token ?? assert.fail("it is shown once"))).status, 201);
      return { agent, end: created.value.expiresAt, plan };
    };
    cannot(
      "P7-A2",
      "apply by an approval at the very instant at which it ends",
      hostile(stage, {
        code: "approval-missing",
        given: ending,
        neighbour: (at, { agent, end, plan }) =>
          pinned(at, later(end, -1), () => tool(agent, "apply_step", atStep(plan))),
        offence: (at, { agent, end, plan }) => pinned(at, end, () => tool(agent, "apply_step", atStep(plan))),
        records: REFUSED,
      }),
    );
  });

  suite("of a question", () => {
    const stage = stageOf();
    const URLS = { elicitation: { url: {} } };
    const asking = ({ robo }: Stage, plan: string, more: object = {}): Promise<Replied> =>
      robo.ask("tools/call", { arguments: atStep(plan), name: "request_approval", ...more }, URLS);
    const questionOf = async (at: Stage) => {
      const plan = await planBy(at.robo, at.freshVm());
      return { plan, requestState: String(Object(rpcIn(await asking(at, plan)).result).requestState) };
    };
    /** The seal has a clock of its own: that of the machine. */
    const afterMs = async (ms: number, ask: () => Promise<Replied>): Promise<Replied> => {
      mock.timers.enable({ apis: ["Date"], now: Date.now() + ms });
      try {
        return await ask();
      } finally {
        mock.timers.reset();
      }
    };
    cannot(
      "B2",
      "come back with a requestState once its hour is over",
      hostile(stage, {
        code: "invalid_request_state",
        given: questionOf,
        neighbour: (at, { plan, requestState }) => afterMs(HOUR_MS / 2, () => asking(at, plan, { requestState })),
        offence: (at, { plan, requestState }) => afterMs(HOUR_MS + MINUTE_MS, () => asking(at, plan, { requestState })),
      }),
    );
  });

  suite("of a policy", () => {
    const stage = stageOf();
    const tightened = (line: PolicyLine): void => {
      const { configuration, written } = stage().served;
      const home = configuration.config.environments.get("home") ?? assert.fail("it is configured");
      const environments = new Map(configuration.config.environments).set("home", { ...home, policy: "policy.yaml" });
      written.config = { ...configuration.config, environments };
      written.policies = new Map([["home", { tighten: [line], version: 1 }]]);
    };
    suite("that refuses agents", () => {
      before(() => tightened({ action: "vm.shutdown", for: "agent", to: "refused" }));
      cannot(
        "P7-A2",
        "apply as an agent what a policy refuses agents",
        hostile(stage, {
          code: "plan-refused",
          given: async (at) => {
            const vm = at.freshVm();
            await applied(at, at.robo, await approvedBy(at, at.robo, vm));
            return planBy(at.robo, vm, { kind: "vm.shutdown" });
          },
          neighbour: async (at) => asked(at, await approvedBy(at, at.robo)),
          offence: asked,
          records: REFUSED,
        }),
      );
    });
    suite("that has hours", () => {
      const HOURS = { from: 8, until: 18 } as const;
      before(() => tightened({ for: "agent", only: { hours: ["08:00-18:00"] } }));
      /** The next instant of the day at which the clock has this hour. */
      const nextAt = (at: Stage, hour: number): Instant => {
        const nowMs = msOf(nowOf(at));
        const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS + hour * HOUR_MS;
        return instantOf(todayMs > nowMs ? todayMs : todayMs + DAY_MS);
      };
      /** Planned and approved half an hour before, where people still see that it can be applied. */
      const near = async (at: Stage, edge: Instant) => {
        at.served.clock.aheadMs = msOf(edge) - MINUTE_MS - Date.now();
        const name = `near-${newKey().toLowerCase()}`;
        const agent = await agentAt(at, name);
        const [ada, vm] = [await at.tokenFor(`ada-${name}`, ["approver"]), at.freshVm()];
        const plan = await planBy(agent, vm);
        const { status, text } = await approve(at, plan, ada);
        assert.equal(status, 201, text);
        return { agent, edge, plan };
      };
      cannot(
        "P7-A2",
        "apply right before the hours of a policy begin",
        hostile(stage, {
          code: "policy-window",
          given: (at) => near(at, nextAt(at, HOURS.from)),
          neighbour: (at, { agent, edge, plan }) => pinned(at, edge, () => tool(agent, "apply_step", atStep(plan))),
          offence: (at, { agent, edge, plan }) =>
            pinned(at, later(edge, -1), () => tool(agent, "apply_step", atStep(plan))),
          records: REFUSED,
        }),
      );
      cannot(
        "P7-A2",
        "apply at the very instant at which the hours of a policy end",
        hostile(stage, {
          code: "policy-window",
          given: (at) => near(at, nextAt(at, HOURS.until)),
          neighbour: (at, { agent, edge, plan }) =>
            pinned(at, later(edge, -1), () => tool(agent, "apply_step", atStep(plan))),
          offence: (at, { agent, edge, plan }) => pinned(at, edge, () => tool(agent, "apply_step", atStep(plan))),
          records: REFUSED,
        }),
      );
    });
    suite("that counts", () => {
      before(() => tightened({ for: "agent", perHour: 1 }));
      /** Another step of the same agent, planned once the first was applied, and when that is no longer counted. */
      const counted = async (at: Stage) => {
        at.served.clock.aheadMs += 2 * HOUR_MS;
        const name = `often-${newKey().toLowerCase()}`;
        const agent = await agentAt(at, name);
        const ada = await at.tokenFor(`ada-${name}`, ["approver"]);
        const plan = async (by: Agent): Promise<string> => {
          const made = await planBy(by, at.freshVm());
          const { status, text } = await approve(at, made, ada);
          assert.equal(status, 201, text);
          return made;
        };
        await applied(at, agent, await plan(agent));
        const claim =
          (await at.served.records()).findLast(({ kind }) => kind === "apply") ?? assert.fail("it is there");
        return { agent, end: later(claim.processTime, HOUR_MS), plan, second: await plan(agent) };
      };
      cannot(
        "P7-A2",
        "apply more often than a policy allows, a moment before the hour is over",
        hostile(stage, {
          code: "policy-rate",
          given: counted,
          neighbour: (at, { agent, end, second }) => pinned(at, end, () => tool(agent, "apply_step", atStep(second))),
          offence: (at, { agent, end, second }) =>
            pinned(at, later(end, -1), () => tool(agent, "apply_step", atStep(second))),
          records: REFUSED,
        }),
      );
      cannot(
        "P7-A2",
        "split what a policy counts between two agents",
        hostile(stage, {
          code: "policy-rate",
          given: async (at) => {
            const { end, plan } = await counted(at);
            const other = await agentAt(at, `other-${newKey().toLowerCase()}`);
            return { end, other, plan: await plan(other) };
          },
          neighbour: (at, { end, other, plan }) => pinned(at, end, () => tool(other, "apply_step", atStep(plan))),
          offence: (_, { other, plan }) => tool(other, "apply_step", atStep(plan)),
          records: REFUSED,
        }),
      );
    });
    after(() => {
      const { written } = stage().served;
      delete written.config;
      delete written.policies;
    });
  });
});
