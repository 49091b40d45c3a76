// A process that serves: the service on its ledger, a door that listens, and how both come to their end.
//
// It begins before it listens, so that whoever cannot record anything never says that it serves. Told to end, it
// says so to whoever watches, takes nothing new, lets no call leave that has not left, and waits for those that
// have. keeps P7-F2. Not here: signals and what is printed (cli/commands/serve.ts).

import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { RefusedAnswer } from "../service/answer.ts";
import { refusedBy } from "../service/answer.ts";
import type { CertificateRead, Configuration, Ports } from "../service/ports.ts";
import type { ServicePosture } from "../service/read/service-posture.ts";
import { openReloadingService } from "../service/reloading-service.ts";
import type { Refusal } from "../spine/model.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { present } from "../spine/values/present.ts";
import { approvalRoutes } from "./approval/approval-routes.ts";
import type { ConsoleFiles } from "./console/console-files.ts";
import { consoleRoutes, withConsole } from "./console/console-routes.ts";
import { doorTelemetry } from "./door-log.ts";
import type { BodyWords } from "./http/answer-bodies.ts";
import { callerGate } from "./http/caller-limits.ts";
import { openDoor } from "./http/door.ts";
import type { DoorGiven, ServedCertificate } from "./http/door-given.ts";
import { replaceCertificate } from "./http/listener.ts";
import { type OwnNames, ownNames } from "./http/request-head.ts";
import { openIdentity } from "./identity/open-identity.ts";
import { agentDoor } from "./mcp/serve-mcp.ts";
import { toolsIn } from "./mcp/tool-list.ts";
import { strayedInBrowser, withHome } from "./serve-home.ts";
import { hearingOf } from "./telemetry/hearing.ts";
import { observedAdapters } from "./telemetry/observed-adapter.ts";
import { observedService } from "./telemetry/observed-service.ts";
import { observeRequests } from "./telemetry/request-hooks.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import { type ReceiversGiven, toldReceivers } from "./told-receivers.ts";
import type { Deliveries } from "./webhooks/deliveries.ts";

export type ServingGiven = BodyWords &
  Pick<ReceiversGiven, "approveCommand" | "secret"> & {
    readonly configuration: Configuration;
    /** The pages of the console; without them everything else is the same. */
    readonly console?: ConsoleFiles;
    readonly drainSeconds: number;
    readonly host: string;
    /** The list of agents' tools. */
    readonly mcpTools: string;
    readonly openapi: string;
    readonly port: number;
    readonly ports: Omit<Ports, "hears" | "serves">;
    readonly telemetry: Telemetry;
    readonly tls?: ServedCertificate;
    /** The origin under which people reach it. */
    readonly url?: string;
  };

export type ServingProcess = {
  readonly posture: ServicePosture;
  /** Shown to whoever connects from now on; one that cannot be used is logged, and the one before stays. */
  readonly replaceCertificate: (read: CertificateRead) => void;
  /** What could not be kept beside what was recorded is told. */
  readonly stop: () => Promise<readonly RefusedAnswer[]>;
  readonly url: string;
};

export const startServing = async (given: ServingGiven): Promise<RefusedAnswer | ServingProcess> => {
  const { configuration, host, ports, telemetry, tls, url } = given;
  const [begun, over] = [new AbortController(), new AbortController()];
  const ending = { begun: begun.signal, over: over.signal };
  const receivers = toldReceivers(given);
  const service = openReloadingService(configuration, {
    ...ports,
    adapter: observedAdapters(ports.adapter, telemetry),
    ending,
    hears: hearingOf(telemetry, receivers.started),
    pagesAt: present({ url }),
    serves: true,
  });
  const sealingKey = sealingKeyOf(given);
  if (typeof sealingKey === "object") return refusedBy(sealingKey);
  const posture = (await service.begin()) ?? (await service.posture());
  if ("refusals" in posture) {
    await service.close();
    return posture;
  }
  const namesAt = (port: number): OwnNames => ownNames(host, port, tls !== undefined, url);
  let names = namesAt(given.port);
  let deliveries: Deliveries | undefined;
  const newId = ports.ids.ulids();
  const asked = { ...observedService(service, telemetry), posture: service.posture, recall: service.recall };
  const identity = openIdentity({
    clock: ports.clock,
    configured: () => {
      const read = ports.configured();
      return read.kind === "ok" ? read.value : undefined;
    },
    gate: callerGate(ports.clock.monotonicMs),
    ids: ports.ids,
    more: {
      ...approvalRoutes({ newId, service: asked }),
      ...(given.console === undefined ? {} : consoleRoutes({ newId, openapi: given.openapi, service: asked })),
    },
    sealingKey,
    secret: ({ clientSecret }) => (clientSecret === undefined ? undefined : given.secret(clientSecret)),
    service,
  });
  const told = doorTelemetry({
    configuration,
    now: ports.clock.now,
    positions: () => deliveries?.positions() ?? new Map(),
    service,
    telemetry,
  });
  const agents = agentDoor({
    findingWords: given.findingWords,
    newId,
    service: asked,
    sealingKey: sealingKey ?? ports.ids.secretText(),
    telemetry: told,
    tools: toolsIn(given.mcpTools),
    version: ports.version,
    ...present({ origin: url }),
  });
  const door = openDoor({
    ...pagesOf(identity, given),
    agents: agents.serve,
    agentsKnow: agents.known,
    findingWords: given.findingWords,
    isEnding: () => begun.signal.aborted,
    monotonicMs: ports.clock.monotonicMs,
    names: () => names,
    newId,
    observe: (app) => observeRequests(app, telemetry),
    openapi: given.openapi,
    service: asked,
    strays: strayedInBrowser(
      { hasConsole: given.console !== undefined, hasSignIn: identity !== undefined },
      ports.ids.secretText,
    ),
    telemetry: told,
    ...present({ tls }),
  });
  const unheard = await listen(door, host, given.port);
  if (unheard !== undefined) {
    await door.close();
    await service.close();
    return unheard;
  }
  const { port } = door.server.address() as AddressInfo;
  names = namesAt(port);
  const scheme = tls === undefined ? "http" : "https";
  deliveries = receivers.begin(service);
  telemetry.log("service-started", { listen: `${host}:${port}`, version: ports.version });
  return {
    posture,
    replaceCertificate: (read) => {
      if (read.kind === "bad") {
        const { problems, said } = read;
        telemetry.log("certificate-unusable", { codes: problems.map(({ code }) => code), ...present({ said }) });
      } else {
        replaceCertificate(door.server, read.value);
        telemetry.log("certificate-reloaded", {});
      }
    },
    stop: async () => {
      begun.abort();
      const beganMs = ports.clock.monotonicMs();
      telemetry.log("service-stopping", { cause: "asked" });
      const late = setTimeout(() => over.abort(), given.drainSeconds * 1_000);
      try {
        // What they have not delivered, the next process begins with.
        await deliveries?.close();
        const told = await service.close();
        if (told.length > 0)
          telemetry.log("checkpoint-missing", {
            codes: told.flatMap(({ refusals }) => refusals.map(({ code }) => code)),
          });
        return told;
      } finally {
        clearTimeout(late);
        door.server.closeAllConnections();
        await agents.close();
        await door.close();
        telemetry.log("service-stopped", { durationMs: Math.round(ports.clock.monotonicMs() - beganMs) });
      }
    },
    url: `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`,
  };
};

/** The console is at the service's own address; without it a page that leads on. */
const pagesOf = (
  identity: Pick<DoorGiven, "pages" | "shownOtherwise"> | undefined,
  { console: files, ports }: ServingGiven,
): Pick<DoorGiven, "pages" | "shownOtherwise"> =>
  identity === undefined || files === undefined
    ? { ...identity, pages: withHome(identity?.pages, ports.ids.secretText) }
    : withConsole(identity, files);

/** Undefined where none is configured: then one is made at each start. */
const sealingKeyOf = ({ configuration: { config }, secret }: ServingGiven): string | Refusal | undefined =>
  config.service?.sealingKey === undefined ? undefined : secret(config.service.sealingKey);

const PORT_CAUSES: Readonly<Record<string, "service-denied" | "service-taken">> = {
  EACCES: "service-denied",
  EADDRINUSE: "service-taken",
};

const listen = async (door: FastifyInstance, host: string, port: number): Promise<RefusedAnswer | undefined> => {
  try {
    await door.listen({ host, port });
    return undefined;
  } catch (error) {
    const cause = PORT_CAUSES[error instanceof Error && "code" in error ? String(error.code) : ""];
    if (cause === undefined) throw error;
    return refusedBy(refuse("port-unusable", { cause, facts: { port } }));
  }
};
