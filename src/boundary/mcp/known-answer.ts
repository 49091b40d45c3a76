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
import type { PlainTexts } from "./plain-answer.ts";
import { type ReadPlainMessage, traceparentIn } from "./plain-message.ts";
import { toolText } from "./tool-result.ts";

export type KnownGiven = BodyWords & {
  readonly readPlain: ReadPlainMessage;
  readonly recall: Recall;
  readonly texts: PlainTexts;
};

export const knownAnswer = (
  { readPlain, recall, texts, ...words }: KnownGiven,
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
    return known === undefined ? undefined : { ...texts.listed(plain), actor: known.actor };
  }
  const asked = recalledOf(plain.name, plain.given);
  const known = asked === undefined ? undefined : recall(asked.operation, caller, asked.request);
  if (asked === undefined || known === undefined) return undefined;
  const { actor, head, value } = known;
  const answered = answeredBy(asked.operation, { head, kind: "ok", replayed: false, value }, words);
  return { ...texts.called(plain, toolText(plain.name, answered, correlationId)), actor };
};
