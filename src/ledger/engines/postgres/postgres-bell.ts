// The bell: rings when somebody appended, by LISTEN on a connection of its own.
//
// It rings too when that connection comes or goes, and once in a while without a cause, so that whoever waits for it
// looks again. A standby cannot listen; there the slow clock alone rings.

import type { Client } from "pg";
import { CHANNEL } from "./postgres-append.ts";
import { type Greeting, session } from "./postgres-session.ts";
import { greetServer } from "./postgres-settings.ts";
import type { Target } from "./postgres-target.ts";

export type Bell = {
  /** Resolves at the next ring, or when stopped. */
  readonly rung: (stop: AbortSignal) => Promise<void>;
  readonly close: () => Promise<void>;
};

const CLOCK_MS = 1_000;

export const bell = (target: Target, answerMaxMs: number): Bell => {
  const waiting = new Set<() => void>();
  const ring = (): void => {
    for (const wake of waiting) wake();
  };
  const greet = async (client: Client): Promise<Greeting> => {
    const greeted = await greetServer("read", target.name)(client);
    if (greeted.kind === "fit") await client.query(`LISTEN ${CHANNEL}`);
    client.on("notification", ring);
    client.on("end", ring);
    ring();
    return greeted;
  };
  const line = session(target, greet, answerMaxMs);
  let reaching = false;
  const reach = async (): Promise<void> => {
    if (reaching) return;
    reaching = true;
    await line.reach();
    reaching = false;
  };
  return {
    close: line.close,
    rung: (stop) =>
      new Promise((resolve) => {
        if (stop.aborted) return resolve();
        const wake = (): void => {
          clearTimeout(clock);
          stop.removeEventListener("abort", wake);
          waiting.delete(wake);
          resolve();
        };
        const clock = setTimeout(wake, CLOCK_MS);
        stop.addEventListener("abort", wake);
        waiting.add(wake);
        void reach();
      }),
  };
};
