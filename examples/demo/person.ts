// A person whose browser has no window: they redeem their invitation with a passkey, sign in with it, read the page of
// a step, and send its form back. All that is kept is the cookie of their session.
//
// The passkey is a real one (WebAuthn, ES256), held by this program where a phone or a security key would hold it.

import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

export type Decision = "approvals" | "denials";
export type Person = {
  /** Reads the page at the address and decides there, with a reason; gives the text of both pages. */
  readonly decide: (url: string, decision: Decision, reason: string) => Promise<Read>;
};
export type Read = { readonly after: string; readonly before: string };

type Options = { readonly challenge: string; readonly flow: string };

const ES256 = -7;
const PRESENT_AND_VERIFIED = 0x05;
const WITH_KEY = 0x40;

const sha256 = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest();
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

const passkeyFor = (origin: string) => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  const clientData = (challenge: string, type: string): Buffer =>
    Buffer.from(JSON.stringify({ challenge, crossOrigin: false, origin, type }));
  const head = (flags: number): Buffer =>
    Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags, 0, 0, 0, 0])]);
  return {
    made: (challenge: string) => ({
      algorithm: ES256,
      authenticatorData: text(
        Buffer.concat([head(PRESENT_AND_VERIFIED | WITH_KEY), Buffer.alloc(16), Buffer.from([0, id.length]), id]),
      ),
      clientDataJSON: text(clientData(challenge, "webauthn.create")),
      id: text(id),
      publicKey: text(publicKey.export({ format: "der", type: "spki" })),
    }),
    used: (challenge: string) => {
      const [said, bytes] = [clientData(challenge, "webauthn.get"), head(PRESENT_AND_VERIFIED)];
      const signature = sign("sha256", Buffer.concat([bytes, sha256(said)]), privateKey);
      return { authenticatorData: text(bytes), clientDataJSON: text(said), id: text(id), signature: text(signature) };
    },
  };
};

/** What a page says, without its marks. */
const readable = (page: string): string =>
  page
    .replace(/<(style|script|head)\b[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

const hidden = (page: string, name: string): string => {
  const [, value] = new RegExp(`name="${name}" value="([^"]*)"`).exec(page) ?? [];
  if (value === undefined) throw new Error(`the page has no ${name}: ${readable(page)}`);
  return value;
};
const buttonKey = (page: string, path: string): string => {
  const [, key] = new RegExp(`formaction="${path}" name="key" value="([^"]*)">`).exec(page) ?? [];
  if (key === undefined) throw new Error(`the page has no button for ${path}: ${readable(page)}`);
  return key;
};

/** Redeems the invitation behind a link, and signs in. */
export const personBy = async (link: string): Promise<Person> => {
  const { hash, origin } = new URL(link);
  const secret = hash.slice(1);
  const passkey = passkeyFor(origin);
  const post = async (path: string, body: object): Promise<Response> => {
    const headers = { "content-type": "application/json", origin };
    const reply = await fetch(`${origin}${path}`, { body: JSON.stringify(body), headers, method: "POST" });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return reply;
  };
  const options = async (path: string, body: object): Promise<Options> => Object(await (await post(path, body)).json());

  const invited = await options("/invitation/options", { secret });
  await post("/invitation/redeem", { flow: invited.flow, passkey: passkey.made(invited.challenge), secret });
  const asked = await options("/sign-in/passkey/options", {});
  const signedIn = await post("/sign-in/passkey", { flow: asked.flow, used: passkey.used(asked.challenge) });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.replace(/;.*/, ""))
    .join("; ");

  const decide: Person["decide"] = async (url, decision, reason) => {
    const shown = await (await fetch(url, { headers: { cookie } })).text();
    const path = `${new URL(url).pathname}/${decision}`;
    const form = {
      csrf: hidden(shown, "csrf"),
      explanation: hidden(shown, "explanation"),
      key: buttonKey(shown, path),
      reason,
      words: hidden(shown, "words"),
    };
    const body = new URLSearchParams(form);
    const decided = await fetch(`${origin}${path}`, { body, headers: { cookie, origin }, method: "POST" });
    const after = readable(await decided.text());
    if (!decided.ok) throw new Error(`${path}: ${decided.status} ${after}`);
    return { after, before: readable(shown) };
  };
  return { decide };
};
