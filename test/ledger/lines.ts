// Chained lines for tests of engines, and the walk that checks a chain.

import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { now } from "../../src/clock.ts";
import { ulids } from "../../src/ids.ts";
import type { Commit, Engine, Head } from "../../src/ledger/engine.ts";
import { keyUseOf } from "../../src/ledger/record/asked.ts";
import { readRecord } from "../../src/ledger/record/read-record.ts";
import { type Draft, GENESIS, type Sealed } from "../../src/ledger/record/record.ts";
import { linkFlaw, recordHash, seal } from "../../src/ledger/record/seal.ts";
import type { Sha256 } from "../../src/spine/model.ts";
import { isSha256 } from "../../src/spine/values/hash.ts";

export const EMPTY: Head = { hash: GENESIS, size: 0 };

const earned = (hex: string): Sha256 => {
  assert.ok(isSha256(hex));
  return hex;
};
export const digestOf = (bytes: Uint8Array): Sha256 => earned(hash("sha256", bytes, "hex"));

export const nextUlid = ulids();

const CONFIG = earned("c".repeat(64));
const INSTANCE = nextUlid();

const sealedOn = ({ hash: prev, size: seq }: Head, caller: string, note: string): Sealed => {
  const at = now();
  const draft: Draft = {
    actor: { id: caller, kind: "kernel", roles: [] },
    auditId: nextUlid(),
    body: { request: { note, nth: seq } },
    configHash: CONFIG,
    correlationId: INSTANCE,
    eventTime: at,
    idempotencyKey: nextUlid(),
    instance: INSTANCE,
    kind: "test.noted",
    processTime: at,
  };
  return seal(draft, { prev, seq });
};

export type Made = { readonly commit: Commit; readonly head: Head };

/** A commit of so many lines on top of a head, each with a key of its own, and the head after it. */
export const commitOn = (
  on: Head,
  count: number,
  { caller = "tester", note = "" }: { readonly caller?: string; readonly note?: string } = {},
): Made => {
  const sealed: Sealed[] = [];
  let head = on;
  for (let at = 0; at < count; at += 1) {
    const one = sealedOn(head, caller, note);
    sealed.push(one);
    head = { hash: one.hash, size: head.size + 1 };
  }
  const keys = sealed.map(({ record }) => keyUseOf(record));
  return { commit: { blobs: new Map(), keys, lines: sealed.map(({ line }) => line) }, head };
};

export const gathered = async <T>(members: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const member of members) all.push(member);
  return all;
};

/** Walks the whole ledger: consecutive, linked, and ending in the head that the engine says. Returns that head. */
export const assertChain = async (engine: Engine): Promise<Head> => {
  const said = await engine.head();
  let head = EMPTY;
  for await (const line of engine.read(0, said.size)) {
    const read = readRecord(line);
    assert.ok(read.kind === "record", JSON.stringify(read));
    assert.equal(linkFlaw(head, read.record), undefined);
    head = { hash: recordHash(line), size: head.size + 1 };
  }
  assert.deepEqual(head, said);
  return head;
};
