// The words of refusals about a service that is asked over the network: not reached, not believed, not understood.
// Sentences for people: nothing is decided or recognised by them.
//
// What came between is a diagnostic among the facts, and follows the sentence (causes/diagnostic-words.ts).

import type { RefusalWords } from "../template.ts";

export const REMOTE_WORDS = {
  "server-unreachable": {
    summary: "Server does not answer",
    because: { plain: "{server} could not be asked", tls: "{server} could not be asked" },
    why: "What cannot be asked is not known, and nothing was asked of anybody else instead.",
    next: {
      plain: "Check the address and that the service runs. If it has a certificate, its address begins with https://.",
      tls: "Check the address, the network, and that the service runs.",
    },
  },
  "server-untrusted": {
    summary: "Server's certificate is not trusted",
    because: "the certificate of {server} could not be verified",
    why: "A token is sent only to a server whose certificate is trusted.",
    next: "Compare its certificate with the server itself. Then write three lines into ~/.config/dedalus/client.yaml: version: 1, server: {server}, and tls: { verify: ca, file: server.pem } with its authority, or tls: { verify: pinned, sha256: FINGERPRINT } for this certificate alone.",
  },
  "server-answer": {
    summary: "Answer is not a Dedalus service's",
    because: {
      "chain-broken": "{server} sent record {seq}, which does not follow the one before it",
      "code-unknown": "{server} refuses it with {code}, which this version of Dedalus does not know",
      "cut-off": "the answer of {server} ({httpStatus}) ends before it is whole",
      "not-json": "the answer of {server} ({httpStatus}) is not JSON",
      redirect: "{server} answered with a redirect ({httpStatus}), which is not followed",
      "too-large": "the answer of {server} is larger than {bytesMax} bytes",
      unfit: "the answer of {server} ({httpStatus}) has no {answer} in it, as this version knows it",
    },
    why: "What was not understood whole is not shown as an answer.",
    next: "Check that the address is the service's own, with no proxy that answers for it, and its version.",
  },
  "server-failed": {
    summary: "Service met an error of its own",
    because:
      "{server} answered with an internal error ({httpStatus}); its log has it under correlation id {correlation}",
    why: "What a service could not finish it does not answer for.",
    next: "Look into the log of the service, or tell whoever runs it.",
  },
  "sign-in-unavailable": {
    summary: "Nobody can sign in there",
    because: "{server} has no page to sign in at",
    why: "People sign in where the service names a provider of identities, or invites them.",
    next: "Ask its operator for a token, or for service.oidc in its dedalus.yaml.",
  },
  "sign-in-unconfirmed": {
    summary: "Sign-in was not confirmed",
    because: "nobody confirmed the code {code} at {server}",
    why: "A terminal is signed in by the person who compares the code, and by nobody else.",
    next: "Sign in again, and confirm the code within ten minutes.",
  },
  "reply-lost": {
    summary: "Answer was lost",
    because: "{server} was asked under the key {key}, and what became of it is not known",
    why: "Whether it was done stands in the ledger of the service, and nowhere else.",
    next: "See what the ledger has before you ask for it again.",
  },
} as const satisfies Readonly<Record<string, RefusalWords>>;
