// The kernel on a real ledger: recorded commands against bare appends of the same records and blobs at the same
// concurrency, and what an apply costs beyond its durable appends when the place answers at once. A durable append is a
// note to the same ledger, and for the intent's checkpoint as many bytes to a file beside the anchor.

import { generateKeyPairSync } from "node:crypto";
import { closeSync, constants, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Actuator } from "../src/adapters/actuator.ts";
import type { Source } from "../src/adapters/source.ts";
import { ulids } from "../src/ids.ts";
import { type ApplyGround, performApply } from "../src/kernel/apply/perform-apply.ts";
import type { Command } from "../src/kernel/command/request.ts";
import { type CommandDesk, commandOf, submissionOf as kernelSubmission } from "../src/kernel/command-desk.ts";
import { evolve } from "../src/kernel/fold-versions.ts";
import { INITIAL } from "../src/kernel/state/state.ts";
import { decide } from "../src/kernel/versions.ts";
import type { OpenWriter } from "../src/kernel/writer.ts";
import { appendNote, noteBytes, openAnchor } from "../src/ledger/anchor/anchor.ts";
import type { Engine } from "../src/ledger/engine.ts";
import { EMPTY_ROOT, rootOf } from "../src/ledger/tree/merkle.ts";
import { signerOf } from "../src/ledger/tree/signer.ts";
import { openSequencer } from "../src/ledger/write/sequencer.ts";
import { instantOf } from "../src/spine/values/instant.ts";
import { OWN_WORDS } from "../src/spine/words/own-words.ts";
import { type Bare, bareOn, submissionOf } from "./bare-ledger.ts";
import { sqliteAt } from "./engines.ts";
import { flow } from "./flow.ts";
import { withFolderAsync } from "./folder.ts";
import { COMMANDS_A_TURN, CONFIG_HASH, lookAt, mix, OPERATOR, type Recorded, stateAt, VMS } from "./kernel-mix.ts";
import { median } from "./race.ts";
import type { Row } from "./row.ts";

const CALLERS = 256;
const ROUNDS = 121;
/** Not counted: a kernel runs for hours, and its code is compiled for good within the first seconds. */
const WARM_ROUNDS = 40;
const TURNS_A_ROUND = 64;
const APPLY_ROUNDS = 9;

type Ledgers = { readonly bare: Bare; readonly folder: string; readonly writer: OpenWriter };

/**
 * The mix is asked without waiting, in the order that it was decided in; so all of it waits in one lane here. Lanes are
 * for callers who wait for what theirs stands on.
 */
const inOneLane = async (engine: Engine): Promise<OpenWriter> => {
  const { submit, ...rest } = await openSequencer(engine, { decide, evolve, initial: INITIAL });
  return { ...rest, submit: (command) => submit({ ...kernelSubmission(command), lane: "mutation" }) };
};

/** A kernel and a bare ledger, each on a file of its own. */
const withLedgers = <T>(use: (ledgers: Ledgers) => Promise<T>): Promise<T> =>
  withFolderAsync(async (folder) => {
    const [one, other] = [await sqliteAt(folder, "kernel.db"), await sqliteAt(folder, "bare.db")];
    const [writer, bare] = [await inOneLane(one), await bareOn(other)];
    const result = await use({ bare, folder, writer });
    await Promise.all([writer.close(), bare.close()]);
    await Promise.all([one.close(), other.close()]);
    return result;
  });

/** Without what a state after it would keep in memory. */
type Ready = Pick<Recorded, "blobs" | "command" | "draft">;
const readyIn = ({ blobs, command, draft }: Recorded): Ready => ({ blobs, command, draft });

export const recordedRow = (): Promise<Row> =>
  withLedgers(async ({ bare, writer }) => {
    const records = TURNS_A_ROUND * COMMANDS_A_TURN;
    const source = mix();
    let rounds = 0;
    /** Both ledgers take the same; the round's commands are ready before it begins. */
    const ratioOf = async (count: number): Promise<number> => {
      const list = Array.from({ length: count }, () => readyIn(source.next().value));
      const at = (n: number): Ready => {
        const one = list[n];
        if (one === undefined) throw new RangeError("there are enough commands");
        return one;
      };
      // They are decided in the order in which they were asked, so none waits in vain.
      const options = { callers: CALLERS, forMs: 0, recordsMax: count, recordsMin: count } as const;
      const recorded = () => flow(options, (n) => writer.submit(at(n).command));
      const appended = () => flow(options, (n) => bare.submit(submissionOf(at(n))));
      rounds += 1;
      // Who goes first also sweeps up after the making of the list, so they take turns.
      if (rounds % 2 === 0) return (await recorded()).perSecond / (await appended()).perSecond;
      return 1 / ((await appended()).perSecond / (await recorded()).perSecond);
    };
    await ratioOf(2);
    for (let round = 0; round < WARM_ROUNDS; round += 1) await ratioOf(records);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) ratios.push(await ratioOf(records));
    const plans = (WARM_ROUNDS + ROUNDS) * TURNS_A_ROUND;
    if (writer.state().plans.young.size !== plans) throw new Error("every plan was recorded");
    return {
      bound: "least",
      goal: 0.7,
      measure: `commands of the mix recorded on sqlite, ${CALLERS} callers, to bare appends of the same records`,
      statistic: `wall time of ${records.toLocaleString("en")} each, median of ${ROUNDS} rounds of warm code`,
      value: median(ratios),
    };
  });

/** A place where every call is done at once; `status` is what the next look sees. */
const promptProvider = (): { readonly actuator: Actuator; readonly source: Source; readonly reset: () => void } => {
  let status: "running" | "stopped" = "stopped";
  return {
    actuator: {
      send: async () => {
        status = "running";
        return { kind: "sent", reference: "UPID:pve1:00001" };
      },
      verdict: async () => ({ diagnostics: [{ code: "task-done" }], kind: "done" }),
    },
    reset: () => {
      status = "stopped";
    },
    source: {
      observe: async ([wanted]) => {
        const states = Array.from({ length: VMS }, (_, at) => stateAt(at, status));
        return lookAt(
          LOOKED_AT,
          states.filter((state) => state.vmid === wanted?.vmid),
        );
      },
    },
  };
};
const LOOKED_AT = instantOf(0);

const APPLIES_A_ROUND = 40;
const APPENDS = 3;

const isApply = (command: Command): command is Command<"apply"> => command.kind === "apply";

/** The anchor as a command has it, and the least that making as many bytes durable costs. */
const anchorIn = (folder: string, writer: OpenWriter) => {
  const { privateKey: secretKey, publicKey } = generateKeyPairSync("ed25519");
  const signer = signerOf({ publicKey, secretKey });
  const first = signer.sign({ root: EMPTY_ROOT, size: 0 });
  const path = join(folder, "anchor");
  appendNote(path, first);
  const file = openAnchor(path, noteBytes(first));
  const bare = openSync(join(folder, "bare"), constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600);
  const bytes = Buffer.alloc(noteBytes(first), "n");
  const anchor: ApplyGround["anchor"] = async () => {
    const { tree } = writer.chain();
    file.append(signer.sign({ root: rootOf(tree), size: tree.size }));
    return undefined;
  };
  return {
    anchor,
    close: () => {
      file.close();
      closeSync(bare);
    },
    nextNote: (): number => {
      const fromMs = performance.now();
      writeSync(bare, bytes);
      fdatasyncSync(bare);
      return performance.now() - fromMs;
    },
  };
};

export const applyRow = (): Promise<Row> =>
  withLedgers(async ({ folder, writer }) => {
    const { anchor, close, nextNote } = anchorIn(folder, writer);
    const source = mix();
    const provider = promptProvider();
    const ids = ulids();
    const groundFor = ({ at, instance }: Command): ApplyGround => {
      const now = (): Command["at"] => at;
      const words = OWN_WORDS.digest;
      const desk: CommandDesk = { actor: OPERATOR, configHash: CONFIG_HASH, door: "local", ids, instance, now, words };
      const { actuator, source: eyes } = provider;
      const signalIn = (): AbortSignal => new AbortController().signal;
      const registered = (): never => {
        throw new Error("what is registered does not change here");
      };
      const monotonicMs = (): number => performance.now();
      const owns = (): Promise<boolean> => Promise.resolve(true);
      const nothing = (): undefined => undefined;
      const files = { displaced: nothing, edited: nothing };
      return { actuator, anchor, desk, ...files, monotonicMs, owns, registered, signalIn, source: eyes, writer };
    };
    const nextApply = async (): Promise<{ readonly command: Command; readonly ms: number }> => {
      for (;;) {
        const { command } = source.next().value;
        if (isApply(command)) {
          provider.reset();
          const fromMs = performance.now();
          const ended = await performApply(groundFor(command), command);
          const ms = performance.now() - fromMs;
          if (ended.at !== "done" || ended.end.outcome !== "succeeded") throw new Error(JSON.stringify(ended));
          return { command, ms };
        }
        // What the mix records after an apply, the apply itself has recorded here.
        if (command.kind !== "dispatched" && command.kind !== "outcome") await writer.submit(command);
      }
    };
    const nextAppend = async (like: Command): Promise<number> => {
      const note = commandOf(groundFor(like).desk, { kind: "annotate", text: "nothing to see" });
      const fromMs = performance.now();
      const { kind } = await writer.submit(note);
      const ms = performance.now() - fromMs;
      if (kind !== "recorded") throw new Error(kind);
      return ms;
    };
    const rounds: { readonly append: number; readonly apply: number; readonly note: number }[] = [];
    for (let round = 0; round <= APPLY_ROUNDS; round += 1) {
      const [applies, appends, notes]: [number[], number[], number[]] = [[], [], []];
      for (let left = APPLIES_A_ROUND; left > 0; left -= 1) {
        const { command, ms } = await nextApply();
        applies.push(ms);
        for (let each = APPENDS; each > 0; each -= 1) appends.push(await nextAppend(command));
        notes.push(nextNote());
      }
      if (round > 0) rounds.push({ append: median(appends), apply: median(applies), note: median(notes) });
    }
    close();
    const append = median(rounds.map((one) => one.append));
    const note = median(rounds.map((one) => one.note));
    return {
      beside: `${append.toFixed(2)} ms for one durable append, ${note.toFixed(2)} ms for the bytes of a checkpoint`,
      goal: 1,
      measure: `apply with its anchored intent at a provider that answers at once, beyond ${APPENDS} durable appends and 1 of a checkpoint, sqlite`,
      statistic: `wall time, median of ${APPLY_ROUNDS} rounds of ${APPLIES_A_ROUND}`,
      unit: "ms",
      value: median(rounds.map((one) => one.apply - APPENDS * one.append - one.note)),
    };
  });
