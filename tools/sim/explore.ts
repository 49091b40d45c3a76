// The exhaustive strategy: every choice in every state that can be reached, each state once.
//
// States are values (walk/position.ts): a ledger, a place, and processes whose next steps are found out by running the
// real code once (walk/steps.ts). Two states are one when nothing tells them apart (walk/key.ts). States in which less
// has gone wrong come first, so that those in which more has, and which are the same otherwise, need not be walked
// again. No choice is left out for any other reason: there is no partial order here. Where no choice goes on by itself,
// the world is brought to rest, and what must hold at rest is asked.

import { entries } from "../../src/kernel/state/persistent-map.ts";
import { msOf } from "../../src/spine/values/instant.ts";
import { type Objection, objectionsNow, objectionsToRecords } from "./check.ts";
import { ended } from "./checks/outcomes.ts";
import type { Parts } from "./parts.ts";
import { type Contest, contestants } from "./rivals.ts";
import { keysOf, seenStates } from "./walk/key.ts";
import { type Board, boardOf, inSlot, type Move, type Position, sceneOf } from "./walk/position.ts";
import { savedStatesOf } from "./walk/replica.ts";
import { stepsOf } from "./walk/steps.ts";
import { type Used, WRONGS } from "./walk/wrongs.ts";

/** How often each thing may go wrong in one history, and how many of them together. */
export type Scope = {
  /** Somebody starts a process under another configuration. */
  readonly configure: number;
  readonly contest: Contest;
  readonly crash: number;
  /** The machine of the ledger crashes, and what is not anchored is lost. */
  readonly cut: number;
  /** Somebody denies the step. */
  readonly deny: number;
  readonly freeze: number;
  /** A clock jumps ahead of every deadline, and its process looks after what it takes for left open. */
  readonly hasty: number;
  readonly isProvable: boolean;
  readonly lost: number;
  readonly past: number;
  /** Another file is registered. */
  readonly register: number;
  /** The VM is deleted and made anew by somebody else. */
  readonly replaced: number;
  /** The token of whoever approved is revoked; where nobody did, that of the second of the two. */
  readonly revoke: number;
  readonly together: number;
};

export type Explored = {
  readonly atRest: number; // states that were brought to rest, and checked there
  readonly failure: { readonly objections: readonly Objection[]; readonly path: readonly string[] } | undefined;
  readonly ledgers: number; // different ledgers, each replayed and verified
  readonly states: number;
  readonly transitions: number;
};

export type ExploreOptions = {
  /** Asked before each state. */
  readonly goesOn?: () => boolean;
  /** False: no two states are taken for one but those with the same past of every process, ledger and place. */
  readonly isReducing?: boolean;
  /** False: decisions are not made again, which would find every broken decider by itself. */
  readonly isReplaying?: boolean;
  /** Every end that is found, as it is at rest. */
  readonly onRest?: (position: Position) => void;
};

/** How a state was reached: the names alone, so that nothing keeps the states on the way. */
type Trail = { readonly before: Trail | undefined; readonly name: string };
type Reached = { readonly position: Position; readonly trail: Trail | undefined };

const pathTo = ({ trail }: Reached): readonly string[] => {
  const names: string[] = [];
  for (let at = trail; at !== undefined; at = at.before) names.push(at.name);
  return names.reverse();
};

const sumOf = (used: Used): number => WRONGS.reduce((sum, wrong) => sum + used[wrong], 0);

const isAllowed = ({ wrong }: Move, used: Used, scope: Scope): boolean =>
  wrong === undefined || (sumOf(used) < scope.together && used[wrong] < scope[wrong]);

/**
 * Nothing goes wrong any more, and time passes until nothing is left to wait for; then what was left open is recovered.
 */
const finished = async (board: Board, position: Position): Promise<Position> => {
  const slots = [0, 1];
  const nodeIn = (at: Position, slot: number) => {
    const node = inSlot(at, slot);
    if (node === undefined) throw new Error("both slots are taken");
    return node;
  };
  let now = await board.calm(position);
  for (const slot of slots) if (!nodeIn(now, slot).facts.isUp) now = await board.restart(now, slot);
  now = await board.calm(now);
  now = await board.calm(await board.happen(now, nodeIn(now, 0), { kind: "refresh" }));
  const { facts } = nodeIn(now, 0);
  const { nowMs } = now.world.world;
  const wallMs = nowMs + facts.skewMs;
  const deadlines = Array.from(entries(facts.state.open), ([, { settleBy }]) => msOf(settleBy));
  now = await board.pass(now, Math.max(wallMs, ...deadlines) - wallMs + 1);
  now = await board.calm(await board.happen(now, nodeIn(now, 0), { kind: "recover" }));
  for (const slot of slots) now = await board.happen(now, nodeIn(now, slot), { kind: "refresh" });
  return board.calm(now);
};

/** Walks until everything was seen, the first objection, or `goesOn` says no. */
export const explore = async (scope: Scope, parts: Parts, options: ExploreOptions = {}): Promise<Explored> => {
  const { goesOn = () => true, isReducing = true, isReplaying = true, onRest } = options;
  const { contest, isProvable } = scope;
  const cast = await contestants(contest, parts);
  const savedStates = await savedStatesOf(cast, parts);
  const steps = stepsOf({ contestants: cast, isProvable, parts, savedStates }, isReducing);
  const board = boardOf({ contestants: cast, isProvable, isReducing, steps });
  const keys = keysOf(steps);
  const exact = ({ deaths, ledger, losses, nodes, used, world }: Position): string =>
    JSON.stringify([ledger.id, world.id, nodes.map(({ id }) => id), deaths, losses, used]);
  const keyOf = isReducing ? keys.keyOf : exact;
  const seen = seenStates();
  const judged = new Set<string>();
  const ledgers = new Set<string>();
  let [atRest, transitions] = [0, 0];
  let failure: Explored["failure"];

  const judge = (objections: readonly Objection[], reached: Reached): void => {
    if (objections.length > 0) failure ??= { objections, path: pathTo(reached) };
  };
  const evidenceOf = (position: Position) => ({ isSkewed: scope.hasty > 0, stage: sceneOf(position) });
  const judgeNow = async (reached: Reached, position = reached.position): Promise<void> => {
    const evidence = keys.evidenceOf(position);
    if (!judged.has(evidence)) {
      judged.add(evidence);
      judge(objectionsNow(evidenceOf(position)), reached);
    }
    // What the processes hold that know all of it is held against what the records give.
    const { ledger, lines } = position.ledger;
    const isKnown = position.nodes.some(({ facts }) => facts.state.size === ledger.size());
    const known = isKnown ? `${lines} known` : `${lines}`;
    if (!ledgers.has(known)) {
      ledgers.add(known);
      if (isReplaying) judge(await objectionsToRecords(evidenceOf(position)), reached);
    }
  };

  const layers: Reached[][] = Array.from({ length: scope.together + 1 }, () => []);
  const arrive = async (reached: Reached): Promise<void> => {
    const { position } = reached;
    await judgeNow(reached);
    if (seen.has(keyOf(position), position.used)) return;
    layers[sumOf(position.used)]?.push(reached);
  };
  const rest = async (reached: Reached): Promise<void> => {
    atRest += 1;
    const end = await finished(board, reached.position);
    await judgeNow(reached, end);
    const open = ended(evidenceOf(end)).map((what): Objection => ({ check: "ended", what }));
    judge(open, reached);
    onRest?.(end);
  };
  const expand = async (reached: Reached): Promise<void> => {
    const { position, trail } = reached;
    const moves = board.moves(position).filter((move) => isAllowed(move, position.used, scope));
    if (!moves.some(({ wrong }) => wrong === undefined)) await rest(reached);
    for (const { make, name, wrong } of moves) {
      transitions += 1;
      const made = await make();
      const used = wrong === undefined ? position.used : { ...position.used, [wrong]: position.used[wrong] + 1 };
      await arrive({ position: { ...made, used }, trail: { before: trail, name } });
      if (failure !== undefined) return;
    }
  };

  await arrive({ position: await board.opening(), trail: undefined });
  for (const layer of layers) {
    for (let reached = layer.pop(); reached !== undefined; reached = layer.pop()) {
      if (failure !== undefined || !goesOn()) break;
      await expand(reached);
    }
  }
  const different = new Set([...ledgers].map((known) => known.split(" ")[0]));
  return { atRest, failure, ledgers: different.size, states: seen.size(), transitions };
};
