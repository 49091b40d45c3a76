// Drafts and chains for the tests of the ledger's pure part. The same numbers give the same bytes.

import { createPrivateKey } from "node:crypto";
import { type Draft, GENESIS, type Sealed, type Ulid } from "../../src/ledger/record/record.ts";
import { seal } from "../../src/ledger/record/seal.ts";
import { signCheckpoint, vkeyOf } from "../../src/ledger/tree/checkpoint.ts";
import { EMPTY_FRONTIER, grown, rootOf } from "../../src/ledger/tree/merkle.ts";
import type { Instant, Sha256 } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import published from "./vectors/checkpoint.json" with { type: "json" };

export const ulid = (n: number): Ulid => String(n).padStart(26, "0") as Ulid;
export const instant = (n: number): Instant => `2026-11-15T10:00:00.${String(n % 1000).padStart(3, "0")}Z` as Instant;

export const draft = (n: number, changes: Partial<Draft> = {}): Draft => ({
  actor: { id: "alice", kind: "person", roles: ["operator"] },
  auditId: ulid(n),
  body: { n, text: `record ${n}` },
  configHash: sha256("config"),
  correlationId: ulid(n),
  environment: "home",
  eventTime: instant(n),
  idempotencyKey: ulid(n),
  instance: ulid(0),
  kind: "annotate",
  processTime: instant(n),
  ...changes,
});

export const chained = (drafts: readonly Draft[]): readonly Sealed[] => {
  let prev: Sha256 = GENESIS;
  return drafts.map((one, seq) => {
    const sealed = seal(one, { prev, seq });
    prev = sealed.hash;
    return sealed;
  });
};

export const chain = (length: number): readonly Sealed[] => chained(Array.from({ length }, (_, at) => draft(at)));

export const linesOf = (sealed: readonly Sealed[]): readonly Uint8Array[] => sealed.map(({ line }) => line);
export const treeRoot = (hashes: readonly Sha256[]): Sha256 => rootOf(hashes.reduce(grown, EMPTY_FRONTIER));
export const exported = (lines: readonly Uint8Array[]): Buffer =>
  Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));

/** PKCS #8 around the 32 secret bytes of an Ed25519 key (RFC 8410). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");
export const SECRET_KEY = createPrivateKey({
  format: "der",
  key: Buffer.concat([PKCS8, Buffer.from(published.seed, "hex")]),
  type: "pkcs8",
});
export const ORIGIN = published.origin;
export const VKEY = vkeyOf({ name: ORIGIN, publicKey: Buffer.from(published.publicKey, "hex") });

export const noteOver = (sealed: readonly Sealed[]): string =>
  signCheckpoint({ origin: ORIGIN, root: treeRoot(sealed.map(({ hash }) => hash)), size: sealed.length }, SECRET_KEY);
