// A simulated Proxmox VE in a process of its own, so that its work is nobody's time; and the least that asking it
// costs: a bare loop of node:https over the same requests.
//
//   bench/simulated-cluster.ts serve VMS NODES brisk|follows     the place; brisk ends every task by the next request
//
// Of its guests the first is stopped, and all others run.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:https";
import { fileURLToPath } from "node:url";
import { nowMs } from "../src/clock.ts";
import { parseScenario } from "../src/formats/scenario/scenario-yaml.ts";
import type { Clock } from "../src/simulator/pve/server.ts";
import { scenarioOf } from "../src/simulator/scenario.ts";
import { startSimulator } from "../src/simulator/start-simulator.ts";

const SELF = fileURLToPath(import.meta.url);
export const OBSERVE_TOKEN = "dedalus@pve!observe=11111111-1111-4111-8111-111111111111";
export const APPLY_TOKEN = "dedalus@pve!apply=22222222-2222-4222-8222-222222222222";
export const FIRST_VMID = 1_000;
/** As many requests at a time as the adapter has. */
export const AT_ONCE = 32;

const CLOCKS = {
  brisk: { kind: "driven", requestMs: 15_000 },
  follows: { kind: "follows", nowMs },
} as const satisfies Record<string, Clock>;

const scenarioText = (vms: number, nodes: number): string => `version: 1
seed: 2
pve: "9.2.3"
cluster: bench
nodes:
${Array.from({ length: nodes }, (_, at) => `  - { name: pve${at} }\n`).join("")}
guests:
${Array.from({ length: vms }, (_, at) => `  - { vmid: ${FIRST_VMID + at}, node: pve${at % nodes}, name: vm-${at}, status: ${at === 0 ? "stopped" : "running"} }\n`).join("")}
users: [{ name: dedalus@pve }]
tokens:
  - { id: ${OBSERVE_TOKEN.replace("=", ", secret: ")}, privsep: false }
  - { id: ${APPLY_TOKEN.replace("=", ", secret: ")}, privsep: false }
roles: []
acl: [{ path: /, who: dedalus@pve, role: Administrator, propagate: true }]
`;

type Served = { readonly ca: string; readonly fingerprint: string; readonly url: string };
export type SimulatedCluster = Served & { readonly child: ChildProcess };
export type Asked = { readonly method: string; readonly path: string };

const serve = async (vms: number, nodes: number, clock: Clock): Promise<void> => {
  const parsed = parseScenario(scenarioText(vms, nodes), "bench.yaml");
  if (parsed.kind === "bad") throw new Error(JSON.stringify(parsed.problems[0]));
  const scenario = scenarioOf(parsed.value, nowMs());
  const { ca, fingerprint, requests, url } = await startSimulator({ clock, port: 0, scenario });
  process.on("message", () => process.send?.(requests().map(({ method, path }) => ({ method, path }))));
  process.send?.({ ca, fingerprint, url } satisfies Served);
};

export const atCluster = async <T>(
  {
    clock = "follows",
    nodes,
    vms,
  }: { readonly clock?: keyof typeof CLOCKS; readonly nodes: number; readonly vms: number },
  work: (provider: SimulatedCluster) => Promise<T>,
): Promise<T> => {
  const child = fork(SELF, ["serve", `${vms}`, `${nodes}`, clock]);
  try {
    const [served]: Served[] = (await once(child, "message")) as Served[];
    if (served === undefined) throw new Error("the place did not start");
    return await work({ ...served, child });
  } finally {
    child.kill();
  }
};

/** Every request that reached it, in order. */
export const requestsAt = async ({ child }: SimulatedCluster): Promise<readonly Asked[]> => {
  child.send("requests");
  const [requests] = (await once(child, "message")) as [readonly Asked[]];
  return requests;
};

/** What one piece of work asks of it. */
export const requestsOf = async (provider: SimulatedCluster, work: () => unknown): Promise<readonly Asked[]> => {
  const before = (await requestsAt(provider)).length;
  await work();
  return (await requestsAt(provider)).slice(before);
};

const fetched = ({ url }: SimulatedCluster, agent: Agent, { method, path }: Asked): Promise<void> =>
  new Promise((resolve, reject) => {
    const token = method === "GET" ? OBSERVE_TOKEN : APPLY_TOKEN;
    const headers = { Authorization: `PVEAPIToken=${token}` };
    request(`${url}${path}`, { agent, headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        JSON.parse(Buffer.concat(chunks).toString("utf8"));
        resolve();
      });
    })
      .on("error", reject)
      .end();
  });

/** What nobody can do without: the same requests on connections of its own, as many at a time, each answer parsed. */
export const bareRequests = async (provider: SimulatedCluster, requests: readonly Asked[]): Promise<void> => {
  const agent = new Agent({ ca: provider.ca, keepAlive: true, maxSockets: AT_ONCE });
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let one = requests[next++]; one !== undefined; one = requests[next++]) await fetched(provider, agent, one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  agent.destroy();
};

/** A configuration of one environment, `bench`, that observes and applies there. */
export const configText = ({ fingerprint, url }: SimulatedCluster): string => `version: 1
operator: bench
ledger: { engine: sqlite, path: ledger/dedalus.db }
anchor: anchor/checkpoints.txt
signingKey: keys/ledger.key
environments:
  bench:
    adapter: proxmox
    url: ${url}
    tls: { verify: pinned, sha256: "${fingerprint}" }
    credentials: { observe: { env: BENCH_OBSERVE }, apply: { env: BENCH_APPLY } }
    approval: single-operator
    maxObservationAge: 60 s
    desired: desired.yaml
`;

/** Where the configuration finds its tokens. */
export const TOKENS_ENV = { BENCH_APPLY: APPLY_TOKEN, BENCH_OBSERVE: OBSERVE_TOKEN } as const;

/** The first of them in a desired file, all of which should run. */
export const desiredText = (vms: number): string =>
  `version: 1\nenvironment: bench\nvms:\n${Array.from({ length: vms }, (_, at) => `  - { vmid: ${FIRST_VMID + at}, name: vm-${at}, target: running }\n`).join("")}`;

const [, program, role, vms, nodes, clock] = process.argv;
if (program === SELF && role === "serve") {
  await serve(Number(vms), Number(nodes), CLOCKS[clock === "brisk" ? "brisk" : "follows"]);
}
