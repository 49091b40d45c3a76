// The pages of people at the door: one table of what is answered where, and how an answer becomes a response.
//
// They come through the same guards as everything else, and are limited: whoever shows a session of ours by that, and
// everybody else by address, so that nobody at the same address, such as that of a proxy, keeps somebody who signed in
// from saying no. A form or a script says little, and whatever says more is turned away unread. Not here: what is
// answered (sign-in-flow.ts, passkey-flow.ts).
// Keeps P7-S3.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RefusedAnswer } from "../../service/answer.ts";
import { sha256 } from "../../spine/values/hash.ts";
import { SIGN_IN_PATH, SIGNED_IN_PATH } from "../contract/terminal-sign-in.ts";
import { invitationPage } from "../pages/passkey-pages.ts";
import { PASSKEY_SCRIPT, readPasskeyScript } from "../pages/passkey-script.ts";
import { signInFlawPage } from "../pages/sign-in-pages.ts";
import { pageHeaders, pageText } from "../pages/web-page.ts";
import type { IdentityDesk, WebReply, WebRequest, WebRoutes } from "./identity-desk.ts";
import { askPasskey, redeemInvitation, showInvitation, signInByPasskey } from "./passkey-flow.ts";
import { answerTerminal, beginSignIn, endSession, finishSignIn, showSignedIn } from "./sign-in-flow.ts";

export const CALLBACK_PATH = `${SIGN_IN_PATH}/callback`;

/** Every page and every act of a page, by which somebody comes and goes. */
export const IDENTITY_ROUTES: WebRoutes = {
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
  /** Lets a session or an address in, or says why not; whoever is let in leaves. */
  readonly enter: (visitor: string) => { readonly leave: () => void } | RefusedAnswer;
  /** Pages of others, for people who signed in here. */
  readonly more: WebRoutes;
  readonly sendRefused: (reply: FastifyReply, refused: RefusedAnswer) => FastifyReply;
};

const SCRIPT_HEADERS = {
  "cache-control": "no-cache",
  "content-type": "text/javascript; charset=utf-8",
  "x-content-type-options": "nosniff",
};

const BODY_BYTES_MAX = 64 * 1024;

export const serveIdentity =
  ({ desk, enter, more, sendRefused }: PagesGiven) =>
  (door: FastifyInstance): void => {
    // A session that is used goes on, whatever is asked with it.
    door.addHook("onSend", async ({ headers }, reply) => {
      const { renewed } = desk.cookies.read(headers.cookie, desk.now()) ?? {};
      if (renewed !== undefined && !reply.hasHeader("set-cookie")) reply.header("set-cookie", renewed);
    });
    for (const [where, answer] of Object.entries({ ...IDENTITY_ROUTES, ...more })) {
      const [method = "", url = ""] = where.split(" ");
      door.route({
        bodyLimit: BODY_BYTES_MAX,
        handler: async (request, reply) => {
          const session = desk.cookies.read(request.headers.cookie, desk.now());
          const admission = enter(session === undefined ? `address ${request.ip}` : `session ${sha256(session.token)}`);
          if ("refusals" in admission) return sendRefused(reply, admission);
          try {
            const asked = webRequestOf(request);
            const answered = isForeign(method, asked) ? FOREIGN : await answer(desk, asked);
            return send(reply, answered, desk.secretText());
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

/** An act comes from a page of ours. Host and Origin were looked at before (http/request-head.ts). */
const isForeign = (method: string, { site }: WebRequest): boolean =>
  method === "POST" && site !== undefined && site !== "same-origin";
const FOREIGN: WebReply = { kind: "page", page: signInFlawPage("foreign") };

/** What is neither a form nor JSON says nothing; nor does a form with one field twice: either could be meant. */
const bodyOf = ({ body, headers }: FastifyRequest): WebRequest["body"] => {
  const text = Buffer.isBuffer(body) ? body.toString("utf8") : "";
  const type = headers["content-type"] ?? "";
  if (type.startsWith("application/x-www-form-urlencoded")) {
    const fields = new URLSearchParams(text);
    return new Set(fields.keys()).size === fields.size ? Object.fromEntries(fields) : {};
  }
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
  hasBearer: request.headers.authorization !== undefined,
  params: request.params as WebRequest["params"],
  query: new URL(request.raw.url ?? "", "http://here").searchParams,
  site: request.headers["sec-fetch-site"]?.toString(),
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
