// A door to knock at: a real service on a real ledger, on a port of its own, with tokens of people and of an agent.

import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ProblemJson } from "../../src/boundary/contract/problem-json.ts";
import type { CallerLimits } from "../../src/boundary/http/caller-limits.ts";
import { openDoor } from "../../src/boundary/http/door.ts";
import type { DoorGiven } from "../../src/boundary/http/door-given.ts";
import type { DoorEvent } from "../../src/boundary/http/door-telemetry.ts";
import { type OwnNames, ownNames } from "../../src/boundary/http/request-head.ts";
import type { StreamBounds } from "../../src/boundary/http/stream-body.ts";
import { agentDoor } from "../../src/boundary/mcp/serve-mcp.ts";
import { toolsIn } from "../../src/boundary/mcp/tool-list.ts";
import { readMcpTools } from "../../src/cli/files/own-files.ts";
import { ulids } from "../../src/ids.ts";
import type { Role } from "../../src/kernel/command/roles.ts";
import { type Ending, OPERATOR, ok, type Serving, serving } from "../service/serving.ts";

export type Replied = {
  readonly body: unknown;
  readonly headers: Headers;
  readonly problem: ProblemJson;
  readonly status: number;
  readonly text: string;
};
export type Said = {
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly key?: string | null;
  readonly token?: string | null;
};

export type AtDoor = {
  readonly door: FastifyInstance;
  readonly events: DoorEvent[];
  readonly failures: unknown[];
  readonly get: (path: string, said?: Said) => Promise<Replied>;
  readonly given: DoorGiven;
  readonly isEnding: { yes: boolean };
  readonly port: number;
  readonly post: (path: string, body?: object | string, said?: Said) => Promise<Replied>;
  readonly served: Serving;
  /** In these environments; in all of them where none are named. */
  readonly tokenFor: (
    name: string,
    roles: readonly Role[],
    environments?: readonly string[] | "all",
  ) => Promise<string>;
  /** Of an operator, by whom everything is asked where nobody else is named. */
  readonly token: string;
  readonly url: string;
};

/** Of every door in a test, as of all instances of a service. */
export const SEALING_KEY = "a key that all instances share, of no ledger";

export const newKey = ulids();

export const atDoor = async (
  t: Ending,
  {
    change = () => ({}),
    limits,
    more = "",
    serves = (ending) => serving(ending, more),
    streams,
  }: {
    /** What a door is given otherwise. */
    readonly change?: (given: DoorGiven) => Partial<DoorGiven>;
    readonly limits?: { readonly known: CallerLimits; readonly unknown: CallerLimits };
    readonly more?: string;
    /** What is served, where that is not what stands in memory. */
    readonly serves?: (t: Ending) => Promise<Serving>;
    readonly streams?: StreamBounds;
  } = {},
): Promise<AtDoor> => {
  const served = await serves(t);
  const service = served.openReloading();
  assert.equal(await service.begin(), undefined);
  const [events, failures]: [DoorEvent[], unknown[]] = [[], []];
  const isEnding = { yes: false };
  let names: OwnNames | undefined;
  const usual: DoorGiven = {
    findingWords: ({ check, code }) => ({ detail: code, title: check }),
    isEnding: () => isEnding.yes,
    ...(limits === undefined ? {} : { limits }),
    monotonicMs: () => performance.now(),
    names: () => {
      names ??= ownNames("127.0.0.1", port, false, undefined);
      return names;
    },
    newId: ulids(),
    openapi: "{}",
    service,
    ...(streams === undefined ? {} : { streams }),
    telemetry: {
      failed: (error) => void failures.push(error),
      happened: (event) => void events.push(event),
    },
  };
  const given: DoorGiven = { ...usual, ...change(usual) };
  const agents = agentDoor({
    ...given,
    origin: "https://dedalus.example",
    sealingKey: SEALING_KEY,
    tools: toolsIn(readMcpTools()),
    version: "0.0.0",
  });
  const door = openDoor({ ...given, agents: agents.serve, agentsKnow: agents.known });
  t.after(async () => {
    door.server.closeAllConnections();
    await agents.close();
    await door.close();
  });
  await door.listen({ host: "127.0.0.1", port: 0 });
  const { port } = door.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const tokenFor: AtDoor["tokenFor"] = async (name, roles, environments = "all") =>
    ok(await service.createToken(OPERATOR, { days: 1, environments, name, roles })).value.token ??
    assert.fail("it is shown once");
  const token = await tokenFor("olga", ["operator"]);
  const ask = async (
    method: string,
    path: string,
    { body, headers, key, token: shown = token }: Said,
  ): Promise<Replied> => {
    const reply = await fetch(`${url}${path}`, {
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(shown === null ? {} : { authorization: `Bearer ${shown}` }),
        ...(method === "POST" && key !== null ? { "idempotency-key": key ?? newKey() } : {}),
        ...headers,
      },
      method,
    });
    const text = await reply.text();
    const isJson = /^application\/(?:problem\+)?json/.test(reply.headers.get("content-type") ?? "");
    const parsed = isJson && text !== "" ? JSON.parse(text) : undefined;
    return { body: parsed, headers: reply.headers, problem: parsed, status: reply.status, text };
  };
  return {
    door,
    events,
    failures,
    get: (path, said = {}) => ask("GET", path, said),
    given,
    isEnding,
    port,
    post: (path, body = {}, said = {}) => ask("POST", path, { ...said, body }),
    served,
    token,
    tokenFor,
    url,
  };
};

/** The first refusal of a problem: code, and cause where there is one. */
export const refusedWith = ({ problem, status }: Replied): readonly [number, string, string] => [
  status,
  problem.refusals[0]?.code ?? problem.type,
  problem.refusals[0]?.cause ?? "",
];
