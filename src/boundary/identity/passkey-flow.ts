// Passkeys: an invitation is redeemed with one, and whoever has one signs in with it.
//
// The challenge is sealed and comes back with the answer; each is of use once. An invitation is proven by its secret,
// which the link keeps behind the `#`. Not here: whether bytes hold (passkey.ts), what a passkey counts for (the
// kernel's). Keeps B2.

import type { Instant } from "../../spine/model.ts";
import { isSha256, sha256 } from "../../spine/values/hash.ts";
import { later } from "../../spine/values/instant.ts";
import { SIGNED_IN_PATH } from "../contract/terminal-sign-in.ts";
import { offeredText } from "../pages/passkey-pages.ts";
import { openBrowserSession } from "./browser-session.ts";
import type {
  IdentityDesk,
  IdentityRefused,
  ProvenPerson,
  RedeemedAtDoor,
  WebAnswer,
  WebReply,
} from "./identity-desk.ts";
import {
  PASSKEY_NUMBERS,
  type PasskeyFlaw,
  type PasskeyMade,
  type PasskeyUsed,
  verifyPasskeyMade,
  verifyPasskeyUsed,
} from "./passkey.ts";
import { returnPath } from "./return-path.ts";
import { terminalIn } from "./terminal-asked.ts";

const CHALLENGE_MS = 5 * 60_000;

const jsonReply = (value: object, status = 200): WebReply => ({ kind: "json", status, value });

type WebFlaw = PasskeyFlaw | "invitation-unknown" | "over" | "unknown";

/** What is said on the page; which part of a passkey does not hold is nobody's business but the log's. */
const FLAWS: Readonly<Record<WebFlaw, readonly [number, string]>> = {
  challenge: [400, "This took too long. Try again."],
  credential: [403, "This passkey is not known here."],
  "invitation-unknown": [404, "This invitation was used, has ended, or never was. Ask for another one."],
  key: [400, "This device makes passkeys of a kind that is not supported."],
  malformed: [400, "The answer of this device cannot be read."],
  origin: [403, "The passkey was used on another page."],
  over: [400, "This took too long. Try again."],
  party: [403, "The passkey was used on another page."],
  signature: [403, "This passkey is not known here."],
  unknown: [403, "This passkey is not known here."],
  unverified: [403, "The device did not check that it is you."],
};

const flawed = (flaw: WebFlaw): WebReply => {
  const [status, detail] = FLAWS[flaw];
  return jsonReply({ detail, flaw, status }, status);
};

const refused = ({ refusals: [first] }: IdentityRefused): WebReply =>
  jsonReply({ detail: first === undefined ? "" : `${first.summary}. ${first.detail}`, status: 403 }, 403);

type Challenge = { readonly challenge: string; readonly until: Instant };

const newChallenge = ({ now, sealer, secretText }: IdentityDesk): Pick<Challenge, "challenge"> & { flow: string } => {
  const until = later(now(), CHALLENGE_MS);
  const challenge = secretText();
  return { challenge, flow: sealer.seal("passkey", { challenge, until } satisfies Challenge, until) };
};

/** The challenge that was sealed, spent by this very call; undefined where it is over or was used. */
const spentChallenge = ({ now, sealer, spend }: IdentityDesk, flow: unknown): string | undefined => {
  const opened = typeof flow === "string" ? (sealer.open("passkey", flow, now()) as Challenge | undefined) : undefined;
  return opened !== undefined && spend(opened.challenge, opened.until) ? opened.challenge : undefined;
};

const rpIdOf = ({ origin }: IdentityDesk): string => new URL(origin).hostname;

export const askPasskey: WebAnswer = async (desk) => jsonReply({ ...newChallenge(desk), rpId: rpIdOf(desk) });

const isTextsIn = <K extends string>(value: unknown, keys: readonly K[]): value is Readonly<Record<K, string>> =>
  typeof value === "object" &&
  value !== null &&
  keys.every((key) => typeof (value as Readonly<Record<string, unknown>>)[key] === "string");

const USED_KEYS = ["authenticatorData", "clientDataJSON", "id", "signature"] as const;
const MADE_KEYS = ["authenticatorData", "clientDataJSON", "id", "publicKey"] as const;

export const signInByPasskey: WebAnswer = async (desk, { body }) => {
  const { flow, used } = body;
  const terminal = terminalIn({ get: (name) => body[name] });
  if (terminal === "malformed" || !isTextsIn(used, USED_KEYS)) return flawed("malformed");
  const challenge = spentChallenge(desk, flow);
  if (challenge === undefined) return flawed("over");
  const known = await desk.calls.passkeyOf(used.id);
  if (known === undefined) return flawed("unknown");
  const verified = verifyPasskeyUsed(used satisfies PasskeyUsed, known, { challenge, origin: desk.origin });
  if (verified.kind === "flaw") return flawed(verified.flaw);
  const proof: ProvenPerson = { credential: known.credential, name: known.name };
  if (terminal === "none") {
    const opened = await openBrowserSession(desk, proof);
    return "refusals" in opened
      ? refused(opened)
      : { ...jsonReply({ to: returnPath(body["to"]) ?? SIGNED_IN_PATH }), setCookies: [opened.cookie] };
  }
  const { hash, id } = terminal;
  if (!isSha256(hash)) return flawed("malformed");
  const signed = await desk.calls.signIn(proof, { hash, id });
  return "subject" in signed ? jsonReply({ subject: signed.subject }) : refused(signed);
};

/** What the link offers, and what a device needs to make a passkey for it. */
export const showInvitation: WebAnswer = async (desk, { body }) => {
  const { secret } = body;
  const invited = typeof secret === "string" ? await desk.calls.invitation(sha256(secret)) : undefined;
  if (invited === undefined) return flawed("invitation-unknown");
  const { grants, invitedBy: inviter, name } = invited;
  return jsonReply({
    ...newChallenge(desk),
    algorithms: Object.values(PASSKEY_NUMBERS),
    inviter,
    name,
    roles: offeredText(grants),
    rpId: rpIdOf(desk),
    userId: Buffer.from(name).toString("base64url"),
  });
};

export const redeemInvitation: WebAnswer = async (desk, { body }) => {
  const { secret } = body;
  if (typeof secret !== "string") return flawed("invitation-unknown");
  const brought = body["token"] === true ? newToken(desk) : passkeyIn(desk, body);
  if ("flaw" in brought) return flawed(brought.flaw);
  const redeemed = await desk.calls.redeem(sha256(secret), brought.redeemed);
  if (redeemed === undefined) return flawed("invitation-unknown");
  return "refusals" in redeemed ? refused(redeemed) : jsonReply({ kind: brought.redeemed.kind, ...brought.shown });
};

type Brought =
  | { readonly redeemed: RedeemedAtDoor; readonly shown: { readonly token?: string } }
  | { readonly flaw: WebFlaw };

/** Shown once, in this very answer. */
const newToken = ({ publicId, secretText }: IdentityDesk): Brought => {
  const id = publicId();
  const token = `dedalus_${id}_${secretText()}`;
  return { redeemed: { hash: sha256(token), id, kind: "token" }, shown: { token } };
};

const passkeyIn = (desk: IdentityDesk, { flow, passkey }: Readonly<Record<string, unknown>>): Brought => {
  const algorithm = isTextsIn(passkey, MADE_KEYS) ? (passkey as { readonly algorithm?: unknown }).algorithm : undefined;
  if (!isTextsIn(passkey, MADE_KEYS) || typeof algorithm !== "number") return { flaw: "malformed" };
  const challenge = spentChallenge(desk, flow);
  if (challenge === undefined) return { flaw: "over" };
  const made: PasskeyMade = { ...passkey, algorithm };
  const verified = verifyPasskeyMade(made, { challenge, origin: desk.origin });
  return verified.kind === "flaw"
    ? { flaw: verified.flaw }
    : { redeemed: { ...verified.value, kind: "passkey" }, shown: {} };
};
