// Whose token stands, who could know it, and that nobody acts without one: read from the records alone.
//
// Written down a second time from the design (sections 3 and 4), and not by the functions that fold them.

import type { LedgerRecord } from "../../../src/ledger/record/record.ts";
import type { Instant } from "../../../src/spine/model.ts";
import { type Check, type Entry, entriesOf, isGranted, isKind } from "./evidence.ts";

export type Holder = {
  readonly expiresAt: Instant;
  /** Everybody who had the making of it: the maker, the maker's makers as they were then. */
  readonly makers: ReadonlySet<string>;
  /** Of somebody who signs in, by their public ids; those too that are over, because what they agreed to stands. */
  readonly sessions?: ReadonlyMap<string, Session>;
  readonly token: string;
};
type Session = { readonly expiresAt: Instant; readonly isOut: boolean };
export type Holders = ReadonlyMap<string, Holder>;

/** What one record does to who holds which token. */
export const heldAfter = (held: Holders, entry: Entry): Holders => {
  if (!isGranted(entry)) return held;
  if (!isKind(entry, "token")) return peopleAfter(held, entry);
  const { record, request } = entry;
  const by = record.actor.id;
  const after = new Map(held);
  const makers = new Set([by, ...(held.get(by)?.makers ?? [])]);
  if (request.act === "revoke") {
    for (const [id, { token }] of held) if (token === request.token) after.delete(id);
    return after;
  }
  const { expiresAt, token } = request;
  if (request.act === "create") return after.set(request.subject.id, { expiresAt, makers, token });
  const isOwn = by === request.subject;
  return after.set(request.subject, { expiresAt, makers: (isOwn && held.get(by)?.makers) || makers, token });
};

/** A passkey is nobody's making but its owner's; who is ended loses everything, who signs out one session. */
const peopleAfter = (held: Holders, entry: Entry): Holders => {
  const withSession = (id: string, token: string, session: Session): Holders => {
    const holder = held.get(id);
    if (holder?.sessions === undefined) return held;
    return new Map(held).set(id, { ...holder, sessions: new Map(holder.sessions).set(token, session) });
  };
  if (isKind(entry, "redeem") && entry.request.by.kind === "passkey") {
    const { processTime: expiresAt } = entry.record;
    return new Map(held).set(entry.request.subject, {
      expiresAt,
      makers: new Set(),
      sessions: new Map(),
      token: "none but sessions",
    });
  }
  if (isKind(entry, "sign-in")) {
    const { session, subject } = entry.request;
    return withSession(subject, session.token, { expiresAt: session.expiresAt, isOut: false });
  }
  if (!isKind(entry, "sign-out")) return held;
  const { request } = entry;
  if (request.ends === "session")
    return withSession(entry.record.actor.id, request.token, { expiresAt: entry.record.processTime, isOut: true });
  const after = new Map(held);
  after.delete(request.subject);
  return after;
};

export const heldBefore = (before: readonly Entry[]): Holders => before.reduce(heldAfter, new Map());

/** Whether the token of a record's actor was taken away after it; one that was rotated was not. */
export const isRevokedSince = (before: readonly Entry[], { actor, seq }: LedgerRecord): boolean => {
  let held: Holders = new Map();
  return before.some((entry) => {
    const isGone = held.has(actor.id);
    held = heldAfter(held, entry);
    return entry.record.seq > seq && isGone && !held.has(actor.id);
  });
};

export const tokenIn = ({ body }: LedgerRecord): string | undefined => body["token"] as string | undefined;

/** Whether this is still what its subject is known by: a session also once it is over, while its person is not. */
export const isHeld = (holder: Holder | undefined, token: string): boolean =>
  holder?.sessions === undefined ? holder?.token === token : holder.sessions.has(token);

/** Whether what a record's actor agreed to stands: their token does, or they needed none, or they were not ended. */
export const isValid = (held: Holders, record: LedgerRecord, at: Instant): boolean => {
  const holder = held.get(record.actor.id);
  const token = tokenIn(record);
  if (token === undefined) return holder === undefined;
  if (holder?.sessions !== undefined) return holder.sessions.has(token);
  return holder !== undefined && holder.token === token && at < holder.expiresAt;
};

/** Whether two subjects of different names could be one person. */
export const isOneHand = (held: Holders, approver: string, other: string, isPerson: boolean): boolean =>
  held.get(approver)?.makers.has(other) === true || (isPerson && held.get(other)?.makers.has(approver) === true);

/** Whether a session stands at that time; undefined where it is none. */
const isOpenSession = (held: Holders, record: LedgerRecord): boolean | undefined => {
  const sessions = held.get(record.actor.id)?.sessions;
  if (sessions === undefined) return undefined;
  const session = sessions.get(tokenIn(record) ?? "");
  return session !== undefined && !session.isOut && record.processTime < session.expiresAt;
};

/**
 * Nothing is granted to anybody whose token is not the one that stands; who shows none is the operator, at the files.
 */
export const proven: Check = ({ stage }) => {
  let held: Holders = new Map();
  const operators = new Set<string>();
  const found: string[] = [];
  for (const entry of entriesOf(stage)) {
    const { door, record } = entry;
    if (isKind(entry, "start")) operators.add(entry.request.config.operator);
    if (isGranted(entry) && record.actor.kind !== "kernel") {
      const isOperator = door === "local" && operators.has(record.actor.id);
      const isValidToken = isValid(held, record, record.processTime) && (tokenIn(record) !== undefined || isOperator);
      const isProven = isOpenSession(held, record) ?? isValidToken;
      if (!isProven)
        found.push(`${record.kind} at ${record.seq} was granted to ${record.actor.id}, who has no such token`);
    }
    held = heldAfter(held, entry);
  }
  return found;
};
