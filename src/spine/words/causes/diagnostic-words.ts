// The words of diagnostics (../../diagnostic-codes.ts), and how they follow what they stand beside. Sentences for
// people: nothing is decided or recognised by them.

import type { Diagnostic, DiagnosticCode } from "../../diagnostic-codes.ts";
import type { Facts } from "../../model.ts";
import { filledWithSaid } from "../template.ts";

export const DIAGNOSTIC_WORDS = {
  "certificate-authority-unknown": "its certificate's authority is not known; name it or pin the certificate",
  "certificate-authority-untrusted": "its certificate's authority is not trusted; name it or pin the certificate",
  "certificate-expired": "its certificate has expired",
  "certificate-not-shown": "it shows no certificate, and one is pinned",
  "certificate-not-yet-valid": "its certificate is not valid yet",
  "certificate-of-another-name": "its certificate is for another name; use that name, or pin the certificate",
  "certificate-other": "its certificate is not the pinned one; it shows {shown}",
  "certificate-self-signed": "its certificate is self-signed and not trusted; pin it or name its authority",
  "certificate-unverified": "its certificate could not be verified",
  "connect-timed-out": "no connection within {ms} ms",
  "connection-failed": "the connection failed",
  "connection-refused": "the connection was refused",
  "connection-reset": "the connection was cut; it may not speak TLS",
  "host-name-unknown": "its name is not known",
  "host-unreachable": "there is no route to this host",
  "network-unreachable": "there is no route to this network",
  "not-tls": "it does not speak TLS; is this the right port?",

  "answer-cut-off": "its answer was cut off",
  "answer-empty": "its answer is empty",
  "answer-not-json": "its answer is not JSON",
  "answer-not-of-api": "its answer is JSON, and not in the form of the provider's API",
  "answer-not-text": "its answer is not text in UTF-8",
  "answer-not-a-list": "its answer is not a list",
  "answer-timed-out": "no answer within {ms} ms",
  "answer-too-large": "its answer is larger than {bytesMax} bytes",
  "answer-web-page": "its answer is a web page and not JSON; is this the provider's API?",
  "cluster-listed-twice": "it lists two clusters",
  "cluster-without-nodes": "it lists no node",
  "connection-lost": "the connection was cut",
  "http-redirect": "it answered with a redirect ({httpStatus}), which is not followed",
  "http-refusal": "it answered {httpStatus}",
  "http-status-unused": "it answered with status {httpStatus}, which the provider's API does not use",
  "request-aborted": "the request was aborted",

  "action-not-offered": "this adapter has no {action}",
  "action-not-provable": "a container has no {action} that could be proven",
  "configuration-changed": "its configuration is not the one that was seen",
  "configuration-not-read": "its configuration could not be read again",
  "cpus-too-many": "{cpus} cpus are more than its {sockets} sockets of {cores} cores can take",
  "cpus-uneven": "{cpus} cpus cannot be spread evenly over its {sockets} sockets",
  "environment-other": "the intent is for another environment",
  "kind-other": "a VM was taken for a container, or a container for a VM",
  "layout-not-seen": "how its processors are laid out was not seen",
  "location-not-seen": "where the VM is was not seen",
  "memory-not-whole": "the provider counts memory in MiB, and {memory} bytes are no whole number of them",
  "not-sent": "nothing was sent",
  "revision-not-seen": "the configuration that was seen has no digest to hold on to",
  "send-by-passed": "it may not leave after {sendBy}",
  "snapshot-name-impossible": "it is not the name of a snapshot",
  "snapshot-name-reserved": "the provider keeps the name {snapshot} for itself",
  "snapshot-name-unfit": "a snapshot's name here begins with a letter and has {min} to {max} letters, digits, _ or -",
  "token-malformed": "the secret is not a credential for this provider",
  "vm-other": "what was seen is another VM",

  "adapter-failed": "the adapter failed",
  "answer-inconclusive": "the provider's answer ({httpStatus}) proves nothing",
  "answer-lost": "its answer was lost",
  "answer-unreadable": "its answer could not be read",
  "answer-without-task": "the provider's answer names no task",
  "call-answered-done": "the provider answered when it was done",
  "call-refused": "the provider refused it ({httpStatus})",
  "call-without-task": "the provider keeps no task of such a call",
  "task-list-not-read": "the node's list of tasks was not read",
  "task-list-unreadable": "the node's list of tasks cannot be read",
  "task-listed": "the node lists one task of ours since",
  "task-not-listed": "the node lists no such task of ours",
  "tasks-listed": "the node lists {tasks} such tasks of ours",

  "guest-down": "the guest went down",
  "ha-accepted": "the HA manager took the request",
  "node-not-answering": "node {node} does not answer",
  "reference-not-a-task": "the reference is not the name of a task",
  "state-not-reached": "the VM is not {expected}",
  "state-not-seen": "the VM's state was not seen",
  "state-reached": "the VM is {expected}",
  "restart-not-seen": "the VM was not seen to run again",
  "restart-seen": "the VM runs again",
  "task-answer-unreadable": "the provider's answer about the task is not readable",
  "task-did-nothing": "the task ended before it did anything",
  "task-done": "the task ended OK",
  "task-failed": "the task ended with an error",
  "task-failed-halfway": "the task ended with an error, and how far it came is not proven",
  "task-not-known": "the provider knows no such task",
  "task-not-shown": "the provider does not show the task",
  "task-of-another-vm": "the task is of another VM",
  "task-running": "the task runs",
  "task-verdict-lost": "the task's verdict is lost",
  "task-warned": "the task ended with warnings",
  "task-without-verdict": "the task ended without a verdict",
  "verdict-timed-out": "no verdict came in time",
} as const satisfies Readonly<Record<DiagnosticCode, string>>;

export type DiagnosticWords = Readonly<Record<DiagnosticCode, string>>;

/** One after the other, as they happened. */
export const diagnosticsText = (
  diagnostics: readonly Diagnostic[],
  words: DiagnosticWords = DIAGNOSTIC_WORDS,
): string =>
  diagnostics
    .map(({ code, facts = {}, said }) => filledWithSaid(words[code], said === undefined ? facts : { ...facts, said }))
    .join("; ");

/** The sentence, then that of the diagnostic among its facts, then what was said. */
export const filledWithDiagnostic = (
  template: string,
  facts: Facts,
  words: DiagnosticWords = DIAGNOSTIC_WORDS,
): string => {
  const { diagnostic } = facts;
  const isKnown = typeof diagnostic === "string" && Object.hasOwn(words, diagnostic);
  return filledWithSaid(isKnown ? `${template}: ${words[diagnostic as DiagnosticCode]}` : template, facts);
};
