// The refusals of the ledger: it cannot be used, or it cannot be believed. A part of the catalogue in refusals.ts.

import { type RefusalRow, rowsOf } from "./refusal-row.ts";

const ledger = rowsOf("ledger");

export const LEDGER_REFUSALS = {
  "ledger-ahead": ledger(
    "N1",
    "Ledger is ahead of the clock",
    "Nothing is stamped earlier than the last record, so that no observation is taken down and nothing is planned.",
    'Check this machine\'s clock. If it is right, run: dedalus accept-clock --reason "the clock was ahead and is set right"',
  ),
  "secret-absent": ledger(
    "P7-F1",
    "Secret is not where it should be",
    "The configuration says where a secret is, and nothing is used in its place.",
    "Set the variable, or write the file with mode 0600.",
  ),
  "key-unusable": ledger(
    "P7-F1",
    "Signing key cannot be used",
    "Checkpoints are signed and checked with the key that the configuration names.",
    "Name the right key file in signingKey; 'dedalus init' makes one for a ledger that has none.",
  ),
  "engine-unavailable": ledger(
    "P7-F1",
    "Engine not available",
    "This version has no code for it.",
    "Use sqlite or postgres.",
  ),
  "ledger-absent": ledger(
    "P7-F1",
    "No ledger there",
    "Reading makes nothing; a ledger comes with its first record.",
    "Check the ledger section of dedalus.yaml, or write a first record: dedalus ledger checkpoint.",
  ),
  "ledger-unreachable": ledger(
    "P7-F1",
    "Ledger's server does not answer",
    "Nothing is decided without the ledger.",
    "Start the server, or correct the address; then run the command again.",
  ),
  "ledger-untrusted": ledger(
    "B4",
    "Ledger's server is not verified",
    "Whoever answers an unverified connection could be anybody, and would be told everything.",
    "Add tls: { verify: system } or tls: { verify: ca, file: PATH } to the ledger section, or sslmode=verify-full to the url.",
  ),
  "ledger-unusable": ledger(
    "P7-F1",
    "Ledger cannot be opened",
    "An engine that could not keep its promises is not used.",
    "Mend what is named, then run the command again.",
  ),
  "ledger-cut-short": ledger(
    "G1",
    "Ledger is shorter than its anchor",
    "A signed checkpoint covers records that are not there; a chain cannot see that its end was cut off.",
    "Do not write to it. Restore a copy that reaches the anchor, and find out who shortened this one.",
  ),
  "ledger-rewritten": ledger(
    "N7",
    "Ledger differs from its anchor",
    "Its root at a signed size is another one, so records before that size are not those that were signed.",
    "Do not write to it. Compare it with an export or a backup; 'dedalus ledger verify' names the place.",
  ),
  "anchor-unverified": ledger(
    "N7",
    "Checkpoint cannot be believed",
    "A checkpoint proves something only with a signature of the right key that holds.",
    "Restore the anchor, or name the key it was signed with. If it is lost for good: dedalus ledger re-anchor --reason TEXT",
  ),
  "anchor-absent": ledger(
    "N7",
    "Anchor is gone",
    "A ledger with records has an anchor; without it nobody can tell whether records were cut off or written anew.",
    "Put the anchor file back. If it is lost for good: dedalus ledger re-anchor --reason TEXT",
  ),
  "anchor-unmounted": ledger(
    "N7",
    "Folder of the anchor is gone",
    "A ledger with records has an anchor; where its folder is missing, it may be on a disk that is not mounted.",
    "Mount the disk or restore the folder. If it is lost for good: dedalus ledger re-anchor --reason TEXT",
  ),
  "anchor-empty": ledger(
    "N7",
    "Anchor holds no checkpoint",
    "A ledger with records has an anchor with checkpoints; an empty one proves nothing about them.",
    "Restore the anchor file from a backup. If it is lost for good: dedalus ledger re-anchor --reason TEXT",
  ),
  "anchor-shortened": ledger(
    "N7",
    "Anchor lost checkpoints",
    "An anchor only ever grows; whoever takes checkpoints away may have taken records away too.",
    "Restore the whole anchor file. If it is lost for good: dedalus ledger re-anchor --reason TEXT",
  ),
  "anchor-unreadable": ledger(
    "N7",
    "Anchor cannot be read",
    "A ledger is held against its anchor before it is used, and one that cannot be read proves nothing.",
    "Let the operator read and write it. If it is lost for good: dedalus ledger re-anchor --reason TEXT",
  ),
  "anchor-unwritable": ledger(
    "P7-F1",
    "Anchor cannot be written",
    "What is recorded is signed into the anchor; where that cannot be done, nothing is begun.",
    "Mend what is named, then run the command again.",
  ),
  "anchor-holds": ledger(
    "P7-F1",
    "Anchor is not lost",
    "A new anchor forgets what the old one proved; while that is there and holds, it is not replaced.",
    "Nothing is to be done.",
  ),
  "ledger-broken": ledger(
    "N7",
    "Ledger does not verify",
    "A record that is not what was written proves nothing, and neither does anything that stands on it.",
    "Keep what is there as evidence, and restore a copy that verifies.",
  ),
  "proof-broken": ledger(
    "N7",
    "Proof does not hold",
    "A proof stands on its record, its path and its signed checkpoint together.",
    "Ask for the proof again, and check it with the key of the ledger.",
  ),
  "ledger-latched": ledger(
    "P7-F1",
    "Ledger takes no writes",
    "After a failed write nothing more is written until somebody has looked and says so.",
    "Mend the cause, then run: dedalus ledger rearm --reason TEXT",
  ),
  "ledger-armed": ledger(
    "P7-F1",
    "Ledger takes writes already",
    "Re-arming answers a failed write, and there was none.",
    "Nothing is to be done.",
  ),
  "ledger-sealed": ledger(
    "P7-F1",
    "Ledger is sealed",
    "It goes on in another place; two places that both go on would be two truths.",
    "Name the copy in the ledger section of dedalus.yaml.",
  ),
  "ledger-unsealed": ledger(
    "P7-F1",
    "Ledger is not sealed",
    "Undoing a seal answers a copy that is gone, and this ledger goes on by itself.",
    "Nothing is to be done.",
  ),
  "copy-alive": ledger(
    "P7-F1",
    "Copy has gone on",
    "The anchor covers records that only the copy has; two ledgers that both go on would be two truths.",
    "Name the copy in the ledger section of dedalus.yaml.",
  ),
  "copy-unfinished": ledger(
    "P7-F1",
    "Ledger is an unfinished copy",
    "What was not copied whole must not go on as if it were.",
    "Run the same 'dedalus ledger copy' again; it goes on where it stopped.",
  ),
  "target-occupied": ledger(
    "P7-F1",
    "Target holds something else",
    "Nothing that somebody wrote is mixed with a copy.",
    "Copy to an empty place.",
  ),
  "record-unwritten": ledger(
    "P7-O1",
    "Record was not written",
    "Without a durable record nothing is done.",
    "Mend what is named, then run the command again.",
  ),
  "record-doubtful": ledger(
    "P7-O1",
    "Whether the record was written is not known",
    "The reply was lost; what is not known is not repeated.",
    "Look with 'dedalus ledger show' before running the command again.",
  ),
} as const satisfies Record<string, RefusalRow>;
