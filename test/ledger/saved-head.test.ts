// The head of a saved state: signed by our own key, and every part of it asked all the same.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { EMPTY_ROOT } from "../../src/ledger/tree/merkle.ts";
import { readChainState } from "../../src/ledger/verify/chain-state.ts";
import { readKnown, readSavedState, writeSavedState } from "../../src/ledger/write/saved-state.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { chain, chained, draft, instant, linesOf } from "./drafts.ts";
import { ledgersFor } from "./holding.ts";
import { CODEC, SIGNER } from "./saved-state-desk.ts";

const ledgerOf = ledgersFor({ after });
const ENGINE = await ledgerOf(linesOf(chain(3)));
const HASH = sha256("anything");

/** A saved state of that ledger, whose head is written as asked and signed. */
const fileFor = (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-head-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "saved");
  const write = async (roots: readonly { readonly root: typeof HASH; readonly size: number }[] = []): Promise<number> =>
    writeSavedState(path, SIGNER, CODEC, { ...(await readChainState(ENGINE)), roots, state: 3 });
  const change = (changes: Readonly<Record<string, unknown>>): void => {
    const [head = "", , state = ""] = readFileSync(path, "utf8").split("\n");
    const other = JSON.stringify({ ...JSON.parse(head), ...changes });
    writeFileSync(path, [other, SIGNER.signText("a saved state of dedalus", other), state].join("\n"));
  };
  const causes = async (): Promise<readonly unknown[]> => {
    const known = await readKnown(path, SIGNER.vkey, ENGINE);
    const saved = await readSavedState(path, SIGNER.vkey, ENGINE, CODEC);
    return [known, saved].map((read) => (read.kind === "none" ? read.remark?.cause : read.kind));
  };
  return { causes, change, folder, path, write };
};

const UNFIT: readonly Readonly<Record<string, unknown>>[] = [
  { code: 7 },
  { digest: "short" },
  { hash: "short" },
  { peaks: "none" },
  { size: 2 },
  { size: -1 },
  { roots: "none" },
  { roots: {} },
  { roots: [null] },
  { roots: [7] },
  { roots: [{ root: HASH }] },
  { roots: [{ size: 1 }] },
  { roots: [{ root: "short", size: 1 }] },
  { roots: [{ root: HASH, size: -1 }] },
  { roots: [{ root: HASH, size: 1 }, 7] },
  { floor: "noon" },
  { floor: 7 },
  { format: "1" },
  { format: -1 },
  { anchor: 7 },
  { anchor: "none" },
  { anchor: { bytes: 7 } },
  { anchor: { digest: HASH } },
  { anchor: { bytes: -1, digest: HASH } },
  { anchor: { bytes: 7, digest: "short" } },
  { anchor: undefined },
];

test("a signed head with a part that is none of its kind is not used", async (t) => {
  const { causes, change, write } = fileFor(t);
  for (const changes of UNFIT) {
    await write();
    change(changes);
    assert.deepEqual(await causes(), ["head-unreadable", "head-unreadable"], JSON.stringify(changes));
  }
});

test("a signed head whose parts are of their kind is used, with and without what it may lack", async (t) => {
  const { causes, change, path, write } = fileFor(t);
  const anchor = { bytes: 0, digest: HASH };
  for (const changes of [
    {},
    { floor: null },
    { floor: instant(3) },
    { anchor },
    { roots: [{ root: HASH, size: 0 }] },
  ]) {
    await write();
    change(changes);
    assert.deepEqual(await causes(), ["known", "saved"], JSON.stringify(changes));
  }
  await write();
  change({ anchor, floor: null });
  const known = await readKnown(path, SIGNER.vkey, ENGINE);
  assert.ok(known.kind === "known");
  assert.deepEqual([known.known.anchor, known.known.floor], [anchor, undefined]);
  change({ anchor: null, floor: instant(3) });
  const other = await readKnown(path, SIGNER.vkey, ENGINE);
  assert.ok(other.kind === "known");
  assert.ok(!("anchor" in other.known));
  assert.equal(other.known.floor, instant(3));
});

test("a head is read to its end however long it is, and a file that ends inside it is not waited for", async (t) => {
  const { causes, path, write } = fileFor(t);
  const roots = Array.from({ length: 3_000 }, (_, size) => ({ root: HASH, size }));
  const bytes = await write(roots);
  assert.equal(statSync(path).size, bytes);
  const known = await readKnown(path, SIGNER.vkey, ENGINE);
  assert.deepEqual(known.kind === "known" ? known.known.roots : known, roots);
  writeFileSync(path, readFileSync(path).subarray(0, 100_000));
  assert.deepEqual(await causes(), ["signature-foreign", "signature-foreign"]);
  rmSync(path);
  assert.deepEqual(await causes(), [undefined, undefined], "one that is not there says nothing");
});

test("what is no file is not waited for, and said to be unreadable", async (t) => {
  const { causes, path } = fileFor(t);
  execFileSync("mkfifo", [path]);
  assert.deepEqual(await causes(), ["unreadable", "unreadable"]);
  rmSync(path);
  mkdirSync(path);
  assert.deepEqual(await causes(), ["unreadable", "unreadable"]);
  rmSync(path, { recursive: true });
});

test("a saved state of one record is held against the record that is there", async (t) => {
  const { path } = fileFor(t);
  const engine = await ledgerOf(linesOf(chain(1)));
  await writeSavedState(path, SIGNER, CODEC, { ...(await readChainState(engine)), roots: [], state: 1 });
  const other = await ledgerOf(linesOf(chained([draft(7)])));
  for (const [there, cause, facts] of [
    [other, "end-differs", { seq: 0 }],
    [await ledgerOf([]), "ledger-shorter", { size: 1 }],
  ] as const) {
    const known = await readKnown(path, SIGNER.vkey, there);
    assert.ok(known.kind === "none");
    assert.deepEqual(known.remark, { cause, facts });
    assert.equal(known.signed?.hash, (await readChainState(engine)).hash);
  }
  assert.equal((await readKnown(path, SIGNER.vkey, engine)).kind, "known");
});

test("a saved state is its owner's alone, and neither reading nor writing it leaves a file open", async (t) => {
  const { causes, folder, path, write } = fileFor(t);
  await write([{ root: EMPTY_ROOT, size: 0 }]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  await causes();
  assert.deepEqual(readdirSync(folder), ["saved"]);
  const open = readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // closed between the list and the observation
    }
  });
  assert.deepEqual(
    open.filter((one) => one.startsWith(folder)),
    [],
  );
});
