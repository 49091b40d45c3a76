// The words of the refusals in rules/caller-refusals.ts. Sentences for people: nothing is decided or recognised by them.

import type { RefusalWords } from "./template.ts";

export const CALLER_WORDS = {
  "actor-unknown": {
    summary: "Nobody proven asks",
    why: "Who asks is shown by a token or by the ledger's own configuration, and never taken from a request.",
    next: "Use a token that is in the ledger, or act as the operator of dedalus.yaml.",
  },
  "role-missing": {
    summary: "Role does not cover this",
    why: "A subject may do what its roles say, and viewing grants nothing.",
    next: "Ask somebody whose role covers it, or have a token made with that role.",
  },
  "agent-decides": {
    summary: "An agent cannot decide",
    why: "Approving, denying and confirming are decisions of people.",
    next: "Let a person decide.",
  },
  "sensor-alone": {
    summary: "A sensor has no other role",
    why: "What pushes telemetry is a program that can do nothing else, so that its token is worth nothing else.",
    next: "Create one token with the role sensor alone, and another one for everything else.",
  },
  "subject-name": {
    summary: "Name is not allowed",
    why: "Two names that look alike, or one that the kernel or the operator has, would be two subjects to the ledger and one to its reader.",
    next: "Choose another name: small letters, digits, and single dots, hyphens or underscores between them.",
  },
  "token-end": {
    summary: "Token has no end that is allowed",
    why: "A token that never ends is known to more and more people.",
    next: "Let it end within 365 days: --days N.",
  },
  "token-expired": {
    summary: "Token has ended",
    why: "A token proves who asks until its end, and not after.",
    next: "Have it rotated: dedalus token rotate --name NAME --days N.",
  },
  "token-known": {
    summary: "Token's subject exists already",
    why: "One name is one subject.",
    next: "Choose another name, rotate the other token, or revoke it first.",
  },
  "token-malformed": {
    summary: "Token's id, hash or end is not one",
    why: "A token is known by a short public id and by its hash, and ends at an instant.",
    next: "Make it with dedalus token create or rotate.",
  },
  "token-unknown": {
    summary: "Token not known",
    why: "Only a token that is in the ledger can be rotated or revoked.",
    next: "See the tokens with dedalus token list.",
  },
  "agent-irreversible": {
    summary: "An agent asks for what cannot be undone",
    why: "No approval makes an irreversible step an agent's to apply.",
    next: "Let a person apply it.",
  },
  "agent-foreign-plan": {
    summary: "An agent applies another's plan",
    why: "People agreed to it for the one who asked, and an agent applies only what it asked for.",
    next: "Let the one who asked apply it, or plan as this agent and have that approved.",
  },
  "service-needed": {
    summary: "A service is needed here",
    why: "Where four eyes are required, whoever can write the ledger's files neither approves nor applies there.",
    next: "Approve and apply through a running service (--server).",
  },
} as const satisfies Readonly<Record<string, Omit<RefusalWords, "because"> & Partial<Pick<RefusalWords, "because">>>>;
