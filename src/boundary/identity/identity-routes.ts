// The pages of people at the door: one table of what is answered where, and how an answer becomes a response.
//
// They come through the same guards as everything else, and are limited by address: nobody is known yet. A form or
// a script says little, and whatever says more is turned away unread. Not here: what is answered (sign-in-flow.ts,
// passkey-flow.ts).
// Keeps P7-S3.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RefusedAnswer } from "../../service/answer.ts";
import { SIGN_IN_PATH, SIGNED_IN_PATH } from "../contract/terminal-sign-in.ts";
import { invitationPage } from "../pages/passkey-pages.ts";
import { PASSKEY_SCRIPT, readPasskeyScript } from "../pages/passkey-script.ts";
import { pageHeaders, pageText } from "../pages/web-page.ts";
import type { IdentityDesk, WebAnswer, WebReply, WebRequest } from "./identity-desk.ts";
import { askPasskey, redeemInvitation, showInvitation, signInByPasskey } from "./passkey-flow.ts";
import { answerTerminal, beginSignIn, endSession, finishSignIn, showSignedIn } from "./sign-in-flow.ts";

export const CALLBACK_PATH = `${SIGN_IN_PATH}/callback`;

/** Every page and every act of a page. */
const WEB_ROUTES: Readonly<Record<`${"GET" | "POST"} /${string}`, WebAnswer>> = {
  [`GET ${SIGN_IN_PATH}`]: beginSignIn,
  [`GET ${CALLBACK_PATH}`]: finishSignIn,
  [`POST ${SIGN_IN_PATH}/terminal`]: answerTerminal,
  [`GET ${SIGNED_IN_PATH}`]: showSignedIn,
  "POST /sign-out": endSession,
  [`POST ${SIGN_IN_PATH}/passkey/options`]: askPasskey,
  [`POST ${SIGN_IN_PATH}/passkey`]: signInByPasskey,
  "GET /invitation": async () => ({ kind: "page", page: invitationPage }),
  "POST /invitation/options": showInvitation,
  "POST /invitation/redeem": redeemInvitation,
};

export type PagesGiven = {
  readonly desk: IdentityDesk;
  /** Lets an address in, or says why not; whoever is let in leaves. */
  readonly enter: (address: string) => { readonly leave: () => void } | RefusedAnswer;
  readonly sendRefused: (reply: FastifyReply, refused: RefusedAnswer) => FastifyReply;
};

const SCRIPT_HEADERS = {
  "cache-control": "no-cache",
  "content-type": "text/javascript; charset=utf-8",
  "x-content-type-options": "nosniff",
};

const BODY_BYTES_MAX = 64 * 1024;

export const serveIdentity =
  ({ desk, enter, sendRefused }: PagesGiven) =>
  (door: FastifyInstance): void => {
    // A session that is used goes on, whatever is asked with it.
    door.addHook("onSend", async ({ headers }, reply) => {
      const { renewed } = desk.cookies.read(headers.cookie, desk.now()) ?? {};
      if (renewed !== undefined && !reply.hasHeader("set-cookie")) reply.header("set-cookie", renewed);
    });
    for (const [where, answer] of Object.entries(WEB_ROUTES)) {
      const [method = "", url = ""] = where.split(" ");
      door.route({
        bodyLimit: BODY_BYTES_MAX,
        handler: async (request, reply) => {
          const admission = enter(request.ip);
          if ("refusals" in admission) return sendRefused(reply, admission);
          try {
            return send(reply, await answer(desk, webRequestOf(request)), desk.secretText());
          } finally {
            admission.leave();
          }
        },
        method,
        url,
      });
    }
    const script = readPasskeyScript();
    door.get(PASSKEY_SCRIPT, async (_, reply) => reply.headers(SCRIPT_HEADERS).send(script));
  };

/** What is neither a form nor JSON says nothing. */
const bodyOf = ({ body, headers }: FastifyRequest): WebRequest["body"] => {
  const text = Buffer.isBuffer(body) ? body.toString("utf8") : "";
  const type = headers["content-type"] ?? "";
  if (type.startsWith("application/x-www-form-urlencoded")) return Object.fromEntries(new URLSearchParams(text));
  if (!type.startsWith("application/json")) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

const webRequestOf = (request: FastifyRequest): WebRequest => ({
  body: bodyOf(request),
  cookie: request.headers.cookie,
  query: new URL(request.raw.url ?? "", "http://here").searchParams,
});

const send = (reply: FastifyReply, answer: WebReply, nonce: string): FastifyReply => {
  for (const one of answer.setCookies ?? []) reply.header("set-cookie", one);
  switch (answer.kind) {
    case "json":
      return reply
        .code(answer.status)
        .headers({ "cache-control": "no-store", "content-type": "application/json; charset=utf-8" })
        .send(JSON.stringify(answer.value));
    case "page":
      return reply.code(answer.page.status).headers(pageHeaders(answer.page, nonce)).send(pageText(answer.page, nonce));
    case "redirect":
      return reply.code(303).headers({ "cache-control": "no-store", location: answer.to }).send();
  }
};
