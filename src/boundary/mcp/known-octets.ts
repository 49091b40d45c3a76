// What was answered to an agent, kept as bytes for as long as the service gives the very same value on the same head:
// from one answer to the next only the correlation id and the message's own id are others, and they are set into their
// places.
//
// Octets are bytes as a text of one character each (latin1): Node joins such a text with the head of a reply, and sends
// both without encoding or measuring anything again. Not here: what is answered (plain-answer.ts).

import type { OkAnswer } from "../../service/answer.ts";
import type { Era } from "./plain-message.ts";

export const octetsOf = (text: string): string => Buffer.from(text).toString("latin1");

/** Around the two places of the correlation id: beside the answer as data, and beside it as a text. */
type Pieces = readonly [before: string, between: string, after: string];
type Kept = { readonly head: string; readonly pieces: Map<Era, Pieces> };
type Known = Pick<OkAnswer<object>, "head" | "value">;

export type KnownOctets = {
  /** Undefined where nothing is kept of the value on this head. */
  readonly find: (era: Era, known: Known, correlationId: string) => string | undefined;
  /** `text` is what was made for this correlation id, which is new and so stands nowhere but in its places. */
  readonly keep: (era: Era, known: Known, correlationId: string, text: string) => void;
};

export const knownOctets = (): KnownOctets => {
  const kept = new WeakMap<object, Kept>();
  return {
    find: (era, { head, value }, correlationId) => {
      const one = kept.get(value);
      const pieces = one?.head === head.hash ? one.pieces.get(era) : undefined;
      if (pieces === undefined) return undefined;
      const [before, between, after] = pieces;
      return `${before}${correlationId}${between}${correlationId}${after}`;
    },
    keep: (era, { head, value }, correlationId, text) => {
      const [before, between, after, ...more] = octetsOf(text).split(correlationId);
      if (before === undefined || between === undefined || after === undefined || more.length > 0) return;
      const known = kept.get(value);
      const one = known?.head === head.hash ? known : { head: head.hash, pieces: new Map<Era, Pieces>() };
      one.pieces.set(era, [before, between, after]);
      kept.set(value, one);
    },
  };
};
