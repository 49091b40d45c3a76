// An instance as somebody outside has it: a real `dedalus serve` that is asked over HTTP, killed and started again,
// behind a proxy of its own between itself and the database.
//
// Every POST has a key, by which the record that it acknowledges is found again.

import { setTimeout as pause } from "node:timers/promises";
import { ulids } from "../../src/ids.ts";
import { type ServeProcess, startServe } from "../../test/live/serve-process.ts";

/** What is asked of an instance. */
export type InstanceRequest =
  | { readonly kind: "plan"; readonly vmid: number }
  | { readonly kind: "challenge"; readonly plan: string }
  | { readonly kind: "apply"; readonly explanation: string; readonly key?: string; readonly plan: string }
  | { readonly kind: "annotate"; readonly text: string }
  | { readonly kind: "status" };

/** The record that answers, by its number and the key that it carries. */
export type AcknowledgedRecord = { readonly key: string; readonly seq: number };

export type InstanceAnswer =
  /** No reply came. */
  | { readonly kind: "gone" }
  | { readonly kind: "refused"; readonly codes: readonly string[] }
  | {
      readonly kind: "ok";
      /** The ledger that it stands on. */
      readonly head: string;
      readonly record?: AcknowledgedRecord;
      readonly value: Readonly<Record<string, unknown>>;
    };

export type Instance = {
  readonly ask: (request: InstanceRequest) => Promise<InstanceAnswer>;
  /** Intents whose outcome it told as recorded. */
  readonly ends: readonly string[];
  readonly folder: string;
  /** SIGKILL, and another process in its place. */
  readonly kill: () => Promise<void>;
  /** Whoever asks leaves before they are answered. */
  readonly leave: () => void;
  /** Asks it to end, and waits; what went wrong with it. */
  readonly stop: () => Promise<string>;
};

const nextKey = ulids();
const LISTEN = ["--listen", "127.0.0.1:0"];
const STARTS = 40;
const AGAIN_MS = 250;

/** While its server is away it does not start, and says so. */
const startSoon = async (folder: string): Promise<ServeProcess> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startServe(folder, ...LISTEN);
    } catch (error) {
      if (tries === STARTS) throw error;
      await pause(AGAIN_MS);
    }
  }
};

type Route = { readonly body?: object; readonly path: string };

const routeOf = (asked: InstanceRequest): Route => {
  switch (asked.kind) {
    case "plan": {
      const request = { action: { kind: "vm.start" }, vmid: asked.vmid };
      return { body: { environment: "home", request, scope: [asked.vmid] }, path: "/v1/plans" };
    }
    case "challenge":
      return { body: {}, path: `/v1/plans/${asked.plan}/steps/1/challenges` };
    case "apply": {
      const { explanation, plan } = asked;
      return { body: { confirmation: { explanation } }, path: `/v1/plans/${plan}/steps/1/applies` };
    }
    case "annotate":
      return { body: { text: asked.text }, path: "/v1/annotations" };
    case "status":
      return { path: "/v1/status" };
  }
};

const answerIn = (reply: Response, body: Readonly<Record<string, unknown>>, key: string): InstanceAnswer => {
  if (!reply.ok) {
    const refusals = (body["refusals"] ?? []) as readonly { readonly code: string }[];
    return { codes: refusals.map(({ code }) => code), kind: "refused" };
  }
  const seq = reply.headers.get("dedalus-record");
  const record = seq === null ? {} : { record: { key, seq: Number(seq) } };
  return { head: reply.headers.get("etag") ?? "", kind: "ok", ...record, value: body };
};

export const startInstance = async (folder: string, token: string): Promise<Instance> => {
  const ends: string[] = [];
  let served = await startSoon(folder);
  let leaving = new AbortController();
  const bugs: string[] = [];
  const keepBugs = (): void =>
    void bugs.push(
      ...served
        .log()
        .split("\n")
        .filter((line) => line.includes('"event":"bug"')),
    );
  return {
    ask: async (request) => {
      const { body, path } = routeOf(request);
      const key = "key" in request && request.key !== undefined ? request.key : nextKey();
      try {
        const reply = await fetch(`${served.url}${path}`, {
          ...(body === undefined ? {} : { body: JSON.stringify(body), method: "POST" }),
          headers: {
            authorization: `Bearer ${token}`,
            ...(body === undefined ? {} : { "content-type": "application/json", "idempotency-key": key }),
            ...(request.kind === "apply" ? { prefer: "wait=5" } : {}),
          },
          signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(30_000)]),
        });
        const answer = (await reply.json()) as Readonly<Record<string, unknown>>;
        if (answer["recorded"] === true) ends.push(String(answer["intent"]));
        return answerIn(reply, answer, key);
      } catch {
        return { kind: "gone" };
      }
    },
    ends,
    folder,
    kill: async () => {
      served.child.kill("SIGKILL");
      await served.ended();
      keepBugs();
      served = await startSoon(folder);
    },
    leave: () => {
      leaving.abort();
      leaving = new AbortController();
    },
    stop: async () => {
      served.child.kill("SIGTERM");
      const code = await served.ended();
      keepBugs();
      return [...(code === 0 ? [] : [`it ended with ${code}: ${served.log()}`]), ...bugs].join("\n");
    },
  };
};
