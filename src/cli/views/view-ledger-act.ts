// What came of an act on the ledger itself, as text for people: what it is now, what is void, what to keep elsewhere.
//
// Not here: that an anchor was made anew, as others tell of it (view-re-anchored.ts).

import type { CheckpointSigned } from "../../service/act/ledger-checkpoint.ts";
import type { LedgerBackedUp } from "../../service/ledger/backup.ts";
import type { LedgerJoined } from "../../service/ledger/join.ts";
import type { LedgerMoved, SealAsked } from "../../service/ledger/move.ts";
import type { AnchorBegun } from "../../service/ledger/re-anchor.ts";
import type { LedgerRestored } from "../../service/ledger/restore.ts";
import type { LedgerUnlocked } from "../../service/ledger/unlock.ts";
import type { LedgerUnsealed } from "../../service/ledger/unseal.ts";
import { visible } from "../../spine/values/invisible.ts";
import { failureText } from "../../spine/words/cause.ts";
import { READ_ONLY_WORDS } from "../../spine/words/causes/engine-words.ts";
import { becauseOf } from "../../spine/words/refusals/refusal-words.ts";
import { counted } from "./counted.ts";
import { hashText, type TextStyle } from "./text-style.ts";

type Lines = readonly string[];
/** Who acted, as the record names them. */
type By = string | undefined;

export const backedUpLines = (value: LedgerBackedUp, signingKey: string, style: TextStyle): Lines => [
  `backed up ${value.name} to ${value.folder}: ${value.size} records, ${value.blobs} blobs, verified`,
  `root ${hashText(value.root, style)}`,
  `key  ${value.key}`,
  `${signingKey} is not in it; keep a copy of that elsewhere, or nothing can be restored.`,
  "To verify the backup on another machine:",
  `  ${style.command({ ask: "verify", with: { export: value.folder, key: value.key } })}`,
];

export const checkpointLines = ({ anchor, by, key, seq, signed }: CheckpointSigned, style: TextStyle): Lines => [
  `record ${seq}: ledger.checkpoint by ${by}`,
  `size ${signed?.size}`,
  `root ${hashText(signed?.root ?? "", style)}`,
  `signed and appended to ${anchor}`,
  `key  ${key}`,
];

/** What is sealed and what goes on, for whoever is asked whether it should be. */
export const sealLines = ({ from, records, to }: SealAsked, configFile: string): Lines => [
  `The ledger moves from ${from} (${counted(records, "record")}) to ${to}.`,
  `  ${from} is sealed by a last record and takes no more writes; ${to} goes on.`,
  `  Afterwards the ledger section of ${configFile} must name ${to}.`,
];
export const sealQuestion = ({ from }: Pick<SealAsked, "from">): string => `Seal ${from}? Type yes: `;

export const movedLines = (
  { from, root, seal, size, to }: LedgerMoved,
  { anchor, configFile }: { readonly anchor: string; readonly configFile: string },
  style: TextStyle,
): Lines => [
  `copied ${counted(size, "record")} from ${from} to ${to}, and read them back`,
  `root ${hashText(root, style)}, signed in ${anchor}`,
  `record ${seal} seals ${from}: it no longer takes writes`,
  `Next: name the copy in the ledger section of ${configFile}.`,
];

export const restoredLines = (value: LedgerRestored, from: string, by: By, style: TextStyle): Lines => {
  const { anchor, blocked, kept, name, reason, root, seq, size } = value;
  return [
    `restored ${counted(size, "record")} from ${from} to ${name}, and read them back`,
    `  the last of them is record ${size - 1}; root ${hashText(root, style)}`,
    gapLine(value, style),
    `  record ${seq}: ledger.restore by ${by}, reason: ${reason}`,
    `  ${anchor} begins again; keep a copy of it on another machine`,
    ...(kept === undefined ? [] : [`  the old anchor is kept as ${kept}`]),
    "void: plans, approvals and tokens from before. Make a new token for everybody who needs one.",
    ...blocked.flatMap(({ environment, vmid }) => [
      `VM ${vmid} is blocked: its outcome is unknown until it is reconciled`,
      `  ${style.command({ ask: "reconcile", with: { environment, vmid } })}`,
    ]),
    "everything is frozen. Next: register the desired file as it is now, here or through the service from where it is kept, check the VMs, and lift the freeze:",
    `  ${style.command({ ask: "register", with: { desired: "desired.yaml" } })}`,
    `  ${style.command({ ask: "status", with: {} })}`,
    `  ${style.command({ ask: "unfreeze", with: {} })}`,
  ];
};

/** What is between the backup and what the anchor covered. */
const gapLine = ({ anchored, lost, size }: LedgerRestored, style: TextStyle): string => {
  if (anchored === undefined) return "  gap: unknown; no anchor was left to say how many records came after the backup";
  const covered = `the anchor covered ${counted(anchored.size, "record")} (root ${hashText(anchored.root, style)})`;
  return lost === 0
    ? `  gap: none is known; ${covered}`
    : `  gap: ${counted(lost, "record")} lost, ${size} to ${anchored.size - 1}; ${covered}`;
};

export const unlockedLines = ({ name, seq, why }: LedgerUnlocked, by: By): Lines => [
  `${name} takes writes again`,
  `it was read-only: ${visible(failureText(READ_ONLY_WORDS, why))}`,
  `record ${seq}: ledger.unlock by ${by}`,
];

export const unsealedLines = ({ copy, name, seal, seq }: LedgerUnsealed, by: By, style: TextStyle): Lines => [
  `${name} goes on after the seal of record ${seal}`,
  `the copy ${copy} is void for good; never open it again`,
  "plans, approvals and tokens from before are void; make a new token for everybody who needs one",
  "everything is frozen; lift the freeze once you have checked the VMs:",
  `  ${style.command({ ask: "unfreeze", with: {} })}`,
  `record ${seq}: ledger.unseal by ${by}`,
];

export const anchorBegunLines = (
  { anchor, kept, loss, root, seq, size }: AnchorBegun,
  by: By,
  style: TextStyle,
): Lines => [
  `the anchor was lost: ${becauseOf(loss)}`,
  `verified and accepted: ${counted(size, "record")}, root ${hashText(root, style)}`,
  `record ${seq}: ledger.re-anchor by ${by}`,
  ...(kept === undefined ? [] : [`what was there is kept as ${kept}`]),
  `${anchor} begins again; keep a copy of it on another machine`,
];

export const joinedLines = (value: LedgerJoined, against: string, by: By, style: TextStyle): Lines => [
  `verified and accepted: ${counted(value.size, "record")}, root ${hashText(value.root, style)}`,
  `held against ${against}, whose checkpoints cover ${counted(value.covered, "record")}`,
  `record ${value.seq}: ledger.join by ${by}`,
  `${value.anchor} begins here; keep a copy of it on another machine`,
];
