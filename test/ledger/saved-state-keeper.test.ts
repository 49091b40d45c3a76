// When a saved state is written, to the record and to the byte; and which roots and which anchor are in it.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { SavedStateRemark } from "../../src/ledger/failure.ts";
import { rootOf } from "../../src/ledger/tree/merkle.ts";
import { NOTHING_KNOWN, readChainState } from "../../src/ledger/verify/chain-state.ts";
import { startOf, type Tail } from "../../src/ledger/write/batch.ts";
import { type SavedStates, savedStateKeeper, savedStatesAt } from "../../src/ledger/write/save-state.ts";
import { readKnown } from "../../src/ledger/write/saved-state.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { counting } from "./counting.ts";
import { chain, linesOf } from "./drafts.ts";
import { ledgersFor } from "./holding.ts";
import { CODEC, SIGNER } from "./saved-state-desk.ts";

const ledgerOf = ledgersFor({ after });
const ENGINE = await ledgerOf([]);
const tailOf = (size: number): Tail<number> => ({ ...startOf(counting), size });

/** A keeper that wrote what it was told to, at which sizes; each is so many bytes long, or fails where it has none. */
const kept = (bytes: { next: number | undefined }, changes: Partial<SavedStates<number>> = {}) => {
  const [sizes, remarks]: [number[], SavedStateRemark["cause"][]] = [[], []];
  const keeper = savedStateKeeper<number>({
    onNote: ({ cause }) => remarks.push(cause),
    read: async () => ({ kind: "none" }),
    write: async (tail) => {
      sizes.push((tail as Tail<number>).size);
      return bytes.next ?? assert.fail("the disk is full");
    },
    ...changes,
  });
  return { keeper, remarks, sizes };
};

test("after a commit one is written at 16,384 new records, at the end at 256, and not at one less", async () => {
  for (const [when, records] of [
    ["afterCommit", 16_384],
    ["atEnd", 256],
  ] as const) {
    const { keeper, sizes } = kept({ next: 1 });
    await keeper[when](tailOf(records - 1));
    assert.deepEqual(sizes, [], when);
    await keeper[when](tailOf(records));
    assert.deepEqual(sizes, [records], when);
    await keeper[when](tailOf(2 * records - 1));
    await keeper[when](tailOf(2 * records));
    assert.deepEqual(sizes, [records, 2 * records], when);
  }
});

test("while others are served one is written elsewhere, where that can be, and at the end here", async () => {
  const elsewhere: number[] = [];
  const { keeper, sizes } = kept(
    { next: 1 },
    {
      writeApart: async (tail) => {
        elsewhere.push((tail as Tail<number>).size);
        return 1;
      },
    },
  );
  await keeper.afterCommit(tailOf(16_384));
  await keeper.atEnd(tailOf(20_000));
  assert.deepEqual([elsewhere, sizes], [[16_384], [20_000]]);
});

test("for each byte of the last one there must be enough new records: one for every 1,024", async () => {
  for (const [next, expected] of [
    [1_024 * 300, [256, 556]],
    [1_024 * 300 + 1, [256]],
  ] as const) {
    const { keeper, sizes } = kept({ next });
    await keeper.atEnd(tailOf(256));
    await keeper.atEnd(tailOf(556));
    assert.deepEqual(sizes, expected);
  }
});

test("one that could not be written is said, and tried again after as many new records", async () => {
  const bytes: { next: number | undefined } = { next: undefined };
  const { keeper, remarks, sizes } = kept(bytes);
  await keeper.atEnd(tailOf(256));
  assert.deepEqual([sizes, remarks], [[256], ["unwritten"]]);
  bytes.next = 1;
  await keeper.atEnd(tailOf(511));
  await keeper.atEnd(tailOf(512));
  assert.deepEqual([sizes, remarks], [[256, 512], ["unwritten"]]);
});

test("one that is lacking is written at the end, once, and not after a commit", async () => {
  const { keeper, sizes } = kept({ next: 1 }, { isLacking: true });
  await keeper.afterCommit(tailOf(1));
  assert.deepEqual(sizes, []);
  await keeper.atEnd(tailOf(1));
  await keeper.atEnd(tailOf(2));
  assert.deepEqual(sizes, [1]);
  const { keeper: content, sizes: none } = kept({ next: 1 });
  await content.atEnd(tailOf(1));
  assert.deepEqual(none, []);
});

test("the start takes what was saved, and counts new records from there; without a place nothing is kept", async () => {
  const saved = { ...NOTHING_KNOWN, ...(await readChainState(await ledgerOf(linesOf(chain(3))))), state: 3 };
  const { keeper, remarks, sizes } = kept({ next: 1 }, { read: async () => ({ bytes: 1, kind: "saved", saved }) });
  assert.deepEqual(await keeper.start(ENGINE), { ...saved, size: 3 });
  await keeper.atEnd(tailOf(258));
  assert.deepEqual(sizes, []);
  await keeper.atEnd(tailOf(259));
  assert.deepEqual(sizes, [259]);
  // One that is not far behind in records is not said to be, however few bytes it has.
  const near = kept({ next: 1 }, { read: async () => ({ bytes: 1, kind: "saved", saved }) });
  await near.keeper.start(ENGINE);
  near.keeper.caughtUp(3 + 16_384);
  assert.deepEqual(near.remarks, []);
  near.keeper.caughtUp(3 + 16_385);
  assert.deepEqual([near.remarks, remarks], [["behind"], []]);
  const first = kept({ next: 1 });
  assert.equal(await first.keeper.start(ENGINE), undefined);
  first.keeper.caughtUp(1_000_000);
  assert.deepEqual(first.remarks, [], "where none was there, none is behind");
  const nothing = savedStateKeeper<number>(undefined);
  assert.equal(await nothing.start(ENGINE), undefined);
  await nothing.atEnd(tailOf(1_000_000));
});

test("one that could not be used is said, and makes another due", async () => {
  const remark = { cause: "code-differs", facts: {} } as const;
  const { keeper, remarks, sizes } = kept({ next: 1 }, { read: async () => ({ kind: "none", remark }) });
  assert.equal(await keeper.start(ENGINE), undefined);
  await keeper.atEnd(tailOf(1));
  assert.deepEqual([remarks, sizes], [["code-differs"], [1]]);
});

test("a saved state knows its own roots and the checkpoints up to its size, each size once, and the anchor of the moment", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-keeper-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const engine = await ledgerOf(linesOf(chain(3)));
  const rootAt = async (size: number) => ({ root: rootOf((await readChainState(engine, undefined, size)).tree), size });
  const [one, two, three] = [await rootAt(1), await rootAt(2), await rootAt(3)];
  const beyond = { root: sha256("beyond"), size: 4 };
  const anchor = { bytes: 7, digest: sha256("anchor") };
  const at = { codec: CODEC, onNote: () => undefined, path: join(folder, "saved"), signer: SIGNER };
  const met = [two, three, beyond].map((root) => ({ ...root, origin: SIGNER.origin }));
  const savedState = { ...(await readChainState(engine)), roots: [one, two], state: 3 };
  for (const [states, expected] of [
    [savedStatesAt({ ...at, met }), { roots: [one, two, three] }],
    [savedStatesAt({ ...at, anchor: () => anchor, met: [] }), { anchor, roots: [one, two] }],
  ] as const) {
    assert.equal(states.isLacking, false);
    await states.write(savedState);
    const known = await readKnown(at.path, SIGNER.vkey, engine);
    assert.ok(known.kind === "known");
    const { anchor: there, roots } = known.known;
    assert.deepEqual(there === undefined ? { roots } : { anchor: there, roots }, expected);
  }
});

test("a state that is saved over another keeps the roots that only that one knows, up to its own size", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-keeper-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const engine = await ledgerOf(linesOf(chain(3)));
  const stateAt = async (size: number) => ({ ...(await readChainState(engine, undefined, size)), state: size });
  const rootAt = async (size: number) => ({ root: rootOf((await stateAt(size)).tree), size });
  const [one, two, three] = [await rootAt(1), await rootAt(2), await rootAt(3)];
  const at = { codec: CODEC, met: [], onNote: () => undefined, path: join(folder, "saved"), signer: SIGNER };
  const rootsNow = async () => {
    const known = await readKnown(at.path, SIGNER.vkey, engine);
    return known.kind === "known" ? known.known.roots : assert.fail("it is known");
  };
  await savedStatesAt(at).write({ ...(await stateAt(3)), roots: [one, three] });
  const states = savedStatesAt(at);
  await states.read(engine);
  await states.write({ ...(await stateAt(2)), roots: [two] });
  assert.deepEqual(await rootsNow(), [one, two]);
  await savedStatesAt(at).write({ ...(await stateAt(3)), roots: [two] });
  assert.deepEqual(await rootsNow(), [two], "who has not read what is there believes nothing of it");
});
