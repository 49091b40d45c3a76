// An agent that speaks otherwise than the protocol: other versions, headers that disagree with the message, several
// messages in one, and what is no message at all.

import { suite } from "node:test";
import type { Replied } from "../boundary/at-door.ts";
import { headersOf, MODERN, messageOf } from "../boundary/mcp/agents.ts";
import { cannot } from "../cannot.ts";
import { hostile } from "./hostile.ts";
import { approvedBy, atStep, type Stage, stageOf } from "./stage.ts";

type Message = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

/** An apply that would be granted, were it said as it should be. */
const applying = (plan: string): Message => messageOf("tools/call", { arguments: atStep(plan), name: "apply_step" });
const ownApproved = (at: Stage): Promise<string> => approvedBy(at, at.robo);

const say = ({ post, robo }: Stage, body: Message | string, headers: Headers): Promise<Replied> =>
  post("/mcp", body, { headers, key: null, token: robo.token });
const saidWell = (at: Stage, plan: string): Promise<Replied> => {
  const message = applying(plan);
  return say(at, message, headersOf(message));
};

type Twist = (message: Message, headers: Headers) => readonly [body: Message | string, headers: Headers];
const without = <T extends object>(name: string, { [name as keyof T]: _, ...rest }: T): Omit<T, keyof T> => rest;
const metaOf = (message: Message, meta: object): Message => ({
  ...message,
  params: { ...Object(message["params"]), _meta: { ...Object(message["params"])["_meta"], ...meta } },
});

suite("an agent that speaks otherwise", () => {
  const stage = stageOf();

  const twists: Readonly<Record<string, readonly [code: string, twist: Twist]>> = {
    "a batch of messages": ["type-wrong", (message, headers) => [JSON.stringify([message]), headers]],
    "a body beyond the limit": [
      "request-unfit",
      (message, headers) => [{ ...message, padding: "x".repeat(1_100_000) }, headers],
    ],
    "a body of another type": [
      "request-unfit",
      (message, headers) => [message, { ...headers, "content-type": "text/plain" }],
    ],
    "a header that names another method": [
      "-32020",
      (message, headers) => [message, { ...headers, "mcp-method": "tools/list" }],
    ],
    "a header that names another tool": [
      "-32020",
      (message, headers) => [message, { ...headers, "mcp-name": "plan_status" }],
    ],
    "a header that names another version": [
      "-32020",
      (message, headers) => [message, { ...headers, "mcp-protocol-version": "2025-11-25" }],
    ],
    "a key that stands twice": [
      "key-duplicate",
      (message, headers) => [JSON.stringify(message).replace('"name":', '"name":"plan_status","name":'), headers],
    ],
    "a line of text": ["text-malformed", (_, headers) => ["approve", headers]],
    "a message without its method": ["-32600", (message, headers) => [without("method", message), headers]],
    "a message without what it says of itself": [
      "-32602",
      (message, headers) => [{ ...message, params: without("_meta", Object(message["params"])) }, headers],
    ],
    "a version that is not there": [
      "-32022",
      (message, headers) => [
        metaOf(message, { "io.modelcontextprotocol/protocolVersion": "2099-01-01" }),
        { ...headers, "mcp-protocol-version": "2099-01-01" },
      ],
    ],
    "another version of JSON-RPC": ["-32600", (message, headers) => [{ ...message, jsonrpc: "1.0" }, headers]],
    "half a character": [
      "text-malformed",
      (message, headers) => [JSON.stringify(message).replace("apply_step", "apply_step\\ud800"), headers],
    ],
    "half a message": ["text-malformed", (message, headers) => [JSON.stringify(message).slice(0, -9), headers]],
    "nesting without end": [
      "text-malformed",
      (_, headers) => [`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`, headers],
    ],
    "the page of another site": [
      "request-unfit",
      (message, headers) => [message, { ...headers, origin: "https://evil.example" }],
    ],
  };
  for (const [what, [code, twist]] of Object.entries(twists)) {
    cannot(
      code === "-32602" ? "P7-S3" : "P7-F1",
      `apply by ${what}`,
      hostile(stage, {
        code,
        given: ownApproved,
        neighbour: saidWell,
        offence: (at, plan) => {
          const message = applying(plan);
          return say(at, ...twist(message, headersOf(message)));
        },
      }),
    );
  }
  const wrong: Readonly<Record<string, readonly [code: string, given: (plan: string) => unknown]>> = {
    "arguments as a list": ["-32602", (plan) => [plan, 1]],
    "arguments as a text": ["-32602", (plan) => JSON.stringify(atStep(plan))],
    "no arguments": ["key-missing", () => ({})],
    "a step as a text": ["type-wrong", (plan) => ({ plan, step: { number: "1" } })],
    "a step that is true": ["type-wrong", (plan) => ({ plan, step: { number: true } })],
    "a plan in small letters": ["value-wrong", (plan) => atStep(plan.toLowerCase())],
    "a plan with a blank": ["value-wrong", (plan) => atStep(`${plan} `)],
  };
  for (const [what, [code, given]] of Object.entries(wrong)) {
    cannot(
      code === "-32602" ? "P7-S3" : "P7-F1",
      `apply by ${what}`,
      hostile(stage, {
        code,
        given: ownApproved,
        neighbour: saidWell,
        offence: ({ robo }, plan) => robo.ask("tools/call", { arguments: given(plan), name: "apply_step" }),
      }),
    );
  }
  for (const method of ["GET", "DELETE", "PUT"]) {
    cannot(
      "P7-F1",
      `come to the agents' door by ${method}, to hold a stream open`,
      hostile(stage, {
        code: "request-unfit",
        given: ownApproved,
        neighbour: saidWell,
        offence: async ({ robo, url }) => {
          const headers = { accept: "text/event-stream", authorization: `Bearer ${robo.token}` };
          const reply = await fetch(`${url}/mcp`, { headers: { ...headers, "mcp-protocol-version": MODERN }, method });
          return ((await reply.json()) as Replied["problem"]).refusals;
        },
      }),
    );
  }
});
