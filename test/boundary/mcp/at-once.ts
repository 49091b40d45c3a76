// An agent on one connection whose replies say by which way they came: ahead of the framework, or the long way.

import assert from "node:assert/strict";
import { until } from "../../service/bound.ts";
import { atCountedDoor } from "../counted-door.ts";
import { connected } from "../one-connection.ts";
import { headersOf, LEGACY, messageOf } from "./agents.ts";

type Json = Readonly<Record<string, unknown>>;
export type Asked = { readonly isAtOnce: boolean; readonly status: number; readonly text: string };
export type Message = { readonly headers: Readonly<Record<string, string>>; readonly message: Json };
/** What is said otherwise: lines of the head, instead of what stands there, and the body. */
export type Otherwise = {
  readonly body?: string;
  readonly lines?: readonly string[];
  readonly method?: string;
  readonly path?: string;
};

export const modern = (method: string, params: Json = {}): Message => {
  const message = messageOf(method, params);
  return { headers: headersOf(message), message };
};
const legacy = (method: string, params: Json = {}): Message => ({
  headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": LEGACY },
  message: { id: "one", jsonrpc: "2.0", method, params },
});
export const ERAS = [modern, legacy] as const;
export const LIST = modern("tools/list");

/** A door, an agent with a plan, and one connection whose replies say by which way they came. */
export const asking = async (...given: Parameters<typeof atCountedDoor>) => {
  const [t] = given;
  const { at, atOnce, told } = await atCountedDoor(...given);
  const token = await at.tokenFor("robo", ["agent"]);
  const send = await connected(t, at.port);
  const ask = async ({ headers, message }: Message, otherwise: Otherwise = {}, shown = token): Promise<Asked> => {
    const before = atOnce();
    const { body = JSON.stringify(message), lines = [], method = "POST", path = "/mcp" } = otherwise;
    const named = new Set(lines.map((line) => line.split(":")[0]));
    const usual = {
      host: `127.0.0.1:${at.port}`,
      authorization: `Bearer ${shown}`,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      ...headers,
    };
    const head = Object.entries(usual).flatMap(([name, value]) => (named.has(name) ? [] : [`${name}: ${value}`]));
    const { status, text } = await send(path, [...head, ...lines.filter((line) => line.includes(":"))], {
      body: Buffer.from(body).toString("latin1"),
      method,
    });
    return { isAtOnce: atOnce() > before, status, text };
  };
  const askedAtOnce = async (message: Message, shown = token): Promise<Asked> => {
    let last = await ask(message, {}, shown);
    await until("an answer at once", async () => {
      last = await ask(message, {}, shown);
      return last.isAtOnce;
    });
    return last;
  };
  const planned = await ask(
    modern("tools/call", { arguments: { environment: "home", scope: "all" }, name: "plan_desired" }),
  );
  const [, plan = assert.fail(planned.text)] = /"answer":\{.*?"id":"([0-9A-Z]{26})"/s.exec(planned.text) ?? [];
  return { ...at, agent: token, ask, askedAtOnce, plan, told };
};

export const statusOf = (plan: string, era: (typeof ERAS)[number] = modern): Message =>
  era("tools/call", { arguments: { plan }, name: "plan_status" });
