// Signing in by the provider: to it, back from it, and the question of a terminal that asks to be signed in.
//
// What must come back with the browser is sealed in a cookie of its own, so that any instance can go on. Whoever
// came here for a terminal is asked once more, with the code that the terminal shows: a link alone signs nobody in.
// Not here: passkeys (passkey-flow.ts), what a page says (pages/sign-in-pages.ts). Keeps B2.

import { isSha256 } from "../../spine/values/hash.ts";
import { later } from "../../spine/values/instant.ts";
import { present } from "../../spine/values/present.ts";
import { passkeyPage } from "../pages/passkey-pages.ts";
import {
  signedInPage,
  signedOutPage,
  signInFlawPage,
  signInRefusedPage,
  type TerminalShown,
  terminalPage,
  terminalSignedInPage,
} from "../pages/sign-in-pages.ts";
import { openBrowserSession } from "./browser-session.ts";
import type { WebAnswer, WebReply } from "./identity-desk.ts";
import type { AuthorizationKept, ProviderSaid } from "./relying-party.ts";
import { returnPath } from "./return-path.ts";
import { cookieIn } from "./session-cookie.ts";
import { terminalIn } from "./terminal-asked.ts";

const FLOW_COOKIE = "__Host-dedalus-sign-in";
const FLOW_MS = 10 * 60_000;
/** Lax: the provider sends the browser back from another site. */
const FLOW_ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Lax";
const FLOW_OVER = `${FLOW_COOKIE}=; ${FLOW_ATTRIBUTES}; Max-Age=0`;

type FlowKept = { readonly kept: AuthorizationKept; readonly terminal?: TerminalShown; readonly to?: string };
type FlowAsked = { readonly said: ProviderSaid; readonly terminal: TerminalShown };

const flawed = (flaw: Parameters<typeof signInFlawPage>[0]): WebReply => ({ kind: "page", page: signInFlawPage(flaw) });

export const beginSignIn: WebAnswer = async ({ hasProvider, now, partyNow, sealer }, { query }) => {
  const asked = terminalIn(query);
  if (asked === "malformed") return flawed("malformed");
  const terminal = asked === "none" ? undefined : asked;
  const party = partyNow();
  const to = returnPath(query.get("to"));
  if (party === undefined)
    return hasProvider() ? flawed("unavailable") : { kind: "page", page: passkeyPage(terminal, to) };
  const begun = await party.begin();
  if (typeof begun === "string") return flawed(begun);
  const { kept, url } = begun;
  const sealed = sealer.seal(
    "sign-in",
    { kept, ...present({ terminal, to }) } satisfies FlowKept,
    later(now(), FLOW_MS),
  );
  return {
    kind: "redirect",
    setCookies: [`${FLOW_COOKIE}=${sealed}; ${FLOW_ATTRIBUTES}; Max-Age=${FLOW_MS / 1_000}`],
    to: url,
  };
};

export const finishSignIn: WebAnswer = async (desk, { cookie, query }) => {
  const { now, origin, partyNow, sealer } = desk;
  const party = partyNow();
  const sealed = cookieIn(cookie, FLOW_COOKIE);
  const flow = sealed === undefined ? undefined : (sealer.open("sign-in", sealed, now()) as FlowKept | undefined);
  if (flow === undefined || party === undefined) return flawed("over");
  const said = await party.finish(new URL(`/sign-in/callback?${query}`, origin), flow.kept);
  if (typeof said === "string") return { ...flawed(said), setCookies: [FLOW_OVER] };
  const { terminal, to } = flow;
  if (terminal === undefined) {
    const opened = await openBrowserSession(desk, { said });
    if ("refusals" in opened)
      return { kind: "page", page: signInRefusedPage(opened.refusals), setCookies: [FLOW_OVER] };
    const { cookie: session, csrf, subject } = opened;
    return { kind: "page", page: signedInPage(subject, csrf, to), setCookies: [FLOW_OVER, session] };
  }
  const asked = sealer.seal("sign-in", { said, terminal } satisfies FlowAsked, later(now(), FLOW_MS));
  const page = terminalPage({ ...terminal, flow: asked, name: said.name ?? said.sub });
  return { kind: "page", page, setCookies: [FLOW_OVER] };
};

/** Whoever signed in at the provider said yes to this terminal, or no. */
export const answerTerminal: WebAnswer = async ({ calls, now, sealer }, { body }) => {
  const { answer, flow } = body;
  const asked = typeof flow === "string" ? (sealer.open("sign-in", flow, now()) as FlowAsked | undefined) : undefined;
  if (asked?.said === undefined) return flawed("over");
  if (answer !== "yes") return flawed("canceled");
  const { hash, id } = asked.terminal;
  if (!isSha256(hash)) return flawed("malformed");
  const signed = await calls.signIn({ said: asked.said }, { hash, id });
  return "subject" in signed
    ? { kind: "page", page: terminalSignedInPage(signed.subject) }
    : { kind: "page", page: signInRefusedPage(signed.refusals) };
};

/** Who this browser is signed in as. */
export const showSignedIn: WebAnswer = async ({ calls, cookies, now }, { cookie }) => {
  const session = cookies.read(cookie, now());
  const name = session === undefined ? undefined : await calls.whoIs(session.token);
  if (session === undefined || name === undefined)
    return { kind: "redirect", setCookies: [cookies.clear], to: "/sign-in" };
  const setCookies = session.renewed === undefined ? [] : [session.renewed];
  return { kind: "page", page: signedInPage(name, cookies.csrf(session.token)), setCookies };
};

export const endSession: WebAnswer = async ({ calls, cookies, now }, { body, cookie }) => {
  const session = cookies.read(cookie, now());
  if (session === undefined) return { kind: "page", page: signedOutPage, setCookies: [cookies.clear] };
  if (!cookies.isCsrf(session.token, body["csrf"])) return flawed("foreign");
  const refused = await calls.signOut(session.token);
  return refused === undefined
    ? { kind: "page", page: signedOutPage, setCookies: [cookies.clear] }
    : { kind: "page", page: signInRefusedPage(refused.refusals) };
};
