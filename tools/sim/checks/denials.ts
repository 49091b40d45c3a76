// A no is heeded: it never comes to "done" for what is claimed, and never for what was tried already.

import { type Check, type Entry, entriesOf, isGranted, isKind } from "./evidence.ts";

type Granted = { readonly applies: readonly Entry[]; readonly ended: ReadonlySet<string> };

const triedBefore = (before: readonly Entry[]): Granted => ({
  applies: before.filter((entry) => isKind(entry, "apply")),
  ended: new Set(
    before.flatMap((entry) => (isKind(entry, "outcome") || isKind(entry, "recover") ? [entry.request.intent] : [])),
  ),
});

/** Of a plan that was canceled other steps may have been tried, but none may be under way. */
export const heeded: Check = ({ stage }) => {
  const granted = entriesOf(stage).filter(isGranted);
  return granted.flatMap((entry, at): readonly string[] => {
    if (!isKind(entry, "deny") && !isKind(entry, "cancel")) return [];
    const { applies, ended } = triedBefore(granted.slice(0, at));
    const { request } = entry;
    const vain = applies.filter((apply) => {
      if (!isKind(apply, "apply")) return false;
      const { of } = apply.request;
      if (request.kind === "cancel") return of.plan === request.plan && !ended.has(apply.record.auditId);
      return of.plan === request.of.plan && of.index === request.of.index;
    });
    return vain.map(
      ({ record }) => `${request.kind} at ${entry.record.seq} was granted, and intent ${record.auditId} had it`,
    );
  });
};
