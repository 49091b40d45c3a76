// An act on the ledger itself: who asks, judged by the kernel, and one record that brings its configuration with it.
//
// Whatever it recorded, a refusal too, is in the anchor at its end.
//
// For commands that write that record and end; those that change anything else go through the service (at-service.ts).

import { now } from "../clock.ts";
import { configHash, configSnapshot } from "../formats/dedalus/config-snapshot.ts";
import { ulids } from "../ids.ts";
import { answerRefusals, resultOf } from "../kernel/command/answer.ts";
import { bringing } from "../kernel/command/program.ts";
import { bodyOf } from "../kernel/command/record-body.ts";
import type { Bringing, Request } from "../kernel/command/request.ts";
import { type CommandDesk, commandOf } from "../kernel/command-desk.ts";
import { decide } from "../kernel/decide/decide.ts";
import { type OpenWriter, writerOn } from "../kernel/writer.ts";
import { type Ledger, type OpenMode, readRefusal } from "../ledger/open.ts";
import type { LedgerRecord } from "../ledger/record/record.ts";
import { type ProvenCaller, proveCaller } from "../service/hold/callers.ts";
import { type OpenDesk, savedStateAt } from "../service/hold/open-ledger.ts";
import { anchorSince } from "../service/hold/session.ts";
import type { Refusal } from "../spine/model.ts";
import { OWN_WORDS } from "../spine/words/own-words.ts";
import { callerGiven, refusedOutcome } from "./at-service.ts";
import type { Arguments } from "./command.ts";
import type { Configured } from "./find-config.ts";
import type { Io } from "./io.ts";
import { atLedger, kernelRefused, ledgerFailed } from "./ledger-desk.ts";
import { type Outcome, withBeside } from "./outcome.ts";
import { ownPackage } from "./own-files.ts";

export type Acting = {
  /** What every act on the ledger brings. */
  readonly brings: Bringing;
  readonly desk: OpenDesk;
  readonly kernel: CommandDesk;
  readonly ledger: Ledger;
  readonly writer: OpenWriter;
};

const commandDesk = ({ config, policies }: Configured, { actor, token }: ProvenCaller): CommandDesk => {
  const ids = ulids();
  return {
    actor,
    configHash: configHash(config, policies),
    door: "local",
    ids,
    instance: ids(),
    now,
    ...(token === undefined ? {} : { token }),
    words: OWN_WORDS.digest,
  };
};

/** Who asks, with what every act brings. */
export const actingOn = (ledger: Ledger, desk: OpenDesk, writer: OpenWriter): Acting | Refusal => {
  const caller = proveCaller(callerGiven(), writer.state(), desk.config.operator, now());
  if ("code" in caller) return caller;
  const config = configSnapshot(desk.config, desk.policies);
  const brings = bringing(config, ownPackage().version);
  return { brings, desk, kernel: commandDesk(desk, caller), ledger, writer };
};

export const actingAt = (
  given: Arguments,
  io: Io,
  mode: OpenMode,
  work: (acting: Acting) => Promise<Outcome>,
): Promise<Outcome> =>
  atLedger(given, io, mode, async (ledger, desk) => {
    const writer = await writerOn(ledger.engine, savedStateAt(ledger, desk));
    const { size } = writer.chain().tree;
    try {
      const acting = actingOn(ledger, desk, writer);
      if ("code" in acting) return kernelRefused([acting]);
      const outcome = await work(acting);
      // A seal that stood already, and whose copy is finished now, may lack its note.
      return withBeside(outcome, await anchored(acting, outcome.exit === "done" ? 0 : size));
    } finally {
      await writer
        .close()
        .catch((error: unknown) => desk.ports.hears.note(`the ledger's writer did not close: ${String(error)}`));
    }
  });

/** A seal goes past the writer, which has to read it first. */
const anchored = async ({ desk, writer }: Acting, since: number): Promise<Outcome | undefined> => {
  try {
    await writer.refresh();
  } catch (error) {
    return ledgerFailed(readRefusal(error));
  }
  const unanchored = anchorSince({ desk, writer }, since);
  return unanchored === undefined ? undefined : refusedOutcome(unanchored);
};

/** What the kernel would refuse it with; for acts on a ledger that takes no record of a refusal. */
export const refusedUnrecorded = ({ kernel, writer }: Acting, request: Request): readonly Refusal[] => {
  const { draft } = decide(writer.state(), commandOf(kernel, request), writer.chain().floor);
  const result = bodyOf(draft)?.result;
  return result?.kind === "refused" ? result.refusals : [];
};

/** The record, granted; or what came instead. */
export const recorded = async (
  { kernel, writer }: Acting,
  io: Io,
  request: Request,
): Promise<LedgerRecord | Outcome> => {
  const answer = await writer.submit(commandOf(kernel, request));
  if (answer.kind !== "recorded" || resultOf(answer)?.kind === "refused") return kernelRefused(answerRefusals(answer));
  io.deeds.record();
  return answer.record;
};
