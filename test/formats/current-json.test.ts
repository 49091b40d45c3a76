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
  assert.deepEqual(gaps, ["a bare list does not say whether it saw everything"]);
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

const UNFIT: readonly (readonly [because: RegExp, more: Readonly<Record<string, unknown>>])[] = [
  [/^colour is not a key of a VM$/, { colour: "red" }],
  [/^vmdi is not a key of a VM; perhaps vmid was meant$/, { vmdi: 1 }],
  [/^__proto__ is not a key/, JSON.parse('{"__proto__": {}}')],
  [/^\["a\\u\{202e\}"\] is not a key/, { "a\u202e": 1 }],
  [/^status: the text "paused" is not running, stopped or unknown$/, { status: "paused" }],
  [/^status: nothing is not/, { status: null }],
  [/^status is missing$/, { status: undefined }],
  [/^name is missing$/, { name: undefined }],
  [/^name: /, { name: " web-01" }],
  [/^name: /, { name: "web-01 " }],
  [/^name: /, { name: "web\u200b-01" }],
  [/^name: /, { name: "x".repeat(256) }],
  [/^name: only an unknown VM/, { name: "" }],
  [/^paused: only a running VM can be paused$/, { paused: true }],
  [/^paused: false is not true/, { paused: false, status: "running" }],
  [/^because: only an unknown VM/, { because: "no answer" }],
  [/^cpus: the number 0 is not/, { cpus: 0 }],
  [/^cpus: the text "2" is not/, { cpus: "2" }],
  [/^maxmem: the number 1.5 is not/, { maxmem: 1.5 }],
  [/^maxmem: /, { maxmem: 2 ** 50 + 1 }],
  [/^kind: nothing is not vm or ct$/, { kind: null }],
  [/^source: /, { source: "" }],
  [/^boot: /, { boot: "x".repeat(1001) }],
  [/^identity: a list is not/, { identity: [] }],
  [/^revision: the number 3 is not/, { revision: 3 }],
  [/^resize: /, { resize: "cold" }],
  [/^tags: /, { tags: "prod" }],
  [/^tags: /, { tags: ["prod "] }],
  [/^pending: /, { pending: {} }],
  [/^pending: /, { pending: { cpus: null } }],
  [/^pending: /, { pending: { memory: 1 } }],
  [/^hindrances: /, { hindrances: [{ actions: ["vm.explode"], because: "locked" }] }],
  [/^hindrances: /, { hindrances: [{ actions: "all" }] }],
  [/^hindrances: /, { hindrances: [{ actions: "some", because: "locked" }] }],
  [/^hindrances: /, { hindrances: [{ actions: "all", because: "locked", since: 1 }] }],
];

for (const [because, more] of UNFIT) {
  test(`an entry with ${JSON.stringify(more)} is unknown, because ${because.source}`, () => {
    const { complete, vms } = read([
      { ...ENTRY, ...more },
      { ...ENTRY, vmid: 102 },
    ]);
    assert.equal(complete, true);
    assert.equal(vms.length, 2);
    const [unfit] = vms;
    assert.equal(unfit?.vmid, 101);
    assert.equal(unfit?.status, "unknown");
    assert.match(unfit?.because?.replace("the entry does not fit: ", "") ?? "", because);
    assert.equal(vms[1]?.status, "stopped");
  });
}

test("what fits of an unfit entry is kept, and nothing else", () => {
  const entry = { cpus: 2, kind: "ct", name: "db-01", source: "live", status: "off", tags: ["prod"], vmid: 7 };
  assert.deepEqual(read([entry]).vms, [
    {
      because: 'the entry does not fit: status: the text "off" is not running, stopped or unknown',
      kind: "ct",
      name: "db-01",
      source: "live",
      status: "unknown",
      vmid: 7,
    },
  ]);
});

test("an entry whose vmid cannot be read leaves a gap, and the look is not complete", () => {
  const entries = [ENTRY, { ...ENTRY, vmid: "102" }, null, 7, [], {}, { ...ENTRY, vmid: 0 }];
  const { complete, gaps, vms } = read({ ...FILE, vms: entries });
  assert.equal(complete, false);
  assert.deepEqual(
    gaps,
    [2, 3, 4, 5, 6, 7].map((entry) => `entry ${entry} has no readable vmid`),
  );
  assert.deepEqual(vms, [STATE]);
});

test("a list of another kind altogether leaves few gaps", () => {
  const { gaps } = read(Array.from({ length: 5000 }, () => "web-01"));
  assert.equal(gaps.length, 21);
  assert.equal(gaps.at(-1), "and 4980 more without a readable vmid");
});

test("an unknown VM without a reason says who calls it unknown", () => {
  assert.equal(read([{ ...ENTRY, status: "unknown" }]).vms[0]?.because, "the observation says unknown");
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
  ...(state.status === "unknown" ? { because: state.because ?? "node pve2 did not answer", name: "" } : {}),
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

const judged = (entry: unknown) => refusalsIn({ observation: read([entry]), wishes: [wantRunning()] });

cannot("N1", "act on an entry it could not read", {
  neighbour: () => judged({ ...ENTRY, cpus: 2 }),
  offence: () => judged({ ...ENTRY, cpus: "2" }),
});

cannot("N1", "take an entry without a vmid for no entry at all", {
  neighbour: () => refusalsIn({ observation: read([ENTRY, { ...ENTRY, vmid: 102 }]), wishes: [wantRunning()] }),
  offence: () => refusalsIn({ observation: read([ENTRY, { ...ENTRY, vmid: "102" }]), wishes: [wantRunning()] }),
});

cannot("P7-F1", "choose between two values of one key", {
  neighbour: () => objections('[{"vmid": 101, "name": "web-01", "status": "stopped"}]'),
  offence: () => objections('[{"vmid": 101, "name": "web-01", "status": "running", "status": "stopped"}]'),
});

cannot("P7-F1", "believe a look that is complete and has gaps", {
  neighbour: () => objections(JSON.stringify({ ...FILE, complete: false, gaps: ["node pve2"] })),
  offence: () => objections(JSON.stringify({ ...FILE, gaps: ["node pve2"] })),
});
