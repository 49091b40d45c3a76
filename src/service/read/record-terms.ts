// The terms by which a record is found again: who, what kind, where, which VMs, which undertaking, and which records it
// goes on with. As numbers, so that an index of a long ledger stays small.
//
// A name becomes a number by its hash, an id by the time in it: two may share one, and whoever finds a record judges
// it. A record has at least the terms that concerning.ts and vm-history.ts judge by. Not here: where they are kept
// (ledger/terms/term-table.ts).

import { bodyOf } from "../../kernel/command/record-body.ts";
import type { Result } from "../../kernel/command/result.ts";
import type { Engine } from "../../ledger/engine.ts";
import { vmsNamedIn } from "../../ledger/record/concerns.ts";
import type { LedgerRecord, Ulid } from "../../ledger/record/record.ts";
import { isUlid, ulidBytes } from "../../ledger/record/ulid.ts";
import type { Entry, Term } from "../../ledger/terms/term-table.ts";
import type { DesiredEntry, Plan, Sha256 } from "../../spine/model.ts";
import { sha256 } from "../../spine/values/hash.ts";

/** As many bits as a number holds without loss. */
const HASH_DIGITS = 12;
const numberOf = (name: string): number => Number.parseInt(sha256(name).slice(0, HASH_DIGITS), 16);
/** The time of a ULID, its first six bytes, and as many bits of its chance as a number has room for. */
const timeOf = (id: Ulid): number => {
  const bytes = ulidBytes(id);
  return bytes.readUIntBE(0, 6) * 2 ** CHANCE_BITS + (bytes.readUInt16BE(6) >> (16 - CHANCE_BITS));
};
const CHANCE_BITS = 11;

const actorTerm = (id: string): Term => ({ space: "actor", value: numberOf(id) });
export const blobTerm = (digest: Sha256): Term => ({
  space: "blob",
  value: Number.parseInt(digest.slice(0, HASH_DIGITS), 16),
});
export const correlationTerm = (id: string): Term => ({ space: "correlation", value: numberOf(id) });
const environmentTerm = (name: string): Term => ({ space: "environment", value: numberOf(name) });
export const idTerm = (id: Ulid): Term => ({ space: "id", value: timeOf(id) });
export const kindTerm = (kind: string): Term => ({ space: "kind", value: numberOf(kind) });
export const vmTerm = (vmid: number): Term => ({ space: "vm", value: vmid });
const refersTerm = (seq: number): Term => ({ space: "refers", value: seq });

/** `seqsOf` finds the records that an id may be of. */
export const entriesOf = async (
  engine: Pick<Engine, "blob">,
  record: LedgerRecord,
  seqsOf: (term: Term) => readonly number[],
): Promise<readonly Entry[]> => {
  const { actor, auditId, correlationId, environment, kind, seq } = record;
  const before = idsReferredTo(record).flatMap((id) => seqsOf(idTerm(id)));
  const terms = [
    actorTerm(actor.id),
    idTerm(auditId),
    ...kindsOf(kind).map(kindTerm),
    ...blobsNamedIn(record).map(blobTerm),
    // An undertaking of one record is found by its id.
    ...(correlationId === auditId ? [] : [correlationTerm(correlationId)]),
    ...(environment === undefined ? [] : [environmentTerm(environment)]),
    ...[...new Set(before)].filter((one) => one < seq).map(refersTerm),
    ...[...(await vmsIn(engine, record))].map(vmTerm),
  ];
  return terms.map((term) => ({ ...term, seq }));
};

/** A kind, and what kinds begin with. */
const kindsOf = (kind: string): readonly string[] =>
  kind.split(".").map((_, at, parts) => parts.slice(0, at + 1).join("."));

/** Every id of another record that it names. */
export const idsReferredTo = (record: LedgerRecord): readonly Ulid[] => {
  const body = bodyOf(record);
  const { about, approval, intent, of, plan } = Object(body?.request) as Readonly<Record<string, unknown>>;
  const { plan: ofStep } = Object(of) as Readonly<Record<string, unknown>>;
  const { plan: unchanged, supersedes } = Object(body?.result) as Readonly<Record<string, unknown>>;
  return [about, approval, intent, ofStep, plan, unchanged, supersedes].filter((id) => isUlid(id));
};

/**
 * Every digest that nobody could have typed: those of its blobs, which the kernel took of their texts, and that of the
 * words in which something was shown, where the kernel held it against those that a program recorded at its start.
 */
export const blobsNamedIn = (record: LedgerRecord): readonly Sha256[] => {
  const { result, words } = bodyOf(record) ?? {};
  const isHeld = result !== undefined && WORDS_HELD.has(result.kind);
  return [...(record.blobs ?? []), ...(words === undefined || !isHeld ? [] : [words])];
};

/** What is refused keeps the words as they were asked with, whatever they name. */
const WORDS_HELD: ReadonlySet<Result["kind"]> = new Set(["approved", "challenged", "intended"]);

const vmsIn = async (engine: Pick<Engine, "blob">, record: LedgerRecord): Promise<ReadonlySet<number>> => {
  const named = vmsNamedIn(record);
  const body = bodyOf(record);
  if (body?.kind === "register") {
    const desired = await blobIn<{ readonly entries: readonly DesiredEntry[] }>(engine, body.request.desired);
    return new Set([...named, ...(desired?.entries ?? []).map(({ vmid }) => vmid)]);
  }
  if (body?.kind !== "plan" || body.result.kind !== "planned") return named;
  const made = await blobIn<{ readonly plan: Plan }>(engine, body.result.plan);
  return new Set([...named, ...(made?.plan.answers ?? []).flatMap(({ vmid }) => vmid ?? [])]);
};

/** One that is missing is `ledger verify`'s to find. */
export const blobIn = async <T>(engine: Pick<Engine, "blob">, digest: Sha256): Promise<T | undefined> => {
  const bytes = await engine.blob(digest);
  return bytes === undefined ? undefined : JSON.parse(new TextDecoder().decode(bytes));
};
