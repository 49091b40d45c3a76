// Whoever asked for a step, agreed to it and claimed it still does when its call leaves: read from the records alone,
// by the tokens that stand. A token whose end has come since the claim is not asked for: what it said in its time
// holds.

import { type Check, type Entry, type EntryOf, entriesOf, intentsIn, isGranted, isKind } from "./evidence.ts";
import { heldBefore, isHeld, isRevokedSince, tokenIn } from "./tokens.ts";

/**
 * A call is judged at some moment between its second observation and its leaving, and is wrong when it was wrong at
 * each.
 */
export const stillAgreed: Check = ({ stage }) => {
  const granted = entriesOf(stage).filter(isGranted);
  const intents = intentsIn(stage);
  return stage.traces.flatMap(({ lefts }) =>
    lefts.flatMap(({ intent: id, size, sizeAtLook }) => {
      const intent = intents.find(({ record }) => record.auditId === id);
      if (intent === undefined || sizeAtLook === undefined) return [];
      const moments = granted
        .filter(({ record: { seq } }) => seq >= sizeAtLook && seq < size)
        .map(({ record: { seq } }) => seq + 1);
      const objections = [sizeAtLook, ...moments].map((at) =>
        objectionTo(
          intent,
          granted.filter(({ record }) => record.seq < at),
        ),
      );
      const [first] = objections;
      return objections.every((one) => one !== undefined) ? [`the call of ${id} left: ${first}`] : [];
    }),
  );
};

const objectionTo = ({ record, request, result }: EntryOf<"apply">, now: readonly Entry[]): string | undefined => {
  const held = heldBefore(now);
  const isStillHeld = (one: Entry["record"]): boolean => {
    const token = tokenIn(one);
    return token === undefined || isHeld(held.get(one.actor.id), token);
  };
  const plan = now.find((entry) => isKind(entry, "plan") && entry.record.auditId === request.of.plan);
  if (plan !== undefined && isRevokedSince(now, plan.record)) return "whoever asked for it was revoked";
  if (!isStillHeld(record)) return "the token that claimed it is gone";
  const back = new Set(now.flatMap((entry) => (isKind(entry, "revoke") ? [entry.request.approval] : [])));
  const chain = now.filter(
    (entry) =>
      isKind(entry, "approve") &&
      entry.request.of.plan === request.of.plan &&
      entry.request.of.step.hash === request.of.step.hash &&
      entry.record.seq < record.seq &&
      !back.has(entry.record.auditId) &&
      isStillHeld(entry.record),
  );
  const counted = result.kind === "intended" ? result.approvedBy : [];
  const gone = counted.find((by) => !chain.some((entry) => entry.record.actor.id === by));
  return gone === undefined ? undefined : `the approval of ${gone} is gone`;
};
