// A door with pages to sign in at: a real provider, a real service on a real ledger, and a browser that keeps cookies.

import assert from "node:assert/strict";
import { approvalRoutes } from "../../../src/boundary/approval/approval-routes.ts";
import type { ConsoleFiles } from "../../../src/boundary/console/console-files.ts";
import { consoleRoutes, withConsole } from "../../../src/boundary/console/console-routes.ts";
import { callerGate } from "../../../src/boundary/http/caller-limits.ts";
import { openDoor } from "../../../src/boundary/http/door.ts";
import type { DoorGiven } from "../../../src/boundary/http/door-given.ts";
import { ownNames } from "../../../src/boundary/http/request-head.ts";
import { openIdentity } from "../../../src/boundary/identity/open-identity.ts";
import { agentDoor } from "../../../src/boundary/mcp/serve-mcp.ts";
import { toolsIn } from "../../../src/boundary/mcp/tool-list.ts";
import { readMcpTools } from "../../../src/cli/files/own-files.ts";
import { publicId, secretText, ulids } from "../../../src/ids.ts";
import type { LocalService } from "../../../src/service/local-service.ts";
import type { Instant } from "../../../src/spine/model.ts";
import { instantOf } from "../../../src/spine/values/instant.ts";
import { freePort } from "../../../tools/servers/free-port.ts";
import {
  CLIENT,
  type OpenIdProvider,
  type People,
  startOpenIdProvider,
} from "../../../tools/servers/openid-provider.ts";
import { type Ending, type Serving, serving } from "../../service/serving.ts";
import { SEALING_KEY } from "../at-door.ts";
import { type CookieJar, cookieJar, signInAt } from "./cookie-jar.ts";

export type AtSignIn = {
  readonly clock: { aheadMs: number };
  readonly newJar: () => CookieJar;
  readonly origin: string;
  readonly provider: OpenIdProvider;
  readonly served: Serving;
  /** Signs in at the provider; gives the address that it sends the browser back to. */
  readonly signIn: (jar: CookieJar, sub: string, path?: string) => Promise<string>;
  readonly whoami: (token: string) => Promise<number>;
};

export const atSignIn = async (t: Ending, people: People): Promise<AtSignIn> => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const provider = await startOpenIdProvider(people, [`${origin}/sign-in/callback`]);
  t.after(provider.close);
  const served = await serving(
    t,
    `service:
  listen: 127.0.0.1:${port}
  url: ${origin}
  oidc:
    issuer: ${provider.issuer}
    clientId: ${CLIENT.id}
    groups:
      sre: { roles: [operator, approver], environments: all }
`,
    (ports) => ({ ...ports, serves: true }),
  );
  const { clock } = served;
  await openDoorWithPages(t, served, port, origin, () => CLIENT.secret);
  return {
    clock,
    newJar: cookieJar,
    origin,
    provider,
    served,
    signIn: (jar, sub, path = "/sign-in") =>
      signInAt(jar, `${origin}${path}`, sub, (url) => url.href.startsWith(`${origin}/sign-in/callback`)),
    whoami: async (token) =>
      (await fetch(`${origin}/v1/whoami`, { headers: { authorization: `Bearer ${token}` } })).status,
  };
};

/** The door of a served ledger, with its pages, on a port of this machine. */
export const openDoorWithPages = async (
  t: Ending,
  served: Serving,
  port: number,
  origin: string,
  secret: () => string | undefined,
  console?: { readonly files: ConsoleFiles; readonly openapi: string },
): Promise<LocalService> => {
  const service = served.openReloading();
  assert.equal(await service.begin(), undefined);
  const now = (): Instant => instantOf(Date.now() + served.clock.aheadMs);
  const newId = ulids();
  const identity = openIdentity({
    clock: { now },
    configured: () => served.configuration,
    gate: callerGate(() => performance.now()),
    ids: { publicId, secretText, ulids },
    more: { ...approvalRoutes({ newId, service }), ...(console && consoleRoutes({ ...console, newId, service })) },
    sealingKey: "a key that seals",
    secret,
    service,
  });
  const given: DoorGiven = {
    findingWords: ({ check, code }) => ({ detail: code, title: check }),
    isEnding: () => false,
    monotonicMs: () => performance.now(),
    names: () => ownNames("127.0.0.1", port, false, origin),
    newId,
    openapi: console?.openapi ?? "{}",
    ...(identity && withConsole(identity, console?.files)),
    service,
    telemetry: { failed: (error) => assert.fail(String(error)), happened: () => undefined },
  };
  const tools = toolsIn(readMcpTools());
  const agents = agentDoor({ ...given, origin, sealingKey: SEALING_KEY, tools, version: "0.0.0" });
  const door = openDoor({ ...given, agents: agents.serve });
  t.after(async () => {
    door.server.closeAllConnections();
    await agents.close();
    await door.close();
  });
  await door.listen({ host: "127.0.0.1", port });
  return service;
};
