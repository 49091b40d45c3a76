// What a door must know before anybody is proven: the invitation that a secret opens, and whose a passkey is. Only the
// process that serves asks for it (decide/actors.ts). keeps B2
//
// Whoever is told of these was asked for a secret, or for a credential that is about to be proven; nothing is listed.

import type { Passkey } from "../../kernel/command/request.ts";
import type { Grants } from "../../kernel/command/role-grants.ts";
import { servedOidc } from "../../kernel/state/people.ts";
import { entries, find } from "../../kernel/state/persistent-map.ts";
import type { Instant, Sha256 } from "../../spine/model.ts";
import type { Reading } from "../hold/session.ts";

export type InvitationOpen = {
  readonly expiresAt: Instant;
  readonly grants: Grants;
  readonly invitedBy: string;
  readonly name: string;
};
/** Empty where none is open, whyever. */
export type InvitationFound = { readonly invitation?: InvitationOpen };

export const findInvitation = async (
  { at, state }: Reading,
  { secret }: { readonly secret: Sha256 },
): Promise<InvitationFound> => {
  if (servedOidc(state) !== undefined) return {};
  const found = Array.from(entries(state.invitations)).find(([, one]) => one.secret === secret && at < one.expiresAt);
  if (found === undefined) return {};
  const [name, { expiresAt, grants, invitedBy }] = found;
  return { invitation: { expiresAt, grants, invitedBy, name } };
};

export type PasskeyFound = { readonly passkey?: Passkey & { readonly name: string } };

export const findPasskey = async (
  { state }: Reading,
  { credential }: { readonly credential: string },
): Promise<PasskeyFound> => {
  const person = find(state.people, ({ known }) => known.kind === "passkey" && known.credential === credential);
  if (person?.known.kind !== "passkey") return {};
  const { algorithm, publicKey } = person.known;
  return { passkey: { algorithm, credential, name: person.id, publicKey } };
};
