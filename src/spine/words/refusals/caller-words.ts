// The words of refusals about who asks: tokens, roles, agents. Sentences for people: nothing is decided or recognised
// by them.

import type { RefusalWords } from "../template.ts";

export const CALLER_WORDS = {
  "actor-unknown": {
    summary: "Caller is not authenticated",
    because: {
      actor: "the ledger knows no such {kind}: {actor}",
      "claimer-revoked": "token {token}, which claimed the step, is gone",
      token: "the ledger does not know this token",
      "token-empty": "DEDALUS_TOKEN is set and empty",
      "token-ended": "DEDALUS_TOKEN: token {token} of {actor} ended at {expiresAt}",
      "token-misspelt": "DEDALUS_TOKEN holds a character that no token has, such as a blank or a line feed",
      "token-named": "DEDALUS_TOKEN: the ledger does not know token {token}",
      "token-unnamed": "DEDALUS_TOKEN: the ledger does not know this token",
    },
    why: "A caller is identified by a token or by the ledger's own configuration, never by what a request says.",
    next: {
      actor: "Use a token that is in the ledger, or act as the operator of dedalus.yaml.",
      "claimer-revoked": "Plan again, with a token that is in the ledger or as the operator of dedalus.yaml.",
      token: "Use a token that is in the ledger, or act as the operator of dedalus.yaml.",
      "token-empty": "Set DEDALUS_TOKEN to a whole token, or act as the operator of dedalus.yaml: unset DEDALUS_TOKEN",
      "token-ended": "Set DEDALUS_TOKEN to a whole token, or act as the operator of dedalus.yaml: unset DEDALUS_TOKEN",
      "token-misspelt":
        "Set DEDALUS_TOKEN to a whole token, or act as the operator of dedalus.yaml: unset DEDALUS_TOKEN",
      "token-named": "Set DEDALUS_TOKEN to a whole token, or act as the operator of dedalus.yaml: unset DEDALUS_TOKEN",
      "token-unnamed":
        "Set DEDALUS_TOKEN to a whole token, or act as the operator of dedalus.yaml: unset DEDALUS_TOKEN",
    },
  },
  "role-missing": {
    summary: "Role does not cover this",
    because: {
      foreign: "{actor} is an agent, and {requester} asked for the plan",
      none: "{actor} has no role",
      others: "{actor} has {roles}",
    },
    why: "A subject may do what its roles allow, and nothing else.",
    next: "Ask somebody whose role covers it, or have a token created with that role.",
  },
  "agent-decides": {
    summary: "An agent cannot decide",
    because: {
      asked: "{actor} is an agent",
      roles: "an agent's token has the role agent, observer or sensor, and no other",
    },
    why: "Approving, denying and confirming are decisions of people.",
    next: "Let a person decide.",
  },
  "sensor-alone": {
    summary: "A sensor has no other role",
    because: {
      agent: "an agent with {roles} is asked for",
      person: "a person with {roles} is asked for",
    },
    why: "A sensor only pushes telemetry; a stolen token of it can do nothing else.",
    next: "Create one token with the role sensor alone, and another one for everything else.",
  },
  "subject-name": {
    summary: "Name is not allowed",
    because: {
      form: 'the name "{name}" is not allowed',
      login: 'the login name "{name}" is not allowed as an operator',
      operator: "{operator} is the operator at the ledger's own files",
      reserved: "the name {name} is reserved",
    },
    why: "A name that looks like another, or that is reserved, could be mistaken for somebody else.",
    next: {
      form: "Choose a name of small letters a to z, digits and single dots, hyphens or underscores between them; 1 to 64 characters.",
      login: "Name the operator.",
      operator: "Choose another name.",
      reserved: "Choose another name.",
    },
  },
  "token-end": {
    summary: "Token lifetime is not allowed",
    because: {
      days: "a token lasts a whole number of days, from 1 to {limit}",
      end: "it would end at {expiresAt}, and it is {at} now",
    },
    why: "A token that never ends is known to more and more people.",
    next: "Let it end within 365 days.",
  },
  "token-expired": {
    summary: "Token has expired",
    because: "token {token} of {actor} ended at {expiresAt}",
    why: "A token proves who asks until its end, and not after.",
    next: "Have it rotated.",
  },
  "token-known": {
    summary: "Token's subject exists already",
    because: {
      "in-use": "token {token}, or another with its hash, is in use",
      operator: "{operator} has a token, and would be two subjects of one name",
      subject: "{subject} has a token already",
    },
    why: "One name is one subject.",
    next: {
      "in-use": "Make another token.",
      operator: "Name another operator, or have that token revoked.",
      subject: "Choose another name, rotate the other token, or revoke it first.",
    },
  },
  "token-malformed": {
    summary: "Token is malformed",
    because: "its id is ten small letters and digits, its hash a SHA-256, its end an instant",
    why: "A token is known by a short public id and by its hash, and ends at an instant.",
    next: "Create or rotate a token.",
  },
  "token-unknown": {
    summary: "Token not known",
    because: {
      id: 'there is no token "{token}"',
      subject: '"{subject}" has no token',
    },
    why: "Only a token that is in the ledger can be rotated or revoked.",
    next: "See which tokens there are.",
  },
  "agent-irreversible": {
    summary: "An agent cannot apply what cannot be undone",
    because: "{action} cannot be undone",
    why: "No approval makes an irreversible step an agent's to apply.",
    next: "Let a person apply it.",
  },
  "agent-foreign-plan": {
    summary: "An agent cannot apply somebody else's plan",
    because: "{requester} asked for it, and {actor} applies",
    why: "The approval is for whoever asked, and an agent applies only what it asked for.",
    next: "Let the one who asked apply it, or plan as this agent and have that approved.",
  },
  "service-needed": {
    summary: "A service is needed here",
    because: "the environment requires four eyes, and this is the local door",
    why: "Where four eyes are required, whoever can write the ledger's files neither approves nor applies there.",
    next: "Approve and apply through a running service.",
  },
} as const satisfies Readonly<Record<string, RefusalWords>>;
