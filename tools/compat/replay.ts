// Plays recordings against the simulator: the same requests by the same callers, in the same order.
//
// Task ids of the recording are replaced by the simulator's own. Virtual time passes until a task has ended where the
// recording shows it ended, and not where it shows it running.

import { Agent, request } from "node:https";
import { parseJson } from "../../src/formats/json/json-text.ts";
import { parseScenario } from "../../src/formats/scenario/scenario-yaml.ts";
import { scenarioOf } from "../../src/simulator/scenario.ts";
import { type Simulator, startSimulator } from "../../src/simulator/start-simulator.ts";
import { type Difference, differencesBetween } from "./difference.ts";
import { ALONE, AUDITOR, CHANGES, GIVEN, NO_QUORUM, ROOT } from "./matching-world.ts";
import type { Answered, Exchange, Recording } from "./recording.ts";

export type Played = {
  readonly recording: string;
  readonly exchange: number;
  readonly asked: string;
  readonly differences: readonly Difference[];
};

const simulatorOf = (text: string): Promise<Simulator> => {
  const parsed = parseScenario(text, "matching-world");
  if (parsed.kind === "bad") throw new Error(JSON.stringify(parsed.problems));
  return startSimulator({ clock: { kind: "driven", requestMs: 0 }, port: 0, scenario: scenarioOf(parsed.value) });
};

const ask = (simulator: Simulator, agent: Agent, exchange: Exchange, auth: string): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const { body, contentType, method, path } = exchange;
    const headers = {
      ...(auth === "" ? {} : { Authorization: auth }),
      ...(body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) }),
      ...(contentType === undefined ? {} : { "Content-Type": contentType }),
    };
    const sent = request(`${simulator.url}${path}`, { agent, headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const parsed = parseJson(Buffer.concat(chunks).toString("utf8"), "answer");
        resolve({
          contentType: response.headers["content-type"] ?? null,
          json: parsed.kind === "ok" ? parsed.value : undefined,
          reason: response.statusMessage ?? "",
          status: response.statusCode ?? 0,
        });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });

const dataOf = (json: unknown): unknown =>
  typeof json === "object" && json !== null && "data" in json ? json.data : undefined;
const memberOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;

const isUpid = (value: unknown): value is string => typeof value === "string" && value.startsWith("UPID:");

const encodings = (upid: string): readonly string[] => [upid, encodeURIComponent(upid)];

const replaced = (path: string, upids: ReadonlyMap<string, string>): string => {
  for (const [theirs, ours] of upids) {
    for (const written of encodings(theirs)) {
      if (path.includes(written)) return path.replace(written, encodeURIComponent(ours));
    }
  }
  return path;
};

const WAIT_STEP_MS = 50;
const WAIT_STEPS_MAX = 3000;

/** The second in which the recorded task began. */
const beganAtMs = ({ answer }: Exchange): number => {
  const upid = dataOf(answer.json);
  return isUpid(upid) ? Number.parseInt(upid.split(":")[4] ?? "0", 16) * 1000 : 0;
};

/** Time passes as far as the recording shows that it passed. */
const catchUp = (simulator: Simulator, { answer, path }: Exchange): void => {
  const upid = /\/tasks\/([^/]+)\//.exec(path)?.[1];
  if (upid !== undefined && memberOf(dataOf(answer.json), "status") === "running") return;
  const own = upid === undefined ? undefined : decodeURIComponent(upid);
  const isOpen = (): boolean => {
    const { open } = simulator.world();
    return own === undefined || !simulator.world().tasks.has(own) ? open.length > 0 : open.includes(own);
  };
  for (let step = 0; step < WAIT_STEPS_MAX && isOpen(); step += 1) simulator.advance(WAIT_STEP_MS);
};

const authOf = (recording: string, exchange: Exchange, at: number): string => {
  if (exchange.auth === "none") return "";
  if (exchange.auth.startsWith("token root@pam!oracle")) return ROOT;
  if (exchange.auth.startsWith("token aud@pve!ro")) return AUDITOR;
  const given = GIVEN[recording]?.[at];
  if (given === undefined) throw new Error(`${recording} ${at + 1}: nobody is known as ${exchange.auth}`);
  return given;
};

const play = async (simulator: Simulator, agent: Agent, recording: Recording): Promise<readonly Played[]> => {
  const upids = new Map<string, string>();
  const played: Played[] = [];
  for (const change of CHANGES[recording.name] ?? []) simulator.change(change);
  for (const [at, exchange] of recording.exchanges.entries()) {
    const ours = { ...exchange, path: replaced(exchange.path, upids) };
    if (exchange.method === "GET") catchUp(simulator, ours);
    // Never back: what began earlier than the simulator's time begins at that time.
    simulator.advance(Math.max(0, beganAtMs(exchange) - simulator.world().nowMs));
    const answer = await ask(simulator, agent, ours, authOf(recording.name, exchange, at));
    const [theirData, ourData] = [dataOf(exchange.answer.json), dataOf(answer.json)];
    if (isUpid(theirData) && isUpid(ourData)) upids.set(theirData, ourData);
    played.push({
      asked: `${exchange.method} ${exchange.path}`,
      differences: differencesBetween(exchange.answer, answer),
      exchange: at + 1,
      recording: recording.name,
    });
  }
  return played;
};

/** Recordings of a cluster without quorum have a world of their own; the others share one, as they did. */
export const playAll = async (recordings: readonly Recording[]): Promise<readonly Played[]> => {
  const played: Played[] = [];
  for (const [text, group] of [
    [ALONE, recordings.filter(({ name }) => !name.includes("no-quorum"))],
    [NO_QUORUM, recordings.filter(({ name }) => name.includes("no-quorum"))],
  ] as const) {
    const simulator = await simulatorOf(text);
    const agent = new Agent({ ca: simulator.ca, keepAlive: true });
    try {
      for (const recording of group) played.push(...(await play(simulator, agent, recording)));
    } finally {
      agent.destroy();
      await simulator.stop();
    }
  }
  return played;
};
