// The agents' door as `dedalus serve` opens it: tools to the same calls over HTTP, the list of tools to a bare Fastify
// route that takes and sends the same bytes, how even the answers of 50 agents are while they plan, and the pipe until
// its first answer.
//
// Rates are of the CPU time of the serving thread, as in http.ts. What is compared is asked with the same tokens, in
// turns; of a tool counts its median round, and of the tools the worst. A client of either revision is a row.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { ulids } from "../src/ids.ts";
import { headersOf, LEGACY, messageOf } from "../test/boundary/mcp/agents.ts";
import { cached, DEDALUS, elapsedMs } from "./cli.ts";
import { withFolderAsync } from "./folder.ts";
import type { Doors } from "./http-child.ts";
import { type Loaded, load, times } from "./http-load.ts";
import { answerOf, assertOnly, at, cpuOf, OWN_HEADERS, shown, shownUs, tokenAt, withServed } from "./http-served.ts";
import { median } from "./race.ts";
import type { Row } from "./row.ts";

type Json = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;
type Asked = { readonly body?: string; readonly headers: Headers; readonly method: string; readonly path: string };
/** A tool with its arguments, the same over HTTP, and how many times both are asked in a round. */
type Call = {
  readonly count: number;
  readonly given: Json;
  readonly http: () => Asked;
  readonly name: string;
  readonly status: number;
};
type Era = { readonly message: (method: string, params: Json) => Json; readonly name: string; readonly of: Headers };

const ROUNDS = 5;
/** Until what is compiled is compiled. */
const WARM_UP = 1;
const CONNECTIONS = 50;
/** What is known at once takes so little that it is asked more often. */
const KNOWN = 6_000;
const READS = 1_000;
const PLANS = 40;

const newKey = ulids();
const ACCEPT = { accept: "application/json, text/event-stream" };
const JSON_TYPE = { "content-type": "application/json" };
const HOME = { environment: "home", scope: "all" } as const;

const ERAS: readonly Era[] = [
  { message: messageOf, name: "2026-07-28", of: {} },
  {
    message: (method, params) => ({ id: 1, jsonrpc: "2.0", method, params }),
    name: LEGACY,
    of: { ...ACCEPT, "mcp-protocol-version": LEGACY },
  },
];

const rpc = ({ message, name, of }: Era, method: string, params: Json): Asked => {
  const said = message(method, params);
  const headers = name === LEGACY ? of : headersOf(said);
  return { body: JSON.stringify(said), headers: { ...headers, ...JSON_TYPE }, method: "POST", path: "/mcp" };
};

const written = ({ body = "", headers, method, path }: Asked, port: number, token: string): string => {
  const all = { ...headers, authorization: `Bearer ${token}`, host: `127.0.0.1:${port}` };
  const lines = Object.entries(body === "" ? all : { ...all, "content-length": Buffer.byteLength(body) });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
};

const get = (path: string) => (): Asked => ({ headers: {}, method: "GET", path });
const post = (path: string, body: Json) => (): Asked => ({
  body: JSON.stringify(body),
  headers: { ...JSON_TYPE, "idempotency-key": newKey() },
  method: "POST",
  path,
});

const callsOn = (plan: string): readonly Call[] => [
  { count: READS, given: {}, http: get("/v1/environments"), name: "list_environments", status: 200 },
  { count: READS, given: {}, http: get("/v1/vms"), name: "list_vms", status: 200 },
  { count: READS, given: { vm: 101 }, http: get("/v1/vms?vm=101"), name: "get_vm", status: 200 },
  {
    count: READS,
    given: { environment: "home", limit: 20 },
    http: get("/v1/records?environment=home&limit=20"),
    name: "search_records",
    status: 200,
  },
  { count: KNOWN, given: { plan }, http: get(`/v1/plans/${plan}`), name: "plan_status", status: 200 },
  {
    count: KNOWN,
    given: { plan, step: { number: 1 } },
    http: get(`/v1/plans/${plan}/steps/1/explanation`),
    name: "explain_step",
    status: 200,
  },
  { count: PLANS, given: HOME, http: post("/v1/plans", HOME), name: "plan_desired", status: 201 },
];

export const mcpRows = (): Promise<readonly Row[]> => withServed(measured);

const measured = async (child: ChildProcess, doors: Doors): Promise<readonly Row[]> => {
  await assertAnswered(doors);
  const rows: Row[] = [];
  for (const era of ERAS) rows.push(await callRow(child, doors, era));
  rows.push(await listRow(child, doors), await evenRow(doors), await pipeRow(doors));
  return rows;
};

const toolAsked = (era: Era, { given, name }: Pick<Call, "given" | "name">): Asked =>
  rpc(era, "tools/call", { arguments: given, name });

/** A tool that refuses is answered with 200 too. */
const assertAnswered = async ({ agents, plan, port }: Doors): Promise<void> => {
  for (const era of ERAS)
    for (const call of callsOn(plan)) {
      const { body, headers } = toolAsked(era, call);
      const reply = await fetch(`http://127.0.0.1:${port}/mcp`, {
        body: body ?? "",
        headers: { ...headers, authorization: `Bearer ${agents[0]}` },
        method: "POST",
      });
      const text = await reply.text();
      if (!text.includes('"structuredContent":{"answer"')) throw new Error(`${call.name} of ${era.name}: ${text}`);
    }
};

const asking =
  ({ agents, port }: Doors, count: number, make: () => Asked) =>
  (): Promise<Loaded> =>
    load(
      port,
      CONNECTIONS,
      times(count, (connection) => written(make(), port, tokenAt(agents, connection))),
    );

type CallRound = { readonly http: number; readonly tool: number };

const callRow = async (child: ChildProcess, doors: Doors, era: Era): Promise<Row> => {
  const found: { readonly call: Call; readonly rounds: readonly CallRound[] }[] = [];
  for (const call of callsOn(doors.plan)) {
    const round = async (): Promise<CallRound> => ({
      http: await cpuOf(child, asking(doors, call.count, call.http), call.status),
      tool: await cpuOf(
        child,
        asking(doors, call.count, () => toolAsked(era, call)),
        200,
      ),
    });
    for (let left = WARM_UP; left > 0; left -= 1) await round();
    const rounds: CallRound[] = [];
    for (let left = ROUNDS; left > 0; left -= 1) rounds.push(await round());
    found.push({ call, rounds });
  }
  const ratioOf = (rounds: readonly CallRound[]): number => median(rounds.map(({ http, tool }) => tool / http));
  const textOf = ({ call, rounds }: (typeof found)[number]): string =>
    `${call.name} ${ratioOf(rounds).toFixed(2)} (${shownUs(median(rounds.map(({ tool }) => tool)))} to ${shownUs(median(rounds.map(({ http }) => http)))})`;
  return {
    goal: 1.6,
    measure: `a tool call of ${era.name}, to the same call over HTTP`,
    statistic: `CPU of the server for each, median of ${ROUNDS} rounds, the worst of: ${found.map(textOf).join(", ")}`,
    value: Math.max(...found.map(({ rounds }) => ratioOf(rounds))),
  };
};

const listRow = async (child: ChildProcess, doors: Doors): Promise<Row> => {
  const { agents, barePort, port } = doors;
  const [era = { message: messageOf, name: "", of: {} }] = ERAS;
  const asked = rpc(era, "tools/list", {});
  const headers = { ...asked.headers, authorization: `Bearer ${agents[0]}` };
  const reply = await fetch(`http://127.0.0.1:${port}/mcp`, { body: asked.body ?? "", headers, method: "POST" });
  const whole = Object.fromEntries([...reply.headers].filter(([name]) => !OWN_HEADERS.has(name)));
  await answerOf(child, { ask: "bare", headers: whole, text: await reply.text() });
  const listing = (at: number, path: string) => () =>
    load(
      at,
      CONNECTIONS,
      times(KNOWN / 2, (connection) => written({ ...asked, path }, at, tokenAt(agents, connection))),
    );
  const round = async () => ({
    bare: await cpuOf(child, listing(barePort, "/bare"), 200),
    door: await cpuOf(child, listing(port, "/mcp"), 200),
  });
  for (let left = WARM_UP; left > 0; left -= 1) await round();
  const rounds: Awaited<ReturnType<typeof round>>[] = [];
  for (let left = ROUNDS; left > 0; left -= 1) rounds.push(await round());
  return {
    goal: 1.3,
    measure: "tools/list, to a bare Fastify route that takes and sends the same bytes",
    statistic: `CPU of the server for each, median of ${ROUNDS} rounds: ${shownUs(median(rounds.map(({ door }) => door)))} to ${shownUs(median(rounds.map(({ bare }) => bare)))}`,
    value: median(rounds.map(({ bare, door }) => door / bare)),
  };
};

const EVEN = 10_000;
/** Each agent plans once in so many calls, and reads otherwise. */
const PLANS_EVERY = 10;

const evenRow = async (doors: Doors): Promise<Row> => {
  const { agents, plan, port } = doors;
  const [era = { message: messageOf, name: "", of: {} }] = ERAS;
  const reads = callsOn(plan).filter(({ name }) => name !== "plan_desired");
  const make = callsOn(plan).find(({ name }) => name === "plan_desired");
  const asked = Array.from(agents, (_, at) => at);
  const next = (agent: number): Asked => {
    asked[agent] = (asked[agent] ?? 0) + 1;
    const turn = asked[agent];
    const call = turn % PLANS_EVERY === 0 ? make : reads[turn % reads.length];
    if (call === undefined) throw new Error("there are calls");
    return toolAsked(era, call);
  };
  const loaded = await load(
    port,
    agents.length,
    times(EVEN, (agent) => written(next(agent), port, tokenAt(agents, agent))),
  );
  assertOnly(loaded, 200);
  const [p50, p99] = [at(loaded.latenciesMs, 0.5), at(loaded.latenciesMs, 0.99)];
  return {
    goal: 5,
    measure: `p99 to p50 of ${EVEN.toLocaleString("en")} calls of ${agents.length} agents, one in ${PLANS_EVERY} a plan`,
    statistic: `latency, one run: ${shown(p99)} to ${shown(p50)}`,
    value: p99 / p50,
  };
};

const STARTS = 21;

const firstAnswerMs = async ({ agents, port }: Doors, env: NodeJS.ProcessEnv): Promise<number> => {
  const fromMs = performance.now();
  const child = spawn(DEDALUS, ["mcp", "--server", `http://127.0.0.1:${port}`], {
    env: { ...env, DEDALUS_TOKEN: agents[0] },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  child.stdin.end(`${JSON.stringify(messageOf("server/discover"))}\n`);
  const [line] = await once(child.stdout, "data");
  const ms = performance.now() - fromMs;
  if (!String(line).includes('"supportedVersions"')) throw new Error(String(line));
  child.stdout.resume();
  await ended;
  return ms;
};

const pipeRow = (doors: Doors): Promise<Row> =>
  withFolderAsync(async (folder) => {
    const env = cached(folder);
    const help = () => elapsedMs({ command: [DEDALUS, "--help"], env, exits: [0] });
    // The first start of each fills caches: the disk's, and Node's for compiled code.
    await firstAnswerMs(doors, env);
    help();
    const rounds: { readonly answer: number; readonly help: number }[] = [];
    for (let left = STARTS; left > 0; left -= 1) rounds.push({ answer: await firstAnswerMs(doors, env), help: help() });
    const [answerMs, helpMs] = [median(rounds.map(({ answer }) => answer)), median(rounds.map((one) => one.help))];
    return {
      goal: 3,
      measure: "bin/dedalus mcp until its first answer, to bin/dedalus --help, compiled code cached",
      statistic: `wall time, median of ${STARTS} turns: ${shown(answerMs)} to ${shown(helpMs)}`,
      value: answerMs / helpMs,
    };
  });
