// A service as `dedalus serve` starts it, in a process of its own: with its limits, its guards, and a log line, a count
// and a span for each request. Beside it a bare Fastify route that sends the same bytes, so that what is asked of both
// is asked of one process, in turns; and a service without a door on a ledger of its own. It says where they are, and
// on request how much CPU its thread took so far.
//
// Log lines go to standard error as they do there; whoever starts this gives it a file.

import { readFileSync, statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { startServing } from "../src/boundary/serving-process.ts";
import { lineWriter } from "../src/boundary/telemetry/line-writer.ts";
import { openTelemetry } from "../src/boundary/telemetry/telemetry.ts";
import { configFiles, rereadFiles } from "../src/cli/files/reread-config.ts";
import { openOutput } from "../src/cli/process/output.ts";
import { ulids } from "../src/ids.ts";
import type { Ports } from "../src/service/ports.ts";
import { OPERATOR, ok, type Serving, serving } from "../test/service/serving.ts";

export type Doors = {
  /** Tokens of agents, as many as are measured at once. */
  readonly agents: readonly string[];
  readonly barePort: number;
  readonly plan: string;
  readonly port: number;
  /** Of several callers: nobody alone is let in as often as this asks. */
  readonly tokens: readonly string[];
};
export type ChildAsked =
  | { readonly ask: "bare"; readonly headers: Readonly<Record<string, string>>; readonly text: string }
  | { readonly ask: "cpu" | "in-process" | "saved" };
export type ChildSaid = { readonly doors: Doors } | { readonly number: number };

const CALLERS = 16;
const AGENTS = 50;
const PLANS = 200;

/** The provider answers at once: what is measured is Dedalus. */
const atOnce = (ports: Ports): Ports => ({
  ...ports,
  adapter: async (...given) => {
    const adapter = await ports.adapter(...given);
    if ("code" in adapter) return adapter;
    const observe: typeof adapter.source.observe = async (wanted) => {
      const at = ports.clock.now();
      const vms = wanted.map(({ vmid }) => ({
        identity: `uuid of ${vmid}`,
        kind: "vm" as const,
        name: "web-01",
        source: "live" as const,
        status: "stopped" as const,
        vmid,
      }));
      return { complete: true, environment: "home", gaps: [], observedAt: at, providerTime: at, version: 1, vms };
    };
    return { ...adapter, source: { observe } };
  },
  // As a process reads its files: again only when one was edited.
  configured: rereadFiles(ports.configured, configFiles),
});

const endings: (() => Promise<void>)[] = [];
const installed = async (): Promise<Serving & { readonly ports: Ports }> => {
  let ports: Ports | undefined;
  const made = await serving({ after: (work) => void endings.push(work) }, "", (given) => {
    ports = atOnce(given);
    return ports;
  });
  if (ports === undefined) throw new Error("a service is opened with ports");
  return { ...made, ports };
};

const served = await installed();
const first = served.open();
const tokens: string[] = [];
for (let number = 1; number <= CALLERS; number += 1) {
  const asked = { days: 1, name: `caller-${number}`, roles: ["operator"] } as const;
  tokens.push(ok(await first.createToken(OPERATOR, asked)).value.token ?? "");
}
const agents: string[] = [];
for (let number = 1; number <= AGENTS; number += 1) {
  const asked = { days: 1, name: `agent-${number}`, roles: ["agent"] } as const;
  agents.push(ok(await first.createToken(OPERATOR, asked)).value.token ?? "");
}
const { id: plan } = ok(await first.makePlan(OPERATOR, { environment: "home", scope: "all" })).value;
await first.close();

const { monotonicMs, now } = served.ports.clock;
const log = openOutput(2);
const door = await startServing({
  approveCommand: (of, step) => `${of} ${step}`,
  configuration: served.configuration,
  drainSeconds: 1,
  findingWords: ({ check, code }) => ({ detail: code, title: check }),
  host: "127.0.0.1",
  mcpTools: readFileSync(new URL("../schemas/mcp-tools.json", import.meta.url), "utf8"),
  openapi: "{}",
  port: 0,
  ports: served.ports,
  secret: () => "",
  telemetry: openTelemetry({ monotonicMs, now, stream: lineWriter(2, log.write), version: "bench" }),
});
if ("refusals" in door) throw new Error(JSON.stringify(door.refusals));

let bareReply = { headers: {} as Readonly<Record<string, string>>, text: "" };
const bare = Fastify();
bare.route({
  handler: async (_, reply) => reply.headers(bareReply.headers).send(bareReply.text),
  method: ["GET", "POST"],
  url: "/bare",
});
await bare.listen({ host: "127.0.0.1", port: 0 });

const doorless = (await installed()).openReloading();
await doorless.begin();

const cpuMs = (): number => {
  const { system, user } = process.threadCpuUsage();
  return (system + user) / 1_000;
};
const say = (said: ChildSaid): void => void process.send?.(said);

/** CPU for each plan that is made without a door. */
const planInProcess = async (): Promise<number> => {
  const newId = ulids();
  const from = cpuMs();
  for (let left = PLANS; left > 0; left -= 1)
    ok(await doorless.makePlan({ ...OPERATOR, key: newId() }, { environment: "home", scope: "all" }));
  return (cpuMs() - from) / PLANS;
};

const ANSWERS: Readonly<Record<"cpu" | "in-process" | "saved", () => number | Promise<number>>> = {
  cpu: cpuMs,
  "in-process": planInProcess,
  saved: () => statSync(`${served.folder}/ledger/dedalus.db-saved-state`, { throwIfNoEntry: false })?.mtimeMs ?? 0,
};

process.on("message", async (asked: ChildAsked) => {
  if (asked.ask === "bare") bareReply = asked;
  say({ number: asked.ask === "bare" ? 0 : await ANSWERS[asked.ask]() });
});
process.on("disconnect", async () => {
  await Promise.all([door.stop(), bare.close()]);
  for (const end of endings) await end();
  process.exit();
});
const port = Number(new URL(door.url).port);
say({ doors: { agents, barePort: (bare.server.address() as AddressInfo).port, plan, port, tokens } });
