// What may not be looked at is not lost: an anchor, a ledger or a key behind a circle of links is told by its cause,
// and nobody is led to begin another in its place.

import assert from "node:assert/strict";
import { readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { cannot } from "../cannot.ts";
import type { Printed } from "../cli/desk.ts";
import { ANCHOR, codesIn, DATABASE, type Dedalus, KEY, refusalsIn, withLedger } from "../cli/ledger-desk.ts";

type Told = { readonly denied: Printed; readonly mended: Printed };

/** Without what SQLite keeps beside a ledger that somebody reads. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { encoding: "utf8", recursive: true })
    .filter((name) => !/-(?:shm|wal)$/.test(name))
    .sort();

/** A file whose name leads to itself for a while; it is kept elsewhere meanwhile. */
const circling = (file: string, ask: (dedalus: Dedalus) => Promise<Printed>): Promise<Told> =>
  withLedger(2, async (dedalus, folder) => {
    const [path, kept] = [join(folder, file), join(folder, "kept")];
    renameSync(path, kept);
    symlinkSync(path, path);
    const files = filesIn(folder);
    const denied = await ask(dedalus);
    const examined = await dedalus("doctor");
    assert.doesNotMatch(denied.out + denied.err + examined.out + examined.err, /internal error|re-anchor --reason/);
    assert.deepEqual(filesIn(folder), files, "nothing was made");
    rmSync(path);
    renameSync(kept, path);
    return { denied, mended: await dedalus("freeze", "--reason", "on", "--json") };
  });

const freezing = (dedalus: Dedalus): Promise<Printed> => dedalus("freeze", "--reason", "x", "--json");
const reAnchoring = (dedalus: Dedalus): Promise<Printed> => dedalus("ledger", "re-anchor", "--reason", "x", "--json");

const anchor = await circling(ANCHOR, freezing);
cannot("N7", "take an anchor that may not be looked at for one that is gone", {
  neighbour: () => refusalsIn(anchor.mended),
  offence: () => {
    assert.deepEqual([anchor.denied.code, codesIn(anchor.denied)], [7, ["anchor-unreadable"]]);
    return refusalsIn(anchor.denied);
  },
});

const begun = await circling(ANCHOR, reAnchoring);
cannot("N7", "begin another anchor in the place of one that may not be looked at", {
  neighbour: () => refusalsIn(begun.mended),
  offence: () => {
    assert.deepEqual([begun.denied.code, codesIn(begun.denied)], [7, ["anchor-unreadable"]]);
    return refusalsIn(begun.denied);
  },
});

const ledger = await circling(DATABASE, freezing);
cannot("P7-F1", "take a ledger that may not be looked at for one that was cut", {
  neighbour: () => refusalsIn(ledger.mended),
  offence: () => {
    assert.deepEqual(codesIn(ledger.denied), ["ledger-unusable"]);
    return refusalsIn(ledger.denied);
  },
});

const key = await circling(KEY, freezing);
cannot("P7-F1", "take a key that may not be looked at for a bug, or for one that is not there", {
  neighbour: () => refusalsIn(key.mended),
  offence: () => {
    const [refusal] = JSON.parse(key.denied.out).error.refusals;
    assert.deepEqual([key.denied.code, refusal.code, refusal.cause], [2, "key-unusable", "ELOOP"]);
    return [refusal];
  },
});
