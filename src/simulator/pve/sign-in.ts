// Authentication: API tokens in a header, or a ticket in a cookie with its CSRF token.
//
// A ticket is good for two virtual hours. What cannot be authenticated gets no reason beyond the status line.

import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { decoded } from "../world/decoded.ts";
import type { Accounts, Who } from "./access.ts";

export type SignedIn =
  | { readonly kind: "in"; readonly who: Who }
  | {
      readonly kind: "out";
      readonly reason: "Authentication failed!" | "No ticket" | "Permission denied - invalid csrf token";
    };

const OUT = { kind: "out", reason: "Authentication failed!" } as const;
const NO_TICKET = { kind: "out", reason: "No ticket" } as const;
const TICKET_MS = 2 * 3_600_000;

/** The first separator may be a blank as well. */
const TOKEN = /^PVEAPIToken[= ]([^\s@!=]+@[^\s@!=]+)!([^\s!=]+)=(\S+)$/;

const isSame = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

const signature = (seed: number, text: string): string =>
  createHmac("sha256", `simulated ${seed}`).update(text).digest("base64").replace(/=+$/, "");

const hexSeconds = (ms: number): string =>
  Math.floor(ms / 1000)
    .toString(16)
    .toUpperCase()
    .padStart(8, "0");

export const ticketFor = (user: string, seed: number, nowMs: number): string => {
  const plain = `PVE:${user}:${hexSeconds(nowMs)}`;
  return `${plain}::${signature(seed, plain)}`;
};

export const csrfFor = (user: string, seed: number, nowMs: number): string => {
  const stamp = hexSeconds(nowMs);
  return `${stamp}:${signature(seed, `${stamp}:${user}`)}`;
};

/** The user of a ticket that is genuine and not too old. */
export const userOfTicket = (ticket: string, seed: number, nowMs: number): string | undefined => {
  const [, plain, user, stamp, signed] = /^(PVE:([^:]+):([0-9A-F]{8}))::(.+)$/.exec(ticket) ?? [];
  if (plain === undefined || user === undefined || stamp === undefined || signed === undefined) return undefined;
  const ageMs = nowMs - Number.parseInt(stamp, 16) * 1000;
  return isSame(signed, signature(seed, plain)) && ageMs < TICKET_MS ? user : undefined;
};

const isCsrf = (text: string, user: string, seed: number): boolean => {
  const [stamp = "", signed = ""] = text.split(":");
  return isSame(signed, signature(seed, `${stamp}:${user}`));
};

const ticketIn = (headers: IncomingHttpHeaders): string | undefined => {
  const [, value] = /(?:^|;\s*)PVEAuthCookie=([^;]+)/.exec(headers.cookie ?? "") ?? [];
  return value === undefined ? undefined : (decoded(value) ?? value);
};

export type SignInContext = { readonly accounts: Accounts; readonly seed: number; readonly nowMs: number };

export const signIn = (
  { accounts, nowMs, seed }: SignInContext,
  method: string,
  headers: IncomingHttpHeaders,
): SignedIn => {
  const { authorization } = headers;
  if (authorization?.startsWith("PVEAPIToken") === true) {
    const [, user, name, secret] = TOKEN.exec(authorization) ?? [];
    if (user === undefined || secret === undefined) return NO_TICKET;
    const token = accounts.tokens.find(({ id }) => id === `${user}!${name}`);
    return token !== undefined && isSame(token.secret, secret) ? { kind: "in", who: { token, user } } : OUT;
  }
  const ticket = ticketIn(headers);
  if (ticket === undefined) return NO_TICKET;
  const user = userOfTicket(ticket, seed, nowMs);
  if (user === undefined) return OUT;
  const csrf = headers["csrfpreventiontoken"];
  if (method !== "GET" && !(typeof csrf === "string" && isCsrf(csrf, user, seed))) {
    return { kind: "out", reason: "Permission denied - invalid csrf token" };
  }
  return { kind: "in", who: { user } };
};
