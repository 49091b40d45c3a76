// The words of outcomes, by their cause; and one end in words. Sentences for people: nothing is decided or recognised
// by them.
//
// What changed, which refusal it was, what came between us and the provider, and what was said follow the sentence.

import type { Fact, OutcomeEnd, VmChange } from "../../model.ts";
import type { OutcomeCause } from "../../rules/outcome-causes.ts";
import { diagnosticsText } from "../causes/diagnostic-words.ts";
import { becauseOf } from "../refusals/refusal-words.ts";
import { bytesText, filled } from "../template.ts";

export const OUTCOME_WORDS = {
  "anchor-behind":
    "no call was made: the ledger could not be read up to the intent, so the intent could not be anchored",
  "anchor-unwritable": "no call was made: the intent could not be anchored",
  frozen: "no call was made",
  "grounds-changed": "no call was made: something the plan is based on has changed",
  "intent-ended": "no call was made: another process has ended the intent",
  "ledger-unreadable": "no call was made: the ledger could not be read to check that it is still allowed",
  "owner-lock-lost": "no call was made: this process lost its lock at the ledger, and others may take it for gone",
  "performer-ending": "no call was made: the service was told to end",
  "send-late": "no call was made: it was not sent by {sendBy}",
  "vm-changed": "no call was made: the VM changed since the plan",
  "vm-not-observed": "no call was made: the VM could not be observed",
  "vm-not-shown": "no call was made: the observation does not show the VM (gaps: {gaps})",

  "call-refused": "the call was not accepted",
  "call-unanswered": "it is not known whether the provider accepted the call",
  "found-failed": "the reply was lost; the task that was found failed, and the call may still take effect",
  "found-unattributed": "the reply was lost; the change is there, and the VM does not show who made it",
  "provider-done": "confirmed by the provider and by an observation",
  "provider-done-alone":
    "confirmed by the provider alone: the VM looked the same before, so no observation can show it",
  "provider-failed": "the provider reports that it failed, and the VM is as it was",
  "provider-failed-changed": "the provider reports that it failed, and the VM has changed",
  "verdict-unknown": "how the call ended is not known",

  "after-boot-same": "the provider reports that it is done, but the VM was not restarted",
  "after-boot-unseen":
    "the provider reports that it is done, but the observation does not show when the VM was started",
  "after-clone-absent": "the provider reports that it is done, but VM {to} is not there",
  "after-clone-same": "the provider reports that it is done, but VM {to} has the identity of the original",
  "after-clone-unseen": "the provider reports that it is done, but VM {to} could not be observed",
  "after-identity-other": "the provider reports that it is done, but this vmid now belongs to a different VM",
  "after-identity-unseen": "the provider reports that it is done, but the identity of VM {to} was not observed",
  "after-node-unseen": "the provider reports that it is done, but the VM's node was not observed",
  "after-parent-other": "the provider reports that it is done, but {snapshot} is not the parent of the current state",
  "after-ram-unseen": "the provider reports that it is done, but whether {snapshot} holds RAM was not observed",
  "after-sizes-other": "the provider reports that it is done, but the sizes are not those that were asked for",
  "after-snapshot-absent": "the provider reports that it is done, but there is no snapshot {snapshot}",
  "after-snapshot-present": "the provider reports that it is done, but the snapshot {snapshot} is still there",
  "after-snapshots-unseen": "the provider reports that it is done, but the VM's snapshots were not observed",
  "after-status-other": "the provider reports that it is done, but the VM is {status} and not {expected}",
  "after-unobserved": "the VM could not be observed afterwards",
  "after-vm-gone": "the provider reports that it is done, but the VM is gone",
  "after-vm-present": "the provider reports that it is done, but the VM is still there",
  "after-vm-unknown": "the provider reports that it is done, but the VM's state is unknown ({doubt})",

  "ledger-restored": "the ledger was restored from a backup in which it was open, and what came after is lost",
  "owner-ended": "the process that performed it ended before its outcome was recorded",
  "owner-unlocked": "the process that performed it lost its lock at the ledger before its outcome was recorded",
  "past-settle-by": "no outcome was recorded in time",
} as const satisfies Readonly<Record<OutcomeCause, string>>;

/** Values that are no number, text or list. */
const VALUE_WORDS = { no: "no", none: "none", unseen: "not seen", yes: "yes" } as const;

/** A cause that this version does not know is shown as it is. */
export const outcomeText = ({
  cause,
  changed = [],
  diagnostics = [],
  facts = {},
  refusal,
  said,
}: Omit<OutcomeEnd, "outcome">): string => {
  const sentence: string = Object.hasOwn(OUTCOME_WORDS, cause) ? OUTCOME_WORDS[cause] : cause;
  const changes = changed.length === 0 ? "" : ` (${changesText(changed)})`;
  const behind = [
    ...(refusal === undefined ? [] : [becauseOf(refusal)]),
    ...(diagnostics.length === 0 ? [] : [diagnosticsText(diagnostics)]),
    ...(said === undefined ? [] : [said]),
  ];
  return [`${filled(sentence, facts)}${changes}`, ...behind].join(": ");
};

/** `status stopped → running, boot`: each field with both values, where they say something. */
export const changesText = (changes: readonly VmChange[]): string =>
  changes
    .map(({ field, now, was }) =>
      now === undefined && was === undefined ? field : `${field} ${valueText(field, was)} → ${valueText(field, now)}`,
    )
    .join(", ");

const valueText = (field: VmChange["field"], value: Fact | undefined): string => {
  if (value === undefined) return VALUE_WORDS.unseen;
  if (typeof value === "object") return value.length === 0 ? VALUE_WORDS.none : value.join(" ");
  if (typeof value === "boolean") return VALUE_WORDS[value ? "yes" : "no"];
  return field === "maxmem" && typeof value === "number" ? bytesText(value) : String(value);
};
