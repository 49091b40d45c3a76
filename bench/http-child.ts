// A service with its HTTP door in a process of its own, and beside it a bare Fastify route that sends the same bytes:
// what is asked of both is asked of one process, in turns. It says where they are, and on request how much CPU it took
// so far.

import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { openDoor } from "../src/boundary/http/door.ts";
import { ownNames } from "../src/boundary/http/request-head.ts";
import { ulids } from "../src/ids.ts";
import { OPERATOR, ok, serving } from "../test/service/serving.ts";

export type Doors = {
  readonly barePort: number;
  readonly plan: string;
  readonly port: number;
  readonly token: string;
};
export type ChildAsked =
  | { readonly ask: "bare"; readonly text: string }
  | { readonly ask: "cpu" | "in-process" | "saved" };
export type ChildSaid = { readonly doors: Doors } | { readonly number: number };

const NO_LIMITS = { burst: 1e9, concurrent: 1e6, perSecond: 1e9, streams: 8 };
const PLANS = 200;

/** As a process reads its files: what was not edited is the same value. */
const unchanged = <T>(read: () => T): (() => T) => {
  let value: T | undefined;
  return () => {
    value ??= read();
    return value;
  };
};

const endings: (() => Promise<void>)[] = [];
const served = await serving({ after: (work) => void endings.push(work) }, "", (ports) => ({
  ...ports,
  configured: unchanged(ports.configured),
  // The provider answers at once: what is measured is Dedalus.
  adapter: async (...given) => {
    const adapter = await ports.adapter(...given);
    return "code" in adapter
      ? adapter
      : {
          ...adapter,
          source: {
            observe: async (wanted) => {
              const at = ports.clock.now();
              const vms = wanted.map(({ vmid }) => ({
                identity: `uuid of ${vmid}`,
                kind: "vm" as const,
                name: "web-01",
                source: "live" as const,
                status: "stopped" as const,
                vmid,
              }));
              return {
                complete: true,
                environment: "home",
                gaps: [],
                observedAt: at,
                providerTime: at,
                version: 1,
                vms,
              };
            },
          },
        };
  },
}));
const service = served.openReloading();
await service.begin();
const { token = "" } = ok(await service.createToken(OPERATOR, { days: 1, name: "olga", roles: ["operator"] })).value;
const { id: plan } = ok(await service.makePlan(OPERATOR, { environment: "home", scope: "all" })).value;
const door = openDoor({
  findingWords: ({ check, code }) => ({ detail: code, title: check }),
  isEnding: () => false,
  limits: { known: NO_LIMITS, unknown: NO_LIMITS },
  monotonicMs: () => performance.now(),
  names: unchanged(() => ownNames("127.0.0.1", portOf(), false, undefined)),
  newId: ulids(),
  openapi: "{}",
  service,
  telemetry: { failed: (error) => process.stderr.write(String(error)), happened: () => undefined },
});
const portOf = (): number => (door.server.address() as AddressInfo).port;
await door.listen({ host: "127.0.0.1", port: 0 });

let text = "";
const bare = Fastify();
bare.get("/plan", async (_, reply) => reply.header("content-type", "application/json; charset=utf-8").send(text));
await bare.listen({ host: "127.0.0.1", port: 0 });

const cpuMs = (): number => {
  const { system, user } = process.threadCpuUsage();
  return (system + user) / 1_000;
};
const say = (said: ChildSaid): void => void process.send?.(said);

/** CPU for each plan that is made without a door. */
const planInProcess = async (): Promise<number> => {
  const newId = ulids();
  const caller = { credential: { kind: "operator" }, door: "local" } as const;
  const from = cpuMs();
  for (let left = PLANS; left > 0; left -= 1)
    ok(await service.makePlan({ ...caller, key: newId() }, { environment: "home", scope: "all" }));
  return (cpuMs() - from) / PLANS;
};

process.on("message", async (asked: ChildAsked) => {
  if (asked.ask === "bare") text = asked.text;
  if (asked.ask === "in-process") say({ number: await planInProcess() });
  if (asked.ask === "cpu") say({ number: cpuMs() });
  if (asked.ask === "saved") say({ number: existsSync(`${served.folder}/ledger/dedalus.db-saved-state`) ? 1 : 0 });
  if (asked.ask === "bare") say({ number: 0 });
});
process.on("disconnect", async () => {
  door.server.closeAllConnections();
  await Promise.all([door.close(), bare.close()]);
  for (const end of endings) await end();
  process.exit();
});
say({ doors: { barePort: (bare.server.address() as AddressInfo).port, plan, port: portOf(), token } });
