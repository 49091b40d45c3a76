// The HTTP door: a GET of a plan to a bare Fastify route with the same bytes, a POST of a plan to making one in the
// process, and how even the answers are at 64 connections while records are committed and saved states are written.
//
// Rates are of the CPU time of the serving thread, so that neither the one who asks nor other programs count.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { ulids } from "../src/ids.ts";
import type { ChildAsked, ChildSaid, Doors } from "./http-child.ts";
import { type Loaded, load, times } from "./http-load.ts";
import { median } from "./race.ts";
import type { Row } from "./row.ts";

const CONNECTIONS = 64;
const GETS = 8_000;
/** Until what is compiled is compiled. */
const WARM_UP = 3;
const POSTS = 300;
const ROUNDS = 7;

const newKey = ulids();

const answerOf = async (child: ChildProcess, asked: ChildAsked): Promise<number> => {
  child.send(asked);
  const [said] = (await once(child, "message")) as [ChildSaid];
  if (!("number" in said)) throw new Error("a number was asked for");
  return said.number;
};

const getOf = (path: string, token: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`;
const postOf = (path: string, { port, token }: Doors, body: object): string => {
  const text = JSON.stringify(body);
  return (
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n` +
    `idempotency-key: ${newKey()}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  );
};

const assertOnly = ({ statuses }: Loaded, status: number): void => {
  const others = [...statuses.keys()].filter((one) => one !== status);
  if (others.length > 0) throw new Error(`answered with ${others.join()} where ${status} was expected`);
};

const repeated = (count: number, make: () => string): (() => string | undefined) => {
  let left = count;
  return () => {
    left -= 1;
    return left < 0 ? undefined : make();
  };
};

const at = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const shown = (ms: number): string => `${ms.toFixed(2)} ms`;

export const httpRows = async (): Promise<readonly Row[]> => {
  const child = fork(new URL("./http-child.ts", import.meta.url), { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  try {
    const [said] = (await once(child, "message")) as [ChildSaid];
    if (!("doors" in said)) throw new Error("the doors come first");
    return await measured(child, said.doors);
  } finally {
    child.disconnect();
    await once(child, "exit");
  }
};

const measured = async (child: ChildProcess, doors: Doors): Promise<readonly Row[]> => {
  const { barePort, plan, port, token } = doors;
  const path = `/v1/plans/${plan}`;
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
  await answerOf(child, { ask: "bare", text: await reply.text() });
  const cpuOf = async (
    work: () => Promise<Loaded>,
    status: number,
  ): Promise<{ readonly ms: number; readonly loaded: Loaded }> => {
    const from = await answerOf(child, { ask: "cpu" });
    const loaded = await work();
    assertOnly(loaded, status);
    return { loaded, ms: ((await answerOf(child, { ask: "cpu" })) - from) / loaded.latenciesMs.length };
  };
  const asked = () =>
    cpuOf(
      () => load(port, CONNECTIONS, times(GETS, getOf(path, token).replace("127.0.0.1", `127.0.0.1:${port}`))),
      200,
    );
  const bare = () => cpuOf(() => load(barePort, CONNECTIONS, times(GETS, getOf("/plan", token))), 200);
  const posted = () =>
    cpuOf(
      () =>
        load(
          port,
          1,
          repeated(POSTS, () => postOf("/v1/plans", doors, { environment: "home", scope: "all" })),
        ),
      201,
    );
  const gets: { readonly bare: number; readonly door: number; readonly loaded: Loaded }[] = [];
  for (let left = WARM_UP; left > 0; left -= 1) {
    await asked();
    await bare();
  }
  for (let left = ROUNDS; left > 0; left -= 1) {
    const door = await asked();
    gets.push({ bare: (await bare()).ms, door: door.ms, loaded: door.loaded });
  }
  const posts: { readonly door: number; readonly inProcess: number }[] = [];
  await posted();
  for (let left = 3; left > 0; left -= 1)
    posts.push({ door: (await posted()).ms, inProcess: await answerOf(child, { ask: "in-process" }) });
  const even = await evenRow(child, doors);
  return [
    {
      bound: "least",
      goal: 0.6,
      measure: "GET of a plan, to a bare Fastify route with the same bytes",
      statistic: `CPU of the server for each, median of ${ROUNDS} rounds: ${shown(median(gets.map(({ door }) => door)))} to ${shown(median(gets.map((one) => one.bare)))}`,
      value: median(gets.map((one) => one.bare / one.door)),
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
  const make = (): string => postOf("/v1/annotations", doors, { text: "what is said beside many others" });
  const loaded = await load(doors.port, CONNECTIONS, repeated(EVEN_MIN, make));
  assertOnly(loaded, 201);
  if ((await answerOf(child, { ask: "saved" })) !== 1) throw new Error("no saved state was written meanwhile");
  const [p50, p99] = [at(loaded.latenciesMs, 0.5), at(loaded.latenciesMs, 0.99)];
  return {
    goal: 5,
    measure: `p99 to p50 of ${EVEN_MIN.toLocaleString("en")} POSTs at ${CONNECTIONS} connections, a saved state written meanwhile`,
    statistic: `latency, one run: ${shown(p99)} to ${shown(p50)}`,
    value: p99 / p50,
  };
};
