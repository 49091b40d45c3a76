// What is answered to a plain message without waiting for anything: the list of tools to whoever is proven, and a read
// whose answer the service still knows. Whatever is not as simple as that is asked for (serve-mcp.ts).
//
// Whom the credential proves, and what they see, the service says each time. keeps B2, B3

import type { IncomingHttpHeaders } from "node:http";
import type { CallerCredential } from "../../service/hold/callers.ts";
import type { Recall } from "../../service/hold/recall-answer.ts";
import type { BodyWords } from "../http/answer-bodies.ts";
import type { KnownMessage } from "../http/door-given.ts";
import { jsonBodyOf } from "../http/strict-body.ts";
import { answeredBy, recalledOf } from "./call-tool.ts";
import { type KnownOctets, octetsOf } from "./known-octets.ts";
import { FRAMES, messageEnd, type PlainTexts } from "./plain-answer.ts";
import { type ReadPlainMessage, traceparentIn } from "./plain-message.ts";
import { toolText } from "./tool-result.ts";

export type KnownGiven = BodyWords & {
  readonly kept: KnownOctets;
  readonly readPlain: ReadPlainMessage;
  readonly recall: Recall;
  readonly texts: PlainTexts;
};

export const knownAnswer = (
  { findingWords, kept, readPlain, recall, texts }: KnownGiven,
  credential: CallerCredential,
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  correlationId: string,
): KnownMessage | undefined => {
  const read = jsonBodyOf(body);
  const message = read.kind === "ok" ? read.value.value : {};
  const plain = readPlain(message, headers);
  // A trace goes on in what is asked for.
  if (plain === undefined || traceparentIn(message) !== undefined) return undefined;
  const caller = { credential, door: "agent" } as const;
  if (plain.kind === "list") {
    const known = recall("whoami", caller, {});
    if (known === undefined) return undefined;
    const { text, ...listed } = texts.listed(plain);
    return { ...listed, actor: known.actor, octets: octetsOf(text) };
  }
  const asked = recalledOf(plain.name, plain.given);
  const known = asked === undefined ? undefined : recall(asked.operation, caller, asked.request);
  if (asked === undefined || known === undefined) return undefined;
  const { actor, head, value } = known;
  const { era, name } = plain;
  const begun = (): string => {
    const answered = answeredBy(asked.operation, { head, kind: "ok", replayed: false, value }, { findingWords });
    const text = texts.begun(era, toolText(name, answered, correlationId));
    kept.keep(era, known, correlationId, text);
    return octetsOf(text);
  };
  const end = messageEnd(plain);
  const octets = `${kept.find(era, known, correlationId) ?? begun()}${typeof plain.id === "number" ? end : octetsOf(end)}`;
  return { actor, octets, type: FRAMES[era].type };
};
