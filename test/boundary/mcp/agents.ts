// An agent at the door: messages of the protocol as a client of either era writes them, and what came back.

import assert from "node:assert/strict";
import type { AtDoor, Replied } from "../at-door.ts";

export const MODERN = "2026-07-28";
export const LEGACY = "2025-11-25";

type Json = Readonly<Record<string, unknown>>;
/** What of answers is asked for in tests. */
export type Answer = {
  readonly id: string;
  readonly intent: string;
  readonly records: readonly { readonly kind: string; readonly seq: number }[];
};
export type Structured = {
  readonly answer?: Answer;
  readonly correlationId: string;
  readonly fromProvider: readonly string[];
  readonly head?: { readonly hash: string; readonly size: number };
  readonly key?: string;
  readonly leaves?: readonly string[];
  readonly next?: number;
  readonly record?: number;
  readonly refused?: {
    readonly domain: string;
    readonly outcome: string;
    readonly refusals: readonly {
      readonly cause?: string;
      readonly code: string;
      readonly facts: Json;
      readonly needed: string;
      readonly rule: string;
    }[];
  };
  readonly replayed: boolean;
  readonly textsFrom: readonly string[];
};
export type Told = {
  readonly content: readonly { readonly text: string; readonly type: string }[];
  readonly isError?: boolean;
  readonly structuredContent: Structured;
};
export type RpcError = { readonly code: number; readonly data?: Json; readonly message: string };
export type Rpc = {
  readonly error?: RpcError;
  readonly id: number | string | null;
  readonly result?: Json & {
    readonly contents?: Told["content"];
    readonly resources?: readonly { readonly uri: string }[];
  };
};

let nextId = 0;

export const messageOf = (method: string, params: Json = {}, capabilities: Json = {}): Json => {
  nextId += 1;
  return {
    id: nextId,
    jsonrpc: "2.0",
    method,
    params: {
      ...params,
      _meta: {
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "0" },
        "io.modelcontextprotocol/protocolVersion": MODERN,
      },
    },
  };
};

const NAMED: Readonly<Record<string, string>> = { "resources/read": "uri", "tools/call": "name" };

export const headersOf = (message: Json): Readonly<Record<string, string>> => {
  const method = String(message["method"]);
  const name = NAMED[method];
  const params = Object(message["params"]);
  return {
    accept: "application/json, text/event-stream",
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": String(params[name]) }),
    "mcp-protocol-version": MODERN,
  };
};

export const rpcIn = ({ body, headers, text }: Replied): Rpc => {
  if (!(headers.get("content-type") ?? "").startsWith("text/event-stream")) return body as Rpc;
  const [, data] = /^data: ([^\n]*)/m.exec(text) ?? [];
  return JSON.parse(data ?? assert.fail(`no message in ${text}`));
};

/** Every result of a tool has both. */
const toldIn = (result: Json | undefined): Told => {
  assert.ok(result !== undefined && "content" in result && "structuredContent" in result, JSON.stringify(result));
  return result as Json & Told;
};

export type Agent = {
  /** A message of 2026-07-28, as it came back. */
  readonly ask: (method: string, params?: Json, capabilities?: Json) => Promise<Replied>;
  /** One tool of it. */
  readonly call: (name: string, given?: Json, capabilities?: Json) => Promise<Told>;
  /** A message of 2025-11-25. */
  readonly askLegacy: (method: string, params?: Json, headers?: Readonly<Record<string, string>>) => Promise<Replied>;
  readonly callLegacy: (name: string, given?: Json, headers?: Readonly<Record<string, string>>) => Promise<Told>;
  readonly token: string;
};

export const agentAt = async ({ post, tokenFor }: AtDoor, name = "ci", shown?: string): Promise<Agent> => {
  const token = shown ?? (await tokenFor(name, ["agent"]));
  const ask: Agent["ask"] = (method, params, capabilities) => {
    const message = messageOf(method, params, capabilities);
    return post("/mcp", message, { headers: headersOf(message), key: null, token });
  };
  const askLegacy: Agent["askLegacy"] = (method, params = {}, headers = {}) => {
    nextId += 1;
    return post(
      "/mcp",
      { id: nextId, jsonrpc: "2.0", method, params },
      {
        headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": LEGACY, ...headers },
        key: null,
        token,
      },
    );
  };
  const told = (replied: Replied): Told => {
    const { error, result } = rpcIn(replied);
    if (error !== undefined) assert.fail(JSON.stringify(error));
    return toldIn(result);
  };
  return {
    ask,
    askLegacy,
    call: async (name, given = {}, capabilities = {}) =>
      told(await ask("tools/call", { arguments: given, name }, capabilities)),
    callLegacy: async (name, given = {}, headers = {}) =>
      told(await askLegacy("tools/call", { arguments: given, name }, headers)),
    token,
  };
};

export const codesIn = ({ structuredContent: { refused } }: Told): readonly string[] =>
  refused?.refusals.map(({ code }) => code) ?? [];
