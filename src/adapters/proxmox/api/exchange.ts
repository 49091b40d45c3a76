// One HTTP exchange: a request out, a reply back, within its time and its size. Never throws, never repeats, follows
// no redirect.
//
// Not here: which requests there are (pve-reader.ts, sender.ts), and how a connection is verified (trust.ts).

import type { ClientRequest, IncomingMessage } from "node:http";
import { type RawAnswer, type Reply, readReply } from "./pve-reply.ts";
import { shownText } from "./shown.ts";

export type Bounds = {
  readonly answerMs: number;
  readonly bytesMax: number;
  /** Takes out of an answer what must not come back. */
  readonly scrub: (raw: RawAnswer) => RawAnswer;
};

export const BROKEN_OFF = "the request was broken off";

/** For a signal that has not aborted. Whatever goes wrong here, bytes of the request may have been sent. */
export const exchange = (
  request: ClientRequest,
  { answerMs, bytesMax, scrub }: Bounds,
  signal: AbortSignal,
): Promise<Reply> =>
  new Promise((resolve) => {
    let isOver = false;
    const settle = (reply: Reply): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      if (reply.kind === "none" || reply.kind === "unreadable") request.destroy();
      resolve(reply);
    };
    const fail = (because: string): void => settle({ because, kind: "none", left: true });
    const onAbort = (): void => fail(BROKEN_OFF);
    const late = (): void =>
      settle({ because: `no answer within ${answerMs} ms`, isLate: true, kind: "none", left: true });
    const timer = setTimeout(late, answerMs);
    signal.addEventListener("abort", onAbort, { once: true });
    request.on("error", (error: NodeJS.ErrnoException) => fail(whyCut(error)));
    request.once("response", (response: IncomingMessage) => {
      collect(response, bytesMax, fail, settle, scrub);
    });
    request.end();
  });

const collect = (
  response: IncomingMessage,
  bytesMax: number,
  fail: (because: string) => void,
  settle: (reply: Reply) => void,
  scrub: Bounds["scrub"],
): void => {
  const tooLarge = (): void => settle({ because: `its answer is larger than ${bytesMax} bytes`, kind: "unreadable" });
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (Number(response.headers["content-length"] ?? 0) > bytesMax) tooLarge();
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) tooLarge();
    else chunks.push(chunk);
  });
  response.on("error", () => fail("its answer was cut off"));
  response.on("aborted", () => fail("its answer was cut off"));
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

/** A connection that could not be made says so in its own words (trust.ts). */
const whyCut = ({ code, message }: NodeJS.ErrnoException): string =>
  code === NOT_CONNECTED ? message : `the connection was cut (${shownText(code ?? message)})`;

export const NOT_CONNECTED = "DEDALUS_NOT_CONNECTED";

export const notConnected = (because: string): Error => Object.assign(new Error(because), { code: NOT_CONNECTED });
