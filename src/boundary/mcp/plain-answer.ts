// What a plain message is answered with, as the text that the package would write for it, byte for byte. The list of
// tools is made once; of a result the JSON is made once, and stands in it as data and as text.
//
// Not here: which messages are plain (plain-message.ts), what a tool answers (tool-result.ts).

import { ProtocolErrorCode, SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";
import type { ProblemJson } from "../contract/problem-json.ts";
import { JSON_TYPE } from "../http/reply-answer.ts";
import { type AgentRequest, type AgentServerGiven, KEPT, serverInfo, toldBug } from "./agent-server.ts";
import { callTool } from "./call-tool.ts";
import type { Era, PlainMessage } from "./plain-message.ts";
import { type ToolText, toolText } from "./tool-result.ts";

/** What a client of each revision is sent, and as what. `before` is the same in all of its kind, as its bytes. */
export type ToldMessage = { readonly before?: Uint8Array; readonly text: string; readonly type: string };
type Frame = { readonly begin: string; readonly end: string; readonly type: string };
export const FRAMES: Readonly<Record<Era, Frame>> = {
  "2025-11-25": { begin: "event: message\ndata: ", end: "\n\n", type: "text/event-stream" },
  "2026-07-28": { begin: "", end: "", type: JSON_TYPE },
};

/** What follows a result. */
export const messageEnd = ({ era, id }: PlainMessage): string =>
  `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}${FRAMES[era].end}`;

export type PlainTexts = {
  /** Without its end, which has the id of the message. */
  readonly begun: (era: Era, told: ToolText) => string;
  readonly called: (message: PlainMessage, told: ToolText) => ToldMessage;
  readonly failed: (message: PlainMessage, problem: ProblemJson) => ToldMessage;
  readonly listed: (message: PlainMessage) => ToldMessage;
};

export const plainTexts = ({ tools, version }: Pick<AgentServerGiven, "tools" | "version">): PlainTexts => {
  const meta = `"_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: serverInfo(version) })}`;
  const list = `"tools":${JSON.stringify(tools)}`;
  const { cacheScope, ttlMs } = KEPT;
  const ends: Readonly<Record<Era, string>> = { "2025-11-25": "}", "2026-07-28": `,"resultType":"complete",${meta}}` };
  const lists: Readonly<Record<Era, string>> = {
    "2025-11-25": `{${list}}`,
    "2026-07-28": `{${list},"resultType":"complete","ttlMs":${ttlMs},"cacheScope":"${cacheScope}",${meta}}`,
  };
  const listBytes = (era: Era): Uint8Array => Buffer.from(`${FRAMES[era].begin}{"result":${lists[era]}`);
  const before: Readonly<Record<Era, Uint8Array>> = {
    "2025-11-25": listBytes("2025-11-25"),
    "2026-07-28": listBytes("2026-07-28"),
  };
  const begun: PlainTexts["begun"] = (era, { isError, json, text }) => {
    const result = `{"content":[{"type":"text","text":${text}}],"structuredContent":${json}`;
    return `${FRAMES[era].begin}{"result":${result}${isError ? ',"isError":true' : ""}${ends[era]}`;
  };
  return {
    begun,
    called: (message, told) => ({
      text: `${begun(message.era, told)}${messageEnd(message)}`,
      type: FRAMES[message.era].type,
    }),
    failed: ({ era, id }, problem) => {
      const { begin, end, type } = FRAMES[era];
      const error = { code: ProtocolErrorCode.InternalError, message: problem.title, data: problem };
      return { text: `${begin}${JSON.stringify({ jsonrpc: "2.0", id, error })}${end}`, type };
    },
    listed: (message) => ({ before: before[message.era], text: messageEnd(message), type: FRAMES[message.era].type }),
  };
};

export const answerPlainly = async (
  message: PlainMessage,
  asked: AgentRequest,
  texts: PlainTexts,
): Promise<ToldMessage> => {
  if (message.kind === "list") return texts.listed(message);
  try {
    const { given, name } = message;
    return texts.called(message, toolText(name, await callTool(name, given, asked), asked.correlationId));
  } catch (error) {
    return texts.failed(message, toldBug(asked, error));
  }
};
