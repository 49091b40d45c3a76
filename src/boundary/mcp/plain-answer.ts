// What a plain message is answered with, as the text that the package would write for it, byte for byte. The list of
// tools is made once; of a result the JSON is made once, and stands in it as data and as text.
//
// Not here: which messages are plain (plain-message.ts), what a tool answers (tool-result.ts).

import { ProtocolErrorCode, SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";
import { JSON_TYPE } from "../http/reply-answer.ts";
import { type AgentRequest, type AgentServerGiven, KEPT, serverInfo, toldBug } from "./agent-server.ts";
import { callTool } from "./call-tool.ts";
import type { Era, PlainMessage } from "./plain-message.ts";
import { toolText } from "./tool-result.ts";

/** What a client of each revision is sent, and as what. */
export type ToldMessage = { readonly text: string; readonly type: string };
const TOLD: Readonly<Record<Era, (text: string) => ToldMessage>> = {
  "2025-11-25": (text) => ({ text: `event: message\ndata: ${text}\n\n`, type: "text/event-stream" }),
  "2026-07-28": (text) => ({ text, type: JSON_TYPE }),
};

type Id = PlainMessage["id"];

const resultText = (id: Id, result: string): string =>
  `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;

export type AnswerPlainly = (message: PlainMessage, asked: AgentRequest) => Promise<ToldMessage>;

export const plainAnswers = ({ tools, version }: Pick<AgentServerGiven, "tools" | "version">): AnswerPlainly => {
  const meta = `"_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: serverInfo(version) })}`;
  const listed = `"tools":${JSON.stringify(tools)}`;
  const { cacheScope, ttlMs } = KEPT;
  const lists: Readonly<Record<Era, string>> = {
    "2025-11-25": `{${listed}}`,
    "2026-07-28": `{${listed},"resultType":"complete","ttlMs":${ttlMs},"cacheScope":"${cacheScope}",${meta}}`,
  };
  const ends: Readonly<Record<Era, string>> = { "2025-11-25": "}", "2026-07-28": `,"resultType":"complete",${meta}}` };

  const resultOf = async (message: PlainMessage, asked: AgentRequest): Promise<string> => {
    if (message.kind === "list") return lists[message.era];
    const { era, given, name } = message;
    const { isError, json, text } = toolText(name, await callTool(name, given, asked), asked.correlationId);
    const told = `{"content":[{"type":"text","text":${text}}],"structuredContent":${json}`;
    return isError ? `${told},"isError":true${ends[era]}` : told + ends[era];
  };

  return async (message, asked) => {
    const { era, id } = message;
    try {
      return TOLD[era](resultText(id, await resultOf(message, asked)));
    } catch (error) {
      const problem = toldBug(asked, error);
      const told = { code: ProtocolErrorCode.InternalError, message: problem.title, data: problem };
      return TOLD[era](JSON.stringify({ jsonrpc: "2.0", id, error: told }));
    }
  };
};
