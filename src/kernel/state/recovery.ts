// Which intents have lost their performer: those past their settle time, and those whose owner is provably gone. Where
// that owner may live without its lock, the time to send must be over too.
//
// A live owner's intent is never touched, and nothing here is done by a command that only reads. What is found becomes
// outcome unknown by a recorded act, and its VM is blocked until somebody reconciles it. Keeps P7-F2.

import type { OwnerGone } from "../../ledger/engine.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import type { Instant } from "../../spine/model.ts";
import type { RequestOf } from "../command/request.ts";
import { entries } from "./persistent-map.ts";
import type { IntentState, State } from "./state.ts";

export type Orphan = { readonly intent: IntentState; readonly request: RequestOf<"recover"> };

export const openIntents = ({ open }: State): readonly IntentState[] =>
  Array.from(entries(open), ([, intent]) => intent).sort((a, b) => (a.id < b.id ? -1 : 1));

/**
 * Whether an owner of whom this is proven performs the intent no more. One that lost its lock may have looked at it
 * right before, and send until the intent's time to send is over.
 */
export const isGone = (intent: IntentState, instance: Ulid, gone: OwnerGone, at: Instant): boolean =>
  intent.owner !== instance && (gone === "owner-ended" || at > intent.sendBy);

/** `goneOf` answers only where it can be proven: the owner's lock was free. */
export const orphans = (
  state: State,
  at: Instant,
  instance: Ulid,
  goneOf: (owner: Ulid) => OwnerGone | undefined,
): readonly Orphan[] =>
  openIntents(state).flatMap((intent): readonly Orphan[] => {
    if (at > intent.settleBy) {
      return [{ intent, request: { ground: "past-settle-by", intent: intent.id, kind: "recover" } }];
    }
    const ground = goneOf(intent.owner);
    return ground !== undefined && isGone(intent, instance, ground, at)
      ? [{ intent, request: { ground, intent: intent.id, kind: "recover" } }]
      : [];
  });
