// What the head of a request says, examined once for a connection that sends the same head again: most clients do, and
// whatever is found hangs on the method and those bytes alone.
//
// One head is remembered for each connection, and goes with it. Whom a credential proves is asked of the service for
// every request, on the state that it meets. keeps B2

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { RefusedAnswer } from "../../service/answer.ts";
import type { CallerCredential } from "../../service/hold/callers.ts";
import { credentialIn } from "./request-caller.ts";
import { headRefusal, type OwnNames, targetRefusal } from "./request-head.ts";

export type HeadExaminer = {
  /** The bearer token that it shows, or what it shows instead of one. */
  readonly credential: (request: IncomingMessage) => CallerCredential | RefusedAnswer;
  /** The same value for as long as the connection sends the same head. */
  readonly examined: (request: IncomingMessage) => ExaminedHead;
  /** Why it is nobody's here; undefined where it is ours. */
  readonly refusal: (request: IncomingMessage) => RefusedAnswer | undefined;
};

export type ExaminedHead = {
  readonly lines: readonly string[];
  readonly method: string | undefined;
  readonly names: OwnNames;
  readonly refused: RefusedAnswer | undefined;
  credential?: CallerCredential | RefusedAnswer;
};

export const headExaminer = (names: () => OwnNames): HeadExaminer => {
  const last = new WeakMap<Socket, ExaminedHead>();
  const examine = (request: IncomingMessage): ExaminedHead => {
    const { method, rawHeaders: lines, socket } = request;
    const [known, now] = [last.get(socket), names()];
    const isKnown = known?.names === now && known.method === method && isSame(known.lines, lines);
    if (isKnown) return known;
    const examined = { lines, method, names: now, refused: headRefusal(request, now) };
    last.set(socket, examined);
    return examined;
  };
  return {
    credential: (request) => {
      const examined = examine(request);
      examined.credential ??= credentialIn(request.headers);
      return examined.credential;
    },
    examined: examine,
    refusal: (request) => targetRefusal(request.url ?? "", names()) ?? examine(request).refused,
  };
};

const isSame = (some: readonly string[], others: readonly string[]): boolean => {
  if (some === others) return true;
  if (some.length !== others.length) return false;
  for (let at = 0; at < some.length; at += 1) if (some[at] !== others[at]) return false;
  return true;
};
