// What a service holds open: a ledger to read, a writer, each opened when it is first needed and closed at the end.
//
// One process has one writer, however many callers, and one reader for each mode: a ledger that was shown although its
// anchor is lost is not read by anybody else. Before each request the anchor's file and the ledger's are held against
// those that were opened: what a fresh opening would refuse, a long one refuses too, and where another ledger stands
// there by then, that one is opened. A ledger that could not be opened is tried again by the next request.
// A process that lives long follows the ledger that it holds: a read is served from memory, and asks the engine only
// while the follower has not heard of it. One with a single request reads what is there.
// Not here: who asks (callers.ts), what is done (act/, read/).

import { resolve } from "node:path";
import { type Folded, holdStateOn, readStateOn } from "../../kernel/read-state.ts";
import type { State } from "../../kernel/state/state.ts";
import { type AnchorPlace, isSamePlace, locateAnchor } from "../../ledger/anchor/anchor-place.ts";
import type { Engine } from "../../ledger/engine.ts";
import type { Ledger } from "../../ledger/open.ts";
import { recordHash } from "../../ledger/record/seal.ts";
import type { ChainState } from "../../ledger/verify/chain-state.ts";
import { readLineAt } from "../../ledger/verify/line-at.ts";
import type { Tail } from "../../ledger/write/batch.ts";
import type { HeldTail } from "../../ledger/write/held-tail.ts";
import { isRefused, type RefusedAnswer, refusedBy, unreadable } from "../answer.ts";
import type { Configuration, Ports } from "../ports.ts";
import type { Watch } from "../progress.ts";
import { openAnchorFile } from "./anchor-file.ts";
import { askedLately } from "./asked-lately.ts";
import { type FittingIndex, holdIndex, indexPath } from "./held-terms.ts";
import { rememberMet } from "./met-checkpoints.ts";
import { closeDesk, type LedgerAtDesk, type OpenDesk, openDesk, savedStateAt, withLedger } from "./open-ledger.ts";
import type { Held, Life } from "./session.ts";
import { type InTurn, turns } from "./turns.ts";

/** view shows a ledger whose anchor is lost too. */
export type ReadMode = "read" | "view";

/** An open ledger; `folded` gives its state, and what that is the fold of. */
export type OpenLedger = Pick<LedgerAtDesk, "desk" | "ledger"> & {
  readonly folded: () => Promise<Folded>;
  /** Where to look in it; undefined where everything is walked. */
  readonly index: () => Promise<FittingIndex | undefined>;
  /** The size of the ledger once it has the record, or as it is when the signal aborts. */
  readonly reach: (seq: number, stop: AbortSignal) => Promise<number>;
  /** One observation of an environment at a time, whoever asks for it. */
  readonly inTurn: InTurn;
};

export type Holding = {
  /** What could not be kept beside what was recorded is told; what was recorded is. */
  readonly close: () => Promise<readonly RefusedAnswer[]>;
  /** What is in memory of a ledger that is still there, and known to be current; nothing is waited for. */
  readonly known: () => Folded | undefined;
  readonly read: (mode: ReadMode, watch: Watch) => Promise<OpenLedger | RefusedAnswer>;
  /**
   * Whatever is not a brake is refused while the anchor is lost or cannot be appended to, before anything is recorded.
   */
  readonly write: (isBrake: boolean, watch: Watch) => Promise<Held | RefusedAnswer>;
};

/** A reader, and the anchor's file as it was before it was read. */
type OpenReader = LedgerAtDesk & { readonly place: AnchorPlace; readonly states: ReadStates };
type Opening<T> = Promise<T | RefusedAnswer>;

export const holdingOf = (configuration: Configuration, ports: Ports, life: Life): Holding => {
  const inTurn = turns();
  const anchorPath = resolve(configuration.home, configuration.config.anchor);
  const readers = new Map<ReadMode, Opening<OpenReader>>();
  /** Somebody may still read from it, or perform at it: closed at the end. */
  const retired: OpenReader[] = [];
  const replaced: Held[] = [];
  /** The writer's, once it is open. */
  let held: Held | undefined;
  const notHeld = (): void => {
    held = undefined;
  };
  let writer: { readonly isBrake: boolean; readonly opening: Opening<Held> } | undefined;
  let anchoring: Promise<RefusedAnswer | typeof ANOTHER | undefined> | undefined;

  const openReader = async (mode: ReadMode, watch: Watch): Opening<OpenReader> => {
    const place = locateAnchor(anchorPath);
    const opened = await openDesk({ configuration, mode, ports, watch });
    return opened.kind === "open" ? { ...opened, place, states: READ_STATES[life](opened) } : opened;
  };
  const readerIn = async (mode: ReadMode, watch: Watch): Opening<OpenReader> => {
    const known = readers.get(mode);
    if (known === undefined) {
      const opening = openReader(mode, watch);
      readers.set(mode, opening);
      forgetUnopened(opening, () => readers.delete(mode));
      return opening;
    }
    const reader = await known;
    if (reader.kind === "refused" || isAsRead(reader, locateAnchor(anchorPath))) return reader;
    if (readers.get(mode) === known) {
      readers.delete(mode);
      retired.push(reader);
      await reader.states.close();
    }
    return readerIn(mode, watch);
  };
  const lookup = life === "long" ? holdIndex(indexPath(configuration, ports)) : undefined;
  const indexOf =
    ({ engine }: Ledger) =>
    async (): Promise<FittingIndex | undefined> =>
      lookup?.fitting(engine);
  const isStillThere = life === "long" ? isReadInPlace(ports.clock.monotonicMs) : isInPlace;
  const read: Holding["read"] = async (mode, watch) => {
    const held = await writer?.opening.catch(() => "told-to-writer");
    if (typeof held === "object" && !("kind" in held) && isStillThere(held))
      return {
        desk: held.desk,
        ...statesOf(held.writer),
        inTurn,
        index: indexOf(held.ledger),
        ledger: held.ledger,
      };
    const opened = await readerIn(mode, watch);
    if (opened.kind === "refused") return opened;
    const { desk, ledger, states } = opened;
    return { desk, folded: states.folded, inTurn, index: indexOf(ledger), ledger, reach: states.reach };
  };
  const known: Holding["known"] = () => {
    const tail = held !== undefined && isStillThere(held) ? held.writer.known() : undefined;
    return tail === undefined ? undefined : foldedAt(tail);
  };
  const write: Holding["write"] = async (isBrake, watch) => {
    if (writer === undefined) {
      const fresh = { isBrake, opening: openWriter({ configuration, inTurn, isBrake, life, ports, watch }) };
      writer = fresh;
      fresh.opening.then((opened) => {
        held = "kind" in opened || writer !== fresh ? undefined : opened;
      }, notHeld);
      forgetUnopened(fresh.opening, () => {
        writer = undefined;
      });
    }
    const { isBrake: isOpenedByBrake, opening } = writer;
    const opened = await opening;
    // What stops a call is not refused for what another request needed.
    if ("kind" in opened) return isBrake && !isOpenedByBrake ? write(isBrake, watch) : opened;
    const isLedgerThere = opened.ledger.engine.isInPlace();
    if (isLedgerThere && (isBrake || isInPlace(opened))) return opened;
    anchoring ??= (isLedgerThere ? anchorAnew(opened, watch) : Promise.resolve<typeof ANOTHER>(ANOTHER)).finally(() => {
      anchoring = undefined;
    });
    const anchored = await anchoring;
    if (anchored !== ANOTHER) return anchored ?? opened;
    if (writer?.opening === opening) {
      writer = undefined;
      replaced.push(opened);
      notHeld();
    }
    return write(isBrake, watch);
  };
  const close: Holding["close"] = async () => {
    const opened = await Promise.allSettled(readers.values());
    // What could not be opened was told to whoever asked.
    const [held] = await Promise.allSettled(writer === undefined ? [] : [writer.opening]);
    for (const one of opened) if (one.status === "fulfilled" && one.value.kind === "open") retired.push(one.value);
    for (const one of retired) {
      await one.states.close();
      await closeDesk(one);
    }
    const all = held?.status !== "fulfilled" || "kind" in held.value ? replaced : [...replaced, held.value];
    lookup?.close();
    const told: RefusedAnswer[] = [];
    for (const one of all) told.push(...(await closeHeld(one)));
    return told;
  };
  return { close, known, read, write };
};

/** The next request tries again, whether it was refused or failed; whoever waits for it hears why. */
const forgetUnopened = (opening: Opening<object>, forget: () => void): void => {
  opening.then((opened) => {
    if (isRefused(opened)) forget();
  }, forget);
};

const isAsRead = ({ ledger, place }: OpenReader, now: AnchorPlace): boolean =>
  isSamePlace(place, now, ledger.loss === undefined) && ledger.engine.isInPlace();

const isInPlace = ({ desk, ledger }: Held): boolean => desk.anchor?.isInPlace() === true && ledger.engine.isInPlace();

/** The same for reads: many that come together are one question. */
const isReadInPlace = (monotonicMs: () => number): ((held: Held) => boolean) => {
  const asking = new WeakMap<Held, () => boolean>();
  return (held) => {
    const ask = asking.get(held) ?? askedLately(() => isInPlace(held), monotonicMs);
    asking.set(held, ask);
    return ask();
  };
};

/** Another ledger stands where the one stood that is held. */
const ANOTHER = "another-ledger";

type WriterWanted = {
  readonly configuration: Configuration;
  readonly inTurn: InTurn;
  readonly isBrake: boolean;
  readonly life: Life;
  readonly ports: Ports;
  readonly watch: Watch;
};

const openWriter = async ({ inTurn, life, ...wanted }: WriterWanted): Promise<Held | RefusedAnswer> => {
  const opened = await openDesk({ ...wanted, mode: "write" });
  if (opened.kind === "refused") return opened;
  try {
    return await (await import("./session.ts")).holdLedger(opened, inTurn, life);
  } catch (error) {
    await closeDesk(opened);
    return unreadable(error);
  }
};

/**
 * The anchor cannot be appended to, or its path names another file than the one that was opened. The ledger is held
 * against what is there now, as whoever opens it would; when that fits, and what this process knows is still in it, the
 * writer goes on with it. Nothing that is held of another ledger is ever signed into its anchor.
 */
const anchorAnew = async (
  { desk, writer }: Held,
  watch: Watch,
): Promise<RefusedAnswer | typeof ANOTHER | undefined> => {
  const { anchor, config, file, home, met, policies, ports, signer } = desk;
  const configuration = { config, file, home, policies };
  let isAnother = false;
  const refused = await withLedger({ configuration, mode: "read", ports, watch }, async (ledger) => {
    isAnother = !(await hasLine(ledger.engine, writer.chain()));
    if (isAnother) return undefined;
    const opened = openAnchorFile(ledger, configuration, signer);
    if ("code" in opened) return refusedBy(opened);
    anchor?.replaceBy(opened);
    const known = new Set(met.map(({ size }) => size));
    rememberMet(met, ...ledger.notes.map(({ checkpoint }) => checkpoint).filter(({ size }) => !known.has(size)));
    return undefined;
  });
  return isAnother ? ANOTHER : refused;
};

const hasLine = async (
  engine: Engine,
  { hash, tree: { size } }: Pick<ChainState, "hash" | "tree">,
): Promise<boolean> => {
  const line = size === 0 ? undefined : await readLineAt(engine, size - 1);
  return line === undefined ? size === 0 : recordHash(line) === hash;
};

/** The checkpoint and the saved state are over the same records, so that a start need not walk between. */
const closeHeld = async (held: Held): Promise<readonly RefusedAnswer[]> => {
  const { anchorSince } = await import("./checkpoint-head.ts");
  try {
    const unanchored = anchorSince(held, held.since);
    return unanchored === undefined ? [] : [unanchored];
  } finally {
    await held.disown();
    await held.writer.close().catch(noteUnclosed(held.desk));
    await closeDesk(held);
  }
};

const noteUnclosed =
  ({ ports }: OpenDesk) =>
  (error: unknown): void | Promise<void> =>
    ports.hears.note({ cause: "writer-not-closed", facts: { said: String(error) } });

/** What is read of an open ledger: its state, and how far it is. */
type ReadStates = Pick<OpenLedger, "folded" | "reach"> & { readonly close: () => Promise<void> };

const foldedAt = ({ floor, hash, size, state }: Tail<State>): Folded => ({ floor, head: { hash, size }, state });

const statesOf = ({ current, reach }: Pick<HeldTail<State>, "current" | "reach">): Omit<ReadStates, "close"> => ({
  folded: async () => foldedAt(await current()),
  reach: async (seq, stop) => (await reach(seq + 1, stop)).size,
});

/** By how long the process lives: one request folds once; many share what was folded. */
const READ_STATES: Readonly<Record<Life, (at: LedgerAtDesk) => ReadStates>> = {
  long: ({ desk, ledger }) => {
    let holding: Promise<HeldTail<State>> | undefined;
    const held = (): Promise<HeldTail<State>> => {
      holding ??= holdStateOn(ledger.engine, savedStateAt(ledger, desk));
      holding.catch(() => {
        holding = undefined;
      });
      return holding;
    };
    return {
      close: async () => {
        const [opened] = await Promise.allSettled(holding === undefined ? [] : [holding]);
        if (opened?.status === "fulfilled") opened.value.close();
      },
      folded: async () => statesOf(await held()).folded(),
      reach: async (seq, stop) => statesOf(await held()).reach(seq, stop),
    };
  },
  "one-request": ({ desk, ledger }) => ({
    close: async () => undefined,
    folded: () => readStateOn(ledger.engine, savedStateAt(ledger, desk)),
    reach: async () => (await ledger.engine.head()).size,
  }),
};
