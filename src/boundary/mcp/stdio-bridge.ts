// A pipe to the agents' door of a service elsewhere: each line of the pipe is one message, sent as it is, and each
// answer is one line. Nothing is decided or answered here but what the service never got.
//
// So an agent at a pipe and one over HTTP are told the same, and nothing of the protocol's package is loaded. What is
// kept is what a client of 2025-11-25 agreed on when it began. keeps P7-S3
// Not here: how bytes travel (boundary/client/), what is answered (agent-server.ts).

import { refusedBy } from "../../service/answer.ts";
import { errorJson } from "../../service/json/error-json.ts";
import { ReplyCut, type SendPort, type StreamedReply } from "../../service/remote/send.ts";
import { AGENTS_ROUTE } from "../contract/door-routes.ts";

const LINE_MAX = 1024 * 1024;
const UNDERWAY_MAX = 64;
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const NOT_SERVED = -32_000;
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
/** What of a message the header `Mcp-Name` repeats. */
const NAMED: Readonly<Record<string, string>> = { "resources/read": "uri", "tools/call": "name" };
/** Whatever else stands in a message cannot be a header, and the service says so. */
const HEADER_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]{0,998}[\x21-\x7e])?$/;

type Fields = Readonly<Record<string, unknown>>;
/** Of a client of 2025-11-25: the revision that was agreed on, and how its session is called. */
type Session = { name?: string; version?: string };

const fieldsIn = (value: unknown): Fields => Object(value);
const idOf = (message: unknown): unknown => {
  const { id } = fieldsIn(message);
  return typeof id === "string" || typeof id === "number" ? id : undefined;
};

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

const texts = (headers: Fields): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string" && HEADER_TEXT.test(entry[1]),
    ),
  );

/** What a client over HTTP would write beside the message. */
export const bridgedHeaders = (message: unknown, session: Session): Readonly<Record<string, string>> => {
  const { method, params } = fieldsIn(message);
  const meta = fieldsIn(fieldsIn(params)["_meta"]);
  const version = meta[VERSION_KEY];
  const shared = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    traceparent: meta["traceparent"],
  };
  if (version === undefined)
    return texts({ ...shared, "mcp-protocol-version": session.version, "mcp-session-id": session.name });
  const name = fieldsIn(params)[NAMED[String(method)] ?? ""];
  return texts({ ...shared, "mcp-method": method, "mcp-name": name, "mcp-protocol-version": version });
};

const errorLine = (id: unknown, code: number, message: string, data?: unknown): string =>
  JSON.stringify({ error: { code, ...(data === undefined ? {} : { data }), message }, id: id ?? null, jsonrpc: "2.0" });

const wholeOf = async ({ bytes }: StreamedReply): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
};

/** The lines that an answer comes to: none where nothing was asked. */
const linesIn = (reply: StreamedReply, text: string, id: unknown): readonly string[] => {
  const type = reply.header("content-type") ?? "";
  if (type.startsWith("text/event-stream"))
    return Array.from(text.matchAll(/^data: ?([^\n]+)/gm), ([, data = ""]) => data);
  const value = parsed(text);
  if (fieldsIn(value)["jsonrpc"] === "2.0") return [JSON.stringify(value)];
  if (id === undefined) return [];
  const title = fieldsIn(value)["title"];
  return [errorLine(id, NOT_SERVED, typeof title === "string" ? title : `HTTP ${reply.status}`, value)];
};

/** Some readers end a line at these too; inside of a text their escapes mean the same. */
const asLine = (message: string): string =>
  `${message.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}\n`;

type BridgeGiven = { readonly port: SendPort; readonly write: (line: string) => void };

/** Ends when the pipe does, and everything that was asked is answered. */
const bridgeAgents = async (input: AsyncIterable<Uint8Array>, { port, write }: BridgeGiven): Promise<void> => {
  const session: Session = {};
  const underway = new Map<unknown, AbortController>();
  const open = new Set<Promise<void>>();

  const begin = (message: unknown, reply: StreamedReply, lines: readonly string[]): void => {
    if (fieldsIn(message)["method"] !== "initialize") return;
    const version = fieldsIn(fieldsIn(parsed(lines[0] ?? ""))["result"])["protocolVersion"];
    if (typeof version === "string") session.version = version;
    const name = reply.header("mcp-session-id");
    if (name !== undefined) session.name = name;
  };

  const forward = async (line: string, message: unknown): Promise<void> => {
    const id = idOf(message);
    const leave = new AbortController();
    underway.set(id, leave);
    const outgoing = { body: line, headers: bridgedHeaders(message, session), ...AGENTS_ROUTE };
    try {
      const reply = await port.stream(outgoing, leave.signal);
      if (leave.signal.aborted) return;
      if (reply.kind === "none") throw new ReplyCut(reply.refusal);
      const lines = linesIn(reply, await wholeOf(reply), id);
      begin(message, reply, lines);
      for (const one of lines) write(asLine(one));
    } catch (error) {
      if (!(error instanceof ReplyCut)) throw error;
      const { error: data } = errorJson(refusedBy(error.refusal));
      if (id !== undefined) write(`${errorLine(id, NOT_SERVED, data.refusals[0]?.text.summary ?? "", data)}\n`);
    } finally {
      underway.delete(id);
    }
  };

  const take = async (bytes: Uint8Array): Promise<void> => {
    const line = textOf(bytes);
    if (line === undefined) return write(`${errorLine(null, PARSE_ERROR, "Parse error")}\n`);
    if (line.trim() === "") return;
    const message = parsed(line);
    const { method, params } = fieldsIn(message);
    // Over HTTP whoever wants no answer leaves.
    if (method === "notifications/cancelled") return underway.get(fieldsIn(params)["requestId"])?.abort();
    const answered = forward(line, message);
    // What follows stands on what was agreed on.
    if (method === "initialize") return answered;
    const one = answered.finally(() => open.delete(one));
    open.add(one);
    if (open.size >= UNDERWAY_MAX) await Promise.race(open);
  };

  for await (const bytes of linesOf(input)) {
    if (bytes === "too-long")
      write(`${errorLine(null, INVALID_REQUEST, "Message too long", { bytesMax: LINE_MAX })}\n`);
    else await take(bytes);
  }
  await Promise.all(open);
};

/** What goes into the pipe, as it comes. */
export async function* bridgedLines(input: AsyncIterable<Uint8Array>, port: SendPort): AsyncGenerator<string> {
  let lines: string[] = [];
  let news = Promise.withResolvers<void>();
  let isOver = false;
  const over = bridgeAgents(input, {
    port,
    write: (line) => {
      lines.push(line);
      news.resolve();
    },
  }).finally(() => {
    isOver = true;
    news.resolve();
  });
  while (!isOver || lines.length > 0) {
    await news.promise;
    news = Promise.withResolvers<void>();
    const written = lines;
    lines = [];
    yield* written;
  }
  await over;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });
const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
};

const LINE_FEED = 0x0a;

/** Of a line that is too long nothing is kept. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | "too-long"> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      size += end - from;
      yield size > LINE_MAX ? "too-long" : Buffer.concat([...parts, chunk.subarray(from, end)]);
      [parts, size, from] = [[], 0, end + 1];
    }
    size += chunk.length - from;
    if (size > LINE_MAX) parts = [];
    else parts.push(chunk.subarray(from));
  }
  if (size > 0) yield size > LINE_MAX ? "too-long" : Buffer.concat(parts);
}
