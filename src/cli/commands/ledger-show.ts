// dedalus ledger show: records as they come, one line each for people, exactly as they were written under --json.
//
// Without --follow, --json is one value: {"records":[…]}, and an "error" at its end when the ledger is damaged. With
// --follow it has no end, so that each record is a line of its own. Memory stays small whatever the range.

import type { Engine } from "../../ledger/engine.ts";
import { readRefusal } from "../../ledger/open.ts";
import { concernsVm } from "../../ledger/record/concerns.ts";
import { readRecord } from "../../ledger/record/read-record.ts";
import { GENESIS, type LedgerRecord } from "../../ledger/record/record.ts";
import { linkFlaw, recordHash } from "../../ledger/record/seal.ts";
import { LedgerDamage } from "../../ledger/verify/damage.ts";
import type { Refusal, Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { becauseOf } from "../../spine/words/refusal-words.ts";
import { seqOf } from "../arguments/seqs.ts";
import { vmidOf } from "../arguments/vmids.ts";
import type { Arguments, Run } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { badInput } from "../failure.ts";
import { exitOfRefusal, kernelRefused, ledgerFailed, openDesk, readerAt } from "../ledger-desk.ts";
import type { Stream, View } from "../outcome.ts";
import { brokenLine, recordLine } from "../views/view-record.ts";
import { refusalLines } from "../views/view-refusal.ts";

type Wanted = { readonly from: number; readonly to: number; readonly is: (record: LedgerRecord) => boolean };

const wantedOf = ({ flags, text }: Arguments): Wanted | Refusal => {
  const [from, to] = [text.get("from") ?? "0", text.get("to")];
  const [first, last] = [seqOf(from), to === undefined ? Number.MAX_SAFE_INTEGER - 1 : seqOf(to)];
  const vm = text.get("vm");
  const vmid = vm === undefined ? undefined : vmidOf(vm);
  const [kind, correlation] = [text.get("kind"), text.get("correlation")];
  if (first === undefined || last === undefined)
    return refuse("usage", { because: "--from and --to take a seq: 0, 1, 2 …" });
  if (vm !== undefined && vmid === undefined)
    return refuse("usage", { because: `--vm takes a vmid, and ${vm} is none` });
  if (flags.has("follow") && to !== undefined)
    return refuse("usage", { because: "--follow has no end, and --to is one", next: "Leave one of them out." });
  return {
    from: first,
    is: (record) =>
      (kind === undefined || record.kind === kind || record.kind.startsWith(`${kind}.`)) &&
      (correlation === undefined || record.correlationId === correlation) &&
      (vmid === undefined || concernsVm(record, vmid)),
    to: last + 1,
  };
};

export const run: Run = async (given, io) => {
  const wanted = wantedOf(given);
  if ("kind" in wanted) return badInput([wanted]);
  const opened = await openDesk(given, io, "view");
  if (opened.kind === "bad") return opened.outcome;
  const { engine } = opened.ledger;
  const reader = await readerAt(opened.ledger, opened.desk, "account").catch(readRefusal);
  if ("code" in reader) {
    await engine.close();
    return kernelRefused([reader]);
  }
  const isFollowing = given.flags.has("follow");
  // A list that was broken off must not look whole; only what has no end may be ended.
  const stop = isFollowing ? io.interrupted() : new AbortController().signal;
  // From the record before on, which the first one must link to.
  const first = Math.max(0, wanted.from - 1);
  const lines = isFollowing ? engine.follow(first, stop) : engine.read(first, wanted.to);
  const stream: Stream = async function* (view) {
    try {
      return yield* (isFollowing ? followed : listed)(shown(lines, wanted, stop), view);
    } finally {
      await engine.close();
    }
  };
  return { exit: "done", json: null, stream, text: () => [] };
};

type Piece =
  | { readonly kind: "record"; readonly line: Uint8Array; readonly record: LedgerRecord }
  | { readonly kind: "broken"; readonly refusal: Refusal; readonly seq: number };

/** Ends at the first line that is no record, or does not link to the one before: what comes after it stands on nothing. */
async function* shown(
  lines: ReturnType<Engine["read"]>,
  { from, is }: Wanted,
  stop: AbortSignal,
): AsyncGenerator<Piece> {
  let seq = Math.max(0, from - 1);
  let hash: Sha256 | undefined = seq === 0 ? GENESIS : undefined;
  try {
    for await (const line of lines) {
      if (stop.aborted) return;
      const read = readRecord(line);
      if (read.kind === "finding") throw new LedgerDamage(seq, read.because);
      const flaw = hash === undefined ? undefined : linkFlaw({ hash, size: seq }, read.record);
      if (flaw !== undefined) throw new LedgerDamage(seq, flaw.because);
      if (seq >= from && is(read.record)) yield { kind: "record", line, record: read.record };
      [hash, seq] = [recordHash(line), seq + 1];
    }
  } catch (error) {
    yield { kind: "broken", refusal: readRefusal(error), seq };
  }
}

const errorOf = (refusal: Refusal): string => JSON.stringify(ledgerFailed(refusal).json).slice(1, -1);
const textOf = (line: Uint8Array): string => Buffer.from(line).toString("utf8");

const asText = (piece: Piece, view: Extract<View, { readonly kind: "text" }>): string =>
  piece.kind === "record"
    ? `${recordLine(piece.record, view.paint)}\n`
    : [
        brokenLine(piece.seq, becauseOf(piece.refusal), view.paint),
        ...refusalLines(piece.refusal, view.paint),
        "",
      ].join("\n");

async function* listed(pieces: AsyncIterable<Piece>, view: View): AsyncGenerator<string, Exit> {
  let exit: Exit = "done";
  let count = 0;
  let end = "]}\n";
  if (view.kind === "json") yield '{"records":[';
  for await (const piece of pieces) {
    if (piece.kind === "broken") exit = exitOfRefusal(piece.refusal.code);
    if (view.kind === "text") yield asText(piece, view);
    else if (piece.kind === "record") yield `${count === 0 ? "" : ","}${textOf(piece.line)}`;
    else end = `],${errorOf(piece.refusal)}}\n`;
    count += 1;
  }
  if (view.kind === "json") yield end;
  else if (count === 0) yield "no record\n";
  return exit;
}

async function* followed(pieces: AsyncIterable<Piece>, view: View): AsyncGenerator<string, Exit> {
  let exit: Exit = "done";
  for await (const piece of pieces) {
    if (piece.kind === "broken") exit = exitOfRefusal(piece.refusal.code);
    if (view.kind === "text") yield asText(piece, view);
    else yield piece.kind === "record" ? `${textOf(piece.line)}\n` : `{${errorOf(piece.refusal)}}\n`;
  }
  return exit;
}
