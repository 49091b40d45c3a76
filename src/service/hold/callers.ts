// Who asks, proven in one way for every door: the subject of the token that was shown, or the operator at the ledger's
// own files. A credential that proves nobody is an error and never the operator. keeps B2
//
// A door hands in what it was shown; who that is, is found on the very state that the request meets, so that a token
// that was revoked a moment ago proves nobody. Not here: what each may ask for, which is the kernel's table
// (decide/actors.ts).

import type { Door } from "../../kernel/command/request.ts";
import { KERNEL_ACTOR } from "../../kernel/command-desk.ts";
import { bearerOf, LOCAL_GRANTS, type Readable, type Reader, readerRefusal } from "../../kernel/decide/actors.ts";
import type { State } from "../../kernel/state/state.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import { judgedAt } from "../../ledger/write/floor.ts";
import type { Instant, Refusal, Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { sha256 } from "../../spine/values/hash.ts";
import { present } from "../../spine/values/present.ts";

/**
 * What was shown at the door. `name` is the public part of a token, by which its owner finds it; never any of the rest.
 */
export type CallerCredential =
  | { readonly kind: "instance" } // a serving process itself, for somebody whom its door has proven
  | { readonly kind: "operator" }
  | { readonly kind: "token"; readonly hash: Sha256; readonly name?: string };

/** What a token says of itself: its hash, and its public part where it is written as ours are. */
export const tokenCredential = (token: string): CallerCredential => {
  const [, name] = /^dedalus_([0-9a-z]{10})_/.exec(token) ?? [];
  return { hash: sha256(token), kind: "token", ...present({ name }) };
};

export type Caller = {
  readonly credential: CallerCredential;
  readonly door: Door;
  /** Binds everything that this request leaves in the ledger together; without one each record stands for itself. */
  readonly correlationId?: Ulid;
  /** A record that what is read must include: a read waits a moment for it, and says so where it does not come. */
  readonly atLeast?: number;
  /** The caller has left: what was only for them ends. Nothing that was begun for the record does. */
  readonly signal?: AbortSignal;
  /** Of what the door was asked. The same caller, key and request get the stored answer; another request conflicts. */
  readonly key?: Ulid;
};

/**
 * A caller, who it was proven to be, and what that is granted: which roles it has depends on where it acts. `token` is
 * the public id of what proved it, and `endsAt` when that ends: on the same state it proves the same until then.
 */
export type ProvenCaller = Caller & Reader & { readonly endsAt?: Instant; readonly token?: string };

/** What they are told of themselves. What names nobody by a token has no end. */
export type CallerShown = Reader & { readonly expiresAt?: Instant };

/** At the ledger's own files; nothing needs to be read to know it. */
export const operatorOf = (id: string): Reader => ({ actor: { id, kind: "person" }, grants: LOCAL_GRANTS });

/** Whether a state is needed to know who it is. */
export const isNamedByToken = ({ credential }: Caller): boolean => credential.kind === "token";

/**
 * What is known of the ledger: a token that has ended by its floor has ended for whoever reads, whatever the clock
 * says.
 */
export type KnownLedger = { readonly floor: Instant | undefined; readonly state: State };

/** `known` may be absent where the operator asks: nothing needs to be folded to know that. */
export const proveCaller = (
  caller: Caller,
  known: KnownLedger | undefined,
  operator: string,
  clock: Instant,
): ProvenCaller | Refusal => {
  const { credential, door } = caller;
  switch (credential.kind) {
    case "instance":
      return door === "service"
        ? { ...caller, actor: KERNEL_ACTOR, grants: [] }
        : refuse("actor-unknown", { cause: "actor", facts: { actor: KERNEL_ACTOR.id, kind: KERNEL_ACTOR.kind } });
    case "operator":
      return door === "local"
        ? { ...caller, ...operatorOf(operator) }
        : refuse("actor-unknown", { cause: "actor", facts: { actor: operator, kind: "person" } });
    case "token": {
      if (known === undefined) throw new Error("a token is proven on a state");
      const bearer = bearerOf(known.state, credential.hash, judgedAt(clock, known.floor), door);
      if ("code" in bearer) return door === "local" ? nobodyRefusal(bearer, credential.name) : bearer;
      const { expiresAt: endsAt, grants, id, kind, token } = bearer;
      return { ...caller, actor: { id, kind }, endsAt, grants, token };
    }
  }
};

/** At the ledger's own files a token comes from the environment, and is named as it is known there. */
const nobodyRefusal = ({ code, facts }: Refusal, name: string | undefined): Refusal => {
  if (code === "token-expired") {
    const { actor = "", expiresAt = "", token = "" } = facts;
    return refuse("actor-unknown", { cause: "token-ended", facts: { actor, expiresAt, token } });
  }
  return name === undefined
    ? refuse("actor-unknown", { cause: "token-unnamed" })
    : refuse("actor-unknown", { cause: "token-named", facts: { token: name } });
};

/** The same, for whoever only reads; when they may. */
export const proveReader = (
  caller: Caller,
  known: KnownLedger | undefined,
  operator: string,
  clock: Instant,
  readable: Readable,
  environment?: string,
): ProvenCaller | Refusal => {
  const proven = proveCaller(caller, known, operator, clock);
  return "code" in proven ? proven : (readerRefusal(proven, readable, environment) ?? proven);
};
