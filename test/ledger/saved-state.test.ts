// Saved states: a start folds only what came after one; whatever is not exactly right about one is not used, and said.
//
// Not here: opening a ledger with one (saved-state-open.test.ts), the kernel's own state
// (test/kernel/saved-state.test.ts).

import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Engine } from "../../src/ledger/engine.ts";
import type { SavedStateRemark } from "../../src/ledger/failure.ts";
import { rootOf } from "../../src/ledger/tree/merkle.ts";
import { signerOf } from "../../src/ledger/tree/signer.ts";
import { NOTHING_KNOWN, readChainState } from "../../src/ledger/verify/chain-state.ts";
import { auditEngine } from "../../src/ledger/verify/verify-ledger.ts";
import { savedStateKeeper } from "../../src/ledger/write/save-state.ts";
import { type Codec, readKnown, readSavedState, writeSavedState } from "../../src/ledger/write/saved-state.ts";
import { openSequencer } from "../../src/ledger/write/sequencer.ts";
import { recordNext } from "./acting.ts";
import { asking, bodies, counting } from "./counting.ts";
import { ACTING } from "./moving.ts";
import { CODEC, type Desk, grown, LINES, reading, SIGNER, withDesk } from "./saved-state-desk.ts";

test("a start from a saved state reads the line that it ends with and what came after, and goes on as if all were folded", async () => {
  await withDesk(async (desk) => {
    const engine = await desk.open();
    await grown(desk, engine);
    const plain = await openSequencer(engine, counting);
    await plain.submit(asking("after the saved state"));
    await plain.close();

    const { engine: watched, froms } = reading(engine);
    const writer = await desk.start(watched);
    assert.deepEqual(froms, [LINES - 1, LINES]);
    assert.equal(writer.state(), LINES + 1);
    assert.deepEqual(bodies([await writer.submit(asking("next"))]), [LINES + 1]);
    await writer.close();
    assert.deepEqual(desk.notes, []);
    assert.equal((await auditEngine(engine, { checkpoints: [], onProgress: () => undefined })).findingsCount, 0);
  });
});

test("a saved state holds where the ledger stood: size, last hash, tree, and the roots of acts on the ledger", async () => {
  await withDesk(async (desk) => {
    const engine = await desk.open();
    await grown(desk, engine, 10);
    const act = { kind: "ledger.checkpoint", request: {}, result: {} };
    const acted = await recordNext(engine, ACTING, () => act);
    assert.ok(acted.kind === "recorded");
    await grown(desk, engine);
    const known = await readKnown(desk.savedState, SIGNER.vkey, engine);
    assert.ok(known.kind === "known");
    const { hash, tree } = await readChainState(engine);
    assert.deepEqual(
      { hash: known.known.hash, roots: known.known.roots, tree: known.known.tree },
      { hash, roots: [{ root: rootOf(acted.chain.tree), size: 11 }], tree },
    );
  });
});

test("a saved state is written at the end of many records, and not of few", async () => {
  await withDesk(async (desk) => {
    const engine = await desk.open();
    await grown(desk, engine, 255);
    assert.ok(!existsSync(desk.savedState));
    await grown(desk, engine, 1);
    assert.ok(existsSync(desk.savedState));
    const before = readFileSync(desk.savedState);
    await grown(desk, engine, 255);
    assert.deepEqual(readFileSync(desk.savedState), before);
  });
});

test("a saved state makes the folder that it is written to, for its owner alone", async () => {
  await withDesk(async (desk) => {
    const engine = await desk.open();
    const path = desk.file("deep/down/saved-state");
    await writeSavedState(path, SIGNER, CODEC, { ...(await readChainState(engine)), roots: [], state: 0 });
    assert.equal((await readKnown(path, SIGNER.vkey, engine)).kind, "known");
    assert.equal(statSync(desk.file("deep/down")).mode & 0o777, 0o700);
  });
});

test("a running sequencer writes one after many records, and a large one less often", async () => {
  await withDesk(async ({ open }) => {
    const sizes: number[] = [];
    const large = { bytes: 0 };
    const writer = await openSequencer(await open(), counting, {
      savedStates: {
        onNote: ({ cause }) => assert.fail(cause),
        read: async () => ({ kind: "none" }),
        write: async ({ tree }) => {
          sizes.push(tree.size);
          return large.bytes;
        },
      },
    });
    const submit = async (records: number): Promise<void> => {
      for (let left = records; left > 0; left -= 4_096) {
        await Promise.all(Array.from({ length: 4_096 }, () => writer.submit(asking("n"))));
      }
    };
    large.bytes = 40_000 * 1_024;
    await submit(16_384);
    await submit(32_768);
    assert.deepEqual(sizes, [16_384]);
    await submit(8_192);
    await writer.close();
    assert.ok(sizes.length === 2 && (sizes[1] ?? 0) >= 16_384 + 40_000, String(sizes));
  });
});

/** A start with a saved state of no records on a ledger that is said to have so many. */
const heardAt = (size: number): Promise<readonly string[]> =>
  withDesk(async ({ open }) => {
    const notes: string[] = [];
    const keeper = savedStateKeeper<number>({
      onNote: ({ cause }) => notes.push(cause),
      read: async () => ({ bytes: 20_000 * 1_024, kind: "saved", saved: { ...NOTHING_KNOWN, state: 0 } }),
      write: () => assert.fail(),
    });
    await keeper.start(await open());
    keeper.caughtUp(size);
    return notes;
  });

test("a saved state that is further behind than any that was written in time is used, and said to be", async () => {
  assert.deepEqual(await heardAt(20_000), []);
  assert.deepEqual(await heardAt(20_001), ["behind"]);
});

test("where a saved state could not be used or does not do, another is written at the end of however few records", async () => {
  for (const [isLacking, remark] of [
    [false, { cause: "state-altered", facts: {} }],
    [true, undefined],
  ] as const) {
    await withDesk(async ({ open }) => {
      const sizes: number[] = [];
      const start = async () =>
        openSequencer(await open(), counting, {
          savedStates: {
            isLacking,
            onNote: () => undefined,
            read: async () => ({ kind: "none", ...(remark === undefined ? {} : { remark }) }),
            write: async ({ tree }) => sizes.push(tree.size),
          },
        });
      const writer = await start();
      await writer.submit(asking("n"));
      assert.deepEqual(sizes, []);
      await writer.close();
      assert.deepEqual(sizes, [1]);
    });
  }
});

type Harm = (desk: Desk, engine: Engine) => Promise<void> | void;

const edited =
  (change: (lines: string[]) => void): Harm =>
  ({ savedState }) => {
    const lines = readFileSync(savedState, "utf8").split("\n");
    change(lines);
    writeFileSync(savedState, lines.join("\n"));
  };

const signedAgain =
  (codec: Codec<number>, signer = SIGNER): Harm =>
  async ({ savedState }, engine) => {
    const read = await readSavedState(savedState, SIGNER.vkey, engine, CODEC);
    assert.ok(read.kind === "saved");
    await writeSavedState(savedState, signer, codec, read.saved);
  };

const { privateKey, publicKey } = generateKeyPairSync("ed25519");

const HARMS: readonly (readonly [string, Harm, SavedStateRemark["cause"]])[] = [
  [
    "whose head was altered",
    edited((lines) => lines.splice(0, 1, (lines[0] ?? "").replace("300", "299"))),
    "signature-foreign",
  ],
  ["whose signature was altered", edited((lines) => lines.splice(1, 1, "AAAA")), "signature-foreign"],
  ["whose state was altered", edited((lines) => lines.splice(2, 1, "301")), "state-altered"],
  ["that was cut off", edited((lines) => lines.splice(1)), "signature-foreign"],
  ["that is empty", ({ savedState }) => writeFileSync(savedState, ""), "signature-foreign"],
  [
    "that is a folder",
    ({ savedState }) => {
      rmSync(savedState);
      mkdirSync(savedState);
    },
    "unreadable",
  ],
  ["that another key signed", signedAgain(CODEC, signerOf({ publicKey, secretKey: privateKey })), "signature-foreign"],
  [
    "of another format",
    edited((lines) => {
      const head = (lines[0] ?? "").replace('"format":1', '"format":2');
      lines.splice(0, 2, head, SIGNER.signText("a saved state of dedalus", head));
    }),
    "format-differs",
  ],
  ["of another version's state", signedAgain({ ...CODEC, code: "another" }), "code-differs"],
];

for (const [what, harm, cause] of HARMS) {
  test(`a saved state ${what} is not used: everything is folded, and it is said why`, async () => {
    await withDesk(async (desk) => {
      const engine = await desk.open();
      await grown(desk, engine);
      await harm(desk, engine);
      const { engine: watched, froms } = reading(engine);
      const writer = await desk.start(watched);
      assert.equal(writer.state(), LINES);
      assert.ok(froms.includes(0), "it was folded from the first record");
      assert.deepEqual(desk.notes, [cause]);
    });
  });
}

test("a saved state of another ledger, or of more records than there are, is not used", async () => {
  await withDesk(async (desk) => {
    await grown(desk, await desk.open());
    const [other, short] = [await desk.open("other.db"), await desk.open("short.db")];
    for (const [engine, records, cause] of [
      [other, LINES, "end-differs"],
      [short, 5, "ledger-shorter"],
    ] as const) {
      const plain = await openSequencer(engine, counting);
      await Promise.all(Array.from({ length: records }, () => plain.submit(asking("x"))));
      desk.notes.splice(0);
      assert.equal((await desk.start(engine)).state(), records);
      assert.deepEqual(desk.notes, [cause]);
    }
  });
});

test("a saved state that cannot be written stops nobody, leaves nothing behind, and is said", async () => {
  await withDesk(async (desk) => {
    const engine = await desk.open();
    mkdirSync(join(desk.savedState, "in the way"), { recursive: true });
    await grown(desk, engine);
    assert.equal((await engine.head()).size, LINES);
    assert.ok(desk.notes.includes("unwritten"));
    assert.deepEqual(
      readdirSync(desk.file(".")).filter((name) => name.endsWith(".part")),
      [],
    );
  });
});

test("what a writer that was killed left half written is not taken for the saved state", async () => {
  await withDesk(async (desk) => {
    const engine = await desk.open();
    await grown(desk, engine);
    writeFileSync(`${desk.savedState}.4711.part`, readFileSync(desk.savedState).subarray(0, 100));
    const { engine: watched, froms } = reading(engine);
    assert.equal((await desk.start(watched)).state(), LINES);
    assert.deepEqual([froms, desk.notes], [[LINES - 1, LINES], []]);
  });
});
