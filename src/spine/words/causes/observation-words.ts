// The words of blockers, doubts and gaps (../../observed-codes.ts). Sentences for people: nothing is decided or
// recognised by them. What came between us and the provider, and what was said, follow the sentence.

import { factsOfDiagnostic } from "../../diagnostic-codes.ts";
import type { Blocker } from "../../model.ts";
import type { BlockerCode, Doubt, DoubtCode, Gap, GapCode, Stated } from "../../observed-codes.ts";
import { filledWithDiagnostic } from "./diagnostic-words.ts";

export const BLOCKER_WORDS = {
  "action-not-offered": "this adapter does not offer it",
  "containers-lack-it": "a container has no reset, and whether one is suspended is not shown",
  "guest-halted": "its process exists and the guest does not execute ({state})",
  "ha-at-work": "the HA manager is at work on it (state {state})",
  "ha-managed": "the HA manager runs it and would act on it in between",
  hibernated: "it is hibernated to disk: a start would resume it",
  "identity-not-shown": "nothing identifies it beyond its number",
  locked: "it is locked ({lock}): an operation owns it",
  "memory-moving": "an operation is moving or saving its memory ({state})",
  "monitor-silent":
    "its process exists and its monitor does not answer, so whether the guest executes is not confirmed",
  "name-not-shown": "its configuration has no name, and the one shown is made up from its number",
  "process-not-shown": "no process of it is shown, so a restart could not be proven",
  "protected-at-provider": "the provider protects it from removal",
  "quorum-lost":
    "the cluster has no quorum: nothing can be started or written, and what stops could not be started again",
  "quorum-not-seen": "whether there is quorum was not seen, and without quorum this could not be undone",
  "revision-not-shown": "its configuration shows no digest, so another writer could not be noticed",
  "running-container-sizes": "a running container may take some sizes at once and others not",
  "size-removal-pending": "the removal of a size waits for a restart, and what follows is not shown",
  "sizes-mixed":
    "its settings let one size change at once and not the other, so when a size takes effect cannot be said",
  "snapshot-name-reserved": "the provider keeps the name {snapshot} for itself",
  "snapshot-name-unfit": "a snapshot's name here begins with a letter and has {min} to {max} letters, digits, _ or -",
  stated: "the observation says",
  "task-at-work": "a task of the provider is at work on it ({task})",
  template: "it is a template",
} as const satisfies Readonly<Record<BlockerCode, string>>;

export const DOUBT_WORDS = {
  "configuration-unreadable": "its configuration is not readable",
  "entry-key-missing": "the entry does not fit: {key} is missing",
  "entry-key-misspelt": "the entry does not fit: {key} is not a key of a VM; perhaps {meant} was meant",
  "entry-key-unknown": "the entry does not fit: {key} is not a key of a VM",
  "entry-malformed": "the entry does not fit: {field} is {found:as foundAs}, which is not in the form of current.json",
  "entry-not-number":
    "the entry does not fit: {field} is {found:as foundAs}, expected a whole number from {min} to {max}",
  "entry-not-text":
    "the entry does not fit: {field} is {found:as foundAs}, expected a text of {min} to {max} characters",
  "entry-not-word": "the entry does not fit: {field} is {found:as foundAs}, expected one of {words}",
  "kind-not-shown": "whether it is a VM or a container is not shown",
  "listed-twice": "listed {times} times in one observation",
  "name-changed": "its name changed while it was observed",
  "name-unreadable": "its name has characters that cannot be shown",
  "node-impossible": "what is named as its node cannot be a node",
  "node-offline": "node {node} is offline by the cluster's own membership; the last report of it was {lastReport}",
  "node-refused": "node {node} refused to show it",
  "node-silent": "node {node} did not answer; the last report of it was {lastReport}, age unknown",
  "not-at-node": "it is not on node {node}, where the cluster lists it: it moves, or is gone",
  "not-seen": "not seen, and the observation was not complete",
  "not-told": "the observation does not say why",
  "provider-silent": "the provider did not answer",
  "reply-unreadable": "the answer about it is not readable",
  "right-missing": "the credential may not observe it ({path})",
  stated: "the observation says",
  "status-of-another": "its status is of another VM",
  "status-undefined": "its status is not a known one",
  "status-unreadable": "its status is not readable",
  "tags-unreadable": "its tags cannot be read, and a tag can protect it",
} as const satisfies Readonly<Record<DoubtCode, string>>;

export const GAP_WORDS = {
  "bare-list": "a bare list does not say whether it saw everything",
  "credential-limited": "the credential does not see every VM",
  "credential-unusable": "nothing was asked: the secret is not a credential for this provider",
  "entries-unreadable": "and {more} more without a readable vmid",
  "entry-unreadable": "entry {entry} has no readable vmid",
  "list-not-seen": "the provider's list of VMs was not seen",
  "more-not-visible": "and {more} more whose absence is not proven",
  "quorum-lost": "absence proves nothing: the cluster has no quorum, and its list may be old",
  "quorum-not-seen": "absence proves nothing: whether there is quorum was not seen",
  "rights-not-seen": "absence proves nothing: the credential's rights were not seen",
  "rights-unreadable": "absence proves nothing: the credential's rights are not readable",
  "rows-unreadable": "absence proves nothing: {rows:row|rows} of the provider's list cannot be read",
  stated: "the observation says",
  "visibility-not-seen": "whether VM {vm} would be visible was not seen",
  "vm-not-visible": "VM {vm} is not visible to this credential, which lacks {right} on {path}",
} as const satisfies Readonly<Record<GapCode, string>>;

const told = (words: string, { diagnostic, facts = {}, said }: Stated<string>): string =>
  filledWithDiagnostic(words, {
    ...(diagnostic === undefined ? {} : factsOfDiagnostic(diagnostic)),
    ...facts,
    ...(said === undefined ? {} : { said }),
  });

export const blockerText = (blocker: Pick<Blocker, "code" | "diagnostic" | "facts" | "said">): string =>
  told(BLOCKER_WORDS[blocker.code], blocker);
export const doubtText = (doubt: Doubt): string => told(DOUBT_WORDS[doubt.code], doubt);
export const gapText = (gap: Gap): string => told(GAP_WORDS[gap.code], gap);
