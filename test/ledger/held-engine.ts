// An engine that holds what it is given and takes nothing: for tests of what reads, with lines, keys and blobs of any kind.

import { type Engine, type Head, type KeyUse, linesIn } from "../../src/ledger/engine.ts";
import { GENESIS } from "../../src/ledger/record/record.ts";
import { recordHash } from "../../src/ledger/record/seal.ts";
import type { Sha256 } from "../../src/spine/model.ts";

type Held = {
  readonly blobs?: ReadonlyMap<Sha256, Uint8Array>;
  readonly keys?: readonly KeyUse[];
  /** What it says its head is, where that is not so. */
  readonly head?: Head;
};

export const heldEngine = (lines: readonly Uint8Array[], { blobs = new Map(), head, keys = [] }: Held = {}): Engine => {
  const last = lines.at(-1);
  const refuse = async (): Promise<never> => {
    throw new Error("it only holds");
  };
  const pages: Engine["pages"] = async function* (from, to) {
    yield lines.slice(Math.max(0, from), Math.max(0, to));
  };
  return {
    append: refuse,
    blob: async (digest) => blobs.get(digest),
    close: async () => undefined,
    follow: (from) => linesIn(pages(from, lines.length)),
    head: async () => head ?? { hash: last === undefined ? GENESIS : recordHash(last), size: lines.length },
    keys: async function* () {
      yield* keys;
    },
    lookup: async (caller, key) => keys.find((use) => use.caller === caller && use.key === key),
    name: "held",
    pages,
    read: (from, to) => linesIn(pages(from, to)),
    readOnly: () => undefined,
    unlock: refuse,
  };
};
