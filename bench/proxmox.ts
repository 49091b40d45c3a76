// Observing a pretended Proxmox VE, against a bare loop of node:https that fetches the same addresses with the same
// concurrency; and how often an apply looks.
//
//   bench/proxmox.ts measure quick|whole     prints the rows as JSON; run in a process of its own
//   bench/proxmox.ts serve VMS               the pretended place, in another one, so that its work is nobody's time
//
// Both sides verify the same pinned certificate and keep their connections. What counts is the wall time, and the median
// of the ratios of rounds in which both took their turn.

import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { proxmoxAdapter } from "../src/adapters/proxmox/adapter.ts";
import { Secret } from "../src/adapters/secret.ts";
import { now, nowMs } from "../src/clock.ts";
import { parseScenario } from "../src/formats/scenario/scenario-yaml.ts";
import { scenarioOf } from "../src/simulator/scenario.ts";
import { startSimulator } from "../src/simulator/start.ts";
import { isVmid, type Vmid } from "../src/spine/model.ts";
import { median } from "./race.ts";
import type { Row } from "./row.ts";

const SELF = fileURLToPath(import.meta.url);
const DEDALUS = fileURLToPath(new URL("../bin/dedalus", import.meta.url));
const TOKEN = "dedalus@pve!observe=11111111-1111-4111-8111-111111111111";
const APPLY = "dedalus@pve!apply=22222222-2222-4222-8222-222222222222";
const [FEW, MANY] = [1_000, 10_000] as const;
const [FEW_ROUNDS, MANY_ROUNDS] = [9, 3] as const;
const NODES = 16;
/** As many requests at a time as the adapter has. */
const AT_ONCE = 32;
const FIRST_VMID = 1_000;

/** Quick leaves out the larger fleet. */
export const proxmoxRows = (isQuick: boolean): readonly Row[] => {
  const words = [SELF, "measure", isQuick ? "quick" : "whole"];
  const { status, stderr, stdout } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};

const scenarioText = (vms: number): string => `version: 1
seed: 2
pve: "9.2.3"
cluster: bench
nodes:
${Array.from({ length: NODES }, (_, at) => `  - { name: pve${at} }\n`).join("")}
guests:
${Array.from({ length: vms }, (_, at) => `  - { vmid: ${FIRST_VMID + at}, node: pve${at % NODES}, name: vm-${at}, status: ${at === 0 ? "stopped" : "running"} }\n`).join("")}
users: [{ name: dedalus@pve }]
tokens:
  - { id: ${TOKEN.replace("=", ", secret: ")}, privsep: false }
  - { id: ${APPLY.replace("=", ", secret: ")}, privsep: false }
roles: []
acl: [{ path: /, who: dedalus@pve, role: Administrator, propagate: true }]
`;

type Served = { readonly ca: string; readonly fingerprint: string; readonly url: string };

const serve = async (vms: number): Promise<void> => {
  const parsed = parseScenario(scenarioText(vms), "bench.yaml");
  if (parsed.kind === "bad") throw new Error(JSON.stringify(parsed.problems[0]));
  const scenario = scenarioOf(parsed.value, nowMs());
  const { ca, fingerprint, requests, url } = await startSimulator({
    clock: { kind: "follows", nowMs },
    port: 0,
    scenario,
  });
  process.on("message", () => process.send?.(requests().map(({ method, path }) => ({ method, path }))));
  process.send?.({ ca, fingerprint, url } satisfies Served);
};

type Place = Served & { readonly child: ChildProcess };
type Request = { readonly method: string; readonly path: string };

const placeOf = async (vms: number): Promise<Place> => {
  const child = fork(SELF, ["serve", `${vms}`]);
  const [served]: Served[] = (await once(child, "message")) as Served[];
  if (served === undefined) throw new Error("the place did not start");
  return { ...served, child };
};

const requestsAt = async ({ child }: Place): Promise<readonly Request[]> => {
  child.send("requests");
  const [requests] = (await once(child, "message")) as [readonly Request[]];
  return requests;
};

const vmidsOf = (vms: number): readonly Vmid[] =>
  Array.from({ length: vms }, (_, at) => FIRST_VMID + at).filter((value): value is Vmid => isVmid(value));

const observed = async ({ fingerprint, url }: Place, vms: number): Promise<void> => {
  const { source } = proxmoxAdapter({
    environment: "bench",
    now,
    observe: new Secret(TOKEN),
    sleep: async () => undefined,
    tls: { sha256: fingerprint, verify: "pinned" },
    url,
  });
  const look = await source.observe(
    vmidsOf(vms).map((vmid) => ({ vmid })),
    AbortSignal.timeout(600_000),
    [],
  );
  if (!look.complete || look.vms.length !== vms)
    throw new Error(`${look.vms.length} of ${vms} VMs: ${look.gaps[0]?.code}`);
};

const fetched = ({ url }: Place, agent: Agent, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { Authorization: `PVEAPIToken=${TOKEN}` };
    get(`${url}${path}`, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        JSON.parse(Buffer.concat(chunks).toString("utf8"));
        resolve();
      });
    }).on("error", reject);
  });

/** What nobody can do without: the same addresses, as many at a time, each answer parsed. */
const bare = async (place: Place, paths: readonly string[]): Promise<void> => {
  const agent = new Agent({ ca: place.ca, keepAlive: true, maxSockets: AT_ONCE });
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) await fetched(place, agent, path);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  agent.destroy();
};

const timedMs = async (work: () => Promise<void>): Promise<number> => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

type Raced = { readonly oursMs: number; readonly ratio: number };

const raced = async (place: Place, vms: number, rounds: number): Promise<Raced> => {
  const before = (await requestsAt(place)).length;
  await observed(place, vms);
  const paths = (await requestsAt(place)).slice(before).map(({ path }) => path);
  await bare(place, paths);
  const turns: { readonly bareMs: number; readonly oursMs: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ours = () => timedMs(() => observed(place, vms));
    const theirs = () => timedMs(() => bare(place, paths));
    if (round % 2 === 0) turns.push({ oursMs: await ours(), bareMs: await theirs() });
    else turns.push({ bareMs: await theirs(), oursMs: await ours() });
  }
  return {
    oursMs: median(turns.map(({ oursMs }) => oursMs)),
    ratio: median(turns.map(({ bareMs, oursMs }) => oursMs / bareMs)),
  };
};

const alone = async (place: Place, vms: number, rounds: number): Promise<number> => {
  const turns: number[] = [];
  for (let round = 0; round < rounds; round += 1) turns.push(await timedMs(() => observed(place, vms)));
  return median(turns);
};

const dedalusIn = (folder: string, argv: readonly string[]): string => {
  const env = { ...process.env, BENCH_APPLY: APPLY, BENCH_OBSERVE: TOKEN };
  const { stderr, stdout } = spawnSync(DEDALUS, [...argv, "--json"], { cwd: folder, encoding: "utf8", env });
  if (stdout === "") throw new Error(`${argv.join(" ")}: ${stderr}`);
  return stdout;
};

/** One start by the real commands; how many looks it cost, by the place's own count of its list of guests. */
const looksOfApply = async (place: Place): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-bench-"));
  try {
    return await looksIn(place, folder);
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
};

const looksIn = async (place: Place, folder: string): Promise<number> => {
  dedalusIn(folder, ["init", ".", "--operator", "bench"]);
  writeFileSync(
    join(folder, "dedalus.yaml"),
    `version: 1
operator: bench
ledger: { engine: sqlite, path: ledger/dedalus.db }
anchor: anchor/checkpoints.txt
signingKey: keys/ledger.key
environments:
  bench:
    adapter: proxmox
    url: ${place.url}
    tls: { verify: pinned, sha256: "${place.fingerprint}" }
    credentials: { observe: { env: BENCH_OBSERVE }, apply: { env: BENCH_APPLY } }
    approval: single-operator
    maxObservationAge: 60 s
    desired: desired.yaml
`,
  );
  writeFileSync(
    join(folder, "desired.yaml"),
    `version: 1\nenvironment: bench\nvms: [{ vmid: ${FIRST_VMID}, name: vm-0, target: running }]\n`,
  );
  dedalusIn(folder, ["desire", "--env", "bench", "desired.yaml"]);
  const { id }: { readonly id: string } = JSON.parse(dedalusIn(folder, ["plan", "--env", "bench"]));
  const { hash }: { readonly hash: string } = JSON.parse(
    dedalusIn(folder, ["explain", id, "--step", "1", "--challenge"]),
  );
  const before = (await requestsAt(place)).length;
  const applied = dedalusIn(folder, ["apply", id, "--step", "1", "--confirm", hash]);
  if (!applied.includes('"outcome":"succeeded"')) throw new Error(applied);
  const requests = (await requestsAt(place)).slice(before);
  return requests.filter(({ path }) => path.includes("/cluster/resources")).length;
};

const at = async <T>(vms: number, work: (place: Place) => Promise<T>): Promise<T> => {
  const place = await placeOf(vms);
  try {
    return await work(place);
  } finally {
    place.child.kill();
  }
};

const measure = async (isQuick: boolean): Promise<readonly Row[]> => {
  const [few, looks] = await at(FEW, async (place) => [await raced(place, FEW, FEW_ROUNDS), await looksOfApply(place)]);
  const manyMs = isQuick ? undefined : await at(MANY, (place) => alone(place, MANY, MANY_ROUNDS));
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
      measure: "looks that an apply of one start costs, to its one call",
      statistic: "counted at the place",
      value: looks,
    },
  ];
};

const [, program, role, word] = process.argv;
if (program === SELF && role === "serve") await serve(Number(word));
if (program === SELF && role === "measure") process.stdout.write(JSON.stringify(await measure(word === "quick")));
