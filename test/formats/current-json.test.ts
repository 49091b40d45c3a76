// current.json: two forms, files that do not fit, entries that do not fit, and the way back to text.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { currentText, parseCurrent } from "../../src/formats/current-json.ts";
import type { Observation, VmState } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { observation as anyObservation } from "../spine/arbitraries.ts";
import { refusalsIn, wantRunning } from "../spine/world.ts";

const BARE = { complete: true, environment: "home" };
const parse = (value: unknown, options = BARE) => parseCurrent(JSON.stringify(value, null, 1), "current.json", options);
const read = (value: unknown, options = BARE): Observation => {
  const parsed = parse(value, options);
  assert.ok(parsed.kind === "ok", JSON.stringify(parsed));
  return parsed.value;
};
const objections = (text: string) => {
  const parsed = parseCurrent(text, "current.json", BARE);
  return parsed.kind === "ok" ? [] : parsed.problems;
};
const said = (value: unknown): readonly string[] =>
  objections(JSON.stringify(value, null, 1)).map(({ at, code }) => `${at.line}:${at.column} ${at.field} ${code}`);

const ENTRY = { name: "web-01", status: "stopped", vmid: 101 };
const FILE = { complete: true, environment: "home", observedAt: "2026-11-15T10:00:00Z", version: 1, vms: [ENTRY] };
const STATE = { ...ENTRY, kind: "vm", source: "replay" };

test("the object form says what it is of, whatever the caller says of bare lists", () => {
  const { observedAt, ...rest } = read({ ...FILE, complete: false }, { complete: true, environment: "cloud" });
  assert.equal(observedAt, "2026-11-15T10:00:00.000Z");
  assert.deepEqual(rest, { complete: false, environment: "home", gaps: [], version: 1, vms: [STATE] });
});

test("a bare list is of the caller's environment and has no time", () => {
  assert.deepEqual(read([ENTRY]), { complete: true, environment: "home", gaps: [], version: 1, vms: [STATE] });
});

test("a bare list proves no absence unless the caller says so", () => {
  const { complete, gaps } = read([], { complete: false, environment: "home" });
  assert.equal(complete, false);
  assert.deepEqual(gaps, [{ code: "bare-list" }]);
});

test("every problem of a file is listed where it stands", () => {
  const { environment: _, ...rest } = FILE;
  const file = {
    ...rest,
    complete: true,
    gaps: ["node pve2"],
    observedAt: "2026-02-30T10:00:00Z",
    verison: 1,
    version: 2,
  };
  assert.deepEqual(said({ ...file, vms: {} }), [
    "1:1 environment key-missing",
    "3:16 observedAt value-wrong",
    "4:13 version version-unknown",
    "5:9 vms type-wrong",
    "6:10 gaps value-wrong",
    "9:2 verison key-unknown",
  ]);
});

test("a misspelt key is answered with the one that was probably meant", () => {
  const [problem] = objections('{"verison": 1}').filter(({ code }) => code === "key-unknown");
  assert.deepEqual([problem?.cause, problem?.facts["meant"]], ["meant", "version"]);
});

for (const top of [null, true, 1, "home"]) {
  test(`${JSON.stringify(top)} is no observation`, () => assert.deepEqual(said(top), ["1:1  type-wrong"]));
}

/** The code of the doubt, and the key or field that it names. */
const UNFIT: readonly (readonly [doubt: string, more: Readonly<Record<string, unknown>>])[] = [
  ["entry-key-unknown colour", { colour: "red" }],
  ["entry-key-misspelt vmdi", { vmdi: 1 }],
  ["entry-key-unknown __proto__", JSON.parse('{"__proto__": {}}')],
  ['entry-key-unknown ["a\\u{202e}"]', { "a\u202e": 1 }],
  ["entry-not-word status", { status: "paused" }],
  ["entry-not-word status", { status: null }],
  ["entry-key-missing status", { status: undefined }],
  ["entry-key-missing name", { name: undefined }],
  ["entry-not-text name", { name: " web-01" }],
  ["entry-not-text name", { name: "web-01 " }],
  ["entry-not-text name", { name: "web\u200b-01" }],
  ["entry-not-text name", { name: "x".repeat(256) }],
  ["entry-not-text name", { name: "" }],
  ["entry-not-word status", { paused: true }],
  ["entry-not-word paused", { paused: false, status: "running" }],
  ["entry-not-word status", { because: "no answer" }],
  ["entry-malformed because", { because: "", status: "unknown" }],
  ["entry-malformed because", { because: { code: "stated" }, status: "unknown" }],
  ["entry-malformed because", { because: { code: "locked", facts: { lock: "x" } }, status: "unknown" }],
  ["entry-malformed because", { because: { code: "toString" }, status: "unknown" }],
  ["entry-malformed because", { because: { code: "not-at-node" }, status: "unknown" }],
  ["entry-malformed because", { because: { code: "not-at-node", facts: { node: "" } }, status: "unknown" }],
  ["entry-malformed because", { because: { code: "not-told", facts: { node: "a" } }, status: "unknown" }],
  ["entry-malformed because", { because: { code: "not-told", why: "a" }, status: "unknown" }],
  ["entry-malformed because", { because: { code: "not-told", said: 7 }, status: "unknown" }],
  ["entry-not-number cpus", { cpus: 0 }],
  ["entry-not-number cpus", { cpus: "2" }],
  ["entry-not-number maxmem", { maxmem: 1.5 }],
  ["entry-not-number maxmem", { maxmem: 2 ** 50 + 1 }],
  ["entry-not-word kind", { kind: null }],
  ["entry-not-text source", { source: "" }],
  ["entry-not-text boot", { boot: "x".repeat(1001) }],
  ["entry-not-text identity", { identity: [] }],
  ["entry-not-text node", { node: "" }],
  ["entry-not-text node", { node: " pve1" }],
  ["entry-not-text revision", { revision: 3 }],
  ["entry-not-word resize", { resize: "cold" }],
  ["entry-malformed tags", { tags: "prod" }],
  ["entry-malformed tags", { tags: ["prod "] }],
  ["entry-malformed pending", { pending: {} }],
  ["entry-malformed pending", { pending: { cpus: null } }],
  ["entry-malformed pending", { pending: { memory: 1 } }],
  ["entry-malformed blockers", { blockers: [{ actions: ["vm.explode"], because: "locked" }] }],
  ["entry-malformed blockers", { blockers: [{ actions: "all" }] }],
  ["entry-malformed blockers", { blockers: [{ actions: "some", because: "locked" }] }],
  ["entry-malformed blockers", { blockers: [{ actions: "all", because: "locked", since: 1 }] }],
  ["entry-malformed blockers", { blockers: [{ actions: "all", because: "locked", code: "template" }] }],
  ["entry-malformed blockers", { blockers: [{ actions: "all", code: "locked" }] }],
  ["entry-malformed blockers", { blockers: [{ actions: "all", code: "explodes" }] }],
];

for (const [doubt, more] of UNFIT) {
  test(`an entry with ${JSON.stringify(more)} is unknown: ${doubt}`, () => {
    const { complete, vms } = read([
      { ...ENTRY, ...more },
      { ...ENTRY, vmid: 102 },
    ]);
    assert.equal(complete, true);
    assert.equal(vms.length, 2);
    const [unfit] = vms;
    assert.equal(unfit?.vmid, 101);
    assert.equal(unfit?.status, "unknown");
    const { code, facts = {} } = unfit?.because ?? assert.fail("no doubt");
    assert.equal(`${code} ${facts["key"] ?? facts["field"]}`, doubt);
    assert.equal(vms[1]?.status, "stopped");
  });
}

test("what a person wrote in words is stated, and what has a code stays as it is", () => {
  const coded = { actions: ["vm.stop"], code: "locked", facts: { lock: "backup" }, said: "since noon" };
  const { gaps, vms } = read({
    ...FILE,
    complete: false,
    gaps: ["node pve2", { code: "rows-unreadable", facts: { rows: 2 } }],
    vms: [
      { ...ENTRY, because: "the rack is dark", status: "unknown" },
      { ...ENTRY, blockers: [{ actions: "all", because: "hands off" }, coded], vmid: 102 },
    ],
  });
  assert.deepEqual(gaps, [
    { code: "stated", said: "node pve2" },
    { code: "rows-unreadable", facts: { rows: 2 } },
  ]);
  assert.deepEqual(vms[0]?.because, { code: "stated", said: "the rack is dark" });
  assert.deepEqual(vms[1]?.blockers, [{ actions: "all", code: "stated", said: "hands off" }, coded]);
});

test("what fits of an unfit entry is kept, and nothing else", () => {
  const entry = { cpus: 2, kind: "ct", name: "db-01", source: "live", status: "off", tags: ["prod"], vmid: 7 };
  assert.deepEqual(read([entry]).vms, [
    {
      because: {
        code: "entry-not-word",
        facts: { field: "status", found: "off", foundAs: "text", words: ["running", "stopped", "unknown"] },
      },
      kind: "ct",
      name: "db-01",
      source: "live",
      status: "unknown",
      vmid: 7,
    },
  ]);
});

test("an entry whose vmid cannot be read leaves a gap, and the observation is not complete", () => {
  const entries = [ENTRY, { ...ENTRY, vmid: "102" }, null, 7, [], {}, { ...ENTRY, vmid: 0 }];
  const { complete, gaps, vms } = read({ ...FILE, vms: entries });
  assert.equal(complete, false);
  assert.deepEqual(
    gaps,
    [2, 3, 4, 5, 6, 7].map((entry) => ({ code: "entry-unreadable", facts: { entry } })),
  );
  assert.deepEqual(vms, [STATE]);
});

test("a list of another kind altogether leaves few gaps", () => {
  const { gaps } = read(Array.from({ length: 5000 }, () => "web-01"));
  assert.equal(gaps.length, 21);
  assert.deepEqual(gaps.at(-1), { code: "entries-unreadable", facts: { more: 4980 } });
});

test("an unknown VM without a reason says who calls it unknown", () => {
  assert.deepEqual(read([{ ...ENTRY, status: "unknown" }]).vms[0]?.because, { code: "not-told" });
});

test("a size of null was not seen", () => {
  for (const unseen of [{ cpus: null, maxmem: null }, { cpus: null }, { maxmem: null }]) {
    assert.deepEqual(read([{ ...ENTRY, ...unseen }]).vms, [STATE]);
    assert.deepEqual(read([{ ...STATE, ...unseen }]).vms, [STATE]);
  }
});

test("entries keep their order, and doubled vmids stay for the spine to judge", () => {
  const { vms } = read([3, 1, 3, 2].map((vmid) => ({ ...ENTRY, vmid })));
  assert.deepEqual(
    vms.map(({ vmid }) => vmid),
    [3, 1, 3, 2],
  );
});

/** An observation as current.json can hold it: an unknown VM has its reason, what is pending has a size. */
const told = ({ pending, ...state }: VmState): VmState => ({
  ...state,
  ...(pending === undefined || Object.keys(pending).length === 0 ? {} : { pending }),
  ...(state.status === "unknown" ? { because: state.because ?? { code: "not-told" }, name: "" } : {}),
});
const tellable = anyObservation.map((observation) => ({
  ...observation,
  gaps: observation.complete ? [] : observation.gaps,
  vms: observation.vms.map(told),
}));

test("an observation written as text is read as the same observation", () => {
  fc.assert(
    fc.property(tellable, (observation) => {
      const parsed = parseCurrent(currentText(observation), "current.json", { complete: false, environment: "cloud" });
      assert.deepEqual(parsed, { kind: "ok", value: structuredClone(observation) });
    }),
    { numRuns: 300 },
  );
});

test("what was read once is read the same again, doubts and gaps included", () => {
  const entries = [...UNFIT.map(([, more], at) => ({ ...ENTRY, ...more, vmid: at + 1 })), null, { name: "x" }];
  const once = read({ ...FILE, complete: false, gaps: ["node pve2"], vms: entries });
  assert.deepEqual(parseCurrent(currentText(once), "current.json", BARE), { kind: "ok", value: once });
});

const judged = (entry: unknown) => refusalsIn({ observation: read([entry]), entries: [wantRunning()] });

cannot("N1", "act on an entry it could not read", {
  neighbour: () => judged({ ...ENTRY, cpus: 2 }),
  offence: () => judged({ ...ENTRY, cpus: "2" }),
});

cannot("N1", "take an entry without a vmid for no entry at all", {
  neighbour: () => refusalsIn({ observation: read([ENTRY, { ...ENTRY, vmid: 102 }]), entries: [wantRunning()] }),
  offence: () => refusalsIn({ observation: read([ENTRY, { ...ENTRY, vmid: "102" }]), entries: [wantRunning()] }),
});

cannot("P7-F1", "choose between two values of one key", {
  neighbour: () => objections('[{"vmid": 101, "name": "web-01", "status": "stopped"}]'),
  offence: () => objections('[{"vmid": 101, "name": "web-01", "status": "running", "status": "stopped"}]'),
});

cannot("P7-F1", "believe an observation that is complete and has gaps", {
  neighbour: () => objections(JSON.stringify({ ...FILE, complete: false, gaps: ["node pve2"] })),
  offence: () => objections(JSON.stringify({ ...FILE, gaps: ["node pve2"] })),
});
