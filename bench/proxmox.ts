// Observing a simulated Proxmox VE, against a bare loop of node:https that fetches the same addresses with the same
// concurrency; and how often an apply looks.
//
//   bench/proxmox.ts measure quick|whole     prints the rows as JSON; run in a process of its own
//
// Both sides verify the same pinned certificate and keep their connections. What counts is the wall time, and the
// median of the ratios of rounds in which both took their turn.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { proxmoxAdapter } from "../src/adapters/proxmox/adapter.ts";
import { Secret } from "../src/adapters/secret.ts";
import { now } from "../src/clock.ts";
import { isVmid, type Vmid } from "../src/spine/model.ts";
import { median } from "./race.ts";
import type { Row } from "./row.ts";
import {
  atCluster,
  bareRequests,
  configText,
  desiredText,
  FIRST_VMID,
  OBSERVE_TOKEN,
  requestsOf,
  type SimulatedCluster,
  TOKENS_ENV,
} from "./simulated-cluster.ts";

const SELF = fileURLToPath(import.meta.url);
const DEDALUS = fileURLToPath(new URL("../bin/dedalus", import.meta.url));
const [FEW, MANY] = [1_000, 10_000] as const;
const [FEW_ROUNDS, MANY_ROUNDS] = [9, 3] as const;
const NODES = 16;

/** Quick leaves out the larger fleet. */
export const proxmoxRows = (isQuick: boolean): readonly Row[] => {
  const words = [SELF, "measure", isQuick ? "quick" : "whole"];
  const { status, stderr, stdout } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};

const vmidsOf = (vms: number): readonly Vmid[] =>
  Array.from({ length: vms }, (_, at) => FIRST_VMID + at).filter((value): value is Vmid => isVmid(value));

const observed = async ({ fingerprint, url }: SimulatedCluster, vms: number): Promise<void> => {
  const { source } = proxmoxAdapter({
    environment: "bench",
    now,
    observe: new Secret(OBSERVE_TOKEN),
    sleep: async () => undefined,
    tls: { sha256: fingerprint, verify: "pinned" },
    url,
  });
  const observation = await source.observe(
    vmidsOf(vms).map((vmid) => ({ vmid })),
    AbortSignal.timeout(600_000),
    [],
  );
  if (!observation.complete || observation.vms.length !== vms)
    throw new Error(`${observation.vms.length} of ${vms} VMs: ${observation.gaps[0]?.code}`);
};

const timedMs = async (work: () => Promise<void>): Promise<number> => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

type Raced = { readonly oursMs: number; readonly ratio: number };

const raced = async (provider: SimulatedCluster, vms: number, rounds: number): Promise<Raced> => {
  const requests = await requestsOf(provider, () => observed(provider, vms));
  await bareRequests(provider, requests);
  const turns: { readonly bareMs: number; readonly oursMs: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ours = () => timedMs(() => observed(provider, vms));
    const theirs = () => timedMs(() => bareRequests(provider, requests));
    if (round % 2 === 0) turns.push({ oursMs: await ours(), bareMs: await theirs() });
    else turns.push({ bareMs: await theirs(), oursMs: await ours() });
  }
  return {
    oursMs: median(turns.map(({ oursMs }) => oursMs)),
    ratio: median(turns.map(({ bareMs, oursMs }) => oursMs / bareMs)),
  };
};

const alone = async (provider: SimulatedCluster, vms: number, rounds: number): Promise<number> => {
  const turns: number[] = [];
  for (let round = 0; round < rounds; round += 1) turns.push(await timedMs(() => observed(provider, vms)));
  return median(turns);
};

const dedalusIn = (folder: string, argv: readonly string[]): string => {
  const env = { ...process.env, ...TOKENS_ENV };
  const { stderr, stdout } = spawnSync(DEDALUS, [...argv, "--json"], { cwd: folder, encoding: "utf8", env });
  if (stdout === "") throw new Error(`${argv.join(" ")}: ${stderr}`);
  return stdout;
};

/** One start by the real commands; how many looks it cost, by the place's own count of its list of guests. */
const observationsOfApply = async (provider: SimulatedCluster): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-bench-"));
  try {
    return await observationsIn(provider, folder);
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
};

const observationsIn = async (provider: SimulatedCluster, folder: string): Promise<number> => {
  dedalusIn(folder, ["init", ".", "--operator", "bench"]);
  writeFileSync(join(folder, "dedalus.yaml"), configText(provider));
  writeFileSync(join(folder, "desired.yaml"), desiredText(1));
  dedalusIn(folder, ["register", "--env", "bench", "desired.yaml"]);
  const { id }: { readonly id: string } = JSON.parse(dedalusIn(folder, ["plan", "--env", "bench"]));
  const { challenge }: { readonly challenge: { readonly hash: string } } = JSON.parse(
    dedalusIn(folder, ["explain", id, "--step", "1", "--challenge"]),
  );
  const requests = await requestsOf(provider, () => {
    const applied = dedalusIn(folder, ["apply", id, "--step", "1", "--confirm", challenge.hash]);
    if (!applied.includes('"outcome":"succeeded"')) throw new Error(applied);
  });
  return requests.filter(({ path }) => path.includes("/cluster/resources")).length;
};

const measure = async (isQuick: boolean): Promise<readonly Row[]> => {
  const [few, observations] = await atCluster({ nodes: NODES, vms: FEW }, async (provider) => [
    await raced(provider, FEW, FEW_ROUNDS),
    await observationsOfApply(provider),
  ]);
  const manyMs = isQuick
    ? undefined
    : await atCluster({ nodes: NODES, vms: MANY }, (provider) => alone(provider, MANY, MANY_ROUNDS));
  const growth = (ms: number): Row => ({
    goal: 1.3,
    measure: `observing ${MANY} VMs of Proxmox VE, to ${MANY / FEW} times ${FEW}`,
    statistic: `wall time, median of ${MANY_ROUNDS} rounds`,
    value: ms / (few.oursMs * (MANY / FEW)),
  });
  return [
    {
      goal: 1.3,
      measure: `observing ${FEW} VMs of Proxmox VE, to a bare node:https loop over the same addresses`,
      statistic: `wall time, median of ${FEW_ROUNDS} rounds`,
      value: few.ratio,
    },
    ...(manyMs === undefined ? [] : [growth(manyMs)]),
    {
      goal: 3,
      measure: "observations that an apply of one start costs, to its one call",
      statistic: "counted at the provider",
      value: observations,
    },
  ];
};

const [, program, role, word] = process.argv;
if (program === SELF && role === "measure") process.stdout.write(JSON.stringify(await measure(word === "quick")));
