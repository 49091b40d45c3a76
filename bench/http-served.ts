// The service of http-child.ts while it is measured: how it is started, how much CPU its thread took for what was asked
// of it, and how numbers of it are written.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withFolderAsync } from "./folder.ts";
import type { ChildAsked, ChildSaid, Doors } from "./http-child.ts";
import type { Loaded } from "./http-load.ts";

export const withServed = <T>(work: (child: ChildProcess, doors: Doors) => Promise<T>): Promise<T> =>
  withFolderAsync(async (folder) => {
    const log = join(folder, "service.log");
    const child = fork(new URL("./http-child.ts", import.meta.url), {
      stdio: ["ignore", "ignore", openSync(log, "w"), "ipc"],
    });
    const ended = once(child, "exit");
    try {
      const said = await Promise.race([once(child, "message"), ended]);
      const [first] = said as [ChildSaid];
      if (!("doors" in Object(first))) throw new Error(`no service: ${readFileSync(log, "utf8").slice(-2_000)}`);
      return await work(child, (first as { readonly doors: Doors }).doors);
    } finally {
      if (child.connected) child.disconnect();
      await ended;
    }
  });

export const answerOf = async (child: ChildProcess, asked: ChildAsked): Promise<number> => {
  child.send(asked);
  const [said] = (await once(child, "message")) as [ChildSaid];
  if (!("number" in said)) throw new Error("a number was asked for");
  return said.number;
};

export const tokenAt = (tokens: readonly string[], connection: number): string =>
  tokens[connection % tokens.length] ?? "";

export const assertOnly = ({ statuses }: Loaded, status: number): void => {
  const others = [...statuses.keys()].filter((one) => one !== status);
  if (others.length > 0) throw new Error(`answered with ${others.join()} where ${status} was expected`);
};

/** CPU of the serving thread for each request. */
export const cpuOf = async (child: ChildProcess, loading: () => Promise<Loaded>, status: number): Promise<number> => {
  const from = await answerOf(child, { ask: "cpu" });
  const loaded = await loading();
  assertOnly(loaded, status);
  return ((await answerOf(child, { ask: "cpu" })) - from) / loaded.latenciesMs.length;
};

/** What the server itself adds to every answer. */
export const OWN_HEADERS: ReadonlySet<string> = new Set(["connection", "content-length", "date", "keep-alive"]);

export const at = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
export const shown = (ms: number): string => `${ms.toFixed(2)} ms`;
export const shownUs = (ms: number): string => `${(ms * 1_000).toFixed(1)} µs`;
