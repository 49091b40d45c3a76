// sign-in and sign-out: by whom a person is known, under which name, and until when. Keeps B2.
//
// The service proved who signs in, and says so as the kernel; which roles they have is never said, but derived from
// their groups (state/people.ts). A person is known by issuer and sub: the name that the first sign-in took is theirs
// for good, and nobody else's. Not here: how they are proven, and when a session that nobody uses ends, which is the
// door's matter.

import { isInstant } from "../../ledger/record/envelope.ts";
import type { Instant, Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import { later } from "../../spine/values/instant.ts";
import { hasInvisible } from "../../spine/values/invisible.ts";
import type { RecordedService } from "../command/recorded-config.ts";
import type { Command, NewToken, Requests, SignedInBy, SignedInByOidc, SignOutRequest } from "../command/request.ts";
import { DONE, refused, unless } from "../command/result.ts";
import {
  grantsOfPerson,
  grantsToEnd,
  isFreeName,
  issuedKey,
  servedConfig,
  servedOidc,
  sessionNamed,
} from "../state/people.ts";
import { get } from "../state/persistent-map.ts";
import { HOUR_MS } from "../state/spans.ts";
import { type State, tokenNamed } from "../state/state.ts";
import { takenRefusal } from "./granting.ts";
import { reasonRefusal } from "./grounds.ts";
import type { Decider } from "./rulebook.ts";
import { nameRefusal, TOKEN_ID } from "./token-acts.ts";

/** More than these a record would hold for nobody: the door hands in those alone that the configuration names. */
const GROUPS_MAX = 256;
const TEXT_MAX = 255;
const isText = (text: string): boolean => text !== "" && text.length <= TEXT_MAX && !hasInvisible(text);

export const decideSignIn: Decider<"sign-in"> = (state, { door, request }, at) => {
  const { by, session, subject } = request;
  const foreign = by.kind === "oidc" ? issuerRefusal(servedOidc(state), by) : passkeyRefusal(state, by, subject);
  if (foreign !== undefined) return refused(foreign);
  return unless(
    [
      door === "service" ? undefined : refuse("sign-in-refused", { cause: "local" }),
      ...(by.kind === "oidc" ? [formRefusal(by), ...subjectRefusals(state, by, subject)] : []),
      ...sessionRefusals(state, session, at),
    ],
    () => DONE,
  );
};

/** The credential is the one that this very person set; that they hold it is what the door has proven. */
const passkeyRefusal = (
  state: State,
  { credential }: Extract<SignedInBy, { readonly kind: "passkey" }>,
  subject: string,
): Refusal | undefined => {
  const oidc = servedOidc(state);
  if (oidc !== undefined) return refuse("people-by-oidc", { cause: "passkey", facts: { issuer: oidc.issuer } });
  const known = get(state.people, subject)?.known;
  return known?.kind === "passkey" && known.credential === credential
    ? undefined
    : refuse("sign-in-refused", { cause: "passkey", facts: { subject } });
};

const formRefusal = ({ groups, issuer, name, sub }: SignedInByOidc): Refusal | undefined => {
  const isSorted = groups.every((group, index) => index === 0 || (groups[index - 1] ?? "") < group);
  const texts = [issuer, sub, ...groups, ...(name === undefined ? [] : [name])];
  return texts.every(isText) && isSorted && groups.length <= GROUPS_MAX
    ? undefined
    : refuse("sign-in-refused", { cause: "form" });
};

const issuerRefusal = (oidc: RecordedService["oidc"], { issuer }: SignedInByOidc): Refusal | undefined => {
  if (oidc === undefined) return refuse("sign-in-refused", { cause: "no-provider" });
  return oidc.issuer === issuer
    ? undefined
    : refuse("sign-in-refused", { cause: "issuer", facts: { issuer, served: oidc.issuer } });
};

/** Somebody who is known keeps their name, and comes in also without a role, so that an older session loses it too. */
const subjectRefusals = (state: State, by: SignedInByOidc, subject: string): readonly (Refusal | undefined)[] => {
  const known = get(state.issued, issuedKey(by));
  if (known !== undefined)
    return [
      known === subject ? undefined : refuse("sign-in-refused", { cause: "other-name", facts: { known, subject } }),
    ];
  return [
    nameRefusal(subject),
    isFreeName(state, subject) ? undefined : refuse("sign-in-refused", { cause: "name-taken", facts: { subject } }),
    grantsOfPerson(state, { known: by }).length > 0
      ? undefined
      : refuse("sign-in-refused", { cause: "no-role", facts: { subject } }),
  ];
};

const sessionRefusals = (
  state: State,
  { expiresAt, hash, token }: NewToken,
  at: Instant,
): readonly (Refusal | undefined)[] => {
  const hours = servedConfig(state)?.service?.sessions.hours ?? 0;
  const isNew =
    get(state.tokens, hash) === undefined &&
    get(state.sessions, hash) === undefined &&
    tokenNamed(state, token) === undefined &&
    sessionNamed(state, token) === undefined;
  return [
    TOKEN_ID.test(token) && isSha256(hash) && isInstant(expiresAt)
      ? undefined
      : refuse("sign-in-refused", { cause: "form" }),
    isNew ? undefined : refuse("token-known", { cause: "in-use", facts: { token } }),
    at < expiresAt && expiresAt <= later(at, hours * HOUR_MS)
      ? undefined
      : refuse("sign-in-refused", { cause: "session-end", facts: { expiresAt, hours } }),
  ];
};

type Judge<E extends SignOutRequest["ends"]> = (
  state: State,
  command: Command<"sign-out">,
  request: Extract<SignOutRequest, { readonly ends: E }>,
) => readonly (Refusal | undefined)[];

const JUDGES: { readonly [E in SignOutRequest["ends"]]: Judge<E> } = {
  person: (state, command, { reason, subject }) => {
    const unknown = refuse("person-unknown", { cause: "nobody", facts: { subject } });
    const grants = grantsToEnd(state, subject);
    return [grants === undefined ? unknown : takenRefusal(state, command, grants, unknown), reasonRefusal(reason)];
  },
  // Whoever asks was proven by a session or a token of theirs; it is this one.
  session: (state, { token: shown }, { token }) => [
    shown === token && sessionNamed(state, token) !== undefined
      ? undefined
      : refuse("sign-in-refused", { cause: "not-this-session", facts: { token } }),
  ],
};

export const decideSignOut: Decider<"sign-out"> = (state, command) => {
  const request: Requests["sign-out"] = command.request;
  return unless((JUDGES[request.ends] as Judge<SignOutRequest["ends"]>)(state, command, request), () => DONE);
};
