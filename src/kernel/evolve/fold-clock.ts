// What an accepted clock does to the state: everything whose end was counted on the clock before is void, and what is
// open or blocked waits for a full window on the clock that is accepted.
//
// Voiding is what keeps turning back from being of use to anybody: a plan, an approval, a challenge or an observation
// of before would otherwise live for as long as the clock was ahead. Nothing that is over comes to life again: a token
// that had ended by the head is gone, and so is every session. And no token lives for longer than one may from now on.
// Keeps P7-A2, B2.

import type { LedgerRecord } from "../../ledger/record/record.ts";
import type { Instant } from "../../spine/model.ts";
import { later } from "../../spine/values/instant.ts";
import type { ResultOf } from "../command/result.ts";
import { entries, mapFrom, type PersistentMap } from "../state/persistent-map.ts";
import { DAY_MS, SEND_MS, SETTLE_MS, TOKEN_DAYS_MAX } from "../state/spans.ts";
import type { IntentState, State, TokenState } from "../state/state.ts";
import { claimsNoLaterThan } from "./fold-claims.ts";
import { allSignedOut } from "./fold-people.ts";
import { mapped, voidAgreement } from "./void-agreement.ts";

const recounted =
  (from: Instant) =>
  (intent: IntentState): IntentState => ({
    ...intent,
    sendBy: later(from, SEND_MS),
    settleBy: later(from, SETTLE_MS(intent.action)),
  });

/** Those that had not ended by the head; one that was made ahead ends no later than one that is made now could. */
const unended = (tokens: PersistentMap<TokenState>, head: Instant, at: Instant): PersistentMap<TokenState> => {
  const last = later(at, TOKEN_DAYS_MAX * DAY_MS);
  const valid = mapFrom([...entries(tokens)].filter(([, { expiresAt }]) => head < expiresAt));
  return mapped(valid, (token) => (token.expiresAt <= last ? token : { ...token, expiresAt: last }));
};

export const clockAccepted = (
  state: State,
  { processTime }: LedgerRecord,
  { head }: ResultOf<"clock-accepted">,
): State => {
  return {
    ...voidAgreement(state),
    blocked: mapped(state.blocked, recounted(processTime)),
    claims: claimsNoLaterThan(state.claims, processTime),
    open: mapped(state.open, recounted(processTime)),
    ...allSignedOut(state),
    subjects: unended(state.subjects, head, processTime),
    tokens: unended(state.tokens, head, processTime),
  };
};
