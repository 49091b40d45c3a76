// Acts on who is known here: tokens, invitations and sessions; and what a serving process asks for its door of them.
// Each is loaded when it is asked for. Not here: who may ask (local-service.ts proves it).

import type { Readable } from "../kernel/decide/actors.ts";
import type { ServiceAct } from "./act/act.ts";
import type { RefusedAnswer } from "./answer.ts";
import type { Reading } from "./hold/session.ts";
import type { Acts, DoorActs, Operation } from "./service.ts";

type ActOf = <R extends object, T extends object>(
  operation: string,
  load: () => Promise<ServiceAct<R, T>>,
) => Operation<R, T>;
type ReadOf = <R extends object, T extends object>(
  load: () => Promise<(reading: Reading, request: R) => Promise<T | RefusedAnswer>>,
  readable: Readable,
) => Operation<R, T>;

export const doorActsOf = (act: ActOf, read: ReadOf): DoorActs => ({
  findInvitation: read(async () => (await import("./read/at-the-door.ts")).findInvitation, "door"),
  findPasskey: read(async () => (await import("./read/at-the-door.ts")).findPasskey, "door"),
  redeem: act("redeem", async () => (await import("./act/invitation.ts")).redeem),
  signIn: act("sign-in", async () => (await import("./act/signing-in.ts")).recordSignIn),
});

export const peopleActsOf = (
  act: ActOf,
): Pick<Acts, "createToken" | "invite" | "revokeToken" | "rotateToken" | "signOut"> => ({
  createToken: act("token-create", async () => (await import("./act/token.ts")).createToken),
  invite: act("invite", async () => (await import("./act/invitation.ts")).invite),
  revokeToken: act("token-revoke", async () => (await import("./act/token.ts")).revokeToken),
  rotateToken: act("token-rotate", async () => (await import("./act/token.ts")).rotateToken),
  signOut: act("sign-out", async () => (await import("./act/signing-in.ts")).recordSignOut),
});
