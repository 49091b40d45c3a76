// The cookie that a browser is signed in by: its session's token, sealed, with when it was last used.
//
// A session that nobody used for the idle time is over at this door, whatever the ledger says of its end; the
// cookie is given anew while it is used. Nothing is remembered here, and no timer ends anything. A page of another
// site never brings it along (SameSite=Strict), and what it brings is held against a second word that only our own
// pages know (csrf). Keeps B2, B5.

import { createHmac, timingSafeEqual } from "node:crypto";
import type { Instant } from "../../spine/model.ts";
import { later } from "../../spine/values/instant.ts";
import type { Sealer } from "./browser-seal.ts";

export const SESSION_COOKIE = "__Host-dedalus";

export type SessionCookies = {
  readonly clear: string;
  /** The word that a page puts into its forms; another session has another. */
  readonly csrf: (token: string) => string;
  readonly isCsrf: (token: string, word: unknown) => boolean;
  readonly issue: (token: string, now: Instant) => string;
  /** `renewed` is to be set again. Undefined where there is none that holds. */
  readonly read: (header: string | undefined, now: Instant) => SessionRead | undefined;
};
export type SessionRead = { readonly renewed?: string; readonly token: string };

const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Strict";
const MINUTE_MS = 60_000;

/** The values of one name in a Cookie header: a second one was set by somebody else, and neither is believed. */
export const cookieIn = (header: string | undefined, name: string): string | undefined => {
  const found = (header ?? "")
    .split(";")
    .map((one) => one.trim())
    .filter((one) => one.startsWith(`${name}=`));
  return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined;
};

export const sessionCookies = (sealer: Sealer, secret: string, idleMinutes: number): SessionCookies => {
  const issue: SessionCookies["issue"] = (token, now) => {
    const sealed = sealer.seal("session", { seen: now, token }, later(now, idleMinutes * MINUTE_MS));
    return `${SESSION_COOKIE}=${sealed}; ${ATTRIBUTES}`;
  };
  const csrf: SessionCookies["csrf"] = (token) =>
    createHmac("sha256", secret).update(`csrf ${token}`).digest("base64url");
  return {
    clear: `${SESSION_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`,
    csrf,
    isCsrf: (token, word) => {
      const [expected, given] = [Buffer.from(csrf(token)), Buffer.from(typeof word === "string" ? word : "")];
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
    issue,
    read: (header, now) => {
      const sealed = cookieIn(header, SESSION_COOKIE);
      const opened = sealed === undefined ? undefined : sealer.open("session", sealed, now);
      if (opened === undefined) return undefined;
      const { seen, token } = opened as { readonly seen: Instant; readonly token: string };
      return later(seen, MINUTE_MS) <= now ? { renewed: issue(token, now), token } : { token };
    },
  };
};
