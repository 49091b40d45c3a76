// Who asks, found in one way for every command: the subject of DEDALUS_TOKEN, or without one the operator of dedalus.yaml.
//
// A token that is set and not usable, or that the ledger does not know, is an error and never the operator. keeps B2
// Not here: what each may ask for, which is the kernel's table (kernel/actors.ts).

import { now } from "../clock.ts";
import { tokenGiven } from "../config.ts";
import { bearerOf, LOCAL_ROLES, type Readable, readerRefusal } from "../kernel/decide/actors.ts";
import { stateOn } from "../kernel/read-state.ts";
import type { State } from "../kernel/state/state.ts";
import type { Ledger } from "../ledger/open.ts";
import type { Actor } from "../ledger/record/record.ts";
import type { Refusal } from "../spine/model.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { sha256 } from "../spine/values/hash.ts";
import type { Configured } from "./find-config.ts";
import { type Desk, snapshotAt } from "./ledger-desk.ts";

const operatorOf = (id: string): Actor => ({ id, kind: "person", roles: LOCAL_ROLES });

/** Who asks, and the public id of the token that proves it. */
export type Caller = { readonly actor: Actor; readonly token?: string };

export const callerOf = (state: State, operator: string): Caller | Refusal => {
  const given = tokenGiven();
  switch (given.kind) {
    case "none":
      return { actor: operatorOf(operator) };
    case "unusable":
      return refuse("actor-unknown", { cause: given.cause });
    case "token": {
      const bearer = bearerOf(state, sha256(given.value), now());
      if ("code" in bearer) return nobodyRefusal(bearer, given.value);
      const { id, kind, roles, token } = bearer;
      return { actor: { id, kind, roles }, token };
    }
  }
};

/** Of a token that the ledger does not know, its public part, by which its owner finds it; never any of the rest. */
const nobodyRefusal = ({ code, facts }: Refusal, value: string): Refusal => {
  if (code === "token-expired") {
    const { actor = "", expiresAt = "", token = "" } = facts;
    return refuse("actor-unknown", { cause: "token-ended", facts: { actor, expiresAt, token } });
  }
  const [, token] = /^dedalus_([0-9a-z]{10})_/.exec(value) ?? [];
  return token === undefined
    ? refuse("actor-unknown", { cause: "token-unnamed" })
    : refuse("actor-unknown", { cause: "token-named", facts: { token } });
};

/** Who reads, when they may. Without a token it is the operator, and nothing needs to be folded to know that. */
export const readerAt = async (ledger: Ledger, desk: Desk, readable: Readable): Promise<Actor | Refusal> => {
  const isNamed = tokenGiven().kind !== "none";
  const state = isNamed ? await stateOn(ledger.engine, snapshotAt(ledger, desk)) : undefined;
  return readerOn(state, desk, readable);
};

/** The same, for those who have folded the ledger already. */
export const readerOn = (state: State | undefined, desk: Configured, readable: Readable): Actor | Refusal => {
  const { operator } = desk.config;
  const caller = state === undefined ? { actor: operatorOf(operator) } : callerOf(state, operator);
  return "code" in caller ? caller : (readerRefusal(caller.actor, readable) ?? caller.actor);
};
