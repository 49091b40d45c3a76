// The engine port of one process on the ledger of the simulation: a commit is sent, arrives or not, and is answered or
// not, each by a choice of the scheduler. Reading is done at once and answered later, so that it may be old when it
// comes; lines never change, so that reading them again needs no choice.

import type { Appended, Engine } from "../../src/ledger/engine.ts";
import { keyName, type SimLedger } from "./ledger.ts";
import type { Cargo, Traffic } from "./traffic.ts";

export type EngineGround = {
  readonly ledger: SimLedger;
  /** How much of the ledger the process has folded. */
  readonly known: () => number;
  readonly nowMs: () => number;
  readonly traffic: Traffic;
  readonly onAppended: (result: Appended, isHeard: boolean) => void;
};

const unknown = (reading: "final" | "open"): Appended => ({
  failure: { cause: "connection-lost", facts: { name: "simulated" } },
  kind: "unknown",
  reading,
});

export const simEngine = ({ known, ledger, nowMs, onAppended, traffic }: EngineGround): Engine => {
  /** The commit that did not simply go in: whoever sent it reads the ledger next, because of that. */
  let doubt: Cargo | undefined;
  const append: Engine["append"] = (commit, { size }) =>
    new Promise((settle) => {
      const resolve = (result: Appended): void => {
        const text = `${result.kind} ${result.kind === "unknown" ? result.reading : ""}`;
        doubt = result.kind === "ok" ? undefined : { commit: { lines: commit.lines, size }, isHeard: true, text };
        settle(result);
      };
      let isHeard = true;
      const giveUp = (result: Appended): void => {
        isHeard = false;
        onAppended(result, true);
        resolve(result);
      };
      const arrive = (): Appended => {
        off();
        const result = ledger.land(commit, size, nowMs());
        onAppended(result, isHeard);
        return result;
      };
      const off = traffic.put({
        carries: () => ({ commit: { lines: commit.lines, size }, isHeard, text: "" }),
        go: () => {
          const result = arrive();
          const lost = { "lost-reply": () => unknown("open") };
          if (isHeard) void traffic.answer("append", result, lost).then(resolve);
        },
        way: "out",
        what: "append",
        wrong: {
          "lost-reply": () => {
            arrive();
            if (isHeard) giveUp(unknown("open"));
          },
          /** The caller hears nothing; the commit may still arrive. */
          "lost-sight": () => {
            if (isHeard) giveUp(unknown("open"));
          },
          /** The caller hears nothing, and the engine has made sure that it never arrives. */
          "lost-request": () => {
            off();
            if (isHeard) giveUp(unknown("final"));
          },
          "no-write": () => {
            off();
            if (isHeard) giveUp({ failure: { cause: "lock-held", facts: { name: "simulated" } }, kind: "read-only" });
          },
        },
      });
    });
  return {
    append,
    blob: async (digest) => ledger.blobs.get(digest),
    close: async () => traffic.cut(),
    // biome-ignore lint/correctness/useYield: nobody follows in a simulation, and the port has it.
    async *follow() {
      throw new Error("nobody follows here");
    },
    head: () => {
      const because = { ...(doubt ?? { isHeard: true, text: "" }), from: known() };
      doubt = undefined;
      return traffic.read("head", () => ledger.head(), { "no-read": () => new Error("the connection broke") }, because);
    },
    async *keys() {
      yield* ledger.keys.values();
    },
    isInPlace: () => true,
    readOnly: () => undefined,
    lookup: async (caller, key) => ledger.keys.get(keyName(caller, key)),
    name: "simulation",
    async *pages(from, to) {
      yield ledger.lines.slice(from, to);
    },
    async *read(from, to) {
      yield* ledger.lines.slice(from, to);
    },
    unlock: async () => undefined,
  };
};
