// Where a hostile agent is tried: a real service on a real ledger behind a real door, over two simulated providers
// whose journals tell what reached them, with agents and people who have tokens.
//
// One stage serves a whole suite. Each case takes VMs of its own, so that none stands on what another left behind.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Adapter, ObservationListener } from "../../src/adapters/descriptor.ts";
import type { CallerLimits } from "../../src/boundary/http/caller-limits.ts";
import type { Ports } from "../../src/service/ports.ts";
import { providerOf, type SimulatedProvider } from "../../src/simulator/ports/provider.ts";
import { worldActuator } from "../../src/simulator/ports/world-actuator.ts";
import { worldSource } from "../../src/simulator/ports/world-source.ts";
import { makeGuest, makeNode } from "../../src/simulator/world/make-guest.ts";
import { newWorld } from "../../src/simulator/world/world.ts";
import type { Instant } from "../../src/spine/model.ts";
import { msOf } from "../../src/spine/values/instant.ts";
import { type AtDoor, atDoor, type Replied, type Said } from "../boundary/at-door.ts";
import { type Agent, agentAt, headersOf, messageOf } from "../boundary/mcp/agents.ts";
import { OPERATOR, ok, serving } from "../service/serving.ts";
import { type Simulated, simulatedVms } from "./simulated-vms.ts";

/** The other environment; home has four eyes. */
const AWAY = `  away:
    adapter: proxmox
    url: https://away.example:8006
    tls: { verify: system }
    credentials:
      observe: { file: secrets/away-observe }
      apply: { file: secrets/away-apply }
    approval: single-operator
    maxObservationAge: 60 s
    desired: away.yaml
`;

export type Environment = "away" | "home";
/** Of an adapter what a stage has. */
export type Acting = Required<Pick<Adapter, "actuator" | "source">>;

export type StageGiven = {
  /** What stands between the service and a provider, where something does. */
  readonly between?: (adapter: Acting, listener?: ObservationListener) => Acting;
  readonly limits?: { readonly known: CallerLimits; readonly unknown: CallerLimits };
};

export type Stage = AtDoor & {
  /** Of people who may approve, and did not make each other. */
  readonly ada: string;
  readonly bo: string;
  /** An agent of `away` alone. */
  readonly faro: Agent;
  readonly kilo: Agent;
  readonly robo: Agent;
  /** The instant at which the service is, whatever its clock says. */
  readonly pinned: { at?: Instant };
  /** A stopped VM that is to run, and that no other case has. */
  readonly freshVm: () => number;
  /** How many calls reached the providers. */
  readonly calls: () => number;
  /** What operators write down, edited. */
  readonly register: (environment: Environment, edit: (text: string) => string) => Promise<void>;
  readonly provider: Readonly<Record<Environment, SimulatedProvider>>;
};

const SEED = 16;
const PACE_MS = 5;

const simulated = (vms: readonly Simulated[], startMs: number): SimulatedProvider =>
  providerOf(
    newWorld({
      cluster: "lab",
      guests: vms.map(({ desired: _, ...words }) => makeGuest({ node: "pve1", ...words }, SEED, startMs)),
      nodes: ["pve1", "pve2", "pve3"].map((name) => makeNode({ bootedMs: startMs, name })),
      seed: SEED,
      startMs,
    }),
  );

const desiredText = (environment: Environment, vms: readonly Simulated[]): string => {
  const entries = vms.flatMap(({ desired, name, vmid }) =>
    desired === undefined ? [] : [`  - { vmid: ${vmid}, name: ${name}, ${desired} }`],
  );
  return ["version: 1", `environment: ${environment}`, "vms:", ...entries, ""].join("\n");
};

type Ending = { readonly after: (work: () => Promise<void>) => void };

export const openStage = async (
  t: Ending,
  { between = (adapter) => adapter, limits }: StageGiven = {},
): Promise<Stage> => {
  const vms = simulatedVms();
  const provider = { away: simulated(vms.away, Date.now()), home: simulated(vms.home, Date.now()) };
  const adapterAt =
    (clock: Ports["clock"]): Ports["adapter"] =>
    async (name, _, __, listener) => {
      const one = name === "home" ? provider.home : provider.away;
      // Whenever it is asked, a provider is as late as the service.
      one.advance(msOf(clock.now()));
      const actuator = worldActuator(one, { user: "dedalus@pve!apply" });
      return between({ actuator, source: worldSource(one, { environment: name }) }, listener);
    };
  const pinned: Stage["pinned"] = {};
  const pinnable = (clock: Ports["clock"]): Ports["clock"] => ({ ...clock, now: () => pinned.at ?? clock.now() });
  // Until everything else has ended: what is under way ends by simulated time.
  let pace: NodeJS.Timeout | undefined;
  t.after(async () => clearInterval(pace));
  const at = await atDoor(t, {
    ...(limits === undefined ? {} : { limits }),
    serves: (ending) =>
      serving(
        ending,
        AWAY,
        (ports) => {
          const clock = pinnable(ports.clock);
          return { ...ports, adapter: adapterAt(clock), clock };
        },
        "four-eyes",
      ),
  });
  const { clock } = at.served;
  // Nobody waits for a simulated task: time jumps to where the next thing is due, for the service too.
  pace = setInterval(() => {
    for (const one of [provider.home, provider.away]) {
      const nowMs = Date.now() + clock.aheadMs;
      clock.aheadMs += Math.max(0, (one.dueMs() ?? nowMs) - nowMs);
    }
    for (const one of [provider.home, provider.away]) one.advance(Date.now() + clock.aheadMs);
  }, PACE_MS);
  const written = { away: desiredText("away", vms.away), home: desiredText("home", vms.home) };
  const register: Stage["register"] = async (environment, edit) => {
    written[environment] = edit(written[environment]);
    const desired = { file: `${environment}.yaml`, text: written[environment] };
    ok(await at.given.service.register(OPERATOR, { desired, environment }));
  };
  for (const environment of ["away", "home"] as const) await register(environment, (text) => text);
  let next = 0;
  return {
    ...at,
    ada: await at.tokenFor("ada", ["approver"]),
    bo: await at.tokenFor("bo", ["approver"]),
    calls: () =>
      [provider.home, provider.away].flatMap((one) => one.world().journal).filter(({ kind }) => kind === "call").length,
    faro: await agentAt(at, "faro", await at.tokenFor("faro", ["agent"], ["away"])),
    freshVm: () => {
      next += 1;
      return vms.fresh[next - 1] ?? assert.fail("every VM has a case");
    },
    kilo: await agentAt(at, "kilo"),
    pinned,
    provider,
    register,
    robo: await agentAt(at, "robo"),
  };
};

/** Of the suite that this is called in. */
export const stageOf = (given: StageGiven = {}): (() => Stage) => {
  let stage: Stage | undefined;
  const ends: (() => Promise<void>)[] = [];
  before(async () => {
    stage = await openStage({ after: (work) => void ends.unshift(work) }, given);
  });
  after(async () => {
    for (const end of ends) await end();
  });
  return () => stage ?? assert.fail("the suite has begun");
};

export const tool = (agent: Agent, name: string, given: object = {}): Promise<Replied> =>
  agent.ask("tools/call", { arguments: given, name });

/** The same with headers that no client of the protocol sends. */
export const toolUnder = (
  { post }: AtDoor,
  { token }: Pick<Agent, "token">,
  name: string,
  given: object,
  headers: Readonly<Record<string, string>>,
  meta: object = {},
): Promise<Replied> => {
  const { params, ...message } = messageOf("tools/call", { arguments: given, name });
  const { _meta, ...rest } = Object(params);
  const body = { ...message, params: { ...rest, _meta: { ..._meta, ...meta } } };
  return post("/mcp", body, { headers: { ...headersOf(body), ...headers }, key: null, token });
};

const START = { kind: "vm.start" } as const;

/** A plan of an agent to start a VM of its own. */
export const planBy = async (agent: Agent, vm: number, action: object = START): Promise<string> => {
  const { structuredContent } = await agent.call("plan_action", { action, environment: "home", vm });
  return structuredContent.answer?.id ?? assert.fail(JSON.stringify(structuredContent));
};

export const atStep = (plan: string, number = 1) => ({ plan, step: { number } });

export const approve = ({ post }: AtDoor, plan: string, token: string, said: Said = {}): Promise<Replied> =>
  post(`/v1/plans/${plan}/steps/1/approvals`, { reason: "read and agreed" }, { token, ...said });

/** One that a person approved. */
export const approvedBy = async (at: Stage, agent: Agent, vm = at.freshVm()): Promise<string> => {
  const plan = await planBy(agent, vm);
  const { status, text } = await approve(at, plan, at.ada);
  assert.equal(status, 201, text);
  return plan;
};
