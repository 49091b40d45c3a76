// An open ledger as its reader sees it, and the environment that they ask a provider of.

import { type Readable, readerRefusal } from "../../kernel/decide/actors.ts";
import { type RefusedAnswer, refusedByKernel, refusedInput } from "../answer.ts";
import type { Configuration } from "../ports.ts";
import type { ProvenCaller } from "./callers.ts";
import { environmentAt } from "./environment-at.ts";
import type { OpenLedger } from "./holding.ts";
import { configurationFor, type Sight, sightOf, stateFor } from "./sight.ts";

export type Seen = Pick<OpenLedger, "desk" | "folded"> & { readonly sees: Sight };

/** `folded` gives the whole state; what comes of it has what the reader sees, and is made once. */
export const seenBy = ({ desk }: OpenLedger, caller: ProvenCaller, folded: OpenLedger["folded"]): Seen => {
  const sees = sightOf(caller);
  let seen: ReturnType<OpenLedger["folded"]> | undefined;
  return {
    desk: configurationFor(desk, sees),
    folded: () => {
      seen ??= folded().then((whole) => ({ ...whole, state: stateFor(whole.state, caller) }));
      return seen;
    },
    sees,
  };
};

/** Whether their role holds in the environment that is asked for; `seen` has those that they see. */
export const refuseThere = (
  caller: ProvenCaller,
  readable: Readable,
  named: string | undefined,
  seen: Configuration,
): RefusedAnswer | undefined => {
  const at = environmentAt(named, seen);
  if ("code" in at) return refusedInput([at]);
  const refusal = readerRefusal(caller, readable, at.name);
  return refusal === undefined ? undefined : refusedByKernel([refusal]);
};
