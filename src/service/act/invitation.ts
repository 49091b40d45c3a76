// Invitations: made by an operator, and redeemed at a door by whoever has the secret. The secret is shown once, in the
// first answer; the ledger keeps its hash. keeps B2, B5
//
// Not here: how a passkey is proven (boundary/identity/), what each is worth (kernel/decide/invitations.ts).

import { hasName } from "../../formats/dedalus/dedalus-fields.ts";
import { bodyOf } from "../../kernel/command/record-body.ts";
import type { Passkey, RedeemedBy } from "../../kernel/command/request.ts";
import type { Grants } from "../../kernel/command/role-grants.ts";
import { nameRefusal } from "../../kernel/decide/token-acts.ts";
import { DAY_MS, INVITATION_DAYS_MAX } from "../../kernel/state/spans.ts";
import type { Instant, Refusal, Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { sha256 } from "../../spine/values/hash.ts";
import { later } from "../../spine/values/instant.ts";
import { refusedInput } from "../answer.ts";
import { answerWith, type ServiceAct } from "./act.ts";
import type { TokenRequested } from "./token.ts";

export type InviteRequested = Pick<TokenRequested, "days" | "environments" | "name" | "roles">;
export type InvitationMade = {
  readonly expiresAt: Instant;
  readonly grants: Grants;
  /** Where it is redeemed, with its secret, this once: a repeated answer has none. */
  readonly link?: string;
  readonly name: string;
  readonly seq: number;
};

/** Under the address of the service. What is behind the `#` stays in the browser. */
const linkOf = (url: string, secret: string): string => `${url}/invitation#${secret}`;

/** Whoever is invited sets a passkey, at a page that a browser knows by a name. */
const addressRefusal = (url: string | undefined): Refusal | undefined => {
  if (url === undefined) return refuse("invitation-refused", { cause: "no-address" });
  return hasName(url) ? undefined : refuse("invitation-refused", { cause: "no-name", facts: { url } });
};

/** What could not be redeemed by anybody is said before anything is recorded. */
const inviteRefusal = ({ days, name }: InviteRequested, url: string | undefined): Refusal | undefined =>
  nameRefusal(name) ??
  addressRefusal(url) ??
  (Number.isInteger(days) && days >= 1 && days <= INVITATION_DAYS_MAX
    ? undefined
    : refuse("invitation-refused", { cause: "days", facts: { limit: INVITATION_DAYS_MAX } }));

export const invite: ServiceAct<InviteRequested, InvitationMade> = {
  perform: async (session, asked) => {
    const { config, ports } = session.desk;
    const { url } = ports.pagesAt ?? config.service ?? {};
    const refused = inviteRefusal(asked, url);
    if (refused !== undefined) return refusedInput([refused]);
    const { days, environments = "all", name, roles } = asked;
    const secret = ports.ids.secretText();
    const recorded = await session.answer({
      expiresAt: later(ports.clock.now(), days * DAY_MS),
      grants: roles.length === 0 ? [] : [{ environments, roles }],
      kind: "invite",
      secret: sha256(secret),
      subject: name,
    });
    const answer = await answerWith(session, recorded, invite.valueIn);
    return answer.kind === "refused" || answer.replayed
      ? answer
      : { ...answer, value: { ...answer.value, link: linkOf(url ?? "", secret) } };
  },
  valueIn: async (_, record) => {
    const body = bodyOf(record);
    if (body?.kind !== "invite") throw new Error(`record ${record.seq} is no invitation`);
    const { expiresAt, grants, subject } = body.request;
    return { expiresAt, grants, name: subject, seq: record.seq };
  },
};

/** How long a token lasts that an invitation set; its holder has it rotated. */
const REDEEMED_TOKEN_DAYS = 90;

/** A passkey whose key the door has seen in use; or the hash and the public id of a token that is shown there once. */
export type RedeemRequested = {
  readonly by:
    | ({ readonly kind: "passkey" } & Passkey)
    | { readonly hash: Sha256; readonly id: string; readonly kind: "token" };
  readonly name: string;
  readonly secret: Sha256;
};
export type InvitationRedeemed = { readonly kind: RedeemedBy["kind"]; readonly name: string; readonly seq: number };

export const redeem: ServiceAct<RedeemRequested, InvitationRedeemed> = {
  perform: async (session, { by, name, secret }) => {
    const expiresAt = later(session.desk.ports.clock.now(), REDEEMED_TOKEN_DAYS * DAY_MS);
    const set: RedeemedBy = by.kind === "passkey" ? by : { expiresAt, hash: by.hash, kind: "token", token: by.id };
    return answerWith(
      session,
      await session.answer({ by: set, kind: "redeem", secret, subject: name }),
      redeem.valueIn,
    );
  },
  valueIn: async (_, record) => {
    const body = bodyOf(record);
    if (body?.kind !== "redeem") throw new Error(`record ${record.seq} redeems nothing`);
    const { by, subject } = body.request;
    return { kind: by.kind, name: subject, seq: record.seq };
  },
};
