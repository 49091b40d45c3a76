// What a browser shows in the place of a bearer token: the session in its cookie; and, where it asks for more than to
// read, the word that only our own pages know, so that no page of another site asks in somebody's name.
//
// A request with a bearer token is that token's alone, whatever cookies come with it. Keeps B2.

import type { FastifyRequest } from "fastify";
import type { RefusedAnswer } from "../../service/answer.ts";
import { type CallerCredential, tokenCredential } from "../../service/hold/callers.ts";
import type { Instant } from "../../spine/model.ts";
import { CSRF_HEADER } from "../contract/console-session.ts";
import { unfitRequest } from "../http/door-refusal.ts";
import type { SessionCookies } from "./session-cookie.ts";

export const browserCredential =
  (cookies: SessionCookies, now: () => Instant) =>
  ({ headers, method }: Pick<FastifyRequest, "headers" | "method">): CallerCredential | RefusedAnswer | undefined => {
    if (headers.authorization !== undefined) return undefined;
    const session = cookies.read(headers.cookie, now());
    if (session === undefined) return undefined;
    if (method === "GET" || cookies.isCsrf(session.token, headers[CSRF_HEADER.toLowerCase()]))
      return tokenCredential(session.token);
    return unfitRequest({ cause: "header-missing", facts: { header: CSRF_HEADER } });
  };
