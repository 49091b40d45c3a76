// A message that is beyond doubt what it seems: a call of a tool, or the list of them, of either revision, with nothing
// in it that the protocol would look at twice. Every other message is the package's to judge.
//
// Taking one for plain that is not would let in what the package refuses, so each member is named here, and what a
// client says of itself is judged by the package, once for each client. keeps P7-F1
// Not here: what is answered (plain-answer.ts).

import type { IncomingHttpHeaders } from "node:http";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  PROTOCOL_VERSION_META_KEY,
  TRACEPARENT_META_KEY,
} from "@modelcontextprotocol/server";
import { isToolName, type ToolArguments, type ToolName } from "./tools.ts";

export type Era = "2025-11-25" | "2026-07-28";
/** Whoever asked people may come back with what was sealed for them, which is more than a name and arguments. */
export type PlainTool = Exclude<ToolName, "request_approval">;
type PlainAsked =
  | { readonly kind: "call"; readonly given: ToolArguments; readonly name: PlainTool }
  | { readonly kind: "list" };
export type PlainMessage = PlainAsked & { readonly era: Era; readonly id: number | string };

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const hasOnly = (fields: Fields, known: ReadonlySet<string>): boolean => {
  for (const name in fields) if (!known.has(name)) return false;
  return true;
};
const isId = (value: unknown): value is number | string => typeof value === "string" || Number.isSafeInteger(value);

const MESSAGE: ReadonlySet<string> = new Set(["id", "jsonrpc", "method", "params"]);
const CALL: ReadonlySet<string> = new Set(["_meta", "arguments", "name"]);
const LIST: ReadonlySet<string> = new Set(["_meta"]);

/** What is asked for, whichever revision asks. */
const askedIn = (method: unknown, params: Fields): PlainAsked | undefined => {
  if (method === "tools/list") return hasOnly(params, LIST) ? { kind: "list" } : undefined;
  const { arguments: given = {}, name } = params;
  if (method !== "tools/call" || !hasOnly(params, CALL) || !isFields(given)) return undefined;
  if (typeof name !== "string" || !isToolName(name) || name === "request_approval") return undefined;
  return { given, kind: "call", name };
};

const OWN_PREFIX = "io.modelcontextprotocol/";
const NO_OWN: ReadonlySet<string> = new Set();
const CLIENT: ReadonlySet<string> = new Set([
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
]);

/** `own` are the protocol's members that may be there; what others wrote beside them means nothing here. */
const isPlainMeta = (meta: Fields, own: ReadonlySet<string>): boolean => {
  const { progressToken } = meta;
  if (progressToken !== undefined && !isId(progressToken)) return false;
  for (const name in meta) if (name.startsWith(OWN_PREFIX) && !own.has(name)) return false;
  return true;
};

/** A trace that a message brings. */
export const traceparentIn = ({ params }: Fields): string | undefined => {
  const { [TRACEPARENT_META_KEY]: given } = Object(Object(params)["_meta"]);
  return typeof given === "string" ? given : undefined;
};

const CLIENTS_MAX = 256;
const CLIENT_TEXT_MAX = 2_000;

/** A client says the same of itself with each request; whether it may is asked when it is first said. */
const clientJudge = (): ((meta: Fields) => boolean) => {
  const known = new Set<string>();
  return (meta) => {
    const text = JSON.stringify([meta[CLIENT_CAPABILITIES_META_KEY], meta[CLIENT_INFO_META_KEY]]);
    if (known.has(text)) return true;
    const body = { id: 0, jsonrpc: "2.0", method: "tools/list", params: { _meta: meta } };
    if (text.length > CLIENT_TEXT_MAX || classifyInboundRequest({ body, httpMethod: "POST" }).kind !== "modern")
      return false;
    const [oldest] = known.size < CLIENTS_MAX ? [] : known;
    if (oldest !== undefined) known.delete(oldest);
    known.add(text);
    return true;
  };
};

const MODERN = "2026-07-28";
const LEGACY = "2025-11-25";

/** Undefined where it is not plain. */
export type ReadPlainMessage = (message: Fields, headers: IncomingHttpHeaders) => PlainMessage | undefined;

export const plainMessages = (): ReadPlainMessage => {
  const isClient = clientJudge();

  const isModern = (meta: unknown, headers: IncomingHttpHeaders, method: unknown, name: unknown): boolean =>
    isFields(meta) &&
    meta[PROTOCOL_VERSION_META_KEY] === MODERN &&
    headers["mcp-method"] === method &&
    headers["mcp-name"] === name &&
    isPlainMeta(meta, CLIENT) &&
    isClient(meta);

  const isLegacy = (meta: unknown, { accept = "" }: IncomingHttpHeaders): boolean =>
    (meta === undefined || (isFields(meta) && isPlainMeta(meta, NO_OWN))) &&
    accept.includes("application/json") &&
    accept.includes("text/event-stream");

  return (message, headers) => {
    const { id, jsonrpc, method, params = {} } = message;
    if (jsonrpc !== "2.0" || !isId(id) || !isFields(params) || !hasOnly(message, MESSAGE)) return undefined;
    const asked = askedIn(method, params);
    if (asked === undefined) return undefined;
    const { _meta: meta, name } = params;
    const version = headers["mcp-protocol-version"];
    if (version === MODERN) return isModern(meta, headers, method, name) ? { ...asked, era: MODERN, id } : undefined;
    return version === LEGACY && isLegacy(meta, headers) ? { ...asked, era: LEGACY, id } : undefined;
  };
};
