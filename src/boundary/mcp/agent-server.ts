// A server of the protocol for one request: which methods there are, and what each is answered with. It remembers
// nothing: the next request, here or at another instance, has one of its own.
//
// There are tools and resources, and nothing else: no sampling, roots, logging, prompts or subscriptions. Not here: how
// bytes come in (serve-mcp.ts), what a tool does (call-tool.ts).

import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import { callTool, isToolAnswer, type ToolGround } from "./call-tool.ts";
import { contentsOf, RESOURCE_TEMPLATES, RESOURCES, readResource } from "./resources.ts";
import type { ListedTool } from "./tool-list.ts";
import { toolResult } from "./tool-result.ts";
import { INSTRUCTIONS } from "./tool-words.ts";
import { isToolName, TOOL_NAMES } from "./tools.ts";

/** One request of an agent, as the door has let it in. */
export type AgentRequest = ToolGround & {
  readonly correlationId: string;
};

export type AgentServerGiven = { readonly tools: readonly ListedTool[]; readonly version: string };

/** The lists are of this program, and the same for every caller; they are kept by the one who asked. */
const KEPT = { cacheScope: "private", ttlMs: 3_600_000 } as const;
const OPTIONS: ServerOptions = {
  cacheHints: {
    "resources/list": KEPT,
    "resources/read": { cacheScope: "private", ttlMs: 0 },
    "resources/templates/list": KEPT,
    "server/discover": KEPT,
    "tools/list": KEPT,
  },
  capabilities: { resources: {}, tools: {} },
  inputRequired: { legacyShim: false },
  instructions: INSTRUCTIONS,
};

export const agentServer = (asked: AgentRequest, { tools, version }: AgentServerGiven): Server => {
  const { correlationId } = asked;
  const server = new Server({ name: "dedalus", title: "Dedalus", version }, OPTIONS);

  server.setRequestHandler("tools/list", async () => ({ tools: [...tools] }));
  server.setRequestHandler(
    "tools/call",
    async ({ params: { arguments: given = {}, name } }): Promise<CallToolResult> => {
      if (!isToolName(name)) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown tool", { correlationId, known: TOOL_NAMES });
      }
      const answered = await callTool(name, given, asked);
      return toolResult(name, answered, correlationId);
    },
  );
  server.setRequestHandler("resources/list", async () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler("resources/templates/list", async () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const read = await readResource(uri, asked);
    if (read === undefined) throw new ResourceNotFoundError(uri);
    if (read.kind === "known") return read.result;
    const { structuredContent } = toolResult(read.name, read.answered, correlationId);
    if (isToolAnswer(read.answered)) return contentsOf(uri, JSON.stringify(structuredContent));
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Refused", structuredContent);
  });
  return server;
};
