// A running simulator for a test, and a small HTTPS client that pins its certificate.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { parseJson } from "../../src/formats/json/json-text.ts";
import { parseScenario } from "../../src/formats/scenario/scenario-yaml.ts";
import { scenarioOf } from "../../src/simulator/scenario.ts";
import { DRIVEN, type Simulator, type SimulatorOptions, startSimulator } from "../../src/simulator/start-simulator.ts";

export const THREE_NODES = readFileSync(new URL("../../examples/three-nodes.yaml", import.meta.url), "utf8");
export const OBSERVE = "PVEAPIToken=dedalus@pve!observe=11111111-1111-4111-8111-111111111111";
export const APPLY = "PVEAPIToken=dedalus@pve!apply=22222222-2222-4222-8222-222222222222";

export type Response = {
  readonly status: number;
  readonly reason: string;
  readonly type: string | undefined;
  readonly body: string;
  readonly headers: NodeJS.Dict<string | string[]>;
};
export type Client = {
  readonly simulator: Simulator;
  readonly ask: (method: string, path: string, options?: AskOptions) => Promise<Response>;
  /** The data of an answer that must be 200. */
  readonly data: (method: string, path: string, options?: AskOptions) => Promise<unknown>;
};
export type AskOptions = {
  readonly auth?: string;
  readonly body?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export const scenarioFrom = (text: string) => {
  const parsed = parseScenario(text, "scenario.yaml");
  assert.equal(parsed.kind, "ok", parsed.kind === "bad" ? JSON.stringify(parsed.problems, null, 1) : "");
  return scenarioOf(parsed.value);
};

const askOf =
  (simulator: Simulator, agent: Agent): Client["ask"] =>
  (method, path, { auth = OBSERVE, body, headers = {}, type = "application/x-www-form-urlencoded" } = {}) =>
    new Promise((resolve, reject) => {
      const sent = request(
        new URL(path.startsWith("/api2") ? path : `/api2/json${path}`, simulator.url),
        {
          agent,
          headers: {
            ...(auth === "" ? {} : { Authorization: auth }),
            ...(body === undefined ? {} : { "Content-Length": `${Buffer.byteLength(body)}`, "Content-Type": type }),
            ...headers,
          },
          method,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () =>
            resolve({
              body: Buffer.concat(chunks).toString("utf8"),
              headers: response.headers,
              reason: response.statusMessage ?? "",
              status: response.statusCode ?? 0,
              type: response.headers["content-type"],
            }),
          );
          response.on("error", reject);
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });

export const jsonOf = (text: string): unknown => {
  const parsed = parseJson(text, "answer");
  assert.equal(parsed.kind, "ok", text);
  return parsed.value;
};

/** Runs one test against a simulator and stops it, whatever happens. */
export const simulated = async (
  play: (client: Client) => Promise<void>,
  text: string = THREE_NODES,
  options: Partial<SimulatorOptions> = {},
): Promise<void> => {
  const simulator = await startSimulator({ clock: DRIVEN, port: 0, scenario: scenarioFrom(text), ...options });
  const agent = new Agent({ ca: simulator.ca, keepAlive: true, maxSockets: 4 });
  const ask = askOf(simulator, agent);
  try {
    await play({
      ask,
      data: async (method, path, given) => {
        const { body, reason, status } = await ask(method, path, given);
        assert.equal(status, 200, `${method} ${path}: ${status} ${reason}`);
        const value = jsonOf(body);
        assert.ok(typeof value === "object" && value !== null && "data" in value);
        return value.data;
      },
      simulator,
    });
  } finally {
    agent.destroy();
    await simulator.stop();
  }
};

export const rowsOf = (data: unknown): readonly Readonly<Record<string, unknown>>[] => {
  assert.ok(Array.isArray(data));
  return data;
};
export const rowOf = (data: unknown): Readonly<Record<string, unknown>> => {
  assert.ok(typeof data === "object" && data !== null && !Array.isArray(data));
  return { ...data };
};
