// Exit codes separate executed from not executed: every fault at every moment of an apply, and the code it ends with.
//
// After a call has left there are two codes, 0 when every step that was asked for succeeded and 5 otherwise. 3 and 130
// say that nothing was executed, and the world says whether that is true.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { ProcessIo } from "../../src/cli/run.ts";
import { applyWords, atCluster, type ClusterOptions, codesIn, planned, WANTED } from "./cluster.ts";
import { type Running, started } from "./process.ts";

type Fault = {
  readonly what: string;
  readonly exit: number;
  /** Done while the call is on its way. */
  readonly during?: (folder: string, running: Running) => void;
  readonly to?: string;
  readonly argv?: readonly string[];
  readonly says?: RegExp;
};

const ANCHOR = "anchor/checkpoints.txt";

/** One step that succeeds, in a process of its own, with something that goes wrong while its call is on its way. */
const FAULTS: readonly Fault[] = [
  { exit: 0, what: "nothing" },
  { during: (_, { leave }) => leave("stdout"), exit: 0, what: "the reader of stdout leaves" },
  { during: (_, { leave }) => leave("stderr"), exit: 0, what: "the reader of stderr leaves" },
  {
    exit: 0,
    says: /standard output could not be written: ENOSPC/,
    to: "/dev/full",
    what: "the disk under stdout is full",
  },
  {
    argv: ["--out", "result.json"],
    during: (folder) => mkdirSync(join(folder, "result.json.part")),
    exit: 0,
    says: /file-unwritable/,
    what: "the file of --out cannot be written",
  },
  {
    during: (folder) => {
      renameSync(join(folder, ANCHOR), join(folder, `${ANCHOR}.kept`));
      mkdirSync(join(folder, ANCHOR));
    },
    exit: 0,
    says: /file-unwritable/,
    what: "the anchor is lost",
  },
  {
    during: (folder) => renameSync(join(folder, "ledger/dedalus.db"), join(folder, "ledger/gone.db")),
    exit: 5,
    says: /could not be recorded/,
    what: "the ledger is lost",
  },
  {
    during: (_, { kill }) => kill("SIGINT"),
    exit: 0,
    says: /is under way; waiting for its outcome/,
    what: "somebody presses Ctrl-C",
  },
  {
    during: (_, { kill }) => kill("SIGTERM"),
    exit: 0,
    says: /is under way; waiting for its outcome/,
    what: "it is told to end",
  },
  {
    during: (_, { kill }) => kill("SIGHUP"),
    exit: 0,
    says: /is under way; waiting for its outcome/,
    what: "the terminal goes away",
  },
];

suite("after the call has left", () => {
  for (const { argv = [], during, exit, says, to, what } of FAULTS) {
    test(`${what}: exit ${exit}`, async () => {
      let onCall = (): void => undefined;
      await atCluster(
        async (cluster) => {
          const { id } = await planned(cluster, "vm.start", 101);
          const running = started(cluster.folder, [...(await applyWords(cluster, id)), ...argv], to);
          onCall = () => during?.(cluster.folder, running);
          const { code, err, out } = await running.gone;
          assert.equal(code, exit, `${out}${err}`);
          assert.deepEqual(cluster.mutations(), ["POST /api2/json/nodes/pve1/qemu/101/status/start"]);
          if (says !== undefined) assert.match(`${out}${err}`, says);
          assert.doesNotMatch(err, /\n {4}at |internal error/);
        },
        { onRequest: ({ method }) => (method === "POST" ? onCall() : undefined) },
      );
    });
  }
});

test("who asks twice for an end while a call is on its way gets it, with 5 and never with 130", async () => {
  let onCall = (): void => undefined;
  const startMs = Date.now();
  await atCluster(
    async (cluster) => {
      const { id } = await planned(cluster, "vm.start", 101);
      const running = started(cluster.folder, await applyWords(cluster, id));
      onCall = () => {
        running.kill("SIGINT");
        void pause(300).then(() => running.kill("SIGINT"));
      };
      const { code, err } = await running.gone;
      assert.equal(code, 5, err);
      assert.match(err, /left step 1 .VM 101. under way[\s\S]*dedalus reconcile --env home --vm 101/);
    },
    // A task that goes on while the world's clock follows a clock that stands still.
    {
      clock: { kind: "follows", nowMs: () => startMs },
      onRequest: ({ method }) => (method === "POST" ? onCall() : undefined),
    },
  );
});

const TWO = WANTED.replace("name: batch-01, target: running", "name: batch-01, target: stopped, stop: shutdown");

type Walk = {
  readonly what: string;
  readonly exit: number;
  readonly calls: number;
  readonly io: (state: { calls: () => number }) => Partial<ProcessIo>;
};

const aborted = (): AbortSignal => AbortSignal.abort();

/** Two steps, walked by a person at a terminal. */
const WALKS: readonly Walk[] = [
  { calls: 2, exit: 0, io: () => ({ ask: async () => "yes" }), what: "yes to both" },
  { calls: 0, exit: 3, io: () => ({ ask: async () => "no" }), what: "no to the first" },
  {
    calls: 1,
    exit: 5,
    io: ({ calls }) => ({ ask: async () => (calls() === 0 ? "yes" : "no") }),
    what: "no to the second",
  },
  {
    calls: 1,
    exit: 5,
    io: ({ calls }) => ({ ask: async () => (calls() === 0 ? "yes" : undefined) }),
    what: "nobody is there for the second",
  },
  {
    calls: 0,
    exit: 130,
    io: () => ({ ask: async () => "yes", interrupted: aborted }),
    what: "Ctrl-C before the first",
  },
  {
    calls: 0,
    exit: 130,
    io: () => {
      const stop = new AbortController();
      const ask = async (): Promise<undefined> => {
        stop.abort();
        return undefined;
      };
      return { ask, interrupted: () => stop.signal };
    },
    what: "Ctrl-C at the first question",
  },
  {
    calls: 1,
    exit: 5,
    io: ({ calls }) => {
      const stop = new AbortController();
      const ask = async (): Promise<string> => {
        if (calls() > 0) stop.abort();
        return "yes";
      };
      return { ask, interrupted: () => stop.signal };
    },
    what: "Ctrl-C at the second question",
  },
  {
    calls: 1,
    exit: 5,
    io: ({ calls }) => {
      let thrown = 0;
      const err = (): void => {
        thrown += calls() > 0 ? 1 : 0;
        if (thrown === 1) throw new Error("nobody expected this");
      };
      return { ask: async () => "yes", err, isErrTerminal: true };
    },
    what: "a throw that nobody expected, after the first call",
  },
  {
    calls: 0,
    exit: 1,
    io: () => ({ ask: () => Promise.reject(new Error("nobody expected this")) }),
    what: "a throw that nobody expected, before any call",
  },
];

suite("a walk over two steps", () => {
  for (const { calls, exit, io, what } of WALKS) {
    test(`${what}: exit ${exit}`, async () => {
      const state = { calls: () => 0 };
      const options: ClusterOptions = { io: io({ calls: () => state.calls() }), wanted: TWO };
      await atCluster(async (cluster) => {
        state.calls = () => cluster.mutations().length;
        const plan = await cluster.value<{ readonly id: string }>("plan", "--env", "home");
        const { code, err, out } = await cluster.dedalus("apply", plan.id, "--json");
        assert.equal(code, exit, `${out}${err}`);
        assert.equal(state.calls(), calls);
        if (what.startsWith("a throw")) assert.equal(JSON.parse(out).error.outcome, "unknown");
        else if (calls > 0) assert.equal(JSON.parse(out).applied.length, calls);
      }, options);
    });
  }
});

test("a step that is refused by the kernel ends with 3, and nothing was executed", async () => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.start", 101);
    const { code, out } = await cluster.dedalus("apply", id, "--step", "1", "--confirm", "0".repeat(64), "--json");
    assert.equal(code, 3, out);
    assert.ok(codesIn(JSON.parse(out)).length > 0);
    assert.deepEqual(cluster.mutations(), []);
    assert.ok(existsSync(join(cluster.folder, ANCHOR)));
  });
});
