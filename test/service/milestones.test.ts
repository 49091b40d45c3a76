// Milestones: the state after any record is the same with them as without, and begins at the last one before it;
// whatever is not exactly right about one is not begun from, and made anew.

import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ulids } from "../../src/ids.ts";
import { evolve } from "../../src/kernel/fold-versions.ts";
import { INITIAL, type State } from "../../src/kernel/state/state.ts";
import { REPLAYED_STATE_CODEC, STATE_CODEC } from "../../src/kernel/state/state-json.ts";
import type { Engine } from "../../src/ledger/engine.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { keyUseOf } from "../../src/ledger/record/asked.ts";
import { seal } from "../../src/ledger/record/seal.ts";
import { type Signer, signerOf } from "../../src/ledger/tree/signer.ts";
import { milestoneBefore, milestonePath, milestonesAt } from "../../src/ledger/write/milestones.ts";
import { type Codec, type SavedState, writeSavedState } from "../../src/ledger/write/saved-state.ts";
import type { ServiceAnswer } from "../../src/service/answer.ts";
import { indexLedger } from "../../src/service/apart/fill-terms.ts";
import { milestonesOf } from "../../src/service/apart/make-milestones.ts";
import { indexPath } from "../../src/service/hold/held-terms.ts";
import { openDesk, readSigner } from "../../src/service/hold/open-ledger.ts";
import { stateAfter } from "../../src/service/read/replay-records.ts";
import type { StateShown } from "../../src/service/read/status.ts";
import type { ServiceNote } from "../../src/spine/words/remarks/note-words.ts";
import { servicePorts } from "../../src/wire.ts";
import { until } from "./bound.ts";
import { OPERATOR, ok, readyToApply, type Serving, serving } from "./serving.ts";

const EVERY = 20;
const SIZE = 67;

const savedStateOf = ({ folder }: Serving): string => join(folder, "ledger/dedalus.db-saved-state");

const signerAt = ({ configuration }: Serving): Signer => {
  const signer = readSigner(configuration);
  return "vkey" in signer ? signer : assert.fail(signer.code);
};

/** Freezes and remarks behind a plan, up to so many records: the state is another after nearly each of them. */
const grownTo = async (at: Serving, size: number): Promise<void> => {
  const service = at.open("one-request");
  if ((await at.records()).length < 10) await readyToApply(service);
  const { head } = ok(await service.status(OPERATOR, {}));
  for (let next = head.size; next < size; ) {
    const acts = [
      () => service.freeze(OPERATOR, { reason: `frozen by record ${next}` }),
      () => service.annotate(OPERATOR, { text: `record ${next}` }),
      () => service.unfreeze(OPERATOR, { reason: `not by record ${next}` }),
    ];
    const answer: ServiceAnswer<unknown> = (await acts[next % 3]?.()) ?? assert.fail("one of three");
    // What is refused, as where nothing is frozen, is recorded too.
    next = answer.kind === "ok" ? answer.head.size : ok(await service.status(OPERATOR, {})).head.size;
  }
  await service.close();
};

const withEngine = async <T>({ folder }: Serving, work: (engine: Engine) => Promise<T>): Promise<T> => {
  const opened = await openSqlite(join(folder, "ledger/dedalus.db"), { mode: "read" });
  assert.ok(opened.kind === "open");
  try {
    return await work(opened.engine);
  } finally {
    await opened.engine.close();
  }
};

const make = (at: Serving, every = EVERY): Promise<readonly ServiceNote[]> =>
  withEngine(at, async (engine) => {
    const notes: ServiceNote[] = [];
    const note = (one: ServiceNote): void => void notes.push(one);
    const savedState = savedStateOf(at);
    await milestonesOf({ engine, every, note, savedState, signer: signerAt(at) }).make();
    return notes;
  });

type Read = { readonly from: number; readonly shown: StateShown };

/** The state after a record, and the record that it was replayed from. */
const readAfter = async (at: Serving, seq: number): Promise<Read> => {
  const ports = {
    ...servicePorts(),
    configured: () => assert.fail("nothing is configured anew"),
    hears: { note: () => undefined, recovered: () => undefined },
    version: "",
  };
  const opened = await openDesk({ configuration: at.configuration, mode: "read", ports });
  assert.ok(opened.kind === "open", JSON.stringify(opened));
  const { desk, ledger } = opened;
  const froms: number[] = [];
  const pages: Engine["pages"] = (from, to) => {
    froms.push(from);
    return ledger.engine.pages(from, to);
  };
  try {
    const shown = await stateAfter(
      { desk, ledger: { ...ledger, engine: { ...ledger.engine, pages } } },
      { at: seq },
      () => undefined,
    );
    assert.ok(!("refusals" in shown), JSON.stringify(shown));
    return { from: froms[0] ?? assert.fail("pages were asked for"), shown };
  } finally {
    await ledger.engine.close();
  }
};

const foldedTo = async (at: Serving, size: number): Promise<State> =>
  (await at.records()).slice(0, size).reduce(evolve, INITIAL);

/** A ledger with milestones after 20, 40 and 60 of its 67 records, and what was shown before there were any. */
let shared: { readonly at: Serving; readonly whole: readonly StateShown[] } | undefined;
const endings: (() => Promise<void>)[] = [];
before(async () => {
  const at = await serving({ after: (work) => void endings.push(work) });
  await grownTo(at, SIZE);
  const whole: StateShown[] = [];
  for (let seq = 0; seq < SIZE; seq += 1) {
    const { from, shown } = await readAfter(at, seq);
    assert.equal(from, 0);
    whole.push(shown);
  }
  assert.deepEqual(await make(at), []);
  assert.deepEqual(milestonesAt(savedStateOf(at)), [20, 40, 60]);
  shared = { at, whole };
});
after(async () => {
  for (const end of endings.toReversed()) await end();
});
const withMilestones = () => shared ?? assert.fail("it was made before");

test("the state after every record is that of a whole replay, and is replayed from the last milestone before it", async () => {
  const { at, whole } = withMilestones();
  for (let seq = 0; seq < SIZE; seq += 1) {
    const { from, shown } = await readAfter(at, seq);
    assert.deepEqual(shown, whole[seq], `after record ${seq}`);
    assert.equal(from, Math.floor((seq + 1) / EVERY) * EVERY, `after record ${seq}`);
  }
  assert.notDeepEqual(whole[19], whole[20], "what is compared differs from record to record");
  const service = at.open();
  assert.deepEqual(ok(await service.stateAfter(OPERATOR, { at: 41 })).value, whole[41], "in a thread too");
});

test("a milestone holds the whole state, the head, the tree and the floor of its record", async () => {
  const { at } = withMilestones();
  const records = await at.records();
  await withEngine(at, async (engine) => {
    const location = { engine, savedState: savedStateOf(at), vkey: signerAt(at).vkey };
    for (const size of [20, 40, 60]) {
      const found = (await milestoneBefore(location, REPLAYED_STATE_CODEC, size)) ?? assert.fail(`${size}`);
      assert.deepEqual(STATE_CODEC.toJson(found.state), STATE_CODEC.toJson(await foldedTo(at, size)));
      assert.equal(found.hash, records[size]?.prev);
      assert.equal(found.tree.size, size);
      assert.equal(found.floor, records[size - 1]?.processTime);
    }
  });
});

/** The milestone after 40 records, with a freeze that no record has; signed by somebody, as something. */
const forged = async (
  at: Serving,
  {
    codec = REPLAYED_STATE_CODEC,
    signer = signerAt(at),
    ...other
  }: Partial<Pick<SavedState<State>, "hash">> & { readonly codec?: Codec<State>; readonly signer?: Signer },
): Promise<void> => {
  const { vkey } = signerAt(at);
  const found = await withEngine(at, (engine) =>
    milestoneBefore({ engine, savedState: savedStateOf(at), vkey }, REPLAYED_STATE_CODEC, 40),
  );
  assert.ok(found !== undefined);
  const state = await foldedTo(at, 32);
  await writeSavedState(milestonePath(savedStateOf(at), 40), signer, codec, {
    ...found,
    ...other,
    state: { ...state, size: 40 },
  });
};

const foreignKey = (): Signer => {
  const { privateKey: secretKey, publicKey } = generateKeyPairSync("ed25519");
  return signerOf({ publicKey, secretKey });
};

const fileOf = (at: Serving, size = 40): string => milestonePath(savedStateOf(at), size);

type Unfit = readonly [what: string, cause: string, spoil: (at: Serving) => Promise<void>];
const UNFIT: readonly Unfit[] = [
  [
    "with another state than was signed",
    "state-altered",
    async (at) => {
      const text = readFileSync(fileOf(at), "utf8");
      const other = text.replaceAll("frozen by record", "frosen by record");
      assert.notEqual(other, text);
      writeFileSync(fileOf(at), other);
    },
  ],
  [
    "with another head than was signed",
    "signature-foreign",
    async (at) => {
      const [head = "", ...rest] = readFileSync(fileOf(at), "utf8").split("\n");
      writeFileSync(fileOf(at), [head.replace('"size":40', '"size":41'), ...rest].join("\n"));
    },
  ],
  ["that was cut", "state-altered", async (at) => truncateSync(fileOf(at), statSync(fileOf(at)).size - 1)],
  ["that was cut to nothing", "signature-foreign", async (at) => truncateSync(fileOf(at), 0)],
  ["of another key", "signature-foreign", (at) => forged(at, { signer: foreignKey() })],
  ["of another version", "code-differs", (at) => forged(at, { codec: { ...REPLAYED_STATE_CODEC, code: "older" } })],
  ["that was folded and not decided again", "code-differs", (at) => forged(at, { codec: STATE_CODEC })],
  [
    "of a ledger that went on otherwise",
    "end-differs",
    async (at) => forged(at, { hash: (await at.records())[7]?.prev ?? assert.fail("a record") }),
  ],
  ["of a later record under its name", "head-unreadable", async (at) => copyFileSync(fileOf(at, 60), fileOf(at, 40))],
];

for (const [what, cause, spoil] of UNFIT)
  test(`a milestone ${what} is not begun from, and is made anew`, async () => {
    const { at, whole } = withMilestones();
    await spoil(at);
    // The freeze of record 39 is in what it should hold.
    assert.deepEqual(await readAfter(at, 40), { from: 20, shown: whole[40] }, "it begins at the one before");
    const beyond = await readAfter(at, 65);
    assert.deepEqual([beyond.from, beyond.shown], [60, whole[65]]);
    assert.deepEqual(await make(at), [{ cause: "milestone-unfit", facts: { cause, size: 40 } }]);
    assert.deepEqual(await readAfter(at, 40), { from: 40, shown: whole[40] });
  });

test("a folder in the place of a milestone is nobody's to remove, and is passed over", async () => {
  const { at, whole } = withMilestones();
  rmSync(fileOf(at));
  mkdirSync(fileOf(at));
  assert.deepEqual(await readAfter(at, 40), { from: 20, shown: whole[40] });
  assert.deepEqual(await make(at), []);
  assert.ok(statSync(fileOf(at)).isDirectory());
  rmdirSync(fileOf(at));
  // Missing with a later one behind it, it might have been too large: whoever removes all has all made anew.
  for (const size of [20, 60]) rmSync(fileOf(at, size));
  assert.deepEqual(await make(at), []);
  assert.deepEqual(milestonesAt(savedStateOf(at)), [20, 40, 60]);
});

test("what fits is left as it is, what is too early is not made, and what came since is", async () => {
  const { at } = withMilestones();
  const before = statSync(fileOf(at)).mtimeMs;
  writeFileSync(`${savedStateOf(at)}.after-80.1.part`, "half written");
  await grownTo(at, 83);
  assert.deepEqual(await make(at), []);
  assert.deepEqual(milestonesAt(savedStateOf(at)), [20, 40, 60, 80]);
  assert.equal(statSync(fileOf(at)).mtimeMs, before);
  assert.equal(existsSync(`${savedStateOf(at)}.after-80.1.part`), false);
  assert.equal((await readAfter(at, 82)).from, 80);
});

test("milestones take no more than 1 KiB for each record, whatever the state is", async (t) => {
  const at = await serving(t);
  await grownTo(at, SIZE);
  await make(at, 1);
  const sizes = milestonesAt(savedStateOf(at));
  assert.ok(sizes.length > 0 && sizes.length < SIZE, sizes.join());
  const bytes = sizes.reduce((sum, size) => sum + statSync(fileOf(at, size)).size, 0);
  assert.ok(bytes <= SIZE * 1_024, `${bytes} bytes for ${SIZE} records`);
  // Those that were too large are not made again while a later one is there.
  const before = readdirSync(join(at.folder, "ledger")).toSorted();
  await make(at, 1);
  assert.deepEqual(readdirSync(join(at.folder, "ledger")).toSorted(), before);
});

/** Writes a record that no kernel decided: one that was written before, said once more. */
const sayAgain = async (at: Serving): Promise<void> => {
  const records = await at.records();
  const {
    prev: _,
    seq: seqBefore,
    v: __,
    ...said
  } = records.findLast(({ kind }) => kind === "annotate") ?? assert.fail();
  const opened = await openSqlite(join(at.folder, "ledger/dedalus.db"), { mode: "write" });
  assert.ok(opened.kind === "open");
  const { hash, size } = await opened.engine.head();
  const nextId = ulids();
  const { line, record } = seal({ ...said, auditId: nextId(), idempotencyKey: nextId() }, { prev: hash, seq: size });
  const commit = { blobs: new Map(), keys: [keyUseOf(record)], lines: [line] };
  assert.equal((await opened.engine.append(commit, { size })).kind, "ok");
  await opened.engine.close();
};

test("behind a record that is not what its state decides no milestone is made, and who asks is told of the record", async (t) => {
  const at = await serving(t);
  await grownTo(at, 25);
  await sayAgain(at);
  const forged = (await at.records()).length - 1;
  await grownTo(at, 63);
  assert.deepEqual(await make(at), []);
  assert.deepEqual(milestonesAt(savedStateOf(at)), [20]);
  const service = at.open();
  ok(await service.stateAfter(OPERATOR, { at: forged - 1 }));
  const answer = await service.stateAfter(OPERATOR, { at: 62 });
  assert.ok(answer.kind === "refused");
  assert.deepEqual(
    answer.refusals.map(({ code, facts }) => [code, facts["seq"]]),
    [["replay-differs", forged]],
  );
});

test("the thread that fills the index makes them as the ledger grows, and says what it cannot make", async (t) => {
  const at = await serving(t);
  await grownTo(at, 45);
  const ports = servicePorts();
  const stop = new AbortController();
  const notes: ServiceNote[] = [];
  const filled = indexLedger(at.configuration, ports, {
    every: EVERY,
    note: (one) => void notes.push(one),
    path: indexPath(at.configuration, ports),
    stop: stop.signal,
  });
  const there = (): string => milestonesAt(savedStateOf(at)).join();
  await until("the first milestones", () => there() === "20,40");
  await grownTo(at, 61);
  await until("the milestone of what came", () => there() === "20,40,60");
  assert.deepEqual(notes, []);
  // In the place of what is due stands a folder that nothing is renamed onto.
  mkdirSync(join(fileOf(at, 80), "in the way"), { recursive: true });
  await grownTo(at, 81);
  await until("the note", () => notes.length > 0);
  assert.equal(notes.map(({ cause }) => cause).join(), "milestones-failed");
  stop.abort();
  await filled;
});
