// An anchor that was there and is not, or not whole: refused by its own name before anything is recorded or signed,
// shown by those who only look, and gone on from by one recorded act of an operator.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readNotes } from "../../src/ledger/anchor/anchor.ts";
import { cannot } from "../cannot.ts";
import type { Printed } from "./desk.ts";
import { ANCHOR, codesIn, edit, refusalsIn, withLedger } from "./ledger-desk.ts";
import { anchorIn, linesIn, rewritten, withSessions } from "./lost-ledger-desk.ts";

const keepNotes = (from: number, to: number) => (folder: string) => {
  const { notes } = readNotes(anchorIn(folder));
  writeFileSync(
    anchorIn(folder),
    notes
      .slice(from, to)
      .map((note) => `${note}\n`)
      .join(""),
  );
};

const LOSSES: Readonly<Record<string, readonly ((folder: string) => void)[]>> = {
  "anchor-absent": [(folder) => rmSync(anchorIn(folder))],
  "anchor-empty": [
    (folder) => writeFileSync(anchorIn(folder), ""),
    // The beginning of one note is none.
    (folder) => edit(folder, ANCHOR, (text) => text.slice(0, 60)),
  ],
  // All but the last; the first alone; all but the first, which is where an anchor may begin.
  "anchor-shortened": [keepNotes(0, 2), keepNotes(0, 1), keepNotes(1, 4)],
  "anchor-unmounted": [(folder) => renameSync(join(folder, "anchor"), join(folder, "elsewhere"))],
  "anchor-unreadable": [
    (folder) => {
      rmSync(anchorIn(folder));
      mkdirSync(anchorIn(folder), { mode: 0o700 });
    },
    // Nobody writes into it: whoever read it would wait for ever.
    (folder) => {
      rmSync(anchorIn(folder));
      execFileSync("mkfifo", ["-m", "600", anchorIn(folder)]);
    },
  ],
  "anchor-unverified": [(folder) => edit(folder, ANCHOR, (text) => text.replace("\n2\n", "\n1\n"))],
};

const WRITING = [
  ["freeze", "--reason", "again"],
  ["unfreeze", "--reason", "over"],
  ["token", "create", "--name", "bob", "--role", "approver", "--days", "7"],
  ["observe", "--env", "home"],
  ["plan", "--env", "home"],
  ["ledger", "checkpoint"],
  ["ledger", "move", "--to", "other.db"],
  ["ledger", "unlock", "--reason", "mended"],
  ["ledger", "unseal", "--copy-gone", "--reason", "its disk died"],
  ["accept-clock", "--reason", "set right"],
] as const;
/** They only read, and two of them sign what they read. */
const READING = [
  ["plans"],
  ["plan", "show", "01KA4QJ5V8R3W2T6Y7Z8N9M0P1"],
  ["token", "list"],
  ["replay"],
  ["state", "--at", "0"],
  ["ledger", "export", "--out", "audit"],
  ["ledger", "prove", "0"],
] as const;

for (const [code, harms] of Object.entries(LOSSES)) {
  test(`nothing is recorded or signed for a ledger whose anchor is lost: ${code}`, async () => {
    for (const harm of harms) {
      await withSessions(async (dedalus, folder) => {
        const before = await linesIn(folder);
        harm(folder);
        const found = readdirSync(folder);
        for (const words of [...WRITING, ...READING]) {
          const refused = await dedalus(...words, "--json");
          assert.deepEqual([refused.code, codesIn(refused)], [7, [code]], `${words.join(" ")}: ${refused.out}`);
        }
        assert.equal(await linesIn(folder), before);
        assert.deepEqual(readdirSync(folder), found);
      });
    }
  });

  test(`whoever looks is told that the anchor is lost: ${code}`, async () => {
    for (const harm of harms) {
      await withSessions(async (dedalus, folder) => {
        harm(folder);
        const verified = await dedalus("ledger", "verify", "--json");
        assert.deepEqual([verified.code, codesIn(verified)], [7, [code]], verified.out);
        const examined = await dedalus("doctor", "--json");
        const wrong = JSON.parse(examined.out).checks.filter(
          ({ refusals }: { readonly refusals: readonly unknown[] }) => refusals.length > 0,
        );
        assert.deepEqual(
          wrong.map(({ check, refusals }: { check: string; refusals: { code: string }[] }) => [
            check,
            refusals[0]?.code,
          ]),
          [["anchor", code]],
        );
        for (const words of [["status"], ["ledger", "show"]]) {
          const shown = await dedalus(...words);
          // What was altered is not shown as if it were only lost.
          assert.equal(shown.code, code === "anchor-unverified" ? 7 : 0, words.join(" "));
          assert.match(shown.err, new RegExp(code));
          if (shown.code === 0) assert.match(shown.err, /Nothing proves that this ledger is whole/);
        }
      });
    }
  });

  test(`an operator's recorded act goes on with a new anchor: ${code}`, async () => {
    for (const harm of harms) {
      await withSessions(async (dedalus, folder) => {
        const before = await linesIn(folder);
        harm(folder);
        const made = await dedalus("ledger", "re-anchor", "--reason", "its disk burnt", "--json");
        assert.equal(made.code, 0, made.out);
        const { found, keptAs: kept, seq, size } = JSON.parse(made.out);
        assert.equal(await linesIn(folder), before + 1, "nothing is recorded but the act");
        assert.deepEqual([found, seq, size], [code, before, before]);
        if (kept !== undefined) assert.ok(existsSync(join(folder, kept)), "what was there is evidence");
        assert.deepEqual(
          readNotes(anchorIn(folder)).notes.map((note) => note.split("\n")[1]),
          [`${before + 1}`],
        );
        assert.equal((await dedalus("freeze", "--reason", "on it goes")).code, 0);
        const verified = await dedalus("ledger", "verify", "--json");
        assert.equal(verified.code, 0, verified.out);
        const [told] = JSON.parse(verified.out).reAnchors;
        assert.deepEqual([told.by, told.found, told.reason, told.seq], ["alice", code, "its disk burnt", seq]);
        const line = new RegExp(
          `re-anchored once at 20[0-9: -]+Z \\([^)]+\\) by alice \\(record ${seq}, ${code}.*its disk burnt`,
        );
        for (const words of [["status"], ["doctor"]]) assert.match((await dedalus(...words)).out, line);
        assert.match((await dedalus("ledger", "verify")).out, /re-anchored at 20[0-9: -]+Z \([^)]+\) by alice/);
        assert.equal((await dedalus("replay")).code, 0);
        // The old anchor is not taken for the new one.
        if (code === "anchor-shortened") {
          copyFileSync(join(folder, kept), anchorIn(folder));
          assert.equal((await dedalus("freeze", "--reason", "again")).code, 7);
        }
      });
    }
  });
}

const after = (harm: (folder: string) => void, ...words: readonly string[]): Promise<Printed> =>
  withSessions(async (dedalus, folder) => {
    harm(folder);
    return dedalus(...words, "--json");
  });
const first = (code: string): ((folder: string) => void) => LOSSES[code]?.[0] ?? assert.fail(code);
const whole = await after(() => undefined, "freeze", "--reason", "again");

for (const code of Object.keys(LOSSES)) {
  const refused = await after(first(code), "freeze", "--reason", "again");
  cannot("N7", `go on with a ledger whose anchor is lost: ${code}`, {
    neighbour: () => refusalsIn(whole),
    offence: () => refusalsIn(refused),
  });
}

const begun = await withLedger(0, (dedalus) => dedalus("freeze", "--reason", "first", "--json"));
const touched = await withLedger(0, async (dedalus, folder) => {
  mkdirSync(join(folder, "anchor"));
  writeFileSync(anchorIn(folder), "");
  return dedalus("freeze", "--reason", "first", "--json");
});
const gone = await after(first("anchor-absent"), "ledger", "checkpoint");
cannot("N7", "take a ledger with records for one that has no anchor yet", {
  neighbour: () => [...refusalsIn(begun), ...refusalsIn(touched)],
  offence: () => refusalsIn(gone),
});

const anew = await withSessions(async (dedalus, folder) => {
  await rewritten(folder);
  rmSync(join(folder, "anchor"), { recursive: true });
  const refused = await dedalus("freeze", "--reason", "again", "--json");
  assert.ok(!existsSync(join(folder, "anchor")), "nothing was signed");
  return refused;
});
cannot("N7", "sign a ledger that was rewritten whole and whose anchor was deleted", {
  neighbour: () => refusalsIn(whole),
  offence: () => refusalsIn(anew),
});

test("a first session that was killed leaves a ledger with its anchor, and nobody has to re-anchor", async () => {
  await withLedger(0, async (dedalus, folder) => {
    assert.equal((await dedalus("freeze", "--reason", "one")).code, 0);
    keepNotes(0, 1)(folder);
    // Without the record that names the anchor as it was found later.
    assert.equal((await dedalus("freeze", "--reason", "two")).code, 0);
  });
});

test("an anchor with a torn note at its end is whole, and one with another's is not", async () => {
  await withSessions(async (dedalus, folder) => {
    const text = readFileSync(anchorIn(folder), "utf8");
    appendFileSync(anchorIn(folder), text.slice(0, 80));
    assert.equal((await dedalus("freeze", "--reason", "again")).code, 0);
    assert.ok(readFileSync(anchorIn(folder), "utf8").startsWith(text));
    appendFileSync(anchorIn(folder), `other/origin\n${text.slice(30, 80)}`);
    const refused = await dedalus("freeze", "--reason", "again", "--json");
    assert.deepEqual([refused.code, codesIn(refused)], [7, ["anchor-unverified"]]);
  });
});
