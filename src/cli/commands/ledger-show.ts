// dedalus ledger show: records as they come, in a few lines each for people, exactly as they were written under --json.
//
// Without --follow, --json is one value: {"records":[…]}, and an "error" at its end when the ledger is damaged. With
// --follow it has no end, so that each record is a line of its own. Memory stays small whatever the range.

import type { RecordPiece, RecordsRequest } from "../../service/read/records.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { becauseOf } from "../../spine/words/refusals/refusal-words.ts";
import { notASeq, seqOf } from "../arguments/seqs.ts";
import { exitOfRefusal, openAtService, refusalOutcome, refusedOutcome } from "../asking/at-service.ts";
import type { Arguments, CommandRun } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { badInput } from "../failed-outcome.ts";
import type { Stream, View } from "../outcome.ts";
import type { Io } from "../process/io.ts";
import { brokenLine, recordLines } from "../views/view-record.ts";
import { refusalLines } from "../views/view-refusal.ts";

const wantedOf = ({ flags, text }: Arguments): RecordsRequest | Refusal => {
  const [from, to] = [text.get("from") ?? "0", text.get("to")];
  const [first, last] = [seqOf(from), to === undefined ? undefined : seqOf(to)];
  const vmid = text.get("vm");
  const [kind, correlationId, environment] = [text.get("kind"), text.get("correlation"), text.get("env")];
  if (first === undefined) return notASeq("--from", from);
  if (to !== undefined && last === undefined) return notASeq("--to", to);
  if (flags.has("follow") && to !== undefined)
    return refuse("usage", { cause: "not-together", facts: { argument: "--follow", other: "--to" } });
  return {
    ...present({ correlationId, environment }),
    from: first,
    ...present({ kind }),
    ...(last === undefined ? {} : { to: last + 1 }),
    ...present({ vmid }),
  };
};

export const run: CommandRun = async (given, io) => {
  const wanted = wantedOf(given);
  if ("code" in wanted) return badInput([wanted]);
  const at = await openAtService(given, io);
  if ("exit" in at) return at;
  const { caller, service, watch } = at;
  const isFollowing = given.flags.has("follow");
  // A list that was broken off must not look whole; only what has no end may be ended.
  const request = isFollowing ? { ...wanted, until: await endOf(io) } : wanted;
  const answer = await service.records(caller, request, watch);
  if (answer.kind === "refused") {
    await service.close();
    return refusedOutcome(answer);
  }
  const stream: Stream = async function* (view) {
    try {
      return yield* (isFollowing ? followed : listed)(answer.value.pieces, view);
    } finally {
      await service.close();
    }
  };
  return { exit: "done", json: null, stream, text: () => [] };
};

/** Whoever follows is ended by a person, or by nobody being left to read. */
const endOf = async (io: Io): Promise<AbortSignal> =>
  io.untilReaderLeaves === undefined
    ? io.interrupted()
    : AbortSignal.any([io.interrupted(), await io.untilReaderLeaves()]);

const errorOf = async (refusal: Refusal): Promise<string> =>
  JSON.stringify((await refusalOutcome(refusal)).json).slice(1, -1);
const textOf = (line: Uint8Array): string => Buffer.from(line).toString("utf8");

const asText = (piece: RecordPiece, view: Extract<View, { readonly kind: "text" }>): string =>
  piece.kind === "record"
    ? [...recordLines(piece.record, view.style), ""].join("\n")
    : [
        brokenLine(piece.seq, becauseOf(piece.refusal), view.style),
        ...refusalLines(piece.refusal, view.style),
        "",
      ].join("\n");

async function* listed(pieces: AsyncIterable<RecordPiece>, view: View): AsyncGenerator<string, Exit> {
  let exit: Exit = "done";
  let count = 0;
  let end = "]}\n";
  if (view.kind === "json") yield '{"records":[';
  for await (const piece of pieces) {
    if (piece.kind === "broken") exit = exitOfRefusal(piece.refusal.code);
    if (view.kind === "text") yield asText(piece, view);
    else if (piece.kind === "record") yield `${count === 0 ? "" : ","}${textOf(piece.line)}`;
    else end = `],${await errorOf(piece.refusal)}}\n`;
    count += 1;
  }
  if (view.kind === "json") yield end;
  else if (count === 0) yield "no record\n";
  return exit;
}

async function* followed(pieces: AsyncIterable<RecordPiece>, view: View): AsyncGenerator<string, Exit> {
  let exit: Exit = "done";
  for await (const piece of pieces) {
    if (piece.kind === "broken") exit = exitOfRefusal(piece.refusal.code);
    if (view.kind === "text") yield asText(piece, view);
    else yield piece.kind === "record" ? `${textOf(piece.line)}\n` : `{${await errorOf(piece.refusal)}}\n`;
  }
  return exit;
}
