// The words of what a door over HTTP refuses by itself: requests that nobody could understand, and too many of
// them. Sentences for people: nothing is decided or recognised by them.

import type { RefusalWords } from "../template.ts";

const AGAIN_LATER = "Wait for {seconds:second|seconds}, then ask again under the same key.";
const DOCUMENTED = "See what this service takes: GET /openapi.json.";

export const DOOR_WORDS = {
  "request-unfit": {
    summary: "Request not understood",
    summaries: {
      "method-unknown": "No such method here",
      "route-unknown": "No such address",
    },
    because: {
      "body-too-large": "the body has more than {max} bytes",
      "body-unwanted": "{method} takes no body",
      "head-too-large": "the head of the request has more than {max} bytes",
      "header-missing": "the header {header} is missing",
      "header-wrong": "the header {header} cannot be understood",
      "host-foreign": "the request is for {host}, and this service answers for {known}",
      malformed: "it is not a request of HTTP/1.1: {said}",
      "media-type": "the body is {found}; expected application/json",
      "method-unknown": "{path} takes {known}, and not {method}",
      "origin-foreign": "it comes from a page of {origin}, and only pages of this service may ask",
      "parameter-missing": "{name} is missing",
      "parameter-unknown": "there is no parameter {name} here",
      "parameter-wrong": '{name} does not take "{found}"',
      "route-unknown": "there is nothing at {path}",
      "too-slow": "the request was not complete in time",
    },
    why: "What is not understood is not guessed, and nothing is dropped from a request.",
    next: {
      "body-too-large": "Make it smaller.",
      "body-unwanted": "Leave the body out.",
      "head-too-large": "Make it smaller.",
      "header-missing": "Add the header {header}.",
      "header-wrong": "Write {expected}.",
      "host-foreign": "Use the address that the service is configured for.",
      malformed: "Send a plain request.",
      "media-type": "Send JSON, and say so.",
      "method-unknown": DOCUMENTED,
      "origin-foreign": "Ask from a page of this service, or from a program.",
      "parameter-missing": "Add {name}.",
      "parameter-unknown": DOCUMENTED,
      "parameter-wrong": DOCUMENTED,
      "route-unknown": DOCUMENTED,
      "too-slow": "Send the request at once.",
    },
  },
  "caller-limited": {
    summary: "Too many requests",
    because: {
      concurrent: "{limit:request|requests} of this caller are still open",
      rate: "this caller asks faster than {limit:request|requests} a second",
      streams: "{limit:stream|streams} of this caller are open",
    },
    why: "One caller does not take the service away from the others.",
    next: { concurrent: AGAIN_LATER, rate: AGAIN_LATER, streams: "Close one of them." },
  },
  "service-ending": {
    summary: "Service is shutting down",
    because: "it takes no new requests, and waits for the calls that it has sent",
    why: "What begins now could be cut off halfway.",
    next: "Ask again when it has started again.",
  },
} as const satisfies Readonly<Record<string, RefusalWords>>;
