// What was heard while a door was asked: every refusal must be told whole, and every head must be of one ledger. Two
// answers of the same size have the same hash, at whichever door and instance; a record is below its head.

import type { ClauseVerdict } from "../contract/agent-clauses.ts";
import type { AskedDoor, DoorReply } from "./asked-door.ts";
import { allOf, HELD, holds, same } from "./verdicts.ts";

export type Heard = {
  readonly heads: () => ClauseVerdict;
  /** The same door; what it answers is heard. */
  readonly over: (door: AskedDoor) => AskedDoor;
  readonly refusals: () => ClauseVerdict;
};

const REFUSAL_MEMBERS = ["code", "rule", "facts", "stage"];

export const listening = (): Heard => {
  const hashes = new Map<number, string>();
  let [heads, refusals]: [ClauseVerdict, ClauseVerdict] = [HELD, HELD];
  const hear = (reply: DoorReply): DoorReply => {
    if (reply.kind === "refused") {
      const [first] = reply.refusals;
      refusals = allOf(
        refusals,
        holds("refusals", reply.refusals.length, first !== undefined),
        holds("outcome", reply.outcome, typeof reply.outcome === "string"),
        ...reply.refusals.flatMap((one) => REFUSAL_MEMBERS.map((name) => holds(name, one[name], name in one))),
      );
    }
    if (reply.kind === "answered" && reply.head !== undefined) {
      const { hash, size } = reply.head;
      heads = allOf(
        heads,
        same("head", hashes.get(size) ?? hash, hash),
        holds("record", reply.record ?? 0, (reply.record ?? 0) < size),
      );
      hashes.set(size, hash);
    }
    return reply;
  };
  return {
    heads: () => heads,
    over: (door) => ({
      ...door,
      ask: async (operation, request, key) => hear(await door.ask(operation, request, key)),
    }),
    refusals: () => refusals,
  };
};
