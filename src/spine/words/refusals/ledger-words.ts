// The words of the refusals of a ledger (rules/refusal-table.ts). Sentences for people: nothing is decided or
// recognised by them.

import { after, under } from "../cause.ts";
import {
  ABSENT_WORDS,
  ANCHOR_FAILED_WORDS,
  ANCHOR_UNFIT_WORDS,
  KEY_WORDS,
  NOTE_WORDS,
  PROOF_WORDS,
  READ_ONLY_WORDS,
  SERVER_WORDS,
  UNTRUSTED_WORDS,
  UNUSABLE_WORDS,
  UNWRITTEN_WORDS,
} from "../causes/engine-words.ts";
import { forEach } from "../causes/expectation-words.ts";
import { RECORD_FLAWS, STORE_FLAWS } from "../causes/flaw-words.ts";
import { FILE_WORDS } from "../causes/system-words.ts";
import { MALFORMED_WORDS } from "../causes/text-words.ts";
import type { RefusalWords } from "../template.ts";

/** A ledger that is shorter than what was signed. */
const CUT_SHORT = {
  "behind-checkpoint": RECORD_FLAWS["behind-checkpoint"],
  "behind-saved-state": RECORD_FLAWS["behind-saved-state"],
} as const;

const KEY_NAMED = "Name the right key file in signingKey; init makes one for a ledger that has none.";
const ANCHOR_BACK = "Move away what stands in its place, and put the anchor file back.";

export const LEDGER_WORDS = {
  "ledger-format": {
    summary: "Ledger is of another version",
    because: {
      before: "record {seq} does not say by which rules it was decided",
      newer: "record {seq} was decided by rules {rules}, and this program has rules {here}",
      "newer-record": "record {seq} is written in format {format}, and this program knows formats up to {known}",
    },
    why: "A record is read and decided again by its own version, and this program does not have that.",
    next: {
      before: "Keep it as it is, and begin a new ledger: no program of this version can go on with it.",
      newer: "Use the program that wrote it, or a newer one.",
      "newer-record": "Use the program that wrote it, or a newer one.",
    },
  },
  "ledger-ahead": {
    summary: "Ledger is ahead of the clock",
    because: "its last record is stamped {head}, {aheadSeconds:span} ahead of this machine's clock ({clock})",
    why: "Nothing is stamped earlier than the last record, so no observation is recorded and nothing is planned.",
    next: "Check this machine's clock. If it is right, accept it.",
  },
  "secret-absent": {
    summary: "Secret not found",
    because: {
      "variable-unset": "the environment variable {variable} is not set",
      "no-file": "there is no file {file}",
      unreadable: "{file} cannot be read",
      empty: "{file} is empty",
    },
    why: "The configuration says where a secret is, and nothing is used in its place.",
    next: "Set the variable, or write the file with mode 0600.",
  },
  "key-unusable": {
    summary: "Signing key cannot be used",
    because: KEY_WORDS,
    why: "Checkpoints are signed and checked with the key that the configuration names.",
    next: {
      absent: KEY_NAMED,
      unusable: KEY_NAMED,
      ...forEach(FILE_WORDS, "Let the operator read the key file, then run the command again."),
    },
  },
  "ledger-absent": {
    summary: "No ledger found",
    because: ABSENT_WORDS,
    why: "Reading creates nothing; a ledger is created with its first record.",
    next: "Check the ledger section of dedalus.yaml, or register a desired.yaml: that creates the ledger.",
  },
  "ledger-behind": {
    summary: "Record has not arrived",
    because: "record {seq} was to be included, and the ledger has {size:record|records}",
    why: "An answer without it would be older than what the caller knows.",
    next: "Ask again, or check the number.",
  },
  "walks-waiting": {
    summary: "Too many long reads",
    because: "{waiting:read|reads} of the whole ledger are waiting already",
    why: "They run one at a time, so that they slow nobody else down.",
    next: "Ask again later.",
  },
  "ledger-unreachable": {
    summary: "Ledger's server does not answer",
    because: { "connection-lost": SERVER_WORDS["connection-lost"], unreachable: SERVER_WORDS.unreachable },
    why: "Nothing is decided without the ledger.",
    next: "Start the server, or correct the address; then run the command again.",
  },
  "ledger-untrusted": {
    summary: "Ledger's server is not verified",
    because: UNTRUSTED_WORDS,
    why: "An unverified server could be anybody, and would see everything.",
    next: "Add tls: { verify: system } or tls: { verify: ca, file: PATH } to the ledger section, or sslmode=verify-full to the url.",
  },
  "ledger-unusable": {
    summary: "Ledger cannot be opened",
    because: UNUSABLE_WORDS,
    why: "An engine that could not keep its promises is not used.",
    next: "Fix what is named, then run the command again.",
  },
  "ledger-cut-short": {
    summary: "Ledger is shorter than its anchor",
    because: {
      ...after("{name}: ", CUT_SHORT),
      absent: "there is no ledger at {name}, and its anchor covers {covered:record|records}",
    },
    why: "A signed checkpoint covers records that are not there; a chain cannot see that its end was cut off.",
    next: "Do not write to it. Find a copy that reaches the anchor, and who shortened this one. If all that is left is a backup, restore it.",
  },
  "ledger-rewritten": {
    summary: "Ledger differs from its anchor",
    because: after("{name}: at record {seq}: ", RECORD_FLAWS),
    why: "Its root at a signed size is another one, so records before that size are not those that were signed.",
    next: "Do not write to it. Compare it with an export or a backup; verifying it names the record.",
  },
  "anchor-unverified": {
    summary: "Checkpoint cannot be verified",
    because: {
      ...after("note {note} of the anchor: ", NOTE_WORDS),
      "end-foreign": "note {note} of the anchor: it ends with what is no note and no beginning of one",
    },
    why: "A checkpoint proves something only with a signature of the right key that holds.",
    next: "Restore the anchor, or name the key it was signed with. If it is lost for good, begin a new one.",
  },
  "export-unverified": {
    summary: "Export is not signed",
    because: {
      ...after("{file}: ", NOTE_WORDS),
      ...after("{file}: ", FILE_WORDS),
      "not-utf8": `{file}: ${MALFORMED_WORDS["not-utf8"]}`,
      "too-large": "{file} has {bytes} bytes, more than {max}",
    },
    why: "An export proves something only with a validly signed checkpoint.",
    next: "Ask for the export again, and check it with the key that signed it.",
  },
  "anchor-absent": {
    summary: "Anchor is gone",
    because: "there is no such file, and the ledger has {size:record|records}",
    why: "A ledger with records has an anchor; without it nobody can tell whether records were cut off or rewritten.",
    next: "Put the anchor file back. If it is lost for good, begin a new one.",
  },
  "anchor-unjoined": {
    summary: "Instance has not joined the ledger",
    because: "the ledger has {size:record|records}, and no instance with this signing key wrote any of them",
    why: "What one instance has seen proves nothing to another: each begins with a ledger that it verified itself.",
    next: "Join the ledger with a checkpoint of an instance that is there. If there is no other, and the key and the anchor of this one are lost for good, begin a new anchor.",
  },
  "anchor-unmounted": {
    summary: "Folder of the anchor is gone",
    because: "its folder is not there, and the ledger has {size:record|records}",
    why: "A ledger with records has an anchor; where its folder is missing, it may be on a disk that is not mounted.",
    next: "Mount the disk or restore the folder. If it is lost for good, begin a new one.",
  },
  "anchor-empty": {
    summary: "Anchor holds no checkpoint",
    because: "it holds no checkpoint, and the ledger has {size:record|records}",
    why: "A ledger with records has an anchor with checkpoints; an empty one proves nothing about them.",
    next: "Restore the anchor file from a backup. If it is lost for good, begin a new one.",
  },
  "anchor-shortened": {
    summary: "Anchor lost checkpoints",
    because: {
      "saved-state-knows": "the saved state beside the ledger knows {bytes} bytes of it that are no longer there",
      "record-knows": "record {seq} knows {bytes} bytes of it that are no longer there",
      "begun-elsewhere": "its first checkpoint covers {covered:record|records}, and no anchor began there",
    },
    why: "An anchor only ever grows; whoever takes checkpoints away may have taken records away too.",
    next: "Restore the whole anchor file. If it is lost for good, begin a new one.",
  },
  "anchor-unreadable": {
    summary: "Anchor cannot be read",
    because: {
      "not-plain": "it is not a plain file",
      "not-a-folder": "a part of its path is not a folder",
      "system-said": "it cannot be read: {said}",
    },
    why: "A ledger is checked against its anchor before it is used, and one that cannot be read proves nothing.",
    next: {
      "not-plain": ANCHOR_BACK,
      "not-a-folder": ANCHOR_BACK,
      "system-said": "Let the operator read and write it, then run the command again.",
    },
  },
  "anchor-unwritable": {
    summary: "Anchor cannot be written",
    because: {
      ...after("{name}: ", ANCHOR_UNFIT_WORDS),
      ...after("{name}: ", FILE_WORDS),
      ...under(
        "not-begun-",
        after("record {seq} is in the ledger, and no new anchor was begun: {name}: ", ANCHOR_FAILED_WORDS),
      ),
    },
    why: "What is recorded is signed into the anchor; where that cannot be done, nothing is begun.",
    next: "Fix what is named, then run the command again.",
  },
  "anchor-holds": {
    summary: "Anchor is not lost",
    because: "{name} has {size:record|records}, and its anchor is whole",
    why: "A new anchor forgets what the old one proved; while that is there and holds, it is not replaced.",
    next: "Nothing to do.",
  },
  "ledger-broken": {
    summary: "Ledger does not verify",
    because: { ...after("record {seq}: ", RECORD_FLAWS), ...STORE_FLAWS },
    why: "A record that is not what was written proves nothing, and neither does anything that stands on it.",
    next: "Keep what is there as evidence, and restore a copy that verifies.",
  },
  "proof-broken": {
    summary: "Proof does not verify",
    because: after("{file}: ", PROOF_WORDS),
    why: "A proof stands on its record, its path and its signed checkpoint together.",
    next: "Ask for the proof again, and check it with the key of the ledger.",
  },
  "ledger-read-only": {
    summary: "Ledger takes no writes",
    because: READ_ONLY_WORDS,
    why: "After a failed write nothing more is written until somebody has checked and says so.",
    next: "Fix the cause, then unlock it.",
  },
  "ledger-not-read-only": {
    summary: "Ledger is not read-only",
    because: "{name} is not read-only",
    why: "Only a ledger that is read-only after a failed write is unlocked.",
    next: "Nothing to do.",
  },
  "ledger-sealed": {
    summary: "Ledger is sealed",
    because: {
      sealed: "record {seq} seals {name}",
      "sealed-for-another": "record {seq} seals {name} for another copy",
      "since-claim": "record {seq} seals it, and came after the step was claimed",
    },
    why: "It goes on at another location; two ledgers that both go on would contradict each other.",
    next: "Name the copy in the ledger section of dedalus.yaml.",
  },
  "ledger-unsealed": {
    summary: "Ledger is not sealed",
    because: {
      "no-seal": "{name} does not end with a seal",
      "copy-unnamed": "{name} has no seal that names its copy",
    },
    why: "Undoing a seal answers a copy that is gone, and this ledger goes on by itself.",
    next: "Nothing to do.",
  },
  "copy-alive": {
    summary: "Copy has gone on",
    because: CUT_SHORT,
    why: "The anchor covers records that only the copy has; two ledgers that both go on would contradict each other.",
    next: "Name the copy in the ledger section of dedalus.yaml.",
  },
  "copy-unfinished": {
    summary: "Ledger is an unfinished copy",
    because: "the copy to {name} was begun and not finished",
    why: "What was not copied whole must not go on as if it were.",
    next: "Run the same move or restore again; it goes on where it stopped.",
  },
  "target-occupied": {
    summary: "Target holds something else",
    because: {
      "other-ledger": "{name} holds a ledger of {size:record|records}",
      "record-differs": "record {seq} of {name} is not the source's",
      longer: "{name} is longer than the source",
      "other-writer": "somebody else writes to {name}",
      "restored-over": "the configuration's ledger is there: {name} holds {size:record|records}",
    },
    why: "Nothing that somebody wrote is mixed with a copy.",
    next: {
      longer: "Copy to an empty location.",
      "other-ledger": "Copy to an empty location.",
      "other-writer": "Copy to an empty location.",
      "record-differs": "Copy to an empty location.",
      "restored-over": "Move that ledger away, or let the ledger section of dedalus.yaml name an empty place.",
    },
  },
  "record-unwritten": {
    summary: "Record was not written",
    because: UNWRITTEN_WORDS,
    why: "Without a durable record nothing is done.",
    next: "Fix what is named, then run the command again.",
  },
  "record-doubtful": {
    summary: "It is not known whether the record was written",
    because: UNWRITTEN_WORDS,
    why: "The reply was lost; what is not known is not repeated.",
    next: "Look at the last records before running the command again.",
  },
} as const satisfies Readonly<Record<string, RefusalWords>>;
