// What a service holds open: a ledger to read, a writer, each opened when it is first needed and closed at the end.
//
// One process has one writer, however many callers. A ledger that could not be opened is tried again by the next request.
// Not here: who asks (callers.ts), what is done (act/, read/).

import { stateOn } from "../../kernel/read-state.ts";
import type { State } from "../../kernel/state/state.ts";
import type { Head } from "../../ledger/engine.ts";
import type { Refusal } from "../../spine/model.ts";
import { type RefusedAnswer, refusedBy, unreadable } from "../answer.ts";
import type { Configuration, Ports } from "../ports.ts";
import type { Watch } from "../progress.ts";
import { openAnchorFile } from "./anchor-file.ts";
import { closeDesk, type LedgerAtDesk, type OpenDesk, openDesk, savedStateAt } from "./open-ledger.ts";
import type { Held } from "./session.ts";
import { type InTurn, turns } from "./turns.ts";

/** view shows a ledger whose anchor is lost too. */
export type ReadMode = "read" | "view";

/** An open ledger; `folded` gives its state and the head that it is the fold of. */
export type OpenLedger = Pick<LedgerAtDesk, "desk" | "ledger"> & {
  readonly folded: () => Promise<{ readonly head: Head; readonly state: State }>;
  /** One observation of an environment at a time, whoever asks for it. */
  readonly inTurn: InTurn;
};

export type Holding = {
  /** What could not be kept beside what was recorded is told; what was recorded is. */
  readonly close: () => Promise<readonly RefusedAnswer[]>;
  readonly read: (mode: ReadMode, watch: Watch) => Promise<OpenLedger | RefusedAnswer>;
  /** Whatever is not a brake is refused while nothing can be appended to the anchor, before anything is recorded. */
  readonly write: (isBrake: boolean, watch: Watch) => Promise<Held | RefusedAnswer>;
};

export const holdingOf = (configuration: Configuration, ports: Ports): Holding => {
  const inTurn = turns();
  let reader: Promise<LedgerAtDesk | RefusedAnswer> | undefined;
  let writer: Promise<Held | RefusedAnswer> | undefined;
  const read: Holding["read"] = async (mode, watch) => {
    const held = await writer;
    if (held !== undefined && !("kind" in held))
      return { desk: held.desk, folded: () => foldNew(held), inTurn, ledger: held.ledger };
    reader ??= openDesk({ configuration, mode, ports, watch });
    const opened = await reader;
    if (opened.kind === "open") {
      return { desk: opened.desk, folded: () => foldedOn(opened), inTurn, ledger: opened.ledger };
    }
    reader = undefined;
    return opened;
  };
  const write: Holding["write"] = async (isBrake, watch) => {
    writer ??= openWriter({ configuration, inTurn, isBrake, ports, watch });
    const held = await writer;
    if ("kind" in held) writer = undefined;
    else if (held.desk.unanchored !== undefined && !isBrake) {
      const anchored = tryAnchor(held);
      if ("code" in anchored) return refusedBy(anchored);
      writer = Promise.resolve(anchored);
      return anchored;
    }
    return held;
  };
  const close: Holding["close"] = async () => {
    const [opened, held] = [await reader, await writer];
    [reader, writer] = [undefined, undefined];
    if (opened !== undefined && opened.kind === "open") await closeDesk(opened);
    return held === undefined || "kind" in held ? [] : closeHeld(held);
  };
  return { close, read, write };
};

type WriterWanted = {
  readonly configuration: Configuration;
  readonly inTurn: InTurn;
  readonly isBrake: boolean;
  readonly ports: Ports;
  readonly watch: Watch;
};

const openWriter = async ({ inTurn, ...wanted }: WriterWanted): Promise<Held | RefusedAnswer> => {
  const opened = await openDesk({ ...wanted, mode: "write" });
  if (opened.kind === "refused") return opened;
  try {
    return await (await import("./session.ts")).holdLedger(opened, inTurn);
  } catch (error) {
    await closeDesk(opened);
    return unreadable(error);
  }
};

/** The anchor may have room again: what waited for it goes on. */
const tryAnchor = (held: Held): Held | Refusal => {
  const { unanchored: _, ...desk } = held.desk;
  const opened = openAnchorFile(held.ledger, desk, desk.signer);
  return "code" in opened ? opened : { ...held, desk: { ...desk, ...opened } };
};

/** The checkpoint and the saved state are over the same records, so that a start need not walk between. */
const closeHeld = async (held: Held): Promise<readonly RefusedAnswer[]> => {
  const { anchorSince } = await import("./session.ts");
  try {
    const unanchored = anchorSince(held, held.since);
    return unanchored === undefined ? [] : [unanchored];
  } finally {
    await held.disown();
    await held.writer.close().catch(noteTo(held.desk, "the ledger's writer did not close"));
    await closeDesk(held);
  }
};

const noteTo =
  ({ ports }: OpenDesk, what: string) =>
  (error: unknown): void =>
    ports.hears.note(`${what}: ${String(error)}`);

const foldedOn = ({ desk, ledger }: LedgerAtDesk) => stateOn(ledger.engine, savedStateAt(ledger, desk));

/** With what other writers have recorded meanwhile. */
const foldNew = async ({ writer }: Held) => {
  await writer.refresh();
  const { hash, tree } = writer.chain();
  return { head: { hash, size: tree.size }, state: writer.state() };
};
