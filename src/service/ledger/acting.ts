// An act on the ledger itself: the ledger opened in the act's mode, who asks, and one record that brings its
// configuration.
//
// Whatever it recorded, a refusal too, is in the anchor at its end. Not here: which acts there are (ledger-service.ts).

import { configToRecord } from "../../formats/dedalus/config-to-record.ts";
import { bringing, START_WORDS } from "../../kernel/command/program.ts";
import { bodyOf } from "../../kernel/command/record-body.ts";
import { configHash } from "../../kernel/command/recorded-config.ts";
import type { Bringing, Request } from "../../kernel/command/request.ts";
import { answerRefusals, resultOf } from "../../kernel/command/submission-result.ts";
import { type CommandDesk, commandOf } from "../../kernel/command-desk.ts";
import { decide } from "../../kernel/versions.ts";
import { type OpenWriter, openWriterOn } from "../../kernel/writer.ts";
import type { Ledger, OpenMode } from "../../ledger/open.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";
import type { Refusal } from "../../spine/model.ts";
import { type OkAnswer, type RefusedAnswer, refusedByKernel, type ServiceAnswer, unreadable } from "../answer.ts";
import { type ProvenCaller, proveCaller } from "../hold/callers.ts";
import { anchorSince } from "../hold/checkpoint-head.ts";
import { type OpenDesk, savedStateAt, withLedger } from "../hold/open-ledger.ts";
import { askingAs } from "../hold/session.ts";
import type { CallerAtFiles } from "../ledger-service.ts";
import type { Configuration, Ports } from "../ports.ts";
import type { Watch } from "../progress.ts";

/** What an act is asked on, and by whom. */
export type ActGround = {
  readonly caller: CallerAtFiles;
  readonly configuration: Configuration;
  readonly ports: Ports;
  readonly watch: Watch;
};

export type Acting = {
  /** What every act on the ledger brings. */
  readonly brings: Bringing;
  readonly desk: OpenDesk;
  readonly kernel: CommandDesk;
  readonly ledger: Ledger;
  readonly watch: Watch;
  readonly writer: OpenWriter;
};

export const commandDesk = (
  { config, policies, ports }: Pick<OpenDesk, "config" | "policies" | "ports">,
  caller: ProvenCaller,
): CommandDesk => {
  const ids = ports.ids.ulids();
  return {
    ...askingAs(caller),
    configHash: configHash(configToRecord(config, policies)),
    door: caller.door,
    ids,
    instance: ids(),
    now: ports.clock.now,
    words: START_WORDS,
  };
};

type Opened = { readonly desk: OpenDesk; readonly ledger: Ledger; readonly writer: OpenWriter };

/** Who asks, with what every act brings. */
export const beginActing = (
  { desk, ledger, writer }: Opened,
  { caller, ports, watch }: ActGround,
): Acting | Refusal => {
  const known = { floor: writer.chain().floor, state: writer.state() };
  const proven = proveCaller(caller, known, desk.config.operator, ports.clock.now());
  if ("code" in proven) return proven;
  const brings = bringing(configToRecord(desk.config, desk.policies), ports.version);
  return { brings, desk, kernel: commandDesk(desk, proven), ledger, watch, writer };
};

/** Opens the ledger in the act's mode, acts, keeps what was recorded in the anchor, and closes. */
export const actAt = <T>(
  ground: ActGround,
  mode: OpenMode,
  work: (acting: Acting) => Promise<ServiceAnswer<T>>,
): Promise<ServiceAnswer<T>> =>
  withLedger<ServiceAnswer<T>>({ ...ground, mode }, async (ledger, desk) => {
    const writer = await openWriterOn(ledger.engine, savedStateAt(ledger, desk));
    const { size } = writer.chain().tree;
    try {
      const acting = beginActing({ desk, ledger, writer }, ground);
      if ("code" in acting) return refusedByKernel([acting]);
      const answer = await work(acting);
      // A seal that stood already, and whose copy is finished now, may lack its note.
      const unkept = await keepAnchored(acting, answer.kind === "ok" ? 0 : size);
      return unkept === undefined ? answer : { ...answer, beside: [unkept] };
    } finally {
      await writer
        .close()
        .catch((error: unknown) =>
          desk.ports.hears.note({ cause: "writer-not-closed", facts: { said: String(error) } }),
        );
    }
  });

/** A seal goes past the writer, which has to read it first. */
const keepAnchored = async ({ desk, writer }: Acting, since: number): Promise<RefusedAnswer | undefined> => {
  try {
    await writer.refresh();
  } catch (error) {
    return unreadable(error);
  }
  return anchorSince({ desk, writer }, since);
};

/** What the kernel would refuse it with; for acts on a ledger that takes no record of a refusal. */
export const judgeUnrecorded = ({ kernel, writer }: Acting, request: Request): RefusedAnswer | undefined => {
  const { draft } = decide(writer.state(), commandOf(kernel, request), writer.chain().floor);
  const result = bodyOf(draft)?.result;
  return result?.kind === "refused" ? refusedByKernel(result.refusals) : undefined;
};

/** The record, granted; or what came instead. */
export const recordAct = async (
  { kernel, writer }: Acting,
  request: Request,
): Promise<{ readonly record: LedgerRecord } | RefusedAnswer> => {
  const answer = await writer.submit(commandOf(kernel, request));
  return answer.kind !== "recorded" || resultOf(answer)?.kind === "refused"
    ? refusedByKernel(answerRefusals(answer))
    : { record: answer.record };
};

/** Grants what was asked, on the ledger as its writer knows it now. */
export const granted = <T>({ writer }: Pick<Acting, "writer">, record: LedgerRecord, value: T): OkAnswer<T> => {
  const { hash, tree } = writer.chain();
  return { head: { hash, size: tree.size }, kind: "ok", record, replayed: false, value };
};
