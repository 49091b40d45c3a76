// The journal accounts for the world: in any history of calls, faults and strangers, the deeds alone say who runs.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { providerOf } from "../../src/simulator/ports/provider.ts";
import type { Change } from "../../src/simulator/world/faults.ts";
import { fileDigest } from "../../src/simulator/world/guest-file.ts";
import type { Effect, JournalEntry } from "../../src/simulator/world/journal.ts";
import type { World } from "../../src/simulator/world/world.ts";
import type { Work } from "../../src/simulator/world/world-calls.ts";
import { callOf, lab, vmid } from "./lab.ts";

const IDS = [101, 102, 103, 104];
const id = fc.constantFrom(...IDS);

const work: fc.Arbitrary<Work> = fc.oneof(
  fc.constantFrom<Work>(
    { verb: "start" },
    { verb: "stop" },
    { verb: "shutdown" },
    { isForced: true, timeoutMs: 5000, verb: "shutdown" },
    { verb: "reboot" },
    { verb: "reset" },
    { verb: "suspend" },
    { isToDisk: true, verb: "suspend" },
    { verb: "resume" },
    { verb: "destroy" },
    { snapshot: "s1", verb: "snapshot" },
    { snapshot: "s1", thenStart: true, verb: "rollback" },
    { snapshot: "s1", verb: "delete-snapshot" },
    { isOnline: true, target: "pve2", verb: "migrate" },
    { newid: vmid(104), verb: "clone" },
  ),
  fc.constantFrom<Work>(
    { edits: { cores: "4", name: "b" }, inTask: true, verb: "configure" },
    { edits: { cores: undefined, memory: "1024" }, inTask: false, verb: "configure" },
  ),
);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("starts", "stops", "disappears", "replaced", "monitor-hangs", "monitor-answers"),
    vmid: id,
  }),
  fc.record({
    kind: fc.constantFrom("node-dies", "node-returns", "node-cut", "reports-stop"),
    node: fc.constantFrom("pve1", "pve2"),
  }),
  fc.constantFrom<Change>({ kind: "quorum-lost" }, { kind: "quorum-returns" }),
);
const event = fc.oneof(
  { arbitrary: fc.record({ id, kind: fc.constant("call"), work }), weight: 5 },
  { arbitrary: fc.record({ change, kind: fc.constant("change") }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant("pass"), ms: fc.integer({ max: 90_000, min: 1 }) }), weight: 4 },
);

const RUNS: Readonly<Partial<Record<Effect, boolean>>> = {
  destroyed: false,
  hibernated: false,
  launched: true,
  "powered-off": false,
  "rollback-begun": false,
};

/** Which machines run, from the deeds alone. */
const runningBy = (journal: readonly JournalEntry[], first: ReadonlySet<number>): ReadonlySet<number> => {
  const running = new Set(first);
  for (const entry of journal) {
    const runs = entry.kind === "deed" ? RUNS[entry.effect] : undefined;
    if (entry.kind !== "deed" || runs === undefined) continue;
    if (runs) running.add(entry.serial);
    else running.delete(entry.serial);
  }
  return running;
};

const runningIn = (world: World): ReadonlySet<number> =>
  new Set(
    Array.from(world.guests.values())
      .filter(({ run }) => run.kind === "running")
      .map(({ serial }) => serial),
  );

const assertSound = (world: World, before: World): void => {
  assert.ok(world.nowMs >= before.nowMs, "time never goes back");
  for (const upid of world.open) assert.notEqual(world.tasks.get(upid)?.state.kind, "ended");
  for (const task of world.tasks.values()) {
    assert.equal(task.state.kind !== "ended", world.open.includes(task.upid), "an open task is one that has not ended");
  }
  const ends = world.journal.filter(({ kind }) => kind === "end").length;
  assert.equal(ends, world.tasks.size - world.open.length, "every end is in the journal, once");
  for (const guest of world.guests.values()) assert.match(fileDigest(guest.file), /^[0-9a-f]{40}$/);
};

test("in any history the deeds say who runs, every task ends once, and the same history repeats", () => {
  const history = fc.array(event, { maxLength: 40, minLength: 5 });
  const weather = { "half-done": 60, late: 60, lies: 60, "lost-reply": 60, slow: 60, "verdict-lost": 60 };
  const reached = new Set<string>();
  fc.assert(
    fc.property(fc.nat(1_000_000), history, (seed, events) => {
      const first = lab(
        [{ state: "running", vmid: 101 }, { vmid: 102 }, { kind: "ct", node: "pve2", state: "running", vmid: 103 }],
        { seed, weather },
      );
      const play = (): World => {
        const provider = providerOf(first);
        for (const given of events) {
          const before = provider.world();
          if (given.kind === "call" && "work" in given) provider.call(callOf(before, given.id, given.work));
          else if ("change" in given) provider.change(given.change);
          else if ("ms" in given) provider.advance(before.nowMs + given.ms);
          assertSound(provider.world(), before);
        }
        return provider.world();
      };
      const world = play();
      assert.deepEqual(runningIn(world), runningBy(world.journal, runningIn(first)));
      assert.deepEqual(play(), world);
      for (const entry of world.journal) if (entry.kind === "deed") reached.add(entry.effect);
    }),
    { numRuns: 300, seed: 11 },
  );
  assert.ok(reached.size >= 14, `only ${[...reached].join(", ")} happened`);
});
