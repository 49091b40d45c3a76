// Which intents have lost their performer: those past their settle time, and those whose owner is provably gone.
//
// A live owner's intent is never touched, and nothing here is done by a command that only reads. What is found becomes
// outcome unknown by a recorded act, and its VM is blocked until somebody reconciles it. Keeps P7-F2.

import type { Ulid } from "../../ledger/record/record.ts";
import type { Instant } from "../../spine/model.ts";
import type { RequestOf } from "../command/request.ts";
import { entries } from "./persistent-map.ts";
import type { IntentState, State } from "./state.ts";

export type Orphan = { readonly intent: IntentState; readonly request: RequestOf<"recover"> };

export const openIntents = ({ open }: State): readonly IntentState[] =>
  Array.from(entries(open), ([, intent]) => intent).sort((a, b) => (a.id < b.id ? -1 : 1));

/** `isEnded` answers only where it can be proven: the owner's lock was free. */
export const orphans = (
  state: State,
  at: Instant,
  instance: Ulid,
  isEnded: (owner: Ulid) => boolean,
): readonly Orphan[] =>
  openIntents(state).flatMap((intent): readonly Orphan[] => {
    if (at > intent.settleBy) {
      return [{ intent, request: { ground: "past-settle-by", intent: intent.id, kind: "recover" } }];
    }
    return intent.owner !== instance && isEnded(intent.owner)
      ? [{ intent, request: { ground: "owner-ended", intent: intent.id, kind: "recover" } }]
      : [];
  });
