// One HTTP exchange: a request out, a reply back, within its time and its size. Never throws, never repeats, follows
// no redirect.
//
// Not here: which requests there are (pve-reader.ts, sender.ts), and how a connection is verified (trust.ts).

import type { ClientRequest, IncomingMessage } from "node:http";
import { type Diagnostic, diagnostic } from "../../../spine/diagnostic-codes.ts";
import { shownText } from "../../../spine/values/shown-text.ts";
import { type PveReply, type RawAnswer, readReply } from "./pve-reply.ts";

export type Bounds = {
  readonly answerMs: number;
  readonly bytesMax: number;
  /** Takes out of an answer what must not come back. */
  readonly scrub: (raw: RawAnswer) => RawAnswer;
};

export const ABORTED: Diagnostic = diagnostic("request-aborted");

/** For a signal that has not aborted. Whatever goes wrong here, bytes of the request may have been sent. */
export const exchange = (
  request: ClientRequest,
  { answerMs, bytesMax, scrub }: Bounds,
  signal: AbortSignal,
): Promise<PveReply> =>
  new Promise((resolve) => {
    // The first reply counts: a promise is resolved once, and everything else here may happen again.
    const settle = (reply: PveReply): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      if (reply.kind === "none" || reply.kind === "unreadable") request.destroy();
      resolve(reply);
    };
    const fail = (why: Diagnostic): void => settle({ kind: "none", left: true, why });
    const onAbort = (): void => fail(ABORTED);
    const late = (): void => {
      const why = diagnostic("answer-timed-out", { facts: { ms: answerMs } });
      settle({ isLate: true, kind: "none", left: true, why });
    };
    const timer = setTimeout(late, answerMs);
    signal.addEventListener("abort", onAbort);
    request.on("error", (error: NodeJS.ErrnoException) => fail(whyCut(error)));
    request.once("response", (response: IncomingMessage) => {
      collect(response, bytesMax, fail, settle, scrub);
    });
    request.end();
  });

const collect = (
  response: IncomingMessage,
  bytesMax: number,
  fail: (why: Diagnostic) => void,
  settle: (reply: PveReply) => void,
  scrub: Bounds["scrub"],
): void => {
  const tooLarge = (): void =>
    settle({ kind: "unreadable", why: diagnostic("answer-too-large", { facts: { bytesMax } }) });
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (Number(response.headers["content-length"]) > bytesMax) tooLarge();
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) tooLarge();
    else chunks.push(chunk);
  });
  response.on("error", () => fail(diagnostic("answer-cut-off")));
  response.once("end", () =>
    settle(
      readReply(
        scrub({
          body: Buffer.concat(chunks),
          date: response.headers.date,
          reason: response.statusMessage ?? "",
          status: response.statusCode ?? 0,
        }),
      ),
    ),
  );
};

/** A connection that could not be made says why itself (trust.ts). */
const whyCut = (error: NodeJS.ErrnoException): Diagnostic =>
  error instanceof NotConnected
    ? error.why
    : diagnostic("connection-lost", { said: shownText(error.code ?? error.message) });

/** Carries why through Node's agent, which hands on errors alone. */
export class NotConnected extends Error {
  readonly why: Diagnostic;
  constructor(why: Diagnostic) {
    super(why.code);
    this.why = why;
  }
}
