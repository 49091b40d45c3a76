// The words of refusals about who asks: tokens, roles, agents. Sentences for people: nothing is decided or recognised
// by them.

import type { RefusalWords } from "../template.ts";

export const CALLER_WORDS = {
  "actor-unknown": {
    summary: "Caller is not authenticated",
    because: {
      actor: "the ledger knows no such {kind}: {actor}",
      "claimer-revoked": "token {token}, which claimed the step, is gone",
      page: "a page is opened by the session of a browser, and this request shows a token",
      "session-absent": "DEDALUS_TOKEN is not set, and nobody is signed in at {server} from here",
      token: "the ledger does not know this token",
      "token-absent": "the request shows no token",
      "token-empty": "DEDALUS_TOKEN is set and empty",
      "token-ended": "DEDALUS_TOKEN: token {token} of {actor} ended at {expiresAt}",
      "token-misspelt": "DEDALUS_TOKEN holds a character that no token has, such as a blank or a line feed",
      "token-named": "DEDALUS_TOKEN: the ledger does not know token {token}",
      "token-unnamed": "DEDALUS_TOKEN: the ledger does not know this token",
      "variable-absent": "DEDALUS_TOKEN is not set",
    },
    why: "A caller is identified by a token or by the ledger's own configuration, never by what a request says.",
    next: {
      actor: "Use a token that is in the ledger, or act as the operator of dedalus.yaml.",
      "claimer-revoked": "Plan again, with a token that is in the ledger or as the operator of dedalus.yaml.",
      page: "Sign in with a browser. A person's token decides at /v1/plans; an agent never decides.",
      "session-absent": "Sign in there, or set DEDALUS_TOKEN to a token of its ledger.",
      token: "Use a token that this ledger knows; one that was revoked or rotated is unknown to it.",
      "token-absent": "Send a token: Authorization: Bearer, and the token.",
      "token-empty":
        "Set DEDALUS_TOKEN to a whole token, or unset it: then the operator of dedalus.yaml asks, or whoever is signed in at the service.",
      "token-ended": "Set DEDALUS_TOKEN to a whole token, or act as the operator of dedalus.yaml: unset DEDALUS_TOKEN",
      "token-misspelt":
        "Set DEDALUS_TOKEN to a whole token, or unset it: then the operator of dedalus.yaml asks, or whoever is signed in at the service.",
      "token-named": "Set DEDALUS_TOKEN to a whole token, or act as the operator of dedalus.yaml: unset DEDALUS_TOKEN",
      "token-unnamed":
        "Set DEDALUS_TOKEN to a whole token, or act as the operator of dedalus.yaml: unset DEDALUS_TOKEN",
      "variable-absent": "Set DEDALUS_TOKEN to the token of an agent.",
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
  "role-elsewhere": {
    summary: "Role is not granted here",
    because: {
      environment: "{actor} does not have that role in {environment}",
      whole: "{actor} does not have that role for all environments",
    },
    why: "A role holds in the environments that it was granted for; what is of no single environment needs it for all.",
    next: "Ask somebody who has the role there, or have a token created with it.",
  },
  "grant-beyond": {
    summary: "Token reaches beyond its maker's environments",
    because: {
      all: "{actor} is not operator of all environments",
      environments: "{actor} is not operator of {environments}",
    },
    why: "Whoever gives roles or takes them away, by a token, an invitation or by removing a person, is operator wherever they hold.",
    next: "Ask an operator of all these environments.",
  },
  "agent-decides": {
    summary: "An agent cannot decide",
    because: {
      asked: "{actor} is an agent",
      roles: "an agent's token has the role agent, observer or sensor, and no other",
    },
    why: "Approving, denying and confirming are decisions of people.",
    next: {
      asked: "Let a person decide.",
      roles: "Give the agent a token with these alone, and a person one of their own.",
    },
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
    because: {
      session: "session {token} of {actor} ended at {expiresAt}",
      token: "token {token} of {actor} ended at {expiresAt}",
    },
    why: "A token or a session proves who asks until its end, and not after.",
    next: { session: "Sign in again.", token: "Have it rotated." },
  },
  "token-known": {
    summary: "Token's subject exists already",
    because: {
      "in-use": "token {token}, or another with its hash, is in use",
      operator: "{operator} has a token or signed in, and would be two subjects of one name",
      subject: "{subject} has a token already, or is a person who signed in",
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
    because: {
      form: "its id is ten small letters and digits, its hash a SHA-256, its end an instant",
      grants: "a grant names at least one role and one environment",
    },
    why: "A token is known by a short public id and by its hash, ends at an instant, and has roles in environments.",
    next: "Create or rotate a token.",
  },
  "token-unknown": {
    summary: "Token not known",
    because: {
      id: 'there is no token "{token}"',
      "id-meant": 'there is no token "{token}"',
      person: "{subject} signs in or is invited, and has no token",
      subject: '"{subject}" has no token',
      "subject-meant": '"{subject}" has no token',
    },
    why: "Only a token that is in the ledger can be rotated or revoked.",
    next: {
      id: "See which tokens there are.",
      "id-meant": "Write {meant}, if that is meant, or see which tokens there are.",
      person: "Remove the person.",
      subject: "See which tokens there are.",
      "subject-meant": "Write {meant}, if that is meant, or see which tokens there are.",
    },
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
  "agents-only": {
    summary: "This endpoint is for agents only",
    because: "{actor} is a person, and only agents ask over MCP",
    why: "A person's token or session in the hands of an agent would let it act as that person.",
    next: "Give the agent a token of its own; people ask the service itself.",
  },
  "agent-door-closed": {
    summary: "Not available to agents here",
    because: "{asked} is not among the requests that agents make over MCP",
    why: "An agent's tools observe, plan, ask for approval, apply and cancel; everything else is refused there.",
    next: "Let a person ask for it at the service itself.",
  },
  "service-needed": {
    summary: "A service is needed here",
    because: {
      door: "the environment requires four eyes, and this command works on the ledger's own files",
      planned:
        "the environment requires four eyes, and the plan was made on the ledger's own files, without the service",
    },
    why: "Where four eyes are required, whoever can write the ledger's files neither asks for a change, approves nor applies it there.",
    next: {
      door: "Ask at a running service.",
      planned: "Plan again at a running service.",
    },
  },
  "sign-in-refused": {
    summary: "Sign-in is not accepted",
    because: {
      form: "what was handed in for the sign-in is not of the form that is recorded",
      issuer: "{issuer} vouches for them, and people sign in here at {served}",
      local: "somebody would sign in at the ledger's own files",
      "name-taken": "{subject} is the name of somebody else",
      "no-provider": "no provider of identities is configured where this is served",
      "no-role": "none of the groups of {subject} has a role here",
      "not-this-session": "session {token} is not the one that was shown",
      passkey: "it is not the passkey that {subject} set",
      "other-name": "they are known here as {known}, and not as {subject}",
      "session-end": "the session would end at {expiresAt}, and the longest is {hours:hour|hours} from now",
    },
    why: "Who signs in is proven by the service, under one name for good, and until an end that is known.",
    next: {
      form: "Sign in again.",
      issuer: "Sign in at the provider that is configured.",
      local: "Sign in at a running service.",
      "name-taken": "Sign in again: another name is proposed.",
      "no-provider": "Use a token, or have service.oidc configured.",
      "no-role": "Ask whoever administers the groups, or have the group named in service.oidc.groups.",
      "not-this-session": "Sign out with the session itself; an operator ends those of others.",
      passkey: "Use the passkey that was set, or have them invited again.",
      "other-name": "Sign in again.",
      "session-end": "Let it end sooner, or have service.sessions.hours raised.",
    },
  },
  "person-unknown": {
    summary: "Nobody of this name is known here",
    because: {
      meant: '"{subject}" never signed in and is not invited',
      nobody: '"{subject}" never signed in and is not invited',
      operator: "{subject} is the operator at the ledger's own files, by no passkey, session or invitation",
      token: "{subject} is known by a token",
    },
    why: "What ends is the passkey, the sessions and the invitation by which somebody is known.",
    next: {
      meant: "Write {meant}, if that is meant, or see who is known.",
      nobody: "See who is known.",
      operator: "Write another operator into dedalus.yaml.",
      token: "Revoke the token.",
    },
  },
  "people-by-oidc": {
    summary: "People sign in at the provider",
    because: {
      invitation: "an invitation is asked for or redeemed, and people sign in at {issuer} here",
      passkey: "a passkey is shown, and people sign in at {issuer} here",
      requester: "{requester} asked for the plan and did not sign in, and people sign in at {issuer} here",
      token: "token {token} is one of a person, and people sign in at {issuer} here",
      "token-asked": "a token of a person is asked for, and people sign in at {issuer} here",
    },
    why: "Where a provider of identities is configured, people come by it alone: nobody is two people.",
    next: {
      invitation: "Let them sign in.",
      passkey: "Sign in at the provider.",
      requester: "Plan again, after signing in.",
      token: "Sign in at the service.",
      "token-asked": "Let them sign in; a program has a token with the role agent, observer or sensor.",
    },
  },
  "instance-outdated": {
    summary: "Another configuration is served by now",
    because: {
      configuration: "this instance serves another configuration than the one that was started last",
      rules: "this instance decides by rules {rules}, and the one that was started last by {newest}",
    },
    why: "Instances that decide differently would let one of them allow what the others refuse. This one shows, stops and ends what was begun.",
    next: {
      configuration: "Give every instance the same environments, policies, groups and sessions, and restart this one.",
      rules: "Upgrade this instance.",
    },
  },
  "invitation-refused": {
    summary: "Invitation is not accepted",
    because: {
      days: "an invitation lasts whole days, at least one and at most {limit}",
      end: "the invitation would end at {expiresAt}, and the longest is {limit:day|days} from now",
      form: "what was handed in is not of the form that is recorded",
      "name-taken": "{subject} is the name of somebody else",
      "no-address": "the configuration names no service.url, under which the invitation would be redeemed",
      "no-name": "service.url is {url}, and browsers make passkeys for a name alone",
      "not-open": "there is no invitation of {subject} that this secret opens",
      "passkey-known": "the passkey is that of {other}",
      roles: "an invitation gives the roles of people, at least one, and no other: {roles}",
    },
    why: "An invitation is for one person, once, and until an end that is known.",
    next: {
      days: "Name fewer days.",
      end: "Let it end sooner.",
      form: "Open the link again.",
      "name-taken": "Choose another name, or end what that one is known by first.",
      "no-address":
        "Write the address that people open into dedalus.yaml, on this machine service: { url: http://localhost:7400 }; then restart the service.",
      "no-name":
        "Write service.url with a name, such as https://dedalus.example or http://localhost:7400; or create a token.",
      "not-open": "Ask for another invitation.",
      "passkey-known": "Use another device, or sign in as {other}.",
      roles: "Name observer, operator, approver or auditor; a program has a token.",
    },
  },
} as const satisfies Readonly<Record<string, RefusalWords>>;
