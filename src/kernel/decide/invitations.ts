// invite and redeem: somebody may come once, and sets what they are known by. Keeps B2, P7-A2.
//
// For a team without a provider of identities. An operator names somebody and what they may do; whoever has the
// one-time secret sets a passkey, which is their own making, or a token, which is the inviter's and never another pair
// of eyes.
// Not here: how a passkey is proven, which is the door's matter; who may invite (actors.ts).

import { isInstant } from "../../ledger/record/envelope.ts";
import type { Instant, Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import { later } from "../../spine/values/instant.ts";
import type { PasskeyAlgorithm, RedeemedBy } from "../command/request.ts";
import { DONE, unless } from "../command/result.ts";
import { rolesHeld } from "../command/role-grants.ts";
import { PEOPLE_ROLES, type Role } from "../command/roles.ts";
import { isFreeName, servedOidc } from "../state/people.ts";
import { find, get } from "../state/persistent-map.ts";
import { DAY_MS, INVITATION_DAYS_MAX } from "../state/spans.ts";
import type { State } from "../state/state.ts";
import { beyondRefusal, grantsRefusals } from "./granting.ts";
import type { Decider } from "./rulebook.ts";
import { nameRefusal, newRefusals } from "./token-acts.ts";

const FOR_PEOPLE: ReadonlySet<Role> = new Set(PEOPLE_ROLES);

export const decideInvite: Decider<"invite"> = (state, command, at) => {
  const { expiresAt, grants, secret, subject } = command.request;
  const roles = rolesHeld(grants);
  return unless(
    [
      oidcRefusal(state),
      nameRefusal(subject),
      isFreeName(state, subject)
        ? undefined
        : refuse("invitation-refused", { cause: "name-taken", facts: { subject } }),
      isSha256(secret) && isInstant(expiresAt) ? undefined : refuse("invitation-refused", { cause: "form" }),
      at < expiresAt && expiresAt <= later(at, INVITATION_DAYS_MAX * DAY_MS)
        ? undefined
        : refuse("invitation-refused", { cause: "end", facts: { expiresAt, limit: INVITATION_DAYS_MAX } }),
      find(state.invitations, (one) => one.secret === secret) === undefined
        ? undefined
        : refuse("invitation-refused", { cause: "form" }),
      roles.length > 0 && roles.every((role) => FOR_PEOPLE.has(role))
        ? undefined
        : refuse("invitation-refused", { cause: "roles", facts: { roles } }),
      ...grantsRefusals(state, command, grants),
      beyondRefusal(state, command, grants),
    ],
    () => DONE,
  );
};

const oidcRefusal = (state: State): Refusal | undefined => {
  const oidc = servedOidc(state);
  return oidc === undefined
    ? undefined
    : refuse("people-by-oidc", { cause: "invitation", facts: { issuer: oidc.issuer } });
};

/** Nothing else is said of an invitation that is not open: whoever tries names learns nothing. */
export const decideRedeem: Decider<"redeem"> = (state, { door, request }, at) => {
  const { by, secret, subject } = request;
  const invitation = get(state.invitations, subject);
  const isOpen = invitation !== undefined && invitation.secret === secret && at < invitation.expiresAt;
  return unless(
    [
      door === "service" ? undefined : refuse("sign-in-refused", { cause: "local" }),
      oidcRefusal(state),
      isOpen ? undefined : refuse("invitation-refused", { cause: "not-open", facts: { subject } }),
      isFreeName(state, subject)
        ? undefined
        : refuse("invitation-refused", { cause: "name-taken", facts: { subject } }),
      ...setRefusals(state, by, at),
    ],
    () => DONE,
  );
};

const ALGORITHMS: ReadonlySet<string> = new Set<PasskeyAlgorithm>(["ES256", "EdDSA", "RS256"]);
const BASE64URL = /^[A-Za-z0-9_-]{16,1400}$/;

const setRefusals = (state: State, by: RedeemedBy, at: Instant): readonly (Refusal | undefined)[] => {
  if (by.kind === "token") return newRefusals(state, by, at);
  const { algorithm, credential, publicKey } = by;
  const isWhole = ALGORITHMS.has(algorithm) && BASE64URL.test(credential) && BASE64URL.test(publicKey);
  const other = find(state.people, ({ known }) => known.kind === "passkey" && known.credential === credential);
  return [
    isWhole ? undefined : refuse("invitation-refused", { cause: "form" }),
    // One device that proves two people would be two pairs of eyes.
    other === undefined
      ? undefined
      : refuse("invitation-refused", { cause: "passkey-known", facts: { other: other.id } }),
  ];
};
