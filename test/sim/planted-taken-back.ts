// Bugs about what is taken back, or replaced, after somebody agreed or claimed: an approval, a token, a
// registration, a configuration.

import { EMPTY, entries, get, put } from "../../src/kernel/state/persistent-map.ts";
import type { IntentState, State } from "../../src/kernel/state/state.ts";
import { judging, withPlans, writing } from "./planted-parts.ts";

/** A step that is taken counts as free. */
export const TAKES_BACK_IN_VAIN = judging(
  "grant the taking back of an approval of what is claimed",
  "heeded",
  (state, { kind }) => (kind === "revoke" ? { state: withPlans(state, (plan) => ({ ...plan, consumed: EMPTY })) } : {}),
);

const withOpen = (state: State, change: (intent: IntentState) => IntentState): State => ({
  ...state,
  open: [...entries(state.open)].reduce((open, [key, intent]) => put(open, key, change(intent)), state.open),
});

export const TRUSTS_THE_CLAIM = writing("call whatever was registered since the claim", "still-grounded", (writer) => ({
  refresh: async () => {
    const state = await writer.refresh();
    const open = [...entries(state.open)].reduce((intents, [key, intent]) => {
      const registered = get(state.desired, intent.environment)?.root;
      return put(intents, key, registered === undefined ? intent : { ...intent, registered });
    }, state.open);
    return { ...state, open };
  },
}));
export const TRUSTS_THE_COUNT = writing("call whatever approval is gone since the claim", "still-agreed", (writer) => ({
  refresh: async () => withOpen(await writer.refresh(), (intent) => ({ ...intent, approvals: [] })),
}));
export const TRUSTS_THE_CLAIMER = writing("call whatever token is gone since the claim", "still-agreed", (writer) => ({
  refresh: async () => {
    const state = withPlans(await writer.refresh(), ({ closed: _, ...plan }) => plan);
    return withOpen(state, ({ token: _, ...intent }) => intent);
  },
}));

export const TRUSTS_ITS_OWN_FILE = judging(
  "agree and claim whatever was started since",
  "grounded",
  (state, { configHash }) => ({
    state: { ...state, started: configHash },
  }),
);
