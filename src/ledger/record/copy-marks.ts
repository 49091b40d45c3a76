// What a record that seals a ledger, or undoes that, says of the copy; and the two uses of keys that mark a copy.
//
// No actor can have those keys, because an actor's id is not empty. Not here: who heeds them (write/sealed.ts), and
// whether they are true (verify/verify-whole.ts).

import type { Sha256 } from "../../spine/model.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import type { Engine, KeyUse } from "../engine.ts";
import { readRecord } from "./read-record.ts";
import type { LedgerRecord, Ulid } from "./record.ts";

export const SEAL = "ledger.seal";
export const UNSEAL = "ledger.unseal";
const RESTORE = "ledger.restore";

const CALLER = "";
const isKey = (text: string): text is Ulid => /^[0-7][0-9A-Z]{25}$/.test(text);
const keyOf = (text: string): Ulid => {
  if (isKey(text)) return text;
  throw new TypeError(`${text} is no key`);
};
const BEGUN = keyOf(`${"0".repeat(25)}1`);
const FINISHED = keyOf(`${"0".repeat(25)}2`);

export type CopyMarks = {
  /** The id of the copy that this ledger is. */
  readonly begun: Sha256 | undefined;
  /** The seq of the seal after which this ledger goes on. */
  readonly finishedAt: number | undefined;
};

export const readCopyMarks = async (engine: Engine): Promise<CopyMarks> => {
  const begun = await engine.lookup(CALLER, BEGUN);
  const finished = await engine.lookup(CALLER, FINISHED);
  return { begun: begun?.request, finishedAt: finished?.seq };
};

/** Which mark of a copy a use is; undefined when it is a record's. */
export const markOf = ({ caller, key }: KeyUse): "begun" | "finished" | undefined =>
  caller !== CALLER ? undefined : key === BEGUN ? "begun" : key === FINISHED ? "finished" : undefined;

export const begunMark = (copy: Sha256): KeyUse => ({ caller: CALLER, key: BEGUN, request: copy, seq: 0 });
export const finishedMark = (copy: Sha256, seq: number): KeyUse => ({
  caller: CALLER,
  key: FINISHED,
  request: copy,
  seq,
});

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as { readonly [key: string]: unknown })[name] : undefined;

/**
 * The id of the copy that a seal or its undoing speaks of; a seal of the time before the kernel has it in its result.
 */
export const copyOf = ({ body: { request, result } }: LedgerRecord): Sha256 | undefined => {
  const copy = memberOf(request, "copy") ?? memberOf(result, "copy");
  return isSha256(copy) ? copy : undefined;
};

/**
 * What was refused is a record and does nothing. Seals of the time before the kernel have no door, and were all
 * granted.
 */
const isGranted = ({ body }: LedgerRecord): boolean =>
  body["door"] === undefined || memberOf(body["result"], "kind") === "done";

const NEEDLE = Buffer.from(`"kind":"${SEAL}"`);

/** The seal that a line is; the search in its bytes spares the others from being parsed. */
export const sealIn = (line: Uint8Array): LedgerRecord | undefined => {
  if (!Buffer.from(line.buffer, line.byteOffset, line.length).includes(NEEDLE)) return undefined;
  return grantedIn(line, SEAL);
};

export const grantedIn = (line: Uint8Array, kind: string): LedgerRecord | undefined => {
  const read = readRecord(line);
  return read.kind === "record" && read.record.kind === kind && isGranted(read.record) ? read.record : undefined;
};

/** The id of the copy that a line finishes: the seal of what moved, or the record of a restore. */
export const copyFinishedBy = (line: Uint8Array): Sha256 | undefined => {
  const finishing = grantedIn(line, SEAL) ?? grantedIn(line, RESTORE);
  return finishing === undefined ? undefined : copyOf(finishing);
};
