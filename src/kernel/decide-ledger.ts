// Deciders of acts on the ledger itself: a checkpoint, taking writes again, the seal of a ledger that moves, and its undoing.
//
// Such an act may be the only record of its process, so each brings its configuration with it, as a start does. A seal is
// granted at exactly the size that was copied, and never for a copy that was declared gone. It is undone only by the very
// next record, in which an operator states that the copy is gone: the copy's id is void for ever, and everything is frozen
// until somebody lifts it. Not here: who may ask (actors.ts), what keeps a sealed ledger from other writes (ledger/sealed.ts).

import type { Refusal } from "../spine/model.ts";
import { refuse } from "../spine/refusals.ts";
import { configHash } from "./config-snapshot.ts";
import { reasonRefusal } from "./grounds.ts";
import { get } from "./persistent-map.ts";
import type { BringingKind, Command } from "./request.ts";
import { type Decider, DONE, unless } from "./result.ts";

/** Undefined when the configuration that comes with the command is the one that its hash names. */
export const alteredConfig = (command: Command<BringingKind>): Refusal | undefined =>
  configHash(command.request.config) === command.configHash
    ? undefined
    : refuse("value-altered", { because: "the configuration is not the one that its hash names" });

export const decideCheckpoint: Decider<"ledger.checkpoint"> = (_, command) =>
  unless([alteredConfig(command)], () => DONE);

export const decideRearm: Decider<"ledger.rearm"> = (_, command) =>
  unless([alteredConfig(command), reasonRefusal(command.request.reason)], () => DONE);

export const decideSeal: Decider<"ledger.seal"> = (state, command) => {
  const { copy, size } = command.request;
  return unless(
    [
      alteredConfig(command),
      size === state.size
        ? undefined
        : refuse("seal-misplaced", { because: `${size} records were copied, and the ledger has ${state.size}` }),
      get(state.voided, copy) === undefined
        ? undefined
        : refuse("copy-void", { because: "the copy was declared gone", facts: { copy } }),
    ],
    () => DONE,
  );
};

export const decideUnseal: Decider<"ledger.unseal"> = (state, command) => {
  const { copy, reason } = command.request;
  const isSealed = state.seal?.seq === state.size - 1 && state.seal.copy === copy;
  return unless(
    [
      alteredConfig(command),
      reasonRefusal(reason),
      isSealed ? undefined : refuse("seal-absent", { because: "the last record is no seal for this copy" }),
    ],
    () => DONE,
  );
};
