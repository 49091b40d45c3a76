// What an engine hands to the conformance suite, and how a test gets a ledger from it.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Engine, Opened } from "../../src/ledger/engine.ts";

export type Subject = {
  /** Begins the titles and the engine's own name: "sqlite", "postgres". */
  readonly name: string;
  /** Opens the ledger at a place for writing. */
  readonly open: (where: string) => Promise<Opened>;
  /** The URL of a module that exports this very `open`, so that child processes open the same ledger. */
  readonly opener: string;
  /** An empty ledger for one test: its place, a path or a URL, and how to remove it. */
  readonly fresh: () => Promise<{ readonly where: string; readonly remove: () => Promise<void> }>;
};

export const opened = async (subject: Pick<Subject, "open">, where: string): Promise<Engine> => {
  const result = await subject.open(where);
  assert.ok(result.kind === "open", JSON.stringify(result));
  return result.engine;
};

/** An empty ledger on which a test opens as many engines as it likes; all are taken away after the test. */
export const desk = async (
  t: TestContext,
  subject: Subject,
): Promise<{ readonly where: string; readonly engine: () => Promise<Engine> }> => {
  const { remove, where } = await subject.fresh();
  const engines: Engine[] = [];
  t.after(async () => {
    for (const engine of engines) await engine.close();
    await remove();
  });
  return {
    engine: async () => {
      const engine = await opened(subject, where);
      engines.push(engine);
      return engine;
    },
    where,
  };
};
