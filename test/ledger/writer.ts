// The parent's side of writer-child.ts: starts a writer, hears what it says, and stops, continues or kills it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Subject } from "./subject.ts";
import type { Said } from "./writer-child.ts";

const CHILD = fileURLToPath(new URL("writer-child.ts", import.meta.url));

export type Writer = {
  readonly pid: number;
  /** What it said so far, whole lines only. */
  readonly said: readonly Said[];
  readonly go: () => void;
  readonly signal: (name: "SIGSTOP" | "SIGCONT" | "SIGKILL") => void;
  /** Resolves when it has said so many things, or rejects when it ends before. */
  readonly hasSaid: (count: number) => Promise<void>;
  /** Resolves with the exit code when it is gone and everything it said was heard; null after a kill. */
  readonly gone: Promise<number | null>;
};

export type Work = {
  readonly caller: string;
  readonly linesMax: number;
  readonly records: number;
  /** A shell command that limits what the process may use, such as `ulimit -f 1000`. */
  readonly limit?: string;
};

/** Resolves when the writer has taken the head and waits to go; the signal kills it. */
export const writer = async (
  subject: Pick<Subject, "opener">,
  where: string,
  { caller, limit = ":", linesMax, records }: Work,
  signal: AbortSignal = new AbortController().signal,
): Promise<Writer> => {
  const node = [process.execPath, CHILD, subject.opener, where, caller, String(records), String(linesMax)];
  const child = spawn("sh", ["-c", `${limit} && exec "$0" "$@"`, ...node], { stdio: ["pipe", "pipe", "pipe"] });
  signal.addEventListener("abort", () => child.kill("SIGKILL"));
  // A killed child's pipe breaks; its exit tells the same.
  child.stdin.on("error", (error) => assert.ok("code" in error && error.code === "EPIPE", String(error)));
  const said: Said[] = [];
  const waiting = new Map<number, () => void>();
  let errors = "";
  child.stderr.on("data", (text) => {
    errors += text;
  });
  const gone = once(child, "close").then(([code]): number | null => code);
  const ended = gone.then((code) => Promise.reject(new Error(`writer ${caller} ended (${code}): ${errors}`)));
  ended.catch(() => errors.length); // a writer that is expected to end is heard through `gone`
  await new Promise<void>((ready, fail) => {
    ended.catch(fail);
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line === "ready") ready();
      // The last line of a killed writer may be torn; it was not acknowledged then.
      else if (line.endsWith("}}")) {
        said.push(JSON.parse(line));
        waiting.get(said.length)?.();
      }
    });
  });
  assert.ok(child.pid);
  return {
    go: () => child.stdin.write("go\n"),
    gone,
    hasSaid: (count) =>
      Promise.race([ended, said.length >= count ? undefined : new Promise<void>((heard) => waiting.set(count, heard))]),
    pid: child.pid,
    said,
    signal: (name) => child.kill(name),
  };
};

/** All of them ready; when one fails to start, the others are killed, and why it failed is told. */
export const writersTogether = async (
  subject: Pick<Subject, "opener">,
  where: string,
  works: readonly Work[],
): Promise<readonly Writer[]> => {
  const stop = new AbortController();
  const failures: unknown[] = [];
  const started = await Promise.all(
    works.map((work) =>
      writer(subject, where, work, stop.signal).catch((error: unknown) => {
        failures.push(error);
        stop.abort();
      }),
    ),
  );
  const ready = started.filter((one) => one !== undefined);
  if (failures.length === 0) return ready;
  await Promise.all(ready.map(({ gone }) => gone));
  throw failures[0];
};
