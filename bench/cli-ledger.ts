// Whole commands on a small ledger against a bare Node that starts: status, plan --env, apply --step.
//
// What the provider takes is nobody's gain or loss here: a bare loop of the same requests to the same simulated
// provider is subtracted. Processes take their turns by the same pinned Node, compiled code cached; what counts is the
// median.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bareNode, cached, DEDALUS, elapsedMs, type Start, startOf } from "./cli.ts";
import { withFolderAsync } from "./folder.ts";
import { asyncMs, median } from "./race.ts";
import type { Row } from "./row.ts";
import {
  type Asked,
  atCluster,
  bareRequests,
  configText,
  desiredText,
  FIRST_VMID,
  requestsOf,
  type SimulatedCluster,
  TOKENS_ENV,
} from "./simulated-cluster.ts";

const VMS = 6;
const NODES = 3;
const TURNS = 21;
/** Each of these needs a plan and a challenge of its own before it. */
const APPLY_TURNS = 11;

/** A command with everything ready for it; for an apply that is another plan each time. */
type Ready = () => Start;
type Desk = {
  readonly folder: string;
  readonly provider: SimulatedCluster;
  readonly start: (...argv: readonly string[]) => Start;
};

export const cliLedgerRows = (): Promise<readonly Row[]> =>
  atCluster({ clock: "brisk", nodes: NODES, vms: VMS }, (provider) =>
    withFolderAsync(async (folder) => {
      const env = { ...cached(folder), ...TOKENS_ENV };
      const start: Desk["start"] = (...argv) => ({ command: [DEDALUS, ...argv], cwd: folder, env, exits: [0, 4] });
      const desk: Desk = { folder, provider, start };
      elapsedMs(start("init", ".", "--operator", "bench"));
      writeFileSync(join(folder, "dedalus.yaml"), configText(provider));
      writeFileSync(join(folder, "desired.yaml"), desiredText(VMS));
      elapsedMs(start("register", "--env", "bench", "desired.yaml"));
      const plan = start("plan", "--env", "bench");
      elapsedMs(plan);
      return [
        await row(desk, "status", 4, TURNS, () => start("status")),
        await row(desk, `plan --env, ${VMS} VMs`, 8, TURNS, () => plan),
        await row(desk, "apply --step", 10, APPLY_TURNS, nextApply(desk)),
      ];
    }),
  );

/** The first VM is started and shut down in turn; neither needs anybody's approval. */
const nextApply = ({ start }: Desk): Ready => {
  let action = "vm.start";
  return () => {
    const planned = startOf(start("plan", "--env", "bench", "--action", action, "--vm", `${FIRST_VMID}`, "--json"));
    action = action === "vm.start" ? "vm.shutdown" : "vm.start";
    const { id } = JSON.parse(planned.out);
    const { challenge } = JSON.parse(startOf(start("explain", id, "--step", "1", "--challenge", "--json")).out);
    return { ...start("apply", id, "--step", "1", "--confirm", challenge.hash), exits: [0] };
  };
};

const row = async ({ provider }: Desk, what: string, goal: number, turns: number, ready: Ready): Promise<Row> => {
  const idle = bareNode("0");
  const times: { readonly bare: number; readonly idle: number; readonly whole: number }[] = [];
  // The first turn fills caches, and is not counted.
  for (let turn = 0; turn <= turns; turn += 1) {
    const command = ready();
    let whole = 0;
    const requests: readonly Asked[] = await requestsOf(provider, () => {
      whole = elapsedMs(command);
    });
    const bare = requests.length === 0 ? 0 : await asyncMs(() => bareRequests(provider, requests));
    if (turn > 0) times.push({ bare, idle: elapsedMs(idle), whole });
  }
  const [whole, bare, nothing] = [
    median(times.map((one) => one.whole)),
    median(times.map((one) => one.bare)),
    median(times.map((one) => one.idle)),
  ];
  return {
    beside: `${whole.toFixed(0)} ms, of which the provider ${bare.toFixed(0)} ms, and node -e 0 ${nothing.toFixed(0)} ms`,
    goal,
    measure: `bin/dedalus ${what} on a small ledger, without the provider's time, to node -e 0`,
    statistic: `wall time, median of ${turns} turns`,
    value: median(times.map((one) => (one.whole - one.bare) / one.idle)),
  };
};
