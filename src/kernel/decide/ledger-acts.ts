// Deciders of acts on the ledger itself: a checkpoint, taking writes again, the seal of a ledger that moves and its
// undoing, a new anchor in the place of a lost one, one more instance, a ledger that goes on from a backup.
//
// Such an act may be the only record of its process, so each brings its configuration with it, as a start does. A seal
// is granted at exactly the size that was copied, and never for a copy that was declared gone. It is undone only by the
// very next record, in which an operator states that the copy is gone: the copy's id is void for ever, and everything
// is frozen until somebody lifts it. Not here: who may ask (actors.ts), what keeps a sealed ledger from other writes
// (ledger/write/sealed.ts).

import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { configHash } from "../command/recorded-config.ts";
import type { BringingKind, Command } from "../command/request.ts";
import { DONE, unless } from "../command/result.ts";
import { get } from "../state/persistent-map.ts";
import type { State } from "../state/state.ts";
import { altered, reasonRefusal } from "./grounds.ts";
import type { Decider } from "./rulebook.ts";
import { nameRefusal } from "./token-acts.ts";

/** What speaks against the configuration that comes with a command: its hash, and who its operator would be. */
export const broughtRefusals = (state: State, command: Command<BringingKind>): readonly (Refusal | undefined)[] => {
  const { config } = command.request;
  const { operator } = config;
  return [
    configHash(config) === command.configHash ? undefined : altered("configuration"),
    nameRefusal(operator),
    get(state.subjects, operator) === undefined && get(state.people, operator) === undefined
      ? undefined
      : refuse("token-known", { cause: "operator", facts: { operator } }),
  ];
};

export const decideCheckpoint: Decider<"ledger.checkpoint"> = (state, command) =>
  unless([...broughtRefusals(state, command)], () => DONE);

export const decideUnlock: Decider<"ledger.unlock"> = (state, command) =>
  unless([...broughtRefusals(state, command), reasonRefusal(command.request.reason)], () => DONE);

export const decideSeal: Decider<"ledger.seal"> = (state, command) => {
  const { copy, size } = command.request;
  return unless(
    [
      ...broughtRefusals(state, command),
      size === state.size ? undefined : refuse("seal-misplaced", { facts: { copied: size, size: state.size } }),
      get(state.voided, copy) === undefined ? undefined : refuse("copy-void", { facts: { copy } }),
    ],
    () => DONE,
  );
};

export const decideUnseal: Decider<"ledger.unseal"> = (state, command) => {
  const { copy, reason } = command.request;
  const isSealed = state.seal?.seq === state.size - 1 && state.seal.copy === copy;
  return unless(
    [
      ...broughtRefusals(state, command),
      reasonRefusal(reason),
      isSealed ? undefined : refuse("seal-absent", { facts: { copy } }),
    ],
    () => DONE,
  );
};

/**
 * What was verified and is accepted is a beginning of this very ledger; others may have written behind it since, but
 * for another new anchor: of two at once one begins it, and the other is told.
 */
export const decideReAnchor: Decider<"ledger.re-anchor"> = (state, command) => {
  const { reason, size } = command.request;
  return unless(
    [
      ...broughtRefusals(state, command),
      reasonRefusal(reason),
      size > 0 && size <= state.size
        ? undefined
        : refuse("value-altered", { cause: "size", facts: { accepted: size, size: state.size } }),
      state.reAnchored === undefined || state.reAnchored.seq < size
        ? undefined
        : refuse("ledger-moved", { facts: { seen: size, size: state.size } }),
    ],
    () => DONE,
  );
};

/**
 * Nothing of the others is void by it, so it must not be the way on for whoever lost an anchor: only an instance that
 * never named one joins, and only on the word of one that did.
 */
export const decideJoin: Decider<"ledger.join"> = (state, command) => {
  const { held, key, reason, size } = command.request;
  return unless(
    [
      ...broughtRefusals(state, command),
      reasonRefusal(reason),
      size > 0 && size <= state.size
        ? undefined
        : refuse("value-altered", { cause: "size", facts: { accepted: size, size: state.size } }),
      get(state.anchors, key) === undefined ? undefined : refuse("join-unfounded", { cause: "known" }),
      get(state.anchors, held.key) === undefined ? refuse("join-unfounded", { cause: "stranger" }) : undefined,
      held.size > 0 && held.size <= size
        ? undefined
        : refuse("join-unfounded", { cause: "uncovered", facts: { covered: held.size } }),
    ],
    () => DONE,
  );
};

/**
 * Right behind the last record of the backup. A seal says that another ledger goes on, and a backup does not say which.
 */
export const decideRestore: Decider<"ledger.restore"> = (state, command) => {
  const { reason, size } = command.request;
  const last = state.size - 1;
  return unless(
    [
      ...broughtRefusals(state, command),
      reasonRefusal(reason),
      size > 0 && size === state.size
        ? undefined
        : refuse("value-altered", { cause: "size", facts: { accepted: size, size: state.size } }),
      state.seal?.seq === last ? refuse("backup-sealed", { facts: { seq: last } }) : undefined,
    ],
    () => DONE,
  );
};
