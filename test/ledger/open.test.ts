// Opening a ledger against its anchor: which mode opens what, and what is said when it does not.

import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { appendNote, noteText, readNotes } from "../../src/ledger/anchor/anchor.ts";
import { readAnchor } from "../../src/ledger/anchor/anchor-fit.ts";
import type { Engine, Opened } from "../../src/ledger/engine.ts";
import { LedgerUnread, type ReadOnlyFailure } from "../../src/ledger/failure.ts";
import {
  findSavedStateMisfit,
  isAnchorUnused,
  modeRefusal,
  type OpenMode,
  openChecked,
  readRefusal,
} from "../../src/ledger/open.ts";
import { begunMark } from "../../src/ledger/record/copy-marks.ts";
import type { LedgerRecord } from "../../src/ledger/record/record.ts";
import { EMPTY_ROOT } from "../../src/ledger/tree/merkle.ts";
import { NOTHING_KNOWN } from "../../src/ledger/verify/chain-state.ts";
import { LedgerDamage, LedgerOfAnotherTime } from "../../src/ledger/verify/damage.ts";
import { copyLedger } from "../../src/ledger/write/copy.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { recordNext } from "./acting.ts";
import { chain } from "./drafts.ts";
import { ACTING, copyingOf, fill, ledgerFolderFor, rootIn } from "./moving.ts";
import { SIGNER } from "./saved-state-desk.ts";

const MODES: readonly OpenMode[] = ["read", "view", "write", "unlock", "copy", "unseal", "re-anchor"];
const READ_ONLY: ReadOnlyFailure = { cause: "mark-foreign", facts: { said: "by hand" } };

/** A ledger of `records` and the path of its anchor, in a folder of their own. */
const deskFor = async (t: TestContext, records: number) => {
  const ledgers = ledgerFolderFor(t);
  const engine = await ledgers.open("a.db");
  await fill(engine, records);
  const anchor = join(ledgers.folder, "anchor");
  /** Notes over these sizes of the ledger, one after another. */
  const signed = async (...sizes: readonly number[]): Promise<void> => {
    for (const size of sizes) appendNote(anchor, SIGNER.sign({ root: await rootIn(engine, size), size }));
  };
  let closed = 0;
  const open = (mode: OpenMode, other: Partial<Engine> = {}) => {
    const close = async (): Promise<void> => {
      closed += 1;
    };
    const opened: Opened = { engine: { ...engine, close, ...other }, kind: "open" };
    return openChecked(opened, { anchor, mode, onProgress: () => undefined, vkey: SIGNER.vkey });
  };
  /** The code and cause of a refusal; of a ledger that is open, those of its loss or nothing. */
  const said = async (mode: OpenMode, other?: Partial<Engine>): Promise<string> => {
    const before = closed;
    const opened = await open(mode, other);
    assert.equal(closed - before, opened.kind === "refused" ? 1 : 0, "closed when it is refused, and only then");
    const { code, cause } = opened.kind === "refused" ? opened.refusal : (opened.ledger.loss ?? {});
    return [opened.kind, code, cause].filter((word) => word !== undefined).join(" ");
  };
  const saidTo = async (modes: readonly OpenMode[], other?: Partial<Engine>): Promise<readonly string[]> => {
    const words: string[] = [];
    for (const mode of modes) words.push(await said(mode, other));
    return [...new Set(words)];
  };
  return { anchor, engine, ledgers, open, said, saidTo, signed };
};
const without = (...modes: readonly OpenMode[]): readonly OpenMode[] => MODES.filter((mode) => !modes.includes(mode));

test("a ledger that fits its anchor opens, with nothing to unseal and nothing to anchor anew", async (t) => {
  const { open, said, saidTo, signed } = await deskFor(t, 3);
  await signed(0, 2);
  assert.deepEqual(await saidTo(without("unseal", "re-anchor")), ["open"]);
  assert.equal(await said("unseal"), "refused ledger-unsealed no-seal");
  assert.equal(await said("re-anchor"), "refused anchor-holds");
  const opened = await open("read");
  assert.ok(opened.kind === "open");
  const { anchorClaim, isSavedStateLacking, loss, notes, remarks, seal } = opened.ledger;
  assert.deepEqual([isSavedStateLacking, loss, remarks, seal], [false, undefined, [], undefined]);
  assert.equal(notes.length, 2);
  assert.ok(anchorClaim !== undefined);
});

test("readers open a read-only ledger and so does unlock; nobody else", async (t) => {
  const { said, saidTo, signed } = await deskFor(t, 1);
  await signed(0);
  const readOnly = { readOnly: () => READ_ONLY };
  assert.deepEqual(await saidTo(["read", "view", "unlock"], readOnly), ["open"]);
  assert.deepEqual(await saidTo(["write", "copy"], readOnly), ["refused ledger-read-only mark-foreign"]);
  assert.equal(await said("re-anchor", readOnly), "refused anchor-holds");
});

test("a mode is refused by the seal first, then by the read-only mark", () => {
  const seal: LedgerRecord = chain(1)[0]?.record ?? assert.fail("a record");
  const codes = (sealed: LedgerRecord | undefined, mark: ReadOnlyFailure | undefined) =>
    (["write", "unlock", "copy", "unseal", "re-anchor"] as const).map(
      (mode) => modeRefusal("x", mode, sealed, mark)?.code,
    );
  const [none, SEALED, MARKED, UNSEALED] = [undefined, "ledger-sealed", "ledger-read-only", "ledger-unsealed"];
  assert.deepEqual(codes(undefined, undefined), [none, none, none, UNSEALED, none]);
  assert.deepEqual(codes(undefined, READ_ONLY), [MARKED, none, MARKED, UNSEALED, MARKED]);
  assert.deepEqual(codes(seal, undefined), [SEALED, SEALED, none, none, SEALED]);
  assert.deepEqual(codes(seal, READ_ONLY), [SEALED, SEALED, MARKED, MARKED, SEALED]);
  assert.deepEqual(modeRefusal("x", "write", seal, undefined)?.facts, { name: "x", seq: seal.seq });
});

test("a lost anchor is shown to whoever views, and opened to whoever begins another", async (t) => {
  const { anchor, said, saidTo } = await deskFor(t, 2);
  const lost = async (loss: string): Promise<void> => {
    assert.deepEqual(await saidTo(["view", "re-anchor"]), [`open ${loss}`]);
    assert.deepEqual(await saidTo(without("view", "re-anchor")), [`refused ${loss}`]);
  };
  await lost("anchor-absent");
  writeFileSync(anchor, "");
  await lost("anchor-empty");
  rmSync(anchor);
  mkdirSync(anchor);
  await lost("anchor-unreadable not-plain");
  rmSync(anchor, { recursive: true });
  writeFileSync(anchor, noteText(SIGNER.sign({ root: EMPTY_ROOT, size: 0 }).replace("\n0\n", "\n1\n")));
  assert.deepEqual(await saidTo(without("re-anchor")), ["refused anchor-unverified signature-broken"], "no view of it");
  assert.equal(await said("re-anchor"), "open anchor-unverified signature-broken");
  rmSync(anchor);
  symlinkSync("anchor", anchor);
  assert.deepEqual(await saidTo(without("view")), ["refused anchor-unreadable system-said"], "it may not be lost");
  assert.equal(await said("view"), "open anchor-unreadable system-said");
});

test("a ledger without a record and without an anchor is a new one", async (t) => {
  const { open, saidTo } = await deskFor(t, 0);
  assert.deepEqual(await saidTo(["read", "view", "write"]), ["open"]);
  const opened = await open("write");
  assert.equal(opened.kind === "open" ? opened.ledger.anchorClaim : opened.kind, undefined);
});

test("a ledger that was cut or rewritten opens to nobody", async (t) => {
  const { anchor, engine, open, saidTo, signed } = await deskFor(t, 3);
  await signed(0, 3);
  const head = async () => ({ hash: sha256("2"), size: 2 });
  assert.deepEqual(await saidTo(MODES, { head }), ["refused ledger-cut-short behind-checkpoint"]);
  const cut = await open("read", { head });
  assert.deepEqual(cut.kind === "refused" ? cut.refusal.facts : cut, {
    covered: 3,
    name: engine.name,
    seq: 2,
    size: 2,
  });
  truncateSync(anchor, 0);
  appendNote(anchor, SIGNER.sign({ root: sha256("another"), size: 3 }));
  for (const mode of MODES) {
    const opened = await open(mode);
    assert.equal(opened.kind === "refused" ? opened.refusal.code : opened.kind, "ledger-rewritten", mode);
    assert.equal(opened.kind === "refused" ? opened.refusal.facts["name"] : undefined, engine.name);
  }
});

test("a sealed ledger is read, copied again and unsealed; and it is behind its anchor when its copy went on", async (t) => {
  const { anchor, engine, ledgers, said, saidTo, signed } = await deskFor(t, 2);
  await signed(0, 2);
  const target = await ledgers.open("b.db");
  assert.equal((await copyLedger(copyingOf(engine, target))).kind, "copied");
  assert.deepEqual(await saidTo(["read", "view", "copy", "unseal"]), ["open"]);
  assert.deepEqual(await saidTo(["write", "unlock"]), ["refused ledger-sealed sealed"]);
  assert.equal(await said("re-anchor"), "refused anchor-holds");
  await recordNext(target, ACTING, () => ({ kind: "note", request: {}, result: {} }));
  appendNote(anchor, SIGNER.sign({ root: await rootIn(target), size: 4 }));
  assert.deepEqual(await saidTo(without("unseal")), ["refused ledger-sealed sealed"]);
  assert.equal(await said("unseal"), "refused copy-alive behind-checkpoint");
});

test("a copy that is not finished is no ledger to anybody", async (t) => {
  const { saidTo, signed } = await deskFor(t, 1);
  await signed(0);
  const mark = begunMark(sha256("copy"));
  const begun: Engine["lookup"] = async (caller, key) =>
    caller === mark.caller && key === mark.key ? mark : undefined;
  assert.deepEqual(await saidTo(MODES, { lookup: begun }), ["refused copy-unfinished"]);
  assert.deepEqual(await saidTo(["write"], { lookup: async () => mark }), ["open"], "begun and finished");
});

test("records after the last note are looked through for what they say of the anchor", async (t) => {
  const { anchor, engine, said, saidTo, signed } = await deskFor(t, 2);
  await signed(0, 2);
  const read = readAnchor(anchor, SIGNER.vkey);
  assert.ok(read.kind === "anchor");
  await recordNext(engine, ACTING, () => ({ kind: "start", request: { anchor: read.claim }, result: {} }));
  assert.equal(await said("write"), "open");
  const [first = ""] = readNotes(anchor).notes;
  writeFileSync(anchor, noteText(first));
  assert.deepEqual(await saidTo(["read", "write"]), ["refused anchor-shortened record-knows"]);
  assert.deepEqual(await saidTo(["view", "re-anchor"]), ["open anchor-shortened record-knows"]);
});

test("damage behind the last note is shown up to where it is, to whoever views alone", async (t) => {
  const { engine, saidTo, signed } = await deskFor(t, 3);
  await signed(0, 1);
  /** The walk over what no note covers ends at this error. */
  const failing = (error: Error): Partial<Engine> => ({
    read: async function* (from, to) {
      yield* engine.read(from, Math.min(to, 1));
      if (to - from === 2) throw error;
    },
  });
  const damage = failing(new LedgerDamage(2, { cause: "not-utf8", facts: {} }));
  assert.deepEqual(await saidTo(["view"], damage), ["open"]);
  assert.deepEqual(await saidTo(without("view"), damage), ["refused ledger-broken not-utf8"]);
  const unread = failing(new LedgerUnread({ cause: "connection-lost", facts: { name: "x" } }));
  assert.deepEqual(await saidTo(MODES, unread), ["refused ledger-unreachable connection-lost"]);
});

test("what went wrong while reading is its own refusal, and anything else is a bug that rises", () => {
  const refusal = refuse("ledger-unsealed", { cause: "no-seal", facts: { name: "x" } });
  const damage = new LedgerDamage(0, { cause: "not-utf8", facts: {} });
  const unread = new LedgerUnread({ cause: "connection-lost", facts: { name: "x" } });
  assert.equal(readRefusal(new LedgerOfAnotherTime(refusal)), refusal);
  assert.equal(readRefusal(damage), damage.refusal);
  assert.equal(readRefusal(unread), unread.refusal);
  assert.throws(() => readRefusal(new TypeError("a bug")), TypeError);
});

test("a ledger that is not there was cut to nothing, when its anchor says that it had records", async (t) => {
  const { anchor } = await deskFor(t, 0);
  const absent = refuse("ledger-absent", { cause: "no-file", facts: { name: "a.db" } });
  const opened = async (refusal: Refusal = absent) => {
    const expected = { anchor, mode: "read", onProgress: () => undefined, vkey: SIGNER.vkey } as const;
    const result = await openChecked({ kind: "refused", refusal }, expected);
    assert.ok(result.kind === "refused");
    return [result.refusal.code, result.refusal.facts] as const;
  };
  assert.deepEqual(await opened(), ["ledger-absent", absent.facts]);
  appendNote(anchor, SIGNER.sign({ root: EMPTY_ROOT, size: 0 }));
  assert.deepEqual(await opened(), ["ledger-absent", absent.facts], "none was covered");
  appendNote(anchor, SIGNER.sign({ root: sha256("1"), size: 1 }));
  assert.deepEqual(await opened(), ["ledger-cut-short", { covered: 1, name: "a.db" }]);
  for (const size of [5, 3]) appendNote(anchor, SIGNER.sign({ root: sha256(`${size}`), size }));
  assert.deepEqual(await opened(), ["ledger-cut-short", { covered: 5, name: "a.db" }]);
  const other = refuse("copy-unfinished", { facts: { name: "a.db" } });
  assert.deepEqual(await opened(other), ["copy-unfinished", other.facts], "another refusal stays what it is");
  writeFileSync(anchor, "nonsense");
  assert.equal((await opened())[0], "anchor-unverified");
});

test("a saved state that is ahead of its ledger tells that it was cut, and another end that it was rewritten", async (t) => {
  const { engine } = await deskFor(t, 2);
  const misfit = (size: number) =>
    findSavedStateMisfit(engine, { ...NOTHING_KNOWN, tree: { peaks: [], size } }).then((one) => [
      one?.code,
      one?.seq,
      one?.flaw.facts,
    ]);
  assert.equal(await findSavedStateMisfit(engine, undefined), undefined);
  assert.deepEqual(await misfit(3), ["ledger-cut-short", 2, { covered: 3, size: 2 }]);
  assert.deepEqual(await misfit(2), ["ledger-rewritten", 1, {}]);
});

test("an anchor is unused while it covers no record: absent, or with notes over nothing alone", async (t) => {
  const { anchor, ledgers } = await deskFor(t, 0);
  const covering = (...sizes: readonly number[]): boolean => {
    writeFileSync(anchor, "");
    for (const size of sizes) appendFileSync(anchor, noteText(SIGNER.sign({ root: EMPTY_ROOT, size })));
    return isAnchorUnused(anchor);
  };
  assert.equal(isAnchorUnused(anchor), true);
  assert.deepEqual(
    [covering(), covering(0), covering(0, 1), covering(1, 0), covering(1)],
    [true, true, false, false, false],
  );
  writeFileSync(anchor, noteText(SIGNER.sign({ root: EMPTY_ROOT, size: 0 }).replace("\n0\n", "\n00\n")));
  assert.equal(isAnchorUnused(anchor), false, "what cannot be read may cover something");
  const sized = (length: number): boolean => {
    writeFileSync(anchor, "x".repeat(length));
    return isAnchorUnused(anchor);
  };
  assert.deepEqual([sized(1_024), sized(1_025)], [true, false]);
  assert.equal(isAnchorUnused(ledgers.folder), false);
  assert.equal(isAnchorUnused(join(anchor, "below")), false, "not there is another answer than not to be told");
});
