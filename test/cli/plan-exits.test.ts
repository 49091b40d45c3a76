// What plan and audit exit with, and what the verdict says: 3 only where something was refused, and a VM that a
// complete observation did not see is said by the verdict, whatever else there is to do.

import assert from "node:assert/strict";
import { test } from "node:test";
import { atDesk, current, DESIRED, vm } from "./desk.ts";

type Case = {
  readonly what: string;
  readonly seen: readonly object[];
  readonly complete?: false;
  readonly desired?: string;
  readonly exit: number;
  readonly counts: {
    readonly awaitingRestart: number;
    readonly differ: number;
    readonly inSync: number;
    readonly missing: number;
    readonly refused: number;
  };
  /** How the verdict begins, and whether it speaks of what is missing. */
  readonly verdict: readonly [kind: string, saysMissing: boolean];
};

const web01 = (status: string, more: object = {}): object => vm(101, "web-01", status, more);
const web02 = (status: string): object => vm(102, "web-02", status);
const LOCKED = { blockers: [{ actions: "all", code: "locked", facts: { lock: "backup" } }] };

const SIZED = DESIRED.replace("name: web-01", "name: web-01, cpus: 4");
const PENDING = { cpus: 2, pending: { cpus: 4 } };

const CASES: readonly Case[] = [
  {
    counts: { awaitingRestart: 0, differ: 0, inSync: 2, missing: 0, refused: 0 },
    exit: 0,
    seen: [web01("running"), web02("running")],
    verdict: ["clear", false],
    what: "everything in sync",
  },
  {
    counts: { awaitingRestart: 0, differ: 1, inSync: 1, missing: 0, refused: 0 },
    exit: 4,
    seen: [web01("stopped"), web02("running")],
    verdict: ["clear", false],
    what: "a step",
  },
  {
    counts: { awaitingRestart: 0, differ: 1, inSync: 0, missing: 1, refused: 1 },
    exit: 4,
    seen: [web01("stopped")],
    verdict: ["clear", true],
    what: "a step, and a VM that is missing",
  },
  {
    counts: { awaitingRestart: 0, differ: 0, inSync: 1, missing: 1, refused: 1 },
    exit: 3,
    seen: [web01("running")],
    verdict: ["refused", true],
    what: "nothing to do, and a VM that is missing",
  },
  {
    counts: { awaitingRestart: 0, differ: 0, inSync: 1, missing: 0, refused: 1 },
    exit: 3,
    seen: [web01("stopped", LOCKED), web02("running")],
    verdict: ["refused", false],
    what: "nothing that can be done, and a VM that the provider keeps",
  },
  {
    counts: { awaitingRestart: 1, differ: 0, inSync: 1, missing: 0, refused: 0 },
    desired: SIZED,
    exit: 4,
    seen: [web01("running", PENDING), web02("running")],
    verdict: ["clear", false],
    what: "a VM that waits for a restart",
  },
  {
    counts: { awaitingRestart: 1, differ: 0, inSync: 0, missing: 1, refused: 1 },
    desired: SIZED,
    exit: 3,
    seen: [web01("running", PENDING)],
    verdict: ["refused", true],
    what: "a VM that waits for a restart, and one that is missing",
  },
  {
    complete: false,
    counts: { awaitingRestart: 0, differ: 1, inSync: 0, missing: 0, refused: 1 },
    exit: 3,
    seen: [web01("stopped")],
    verdict: ["refused", false],
    what: "a VM that was not seen by an observation that is not complete: unknown, not missing",
  },
];

const FILES = ["--desired", "desired.yaml", "--replay", "current.json"] as const;

for (const { complete = true, counts, desired = DESIRED, exit, seen, verdict, what } of CASES) {
  test(`${what}: exit ${exit}`, () =>
    atDesk({ "current.json": current(seen, { complete }), "desired.yaml": desired }, async (dedalus) => {
      for (const command of ["plan", "audit"]) {
        const { code, out } = await dedalus(command, ...FILES, "--json");
        assert.deepEqual([code, JSON.parse(out).counts], [exit, counts], command);
      }
      const line = /^verdict (.*)$/m.exec((await dedalus("plan", ...FILES)).out)?.[1] ?? "";
      assert.deepEqual([/^[a-z-]+/.exec(line)?.[0], line.includes("missing")], verdict, line);
    }));
}
