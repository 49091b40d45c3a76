// Replay: the same decisions from records and blobs alone, and the first difference wherever a trail was edited.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ACT_KINDS } from "../../src/kernel/command/record-kinds.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { evolve } from "../../src/kernel/fold-versions.ts";
import { replay } from "../../src/kernel/replay-ledger.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { LedgerRecord } from "../../src/ledger/record/record.ts";
import { foldedAt, LedgerDamage } from "../../src/ledger/verify/damage.ts";
import { isSha256 } from "../../src/spine/values/hash.ts";
import { observe } from "../../src/spine/values/observation.ts";
import { desiredFor, observationOf, state as vmState, wantStopped } from "../spine/world.ts";
import { again, day } from "./day.ts";
import { ramble, TURNS_COUNT } from "./ramble.ts";
import { BOB, codesOf, looked, planned, type Story, story } from "./story.ts";

test("every decision comes out the same from records and blobs alone", async () => {
  const told = day();
  const result = await again(told);
  assert.equal(result.kind, "equal", JSON.stringify(result));
  assert.deepEqual(result.kind === "equal" && result.state, told.state());
});

test("whatever turns a story takes, it replays equal", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: TURNS_COUNT - 1 }), { maxLength: 40 }), async (turns) => {
      const result = await again(ramble(turns));
      assert.equal(result.kind, "equal", JSON.stringify(result).slice(0, 300));
    }),
    { numRuns: 40 },
  );
});

test("what was refused before its value was looked at is refused again without it", async () => {
  const told = story();
  const observation = observationOf([vmState()], { observedAt: told.now() });
  looked(told, observation, { by: BOB });
  looked(told, observation, { environment: "nowhere" });
  const desired = desiredFor([wantStopped("power-off")], "away");
  told.ask(registrationOf(desired), { given: { desired } });
  assert.deepEqual(
    told.records.slice(-3).map(({ body }) => codesOf(body["result"] as Result)),
    [["role-missing"], ["environment-unknown"], ["plan-foreign"]],
  );
  const result = await again(told);
  assert.equal(result.kind, "equal", JSON.stringify(result));
});

test("what was refused because its value was another one is refused again, also when the right one is at hand", async () => {
  const told = story();
  planned(told);
  const right = observationOf([vmState({ status: "stopped" })], { observedAt: told.now() });
  const other = observationOf([vmState()], { observedAt: told.now() });
  const id = looked(told, right);
  const desired = desiredFor([wantStopped("power-off")]);
  const request = { kind: "plan", observation: id, scope: "all" } as const;
  told.ask(request, { given: { observation: right, desired } });
  told.ask(registrationOf(desired, get(told.state().desired, "home")), { given: { desired } });
  told.ask(request, { given: { observation: other, desired } });
  const { digest } = observe(right);
  const seen = { complete: true, gaps: 0, observedAt: told.now(), providerTime: told.now(), vms: 1 };
  told.ask({ kind: "observe", observation: digest, ...seen }, { given: { observation: other } });
  const [foreign, , altered, unseen] = told.records.slice(-4);
  for (const record of [foreign, altered, unseen]) {
    assert.deepEqual(codesOf(record?.body["result"] as Result), ["value-altered"]);
  }
  const result = await again(told);
  assert.equal(result.kind, "equal", JSON.stringify(result));
});

test("a kind that the kernel does not know is passed over and counted", async () => {
  const told = story();
  const [first] = told.records;
  assert.ok(first !== undefined);
  const strange: LedgerRecord = {
    ...first,
    body: { anything: 1 },
    kind: "from-a-later-version",
    seq: told.records.length,
  };
  const result = await again(told, [...told.records, strange]);
  assert.deepEqual(
    { ...result, state: undefined },
    { floor: first.processTime, foreign: 1, kind: "equal", records: told.records.length + 1, state: undefined },
  );
});

type Edit = (record: LedgerRecord) => LedgerRecord;
const edited = async (told: Story, kind: string, nth: number, edit: Edit) => {
  const at = told.records.filter((record) => record.kind === kind)[nth]?.seq ?? assert.fail(`no ${kind} ${nth}`);
  return {
    at,
    result: await again(
      told,
      told.records.map((record) => (record.seq === at ? edit(record) : record)),
    ),
  };
};

test("a trail that says denied, then performed, fails", async () => {
  const told = day();
  const granted = told.records.find(
    ({ body, kind }) => kind === "apply" && JSON.stringify(body).includes('"intended"'),
  );
  assert.ok(granted !== undefined);
  const { at, result } = await edited(told, "apply", 2, (record) => ({
    ...record,
    body: { ...record.body, result: granted.body["result"] ?? null },
  }));
  assert.deepEqual(result, {
    difference: { cause: "result", facts: { found: "intended", made: "refused" } },
    kind: "differs",
    seq: at,
  });
});

test("a denial that was taken out of the trail is missed where it mattered", async () => {
  const told = day();
  const denial = told.records.find(({ kind }) => kind === "deny")?.seq ?? -1;
  const result = await again(
    told,
    told.records.filter(({ seq }) => seq !== denial),
  );
  assert.equal(result.kind, "differs");
});

test("any single field of any record that is changed is found at that record or after it", async () => {
  const told = day();
  const edits: readonly Edit[] = [
    (record) => ({ ...record, actor: { ...record.actor, id: "mallory" } }),
    (record) => ({ ...record, body: { ...record.body, result: { kind: "done", more: 1 } } }),
    (record) => ({ ...record, body: { ...record.body, state: {} } }),
    (record) => ({ ...record, eventTime: "2020-01-01T00:00:00.000Z" as LedgerRecord["eventTime"] }),
    (record) => ({ ...record, processTime: "2020-01-01T00:00:00.000Z" as LedgerRecord["processTime"] }),
    (record) => ({ ...record, blobs: [] }),
  ];
  for (const { seq } of told.records.slice(1)) {
    for (const [which, edit] of edits.entries()) {
      const records = told.records.map((record) => (record.seq === seq ? edit(record) : record));
      const isKernels = told.records[seq]?.actor.kind === "kernel";
      if (which === 0 && isKernels) continue;
      const result = await again(told, records);
      assert.equal(result.kind, "differs", `record ${seq}, edit ${which}`);
    }
  }
});

test("a blob that is missing is named", async () => {
  const told = day();
  const result = await replay([told.records], async () => undefined);
  const { cause, facts } = result.kind === "differs" ? result.difference : assert.fail(result.kind);
  assert.equal(cause, "blob-missing");
  assert.ok("digest" in facts && isSha256(facts.digest));
});

test("whichever value of a request is missing, its record is where replay stops, and the value is named", async () => {
  const told = day();
  const named = [
    ["start", "words"],
    ["register", "desired"],
    ["observe", "observation"],
  ] as const;
  for (const [kind, member] of named) {
    const record = told.records.find((one) => one.kind === kind) ?? assert.fail(`no ${kind}`);
    const digest = (record.body["request"] as Readonly<Record<string, unknown>>)[member];
    const result = await replay([told.records], async (wanted) =>
      wanted === digest ? undefined : told.blobs.get(wanted),
    );
    assert.deepEqual(result, {
      difference: { cause: "blob-missing", facts: { digest } },
      kind: "differs",
      seq: record.seq,
    });
  }
});

/** Bodies that no kernel writes, in records whose chain is whole. */
const GARBLED: readonly LedgerRecord["body"][] = [
  {},
  { door: "local", request: {}, result: {} },
  { door: "local", request: { observation: 7, of: 7, plan: 7, reason: 7, subject: 7 }, result: { kind: "done" } },
  { door: "local", request: null, result: null },
  { door: "nowhere", request: { observation: "x", of: { step: null }, desired: "x" }, result: { kind: "intended" } },
];

test("a body that no kernel writes is a difference, or damage to whoever only folds it, and never a crash", async () => {
  let damaged = 0;
  for (const kind of ACT_KINDS) {
    for (const body of GARBLED) {
      const told = day();
      const last = told.records.at(-1);
      assert.ok(last);
      const { blobs: _, ...rest } = last;
      const garbled: LedgerRecord = { ...rest, body, kind, seq: told.records.length };
      const shown = `${kind} ${JSON.stringify(body)}`;
      const result = await again({ ...told, records: [...told.records, garbled] });
      assert.deepEqual([result.kind, result.kind === "differs" && result.seq], ["differs", garbled.seq], shown);
      try {
        assert.equal(foldedAt(garbled.seq, () => evolve(told.state(), garbled)).size, garbled.seq + 1, shown);
      } catch (error) {
        assert.ok(error instanceof LedgerDamage && error.seq === garbled.seq, shown);
        damaged += 1;
      }
    }
  }
  assert.ok(damaged > ACT_KINDS.length, `${damaged} were damage`);
});

test("a ledger that fails while a blob is read is no difference", async () => {
  const told = day();
  const lost = async (): Promise<string> => {
    throw new LedgerDamage(undefined, { cause: "head-unreadable", facts: {} });
  };
  await assert.rejects(replay([told.records], lost), LedgerDamage);
});
