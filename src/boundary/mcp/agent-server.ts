// A server of the protocol for one request: which methods there are, and what each is answered with. It remembers
// nothing: the next request, here or at another instance, has one of its own.
//
// There are tools and resources, and nothing else: no sampling, roots, logging, prompts or subscriptions. What fails is
// told by the id of the request, and never by what the exception said. keeps B5
// Not here: how bytes come in (serve-mcp.ts), what a tool does (call-tool.ts).

import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import { present } from "../../spine/values/present.ts";
import { bugProblem, type ProblemJson } from "../contract/problem-json.ts";
import {
  askByUrl,
  checkAsked,
  isWaiting,
  type PeopleAsked,
  readDeciding,
  type StepAsked,
  urlRequired,
} from "./ask-people.ts";
import { callTool, isToolAnswer, type ToolGround } from "./call-tool.ts";
import { contentsOf, RESOURCE_TEMPLATES, RESOURCES, readResource } from "./resources.ts";
import type { ListedTool } from "./tool-list.ts";
import { toolResult } from "./tool-result.ts";
import { INSTRUCTIONS } from "./tool-words.ts";
import { isToolName, TOOL_NAMES, type ToolArguments } from "./tools.ts";

/** One request of an agent, as the door has let it in. */
export type AgentRequest = ToolGround & {
  readonly correlationId: string;
  /** Told what is nobody's refusal: a bug. */
  readonly failed: (error: unknown) => void;
  /** Whether a client of 2025-11-25 said that it opens addresses; one of 2026-07-28 says it with each request. */
  readonly opensUrls: boolean;
};

export type AgentServerGiven = {
  readonly people: PeopleAsked;
  readonly tools: readonly ListedTool[];
  readonly version: string;
};

/** The lists are of this program, and the same for every caller; they are kept by the one who asked. */
export const KEPT = { cacheScope: "private", ttlMs: 3_600_000 } as const;
export const serverInfo = (version: string) => ({ name: "dedalus", title: "Dedalus", version }) as const;

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

export const agentServer = (asked: AgentRequest, { people, tools, version }: AgentServerGiven): Server => {
  const { correlationId } = asked;
  const server = new Server(serverInfo(version), { ...OPTIONS, requestState: { verify: people.codec.verify } });

  server.setRequestHandler("tools/list", async () => ({ tools: [...tools] }));
  server.setRequestHandler(
    "tools/call",
    ({ params: { arguments: given = {}, name } }, context): Promise<CallToolResult | InputRequiredResult> =>
      guarded(asked, async () => {
        if (!isToolName(name)) {
          const data = { correlationId, known: TOOL_NAMES };
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown tool", data);
        }
        return name === "request_approval"
          ? askPeople(given, asked, people, context)
          : toolResult(name, await callTool(name, given, asked), correlationId);
      }),
  );
  server.setRequestHandler("resources/list", async () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler("resources/templates/list", async () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) =>
    guarded(asked, async () => {
      const read = await readResource(uri, asked);
      if (read === undefined) throw new ResourceNotFoundError(uri);
      if (read.kind === "known") return read.result;
      const { structuredContent } = toolResult(read.name, read.answered, correlationId);
      if (isToolAnswer(read.answered)) return contentsOf(uri, JSON.stringify(structuredContent));
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Refused", structuredContent);
    }),
  );
  return server;
};

/** Whoever runs the service is told of the bug, and whoever asked by which id. */
export const toldBug = (
  { correlationId, failed }: Pick<AgentRequest, "correlationId" | "failed">,
  error: unknown,
): ProblemJson => {
  failed(error);
  return bugProblem(correlationId);
};

/** The package tells a client whatever an exception says: only what was made for it to tell gets there. */
const guarded = async <T>(asked: AgentRequest, answer: () => Promise<T>): Promise<T> => {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const problem = toldBug(asked, error);
    throw new ProtocolError(ProtocolErrorCode.InternalError, problem.title, problem);
  }
};

/** What does not fit is refused with the other arguments. */
const stepIn = ({ plan, step }: ToolArguments): Omit<StepAsked, "explanation"> => {
  const { number } = Object(step) as { readonly number?: unknown };
  return { plan: typeof plan === "string" ? plan : "", step: typeof number === "number" ? number : 0 };
};

/** The request is recorded first, whatever the client can; then people are asked in the way that it has. */
const askPeople = async (
  given: ToolArguments,
  asked: AgentRequest,
  people: PeopleAsked,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> => {
  const name = "request_approval";
  const shown = context.mcpReq.requestState<StepAsked>();
  const of = stepIn(given);
  checkAsked(shown, of);
  const answered = await callTool(name, given, asked);
  if (!isToolAnswer(answered)) return toolResult(name, answered, asked.correlationId);
  const decide = await readDeciding(asked, of, people.origin);
  const result = toolResult(name, answered, asked.correlationId, present({ decide }));
  if (decide?.url === undefined || !isWaiting(decide) || shown?.explanation === decide.explanation) return result;
  if (opensUrlsIn(context)) return askByUrl(decide, decide.url, people, context);
  // Once: whoever comes again was there, or could not be brought there.
  if (asked.opensUrls && !answered.answer.replayed) throw urlRequired(decide, decide.url, String(answered.key));
  return result;
};

const opensUrlsIn = ({ mcpReq: { envelope } }: ServerContext): boolean =>
  Object(Object(Object(envelope)[CLIENT_CAPABILITIES_META_KEY]).elicitation).url !== undefined;
