// node play-agent.ts REVISION http|stdio page|text VM [ACTION]: an agent's program, from plan to proof, in ENVIRONMENT
// of the service at DEDALUS_SERVER as the agent of DEDALUS_TOKEN. Prints what happens as lines of JSON.
//
// DEDALUS names the program for stdio. With `page` the client declares that it can open an address for a person.

import assert from "node:assert/strict";
import { playAgent, type Told } from "./agent-story.ts";
import { connect20251125 } from "./client-2025-11-25.ts";
import { connect20260728 } from "./client-2026-07-28.ts";
import type { CallerGiven, Door, ToolCaller } from "./tool-caller.ts";

const CLIENTS: Readonly<Record<string, (given: CallerGiven) => Promise<ToolCaller>>> = {
  "2025-11-25": connect20251125,
  "2026-07-28": connect20260728,
};

const [, , revision = "", way = "", asking = "", vm = "", action] = process.argv;
const given = (name: string): string => process.env[name] ?? assert.fail(`${name} is not set`);
const tell = (told: Told): void => void process.stdout.write(`${JSON.stringify(told)}\n`);

const [server, token] = [given("DEDALUS_SERVER"), given("DEDALUS_TOKEN")];
const DOORS: Readonly<Record<string, () => Door>> = {
  http: () => ({ kind: "http", token, url: `${server}/mcp` }),
  stdio: () => ({
    argv: [given("DEDALUS"), "mcp", "--server", server],
    env: { DEDALUS_TOKEN: token, PATH: given("PATH") },
    kind: "stdio",
  }),
};

const connect = CLIENTS[revision] ?? assert.fail(`${revision} is no revision`);
const door = (DOORS[way] ?? assert.fail(`${way} is no door`))();
const showPage = (url: string): void => tell({ told: "page", url });
const caller = await connect({ door, ...(asking === "page" ? { showPage } : {}) });
try {
  const wanted = { environment: given("ENVIRONMENT"), vm: Number(vm) };
  await playAgent(caller, action === undefined ? wanted : { ...wanted, action: JSON.parse(action) }, tell);
} finally {
  await caller.close();
}
