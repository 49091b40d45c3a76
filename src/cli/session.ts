// A session at the kernel: the opened ledger with the kernel over it, and who acts. Every command that changes anything
// goes through one; it begins with a record of the configuration, and ends with a checkpoint in the anchor.
// The checkpoint and the snapshot, when one is written, are over the same records, so that a start need not walk between.
//
// Who acts is the operator of dedalus.yaml, or the subject of DEDALUS_TOKEN; nobody acts unnamed. Intents whose performer
// is provably gone become outcome unknown here, never in a command that only reads. Keeps P7-F2, B2.

import { now } from "../clock.ts";
import { configHash, configSnapshot } from "../formats/dedalus/config-snapshot.ts";
import type { EnvironmentConfig } from "../formats/dedalus/dedalus-environment.ts";
import { ulids } from "../ids.ts";
import type { ApplyGround } from "../kernel/apply/perform-apply.ts";
import { answerRefusals, resultOf } from "../kernel/command/answer.ts";
import type { Request } from "../kernel/command/request.ts";
import type { Result } from "../kernel/command/result.ts";
import { type CommandDesk, type CommandOptions, commandOf, KERNEL_ACTOR } from "../kernel/command-desk.ts";
import { openIntents, orphans } from "../kernel/state/recovery.ts";
import type { IntentState } from "../kernel/state/state.ts";
import { type OpenWriter, writerOn } from "../kernel/writer.ts";
import type { Ledger } from "../ledger/open.ts";
import type { LedgerRecord } from "../ledger/record/record.ts";
import { rootOf } from "../ledger/tree/merkle.ts";
import type { Refusal } from "../spine/model.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { type Owners, ownersAt } from "../wire.ts";
import { anchorReason, unwritableAnchor } from "./anchor-desk.ts";
import { callerOf } from "./callers.ts";
import type { Arguments } from "./command.ts";
import { failed } from "./failure.ts";
import type { Io } from "./io.ts";
import { anchorFailed, atLedger, type Desk, ledgerFailed, snapshotAt } from "./ledger-desk.ts";
import { type Outcome, withBeside } from "./outcome.ts";
import { ownPackage } from "./own-files.ts";

export type Asked =
  | { readonly kind: "granted"; readonly record: LedgerRecord; readonly replayed: boolean; readonly result: Result }
  | { readonly kind: "refused"; readonly outcome: Outcome };

export type Session = {
  readonly ask: (request: Request, asking?: CommandOptions) => Promise<Asked>;
  readonly desk: Desk;
  readonly kernel: CommandDesk;
  readonly ledger: Ledger;
  readonly owners: Owners;
  /** Intents that this session found without a performer. */
  readonly recovered: readonly IntentState[];
  readonly writer: OpenWriter;
};

/** Refusals of the kernel: whatever was asked was not done. */
export const kernelRefused = (refusals: readonly Refusal[]): Outcome => {
  const ofLedger = refusals.find(({ stage }) => stage === "ledger");
  return ofLedger === undefined ? failed("refused", "kernel", refusals) : ledgerFailed(ofLedger);
};

const asker =
  (writer: OpenWriter, kernel: CommandDesk, onGranted: () => void): Session["ask"] =>
  async (request, asking) => {
    const answer = await writer.submit(commandOf(kernel, request, asking));
    const result = resultOf(answer);
    if (answer.kind !== "recorded" || result === undefined || result.kind === "refused") {
      return { kind: "refused", outcome: kernelRefused(answerRefusals(answer)) };
    }
    onGranted();
    return { kind: "granted", record: answer.record, replayed: answer.replayed, result };
  };

/** `isBrake`: what stops a call is recorded also while its checkpoint cannot be kept. */
export const inSession = (
  given: Arguments,
  io: Io,
  work: (session: Session) => Promise<Outcome>,
  isBrake = false,
): Promise<Outcome> => atLedger(given, io, "write", (ledger, desk) => atKernel(ledger, desk, io, work), isBrake);

const atKernel = async (
  ledger: Ledger,
  desk: Desk,
  io: Io,
  work: (session: Session) => Promise<Outcome>,
): Promise<Outcome> => {
  const writer = await writerOn(ledger.engine, snapshotAt(ledger, desk));
  const { size } = writer.standing().tree;
  try {
    const opened = await begun(ledger, desk, writer, io);
    const outcome = "exit" in opened ? opened : withRecovered(await work(opened), opened.recovered);
    return withBeside(outcome, anchoredSince({ desk, writer }, size));
  } finally {
    await writer.close().catch((error: unknown) => desk.note(`the ledger's writer did not close: ${String(error)}`));
  }
};

/** The first record of every process is its configuration; then what crashed before is said. */
const begun = async (ledger: Ledger, desk: Desk, writer: OpenWriter, io: Io): Promise<Session | Outcome> => {
  const caller = callerOf(writer.state(), desk.config.operator);
  if ("code" in caller) return kernelRefused([caller]);
  // Loaded by who records alone: a command that only reads is spared the time.
  const { START_GIVEN, START_WORDS, startRequest } = await import("../kernel/command/program.ts");
  const ids = ulids();
  const kernel: CommandDesk = {
    ...caller,
    configHash: configHash(desk.config, desk.policies),
    door: "local",
    ids,
    instance: ids(),
    now,
    words: START_WORDS,
  };
  const own = asker(writer, { ...kernel, actor: KERNEL_ACTOR }, () => undefined);
  const started = await own(
    {
      ...(desk.anchorClaim === undefined ? {} : { anchor: desk.anchorClaim }),
      ...startRequest(configSnapshot(desk.config, desk.policies), ownPackage().version),
    },
    { given: START_GIVEN },
  );
  if (started.kind === "refused") return started.outcome;
  const owners = await ownersAt(desk.config.ledger, desk.home);
  const recovered: IntentState[] = [];
  for (const { intent, request } of orphans(writer.state(), now(), kernel.instance, owners.isEnded)) {
    const asked = await own(request, { causationId: intent.id, environment: intent.environment });
    if (asked.kind === "granted") recovered.push(intent);
  }
  await tidied(desk, owners, writer);
  return { ask: asker(writer, kernel, io.deeds.record), desk, kernel, ledger, owners, recovered, writer };
};

/**
 * The lock of an owner that is gone is of use until its intents are ended. They are looked for after its end was proven:
 * it can have made no more since.
 */
const tidied = async ({ note }: Desk, owners: Owners, writer: OpenWriter): Promise<void> => {
  try {
    const ended = owners.ended();
    if (ended.length === 0) return;
    const needed = new Set(openIntents(await writer.refresh()).map(({ owner }) => owner));
    for (const owner of ended) if (!needed.has(owner)) owners.remove(owner);
  } catch (error) {
    note(`locks of processes that ended stay beside the ledger: ${String(error)}`);
  }
};

/** What an earlier process left open, and this one ended as unknown, is said before anything else. */
const withRecovered = (outcome: Outcome, recovered: readonly IntentState[]): Outcome =>
  recovered.length === 0
    ? outcome
    : {
        ...outcome,
        json: { ...Object(outcome.json), recovered },
        text: (paint) => [
          ...recovered.map(
            ({ action, name, vmid }) =>
              `VM ${vmid} ${name}: ${action} was left open by a process that ended; its outcome is unknown, the VM is blocked`,
          ),
          ...outcome.text(paint),
        ],
      };

/**
 * What was recorded since this size, granted or refused, is soon outside the database too: a cut tail is found from here
 * on. Nothing is signed for a command that left no record, nor a second time.
 */
export const anchoredSince = (place: Pick<Session, "desk" | "writer">, size: number): Outcome | undefined => {
  const { tree } = place.writer.standing();
  if (tree.size <= size || place.desk.met.some((one) => one.size === tree.size)) return undefined;
  return anchorFailed(place.desk, signedStanding(place));
};

/** Where the ledger stands now, signed; the snapshot will know it. */
export const signedStanding = ({ desk, writer }: Pick<Session, "desk" | "writer">): string => {
  const { tree } = writer.standing();
  const [root, { size }] = [rootOf(tree), tree];
  desk.met.push({ origin: desk.signer.origin, root, size });
  return desk.signer.sign({ root, size });
};

/** An intent is in the anchor before its call leaves: a ledger that forgot it is then known to be cut. */
export const anchorIntent =
  (session: Session): ApplyGround["anchor"] =>
  async (size) => {
    const { anchor } = session.desk;
    if (anchor === undefined || session.writer.standing().tree.size < size) return { kind: "behind" };
    try {
      anchor.append(signedStanding(session));
      return undefined;
    } catch (error) {
      unwritableAnchor(session.desk.config.anchor, error); // A bug rises there.
      return { kind: "unwritable", said: anchorReason(error) };
    }
  };

/** The environment that --env names. */
export const environmentAt = (
  given: Arguments,
  desk: Desk,
): { readonly name: string; readonly environment: EnvironmentConfig } | Refusal => {
  const name = given.text.get("env") ?? "";
  const environment = desk.config.environments.get(name);
  if (environment !== undefined) return { environment, name };
  const facts = { environment: name, file: desk.file, known: [...desk.config.environments.keys()] };
  return refuse("environment-unknown", { cause: "not-in-file", facts });
};
