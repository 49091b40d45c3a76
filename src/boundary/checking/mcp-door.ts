// The door of agents, asked as an MCP client asks it: plain JSON-RPC over HTTP, revision 2026-07-28, without anything
// that asks a person on our side. What came is read as JSON and no further.
//
// Not here: what is asked and what must come of it.

import type { SendPort, WholeReply } from "../../service/remote/send.ts";
import {
  type AgentAsk,
  type AgentRequests,
  type AskedDoor,
  type DoorReply,
  isSaidObject,
  listIn,
  objectIn,
  type SaidHead,
  type SaidJson,
} from "./asked-door.ts";
import { jsonIn } from "./http-door.ts";

const REVISION = "2026-07-28";

type ToolAsk = Exclude<AgentAsk, "approve" | "challenge" | "deny" | "whoami">;
type ToolCall = { readonly given: SaidJson; readonly name: string };

const CALLS: { readonly [K in ToolAsk]: (request: AgentRequests[K]) => ToolCall } = {
  apply: (given) => ({ given, name: "apply_step" }),
  cancel: (given) => ({ given, name: "cancel_plan" }),
  explain: (given) => ({ given, name: "explain_step" }),
  intent: (given) => ({ given, name: "intent_status" }),
  makePlan: ({ environment, request, scope }) =>
    request === undefined
      ? { given: { environment, scope }, name: "plan_desired" }
      : { given: { action: request.action, environment, vm: request.vmid }, name: "plan_action" },
  observe: (given) => ({ given, name: "observe" }),
  requestApproval: (given) => ({ given, name: "request_approval" }),
  showPlan: (given) => ({ given, name: "plan_status" }),
  vms: ({ environment, vms: [vm] }) => ({ given: { environment, vm }, name: "get_vm" }),
};
/** Those that take a key; the others have one that follows from the request. */
const KEYED: ReadonlySet<AgentAsk> = new Set<AgentAsk>(["makePlan", "observe"]);

const isToolAsk = (operation: AgentAsk): operation is ToolAsk => Object.hasOwn(CALLS, operation);

/** One JSON-RPC message, alone or as the only event of a stream. */
const messageIn = ({ bytes, header }: WholeReply): SaidJson | undefined => {
  const isStream = (header("content-type") ?? "").startsWith("text/event-stream");
  const text = Buffer.from(bytes).toString("utf8");
  const found = jsonIn(isStream ? Buffer.from(/^data: (.*)$/m.exec(text)?.[1] ?? "") : bytes);
  return isSaidObject(found) ? found : undefined;
};

const headIn = (head: unknown): SaidHead | undefined => {
  const { hash, size } = objectIn(head);
  return typeof hash === "string" && typeof size === "number" ? { hash, size } : undefined;
};

const resultIn = (result: SaidJson): DoorReply => {
  const told = objectIn(result["structuredContent"]);
  const [text] = listIn(result["content"]);
  // Who reads the text and who reads the data must have been told the same.
  if (text?.["text"] !== JSON.stringify(told)) return { code: "text-differs", kind: "unread" };
  if (result["isError"] === true || !isSaidObject(told["answer"])) {
    const { outcome, refusals } = objectIn(told["refused"]);
    return { kind: "refused", outcome, refusals: listIn(refusals) };
  }
  const [head, record] = [headIn(told["head"]), told["record"]];
  return {
    body: told["answer"],
    ...(head === undefined ? {} : { head }),
    kind: "answered",
    ...(typeof record === "number" ? { record } : {}),
    replayed: told["replayed"] === true,
  };
};

export const mcpDoor = (port: SendPort, unproven: SendPort, version: string): AskedDoor => {
  let nextId = 0;
  const rpc = async (by: SendPort, method: string, params: SaidJson): Promise<SaidJson | DoorReply> => {
    nextId += 1;
    const meta = {
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "dedalus-contract-test", version },
      "io.modelcontextprotocol/protocolVersion": REVISION,
    };
    const name = params["name"];
    const reply = await by.send({
      body: JSON.stringify({ id: nextId, jsonrpc: "2.0", method, params: { ...params, _meta: meta } }),
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-method": method,
        ...(typeof name === "string" ? { "mcp-name": name } : {}),
        "mcp-protocol-version": REVISION,
      },
      method: "POST",
      path: "/mcp",
    });
    if (reply.kind === "none") return { code: reply.refusal.code, kind: "unread" };
    const message = messageIn(reply);
    if (message === undefined) return { code: `status-${reply.status}`, kind: "unread" };
    if (isSaidObject(message["result"])) return message["result"];
    // A door that knows nobody tells a problem; everything else is an error of the protocol.
    const problem = "refusals" in message ? message : objectIn(objectIn(message["error"])["data"]);
    if (!("refusals" in problem)) return { code: `rpc${objectIn(message["error"])["code"]}`, kind: "unread" };
    return { kind: "refused", outcome: problem["outcome"], refusals: listIn(problem["refusals"]) };
  };
  const isReply = (said: SaidJson | DoorReply): said is DoorReply => "kind" in said;
  const call = async ({ given, name }: ToolCall): Promise<DoorReply> => {
    const said = await rpc(port, "tools/call", { arguments: given, name });
    return isReply(said) ? said : resultIn(said);
  };
  const callOf = <K extends AgentAsk>(operation: K, request: AgentRequests[K]): ToolCall => {
    if (!isToolAsk(operation)) throw new Error(`no tool is for ${operation}`);
    return (CALLS[operation] as (one: AgentRequests[K]) => ToolCall)(request);
  };
  return {
    ask: (operation, request, key) => {
      const { given, name } = callOf(operation, request);
      return call({ given: key !== undefined && KEYED.has(operation) ? { ...given, key } : given, name });
    },
    askStrange: (request, member) => {
      const { given, name } = callOf("makePlan", request);
      return call({ given: { ...given, ...member }, name });
    },
    askUnproven: async () => {
      const said = await rpc(unproven, "tools/list", {});
      return isReply(said) ? said : { body: said, kind: "answered", replayed: false };
    },
    knows: new Set(Object.keys(CALLS) as readonly ToolAsk[]),
    name: "mcp",
    takesKey: (operation) => KEYED.has(operation),
    tools: async () => {
      const said = await rpc(port, "tools/list", {});
      if (!isReply(said)) return listIn(said["tools"]);
      return said.kind === "unread" ? said.code : said.kind;
    },
  };
};
