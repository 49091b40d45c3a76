// What a service holds open: a ledger to read, a writer, each opened when it is first needed and closed at the end.
//
// One process has one writer, however many callers, and one reader for each mode: a ledger that was shown although its
// anchor is lost is not read by anybody else. Before each request the anchor's file and the ledger's are held against
// those that were opened: what a fresh opening would refuse, a long one refuses too, and where another ledger stands
// there by then, that one is opened. A ledger that could not be opened is tried again by the next request.
// Not here: who asks (callers.ts), what is done (act/, read/).

import { resolve } from "node:path";
import { type Folded, readStateOn } from "../../kernel/read-state.ts";
import { type AnchorPlace, isSamePlace, locateAnchor } from "../../ledger/anchor/anchor-place.ts";
import type { Engine } from "../../ledger/engine.ts";
import { recordHash } from "../../ledger/record/seal.ts";
import type { ChainState } from "../../ledger/verify/chain-state.ts";
import { readLineAt } from "../../ledger/verify/line-at.ts";
import { isRefused, type RefusedAnswer, refusedBy, unreadable } from "../answer.ts";
import type { Configuration, Ports } from "../ports.ts";
import type { Watch } from "../progress.ts";
import { openAnchorFile } from "./anchor-file.ts";
import { closeDesk, type LedgerAtDesk, type OpenDesk, openDesk, savedStateAt, withLedger } from "./open-ledger.ts";
import type { Held } from "./session.ts";
import { type InTurn, turns } from "./turns.ts";

/** view shows a ledger whose anchor is lost too. */
export type ReadMode = "read" | "view";

/** An open ledger; `folded` gives its state, and what that is the fold of. */
export type OpenLedger = Pick<LedgerAtDesk, "desk" | "ledger"> & {
  readonly folded: () => Promise<Folded>;
  /** One observation of an environment at a time, whoever asks for it. */
  readonly inTurn: InTurn;
};

export type Holding = {
  /** What could not be kept beside what was recorded is told; what was recorded is. */
  readonly close: () => Promise<readonly RefusedAnswer[]>;
  readonly read: (mode: ReadMode, watch: Watch) => Promise<OpenLedger | RefusedAnswer>;
  /**
   * Whatever is not a brake is refused while the anchor is lost or cannot be appended to, before anything is recorded.
   */
  readonly write: (isBrake: boolean, watch: Watch) => Promise<Held | RefusedAnswer>;
};

/** A reader, and the anchor's file as it was before it was read. */
type OpenReader = LedgerAtDesk & { readonly place: AnchorPlace };
type Opening<T> = Promise<T | RefusedAnswer>;

export const holdingOf = (configuration: Configuration, ports: Ports): Holding => {
  const inTurn = turns();
  const anchorPath = resolve(configuration.home, configuration.config.anchor);
  const readers = new Map<ReadMode, Opening<OpenReader>>();
  /** Somebody may still read from it, or perform at it: closed at the end. */
  const retired: OpenReader[] = [];
  const replaced: Held[] = [];
  let writer: { readonly isBrake: boolean; readonly opening: Opening<Held> } | undefined;
  let anchoring: Promise<RefusedAnswer | typeof ANOTHER | undefined> | undefined;

  const openReader = async (mode: ReadMode, watch: Watch): Opening<OpenReader> => {
    const place = locateAnchor(anchorPath);
    const opened = await openDesk({ configuration, mode, ports, watch });
    return opened.kind === "open" ? { ...opened, place } : opened;
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
    }
    return readerIn(mode, watch);
  };
  const read: Holding["read"] = async (mode, watch) => {
    const held = await writer?.opening.catch(() => "told-to-writer");
    if (typeof held === "object" && !("kind" in held) && isInPlace(held))
      return { desk: held.desk, folded: () => foldNew(held), inTurn, ledger: held.ledger };
    const opened = await readerIn(mode, watch);
    return opened.kind === "refused"
      ? opened
      : { desk: opened.desk, folded: () => foldedOn(opened), inTurn, ledger: opened.ledger };
  };
  const write: Holding["write"] = async (isBrake, watch) => {
    if (writer === undefined) {
      const fresh = { isBrake, opening: openWriter({ configuration, inTurn, isBrake, ports, watch }) };
      writer = fresh;
      forgetUnopened(fresh.opening, () => {
        writer = undefined;
      });
    }
    const { isBrake: isOpenedByBrake, opening } = writer;
    const held = await opening;
    // What stops a call is not refused for what another request needed.
    if ("kind" in held) return isBrake && !isOpenedByBrake ? write(isBrake, watch) : held;
    const isLedgerThere = held.ledger.engine.isInPlace();
    if (isLedgerThere && (isBrake || isInPlace(held))) return held;
    anchoring ??= (isLedgerThere ? anchorAnew(held, watch) : Promise.resolve<typeof ANOTHER>(ANOTHER)).finally(() => {
      anchoring = undefined;
    });
    const anchored = await anchoring;
    if (anchored !== ANOTHER) return anchored ?? held;
    if (writer?.opening === opening) {
      writer = undefined;
      replaced.push(held);
    }
    return write(isBrake, watch);
  };
  const close: Holding["close"] = async () => {
    const opened = await Promise.allSettled(readers.values());
    // What could not be opened was told to whoever asked.
    const [held] = await Promise.allSettled(writer === undefined ? [] : [writer.opening]);
    for (const one of opened) if (one.status === "fulfilled" && one.value.kind === "open") retired.push(one.value);
    for (const one of retired) await closeDesk(one);
    const all = held?.status !== "fulfilled" || "kind" in held.value ? replaced : [...replaced, held.value];
    const told: RefusedAnswer[] = [];
    for (const one of all) told.push(...(await closeHeld(one)));
    return told;
  };
  return { close, read, write };
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

/** Another ledger stands where the one stood that is held. */
const ANOTHER = "another-ledger";

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
    met.push(...ledger.notes.map(({ checkpoint }) => checkpoint).filter(({ size }) => !known.has(size)));
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

const foldedOn = ({ desk, ledger }: LedgerAtDesk) => readStateOn(ledger.engine, savedStateAt(ledger, desk));

/** With what other writers have recorded meanwhile. */
const foldNew = async ({ writer }: Held): Promise<Folded> => {
  await writer.refresh();
  const { floor, hash, tree } = writer.chain();
  return { floor, head: { hash, size: tree.size }, state: writer.state() };
};
