// The tools of Dedalus as tools of pi: what the service lists is what the model is shown, by the same names and
// schemas, and a call is handed on as it came. Nothing is added, so that nothing can be done here which the door does
// not have.
//
// A refusal fails the tool with its data, for the model to read. An address that a person must open is shown to
// whoever watches the agent, and never to the model. Not here: who the model is.

import type { AgentTool, AgentToolResult } from "@earendil-works/pi-agent-core";
import { type TSchema, Type } from "@earendil-works/pi-ai";
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

export type DedalusGiven = {
  readonly server: string;
  /** Shows a person where they can decide. */
  readonly showPage: (url: string) => void;
  readonly token: string;
};
export type DedalusTool = AgentTool<TSchema, unknown>;
export type DedalusTools = { readonly close: () => Promise<void>; readonly tools: readonly DedalusTool[] };

const textOf = ({ content }: CallToolResult): string =>
  content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

export const connectDedalus = async ({ server, showPage, token }: DedalusGiven): Promise<DedalusTools> => {
  const client = new Client(
    { name: "dedalus-pi", version: "1.0.0" },
    { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    if (params.mode !== "url") return { action: "decline" };
    showPage(params.url);
    return { action: "accept" };
  });
  const authProvider = { token: async () => token };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server), { authProvider }));
  const { tools } = await client.listTools();

  const execute = async (name: string, given: unknown, signal?: AbortSignal): Promise<AgentToolResult<unknown>> => {
    const called = { arguments: Object(given), name };
    const result = await client.callTool(called, signal === undefined ? {} : { signal });
    const text = textOf(result);
    if (result.isError === true) throw new Error(text);
    return { content: [{ text, type: "text" }], details: result.structuredContent };
  };
  return {
    close: () => client.close(),
    tools: tools.map(({ description = "", inputSchema, name, title = name }) => ({
      description,
      execute: (_, given, signal) => execute(name, given, signal),
      label: title,
      name,
      parameters: Type.Unsafe(inputSchema),
    })),
  };
};
