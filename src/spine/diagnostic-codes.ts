// What happened between Dedalus and a provider: why nothing could be asked, why an answer is of no use, why a call was
// not sent, what became of one that was. A closed table: each code with the facts that it carries.
//
// A diagnostic stands beside what was decided of it: a doubt, a gap, an outcome. Nothing is decided by it, and no basis
// of a step covers it. What the provider or the system said is `said`: quoted, never judged. Not here: the sentences
// (words/causes/diagnostic-words.ts), which of them an adapter uses.

import type { Facts } from "./model.ts";
import type { Given, Stated } from "./observed-codes.ts";

export const DIAGNOSTICS = {
  // There is no connection, or it cannot be trusted.
  "certificate-authority-unknown": [],
  "certificate-authority-untrusted": [],
  "certificate-expired": [],
  "certificate-not-shown": [],
  "certificate-not-yet-valid": [],
  "certificate-of-another-name": [],
  "certificate-other": ["shown"],
  "certificate-self-signed": [],
  "certificate-unverified": [],
  "connect-timed-out": ["ms"],
  "connection-failed": [],
  "connection-refused": [],
  "connection-reset": [],
  "host-name-unknown": [],
  "host-unreachable": [],
  "network-unreachable": [],
  "not-tls": [],

  // There was one, and no answer that can be used.
  "answer-cut-off": [],
  "answer-empty": [],
  "answer-not-json": [],
  "answer-not-of-api": [],
  "answer-not-text": [],
  "answer-not-a-list": [],
  "answer-timed-out": ["ms"],
  "answer-too-large": ["bytesMax"],
  "answer-web-page": [],
  "cluster-listed-twice": [],
  "cluster-without-nodes": [],
  "connection-lost": [],
  "http-redirect": ["httpStatus"],
  "http-refusal": ["httpStatus"],
  "http-status-unused": ["httpStatus"],
  "request-aborted": [],

  // Nothing was sent.
  "action-not-offered": ["action"],
  "action-not-provable": ["action"],
  "configuration-changed": [],
  "configuration-not-read": [],
  "cpus-too-many": ["cores", "cpus", "sockets"],
  "cpus-uneven": ["cpus", "sockets"],
  "environment-other": [],
  "kind-other": [],
  "layout-not-seen": [],
  "location-not-seen": [],
  "memory-not-whole": ["memory"],
  "not-sent": [],
  "revision-not-seen": [],
  "send-by-passed": ["sendBy"],
  "snapshot-name-impossible": [],
  "snapshot-name-reserved": ["snapshot"],
  "snapshot-name-unfit": ["max", "min"],
  "token-malformed": [],
  "vm-other": [],

  // What became of a call that left.
  "adapter-failed": [],
  "answer-inconclusive": ["httpStatus"],
  "answer-lost": [],
  "answer-unreadable": [],
  "answer-without-task": [],
  "call-answered-done": [],
  "call-refused": ["httpStatus"],
  "call-without-task": [],
  "task-list-not-read": [],
  "task-list-unreadable": [],
  "task-listed": [],
  "task-not-listed": [],
  "tasks-listed": ["tasks"],

  // What the provider's task says.
  "guest-down": [],
  "ha-accepted": [],
  "node-not-answering": ["node"],
  "reference-not-a-task": [],
  "state-not-reached": ["expected"],
  "state-not-seen": [],
  "state-reached": ["expected"],
  "restart-not-seen": [],
  "restart-seen": [],
  "task-answer-unreadable": [],
  "task-did-nothing": [],
  "task-done": [],
  "task-failed": [],
  "task-failed-halfway": [],
  "task-not-known": [],
  "task-not-shown": [],
  "task-of-another-vm": [],
  "task-running": [],
  "task-verdict-lost": [],
  "task-warned": [],
  "task-without-verdict": [],
  "verdict-timed-out": [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type DiagnosticCode = keyof typeof DIAGNOSTICS;

/** One code with its facts, and what was said word for word. */
export type Diagnostic = Omit<Stated<DiagnosticCode>, "diagnostic">;

export const diagnostic = <C extends DiagnosticCode>(
  code: C,
  ...[about]: Given<typeof DIAGNOSTICS, C>
): Diagnostic => ({ code, ...about });

/** Among the facts of something else: its code under its own name. */
export const factsOfDiagnostic = ({ code, facts, said }: Diagnostic): Facts => ({
  ...facts,
  diagnostic: code,
  ...(said === undefined ? {} : { said }),
});
