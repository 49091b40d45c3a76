// The HTTP door as `dedalus serve` opens it: a GET of a plan to a bare Fastify route that sends the same bytes, a POST
// of a plan to making one in the process, and how even the answers are at 64 connections while records are committed
// and saved states are written.
//
// Rates are of the CPU time of the serving thread, so that neither the one who asks nor other programs count. The same
// bytes are status, headers and body; what the door takes to the same body alone is told beside it.

import type { ChildProcess } from "node:child_process";
import { ulids } from "../src/ids.ts";
import type { Doors } from "./http-child.ts";
import { load, type NextRequest, times } from "./http-load.ts";
import { answerOf, assertOnly, at, cpuOf, OWN_HEADERS, shown, shownUs, tokenAt, withServed } from "./http-served.ts";
import { median } from "./race.ts";
import type { Row } from "./row.ts";

const CONNECTIONS = 64;
const GETS = 8_000;
/** Until what is compiled is compiled. */
const WARM_UP = 3;
const POSTS = 300;
const ROUNDS = 7;

const newKey = ulids();

const getOf =
  (port: number, path: string, doors: Doors): ((connection: number) => string) =>
  (connection) =>
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${tokenAt(doors.tokens, connection)}\r\n\r\n`;
const postOf =
  (path: string, doors: Doors, body: object): ((connection: number) => string) =>
  (connection) => {
    const text = JSON.stringify(body);
    return (
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${doors.port}\r\nauthorization: Bearer ${tokenAt(doors.tokens, connection)}\r\n` +
      `content-type: application/json\r\nidempotency-key: ${newKey()}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
    );
  };

export const httpRows = (): Promise<readonly Row[]> => withServed(measured);

type GetRound = { readonly bareBody: number; readonly bareWhole: number; readonly door: number };

const measured = async (child: ChildProcess, doors: Doors): Promise<readonly Row[]> => {
  const { barePort, plan, port, tokens } = doors;
  const path = `/v1/plans/${plan}`;
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${tokens[0]}` } });
  const text = await reply.text();
  const whole = Object.fromEntries([...reply.headers].filter(([name]) => !OWN_HEADERS.has(name)));
  const body = { "content-type": whole["content-type"] ?? "" };
  const loadOf = (at: number, connections: number, next: NextRequest) => () => load(at, connections, next);
  const asked = () => cpuOf(child, loadOf(port, CONNECTIONS, times(GETS, getOf(port, path, doors))), 200);
  const bare = async (headers: Readonly<Record<string, string>>) => {
    await answerOf(child, { ask: "bare", headers, text });
    return cpuOf(child, loadOf(barePort, CONNECTIONS, times(GETS, getOf(barePort, "/bare", doors))), 200);
  };
  const posted = () =>
    cpuOf(child, loadOf(port, 1, times(POSTS, postOf("/v1/plans", doors, { environment: "home", scope: "all" }))), 201);
  const getRound = async (): Promise<GetRound> => ({
    bareBody: await bare(body),
    bareWhole: await bare(whole),
    door: await asked(),
  });
  const gets: GetRound[] = [];
  for (let left = WARM_UP; left > 0; left -= 1) await getRound();
  for (let left = ROUNDS; left > 0; left -= 1) gets.push(await getRound());
  const posts: { readonly door: number; readonly inProcess: number }[] = [];
  await posted();
  await answerOf(child, { ask: "in-process" });
  for (let left = 3; left > 0; left -= 1)
    posts.push({ door: await posted(), inProcess: await answerOf(child, { ask: "in-process" }) });
  const even = await evenRow(child, doors);
  const ofBody = median(gets.map(({ bareBody, door }) => bareBody / door));
  return [
    {
      beside: `${ofBody.toFixed(2)} × to one that sends the body and no other header`,
      bound: "least",
      goal: 0.6,
      measure: "GET of a plan, to a bare Fastify route with the same bytes",
      statistic: `CPU of the server for each, median of ${ROUNDS} rounds: ${shownUs(median(gets.map(({ door }) => door)))} to ${shownUs(median(gets.map(({ bareWhole }) => bareWhole)))}`,
      value: median(gets.map(({ bareWhole, door }) => bareWhole / door)),
    },
    {
      bound: "least",
      goal: 0.6,
      measure: "POST of a plan (sqlite), to making one in the process",
      statistic: `CPU of the server for each, median of ${posts.length} rounds: ${shown(median(posts.map(({ door }) => door)))} to ${shown(median(posts.map(({ inProcess }) => inProcess)))}`,
      value: median(posts.map(({ door, inProcess }) => inProcess / door)),
    },
    even,
  ];
};

/** Until a saved state was written beside the answers. */
const EVEN_MIN = 20_000;

const evenRow = async (child: ChildProcess, doors: Doors): Promise<Row> => {
  const before = await answerOf(child, { ask: "saved" });
  const make = postOf("/v1/annotations", doors, { text: "what is said beside many others" });
  const loaded = await load(doors.port, CONNECTIONS, times(EVEN_MIN, make));
  assertOnly(loaded, 201);
  if ((await answerOf(child, { ask: "saved" })) === before) throw new Error("no saved state was written meanwhile");
  const [p50, p99] = [at(loaded.latenciesMs, 0.5), at(loaded.latenciesMs, 0.99)];
  return {
    goal: 5,
    measure: `p99 to p50 of ${EVEN_MIN.toLocaleString("en")} POSTs at ${CONNECTIONS} connections, a saved state written meanwhile`,
    statistic: `latency, one run: ${shown(p99)} to ${shown(p50)}`,
    value: p99 / p50,
  };
};
