// What came of one clause, made of comparisons: the first that does not hold is the reason.

import type { BrokenCode, ClauseFacts, ClauseVerdict, UntriedCode } from "../contract/agent-clauses.ts";
import type { DoorReply } from "./asked-door.ts";

export const HELD: ClauseVerdict = { status: "held" };
export const broken = (code: BrokenCode, facts: ClauseFacts): ClauseVerdict => ({ code, facts, status: "broken" });
export const untried = (code: UntriedCode, facts: ClauseFacts = {}): ClauseVerdict => ({
  code,
  facts,
  status: "not-tried",
});

const shown = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing"));

export const same = (field: string, due: unknown, found: unknown): ClauseVerdict =>
  shown(due) === shown(found) ? HELD : broken("differs", { due: shown(due), field, found: shown(found) });

export const holds = (field: string, found: unknown, isHeld: boolean): ClauseVerdict =>
  isHeld ? HELD : broken("differs", { field, found: shown(found) });

export const allOf = (...verdicts: readonly ClauseVerdict[]): ClauseVerdict =>
  verdicts.find(({ status }) => status !== "held") ?? HELD;

const codesOf = (reply: DoorReply): readonly string[] =>
  reply.kind === "refused" ? reply.refusals.map(({ code }) => shown(code)) : [];

/** It was answered; or why that is not so. */
export const wasAnswered = (asked: string, reply: DoorReply): ClauseVerdict => {
  if (reply.kind === "answered") return HELD;
  if (reply.kind === "unread") return broken("unread", { asked, code: reply.code });
  return broken("refused", { asked, code: codesOf(reply).join() });
};

/** It was refused with one of these codes, and nothing was executed. */
export const wasRefused = (asked: string, reply: DoorReply, ...due: readonly string[]): ClauseVerdict => {
  if (reply.kind === "answered") return broken("answered", { asked, due: due.join() });
  if (reply.kind === "unread") return broken("unread", { asked, code: reply.code });
  const found = codesOf(reply);
  if (!found.some((code) => due.includes(code)))
    return broken("differs", { due: due.join(), field: "code", found: found.join() });
  return same("outcome", "not_executed", reply.outcome);
};
