// A no is heeded: it never comes to "done" for what is claimed, and never for what was tried already. Taking back an
// approval is a no, too, and is said where the plan is.

import { type Check, type Entry, type EntryOf, entriesOf, isGranted, isKind } from "./evidence.ts";

type Granted = { readonly applies: readonly Entry[]; readonly ended: ReadonlySet<string> };

const triedBefore = (before: readonly Entry[]): Granted => ({
  applies: before.filter((entry) => isKind(entry, "apply")),
  ended: new Set(
    before.flatMap((entry) => (isKind(entry, "outcome") || isKind(entry, "recover") ? [entry.request.intent] : [])),
  ),
});

/** The step that a no is about; none where it is about a whole plan. */
const stepOf = (granted: readonly Entry[], { request }: Entry): EntryOf<"deny">["request"]["of"] | undefined => {
  if (request.kind === "deny") return request.of;
  const id = request.kind === "revoke" ? request.approval : undefined;
  const approval = granted.find(({ record }) => record.auditId === id);
  return approval !== undefined && isKind(approval, "approve") ? approval.request.of : undefined;
};

/** Of a plan that was canceled other steps may have been tried, but none may be under way. */
export const heeded: Check = ({ stage }) => {
  const granted = entriesOf(stage).filter(isGranted);
  return granted.flatMap((entry, at): readonly string[] => {
    if (!isKind(entry, "deny") && !isKind(entry, "cancel") && !isKind(entry, "revoke")) return [];
    const { applies, ended } = triedBefore(granted.slice(0, at));
    const { record, request } = entry;
    const said = `${request.kind} at ${record.seq} was granted`;
    const no = stepOf(granted, entry);
    const id = request.kind === "deny" ? request.of.plan : request.plan;
    const plan = granted.find((one) => one.record.auditId === id);
    if (plan?.record.environment !== record.environment) return [`${said}, and its plan is not of its environment`];
    const vain = applies.filter((apply) => {
      if (!isKind(apply, "apply")) return false;
      const { of } = apply.request;
      if (no === undefined) return of.plan === id && !ended.has(apply.record.auditId);
      return of.plan === no.plan && of.index === no.index;
    });
    return vain.map(({ record: { auditId } }) => `${said}, and intent ${auditId} had it`);
  });
};
