// Kills an apply at moments it does not choose, against a simulated cluster, and looks what is left: a state that
// status explains, a ledger that verifies and replays equal, and never a second call for the same step.
//
// The moments are spread over the requests of an apply, with a little chance in each: before the claim, between the
// claim and the call, at the call itself, and after it. Keeps P7-F2, P7-F3.

import { setTimeout as pause } from "node:timers/promises";
import type { SimulatedRequest } from "../../src/simulator/pve/server.ts";
import {
  type AppliedValue,
  applied,
  atCluster,
  type Cluster,
  codesIn,
  type Explained,
  planned,
  type StatusValue,
} from "../../test/live/cluster.ts";
import { started } from "../../test/live/process.ts";
import { type Chance, chanceFrom } from "../fuzz/chance.ts";

/** What a killed apply left behind: nothing, an intent whose end nobody knows, or its end. */
export type Left = "nothing" | "open" | "ended";
export type Killed = { readonly flaws: readonly string[]; readonly left: Left; readonly wasKilled: boolean };
export type KillTally = {
  readonly flaws: readonly string[];
  readonly killed: number;
  readonly left: Readonly<Record<Left, number>>;
  readonly rounds: number;
};

export const NO_KILLS: KillTally = { flaws: [], killed: 0, left: { ended: 0, nothing: 0, open: 0 }, rounds: 0 };

export const addedKill = (sum: KillTally, one: Killed): KillTally => ({
  flaws: [...sum.flaws, ...one.flaws],
  killed: sum.killed + (one.wasKilled ? 1 : 0),
  left: { ...sum.left, [one.left]: sum.left[one.left] + 1 },
  rounds: sum.rounds + 1,
});

/** An observation has five requests, the call is the sixth, its task the seventh, and another observation ends it. */
const REQUESTS = 13;
const START_MS = 600;
const DELAY_MS = 30;
export const FIRST_VMID = 1000;

export const scenarioFor = (vms: number): string => `version: 1
seed: 5
pve: "9.2.3"
nodes: [{ name: pve1 }]
guests:
${Array.from({ length: vms }, (_, at) => `  - { vmid: ${FIRST_VMID + at}, node: pve1, name: vm-${at} }\n`).join("")}
users: [{ name: dedalus@pve }]
tokens:
  - { id: dedalus@pve!observe, secret: 11111111-1111-4111-8111-111111111111, privsep: false }
  - { id: dedalus@pve!apply, secret: 22222222-2222-4222-8222-222222222222, privsep: false }
roles: []
acl: [{ path: /, who: dedalus@pve, role: Administrator, propagate: true }]
`;
export const wantedFor = (vms: number): string => `version: 1
environment: home
vms:
${Array.from({ length: vms }, (_, at) => `  - { vmid: ${FIRST_VMID + at}, name: vm-${at}, target: running }\n`).join("")}`;

/** So many kills, one after another, on one ledger, each of the start of another VM. */
export const applyKills = async (
  kills: number,
  seed: number,
  onRound?: (killed: Killed) => void,
): Promise<KillTally> => {
  const chance = chanceFrom(seed);
  let tally = NO_KILLS;
  const listeners = new Set<(seen: SimulatedRequest) => void>();
  await atCluster(
    async (cluster) => {
      for (let round = 0; round < kills; round += 1) {
        const one = await killOne(cluster, listeners, round, chance);
        tally = addedKill(tally, one);
        onRound?.(one);
      }
      tally = { ...tally, flaws: [...tally.flaws, ...(await ledgerFlaws(cluster))] };
    },
    {
      clock: { kind: "driven", requestMs: 3_000 },
      onRequest: (seen) => {
        for (const heard of listeners) heard(seen);
      },
      scenario: scenarioFor(kills),
      wanted: wantedFor(kills),
    },
  );
  return tally;
};

const killOne = async (
  cluster: Cluster,
  listeners: Set<(seen: SimulatedRequest) => void>,
  round: number,
  chance: Chance,
): Promise<Killed> => {
  const vmid = FIRST_VMID + round;
  const { id } = await planned(cluster, "vm.start", vmid);
  const { explanation } = await cluster.value<Explained>("explain", id, "--step", "1", "--challenge");
  const at = round % REQUESTS;
  const child = started(cluster.folder, ["apply", id, "--step", "1", "--confirm", explanation.hash]);
  // The first comes at once; of the others every second at the request itself, before its answer leaves.
  const spanMs = at === 0 ? START_MS : DELAY_MS;
  const delayMs = round === 0 || (at > 0 && chance.oneIn(2)) ? 0 : chance.below(spanMs);
  let count = 0;
  const strike = (): void => {
    if (delayMs === 0) child.kill();
    else void pause(delayMs).then(() => child.kill());
  };
  const heard = (): void => {
    count += 1;
    if (count === at) strike();
  };
  listeners.add(heard);
  if (at === 0) strike();
  const { code } = await child.gone;
  listeners.delete(heard);
  const { flaws, left } = await examined(cluster, vmid, id);
  const where = `round ${round}, killed at request ${at} after ${delayMs} ms: `;
  return { flaws: flaws.map((flaw) => where + flaw), left, wasKilled: code === null };
};

const callsFor = ({ mutations }: Cluster, vmid: number): number =>
  mutations().filter((line) => line.includes(`/qemu/${vmid}/`)).length;

type VmAfter = Pick<StatusValue, "size"> & { readonly left: Left; readonly isBlocked: boolean };

const vmAfterOf = async ({ value }: Cluster, vmid: number): Promise<VmAfter> => {
  const { blocked, last, open, size } = await value<StatusValue>("status", "--vm", `${vmid}`);
  const left = open.length > 0 ? "open" : last.length > 0 ? "ended" : "nothing";
  return { isBlocked: blocked.length > 0, left, size };
};

/** What the next commands find, and what they make of it. */
const examined = async (cluster: Cluster, vmid: number, plan: string): Promise<Pick<Killed, "flaws" | "left">> => {
  const flaws: string[] = [];
  const must = (holds: boolean, flaw: string): void => {
    if (!holds) flaws.push(flaw);
  };
  const before = callsFor(cluster, vmid);
  const { left, size } = await vmAfterOf(cluster, vmid);
  must(before <= 1, `${before} calls were made`);
  must(left !== "nothing" || before === 0, "a call was made and no intent is recorded");
  must((await vmAfterOf(cluster, vmid)).size === size, "looking at the state has changed it");

  const again = await applied(cluster, plan);
  const after = await vmAfterOf(cluster, vmid);
  must(callsFor(cluster, vmid) === (left === "nothing" ? 1 : before), "the step was sent again");
  must(after.left === "ended", `its intent is ${after.left} after a command that writes`);
  must(after.isBlocked === (left === "open"), `blocked: ${after.isBlocked}, though the intent was ${left}`);
  must(isRightAnswer(again, left), `asked again, the answer was ${JSON.stringify(again)}`);
  return { flaws, left };
};

/** The chain holds every round, so that it is walked once, at the end. */
const ledgerFlaws = async ({ dedalus }: Cluster): Promise<readonly string[]> => {
  const flaws: string[] = [];
  for (const command of [["ledger", "verify"], ["replay"]]) {
    const { code, err } = await dedalus(...command);
    if (code !== 0) flaws.push(`${command.join(" ")}: ${err}`);
  }
  return flaws;
};

const isRightAnswer = (again: AppliedValue, left: Left): boolean =>
  left === "nothing"
    ? again.applied?.[0]?.result.outcome === "succeeded"
    : codesIn(again).some((code) => code === "step-consumed" || code === "vm-blocked");
