// What a ledger goes on with after records of it may be missing: from a backup, or in the place of a copy that is gone.
//
// A call, a denial, a freeze or the end of a token or of a person may be among what is not there. So nothing that was
// agreed to counts, no token, session, passkey or invitation proves anybody until it is made again, and everything is
// frozen until somebody lifts that. What was registered, remembered, denied or blocked stays. Keeps P7-F1, P7-A2, B2,
// B6.

import type { LedgerRecord } from "../../ledger/record/record.ts";
import { EMPTY } from "../state/persistent-map.ts";
import { EVERYWHERE, type State } from "../state/state.ts";
import { noneByPasskey } from "./fold-people.ts";
import { frozenToo } from "./frozen-too.ts";
import { voidAgreement } from "./void-agreement.ts";

export const goOnWithout = (
  state: State,
  { actor, auditId: id, processTime: at }: LedgerRecord,
  reason: string,
): State => ({
  ...voidAgreement(state),
  freezes: frozenToo(state.freezes, EVERYWHERE, { at, by: actor.id, id, reason }),
  ...noneByPasskey(state),
  subjects: EMPTY,
  tokens: EMPTY,
});
