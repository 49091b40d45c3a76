// The words of what keeps a ledger from being opened, read or written, by cause: engines, anchors, keys and saved
// states.
//
// `said` is what a system or a server said, in its own words. Not here: what is wrong with stored data (flaw-words.ts),
// the refusals that these become (ledger-words.ts).

import { after } from "../cause.ts";
import { RECORD_FLAWS } from "./flaw-words.ts";
import { FILE_WORDS } from "./system-words.ts";

/** Why an engine takes no writes until an operator unlocks it, or at all in this process. */
export const READ_ONLY_WORDS = {
  "write-failed": "a write to {name} failed: {said}",
  "write-failed-unmarked":
    "a write to {name} failed: {said}; the mark of that beside it could not be written: {markSaid}",
  "unlock-failed": "unlocking {name} failed: {said}",
  "unlock-failed-unmarked": "unlocking {name} failed: {said}; the mark of that could not be written: {markSaid}",
  "mark-empty": "a write failed; the mark beside the ledger does not say why",
  "mark-unreadable": "a write failed, and why cannot be read: {said}",
  /** Written by hand, or by a version that wrote words. */
  "mark-foreign": "{said}",
  "file-replaced": "{name} was moved or replaced",
  "mark-unread": "whether {name} takes writes cannot be read: {said}",
  "reading-alone": "it was opened for reading alone",
} as const;

/** Why a server did not do what it was asked. */
export const SERVER_WORDS = {
  closed: "{name}: the ledger is closed",
  "connection-lost": "{name}: the connection was lost",
  unreachable: "{name}: {said}",
  untrusted: "{name}: {said}",
  "server-said": "{name}: {said}",
  "doubt-open": "{name}: a commit is in doubt, and the server's process behind it does not end",
  "version-old": "{name}: server_version is {version}, and at least {min} is needed",
  "fsync-off": "{name}: fsync is off: the server would lose commits in a power cut",
  "full-page-writes-off": "{name}: full_page_writes is off: a power cut could tear a page",
  "commit-not-durable": "{name}: synchronous_commit is {setting}, and the session cannot set it",
  standby: "{name}: pg_is_in_recovery is true: the server is a standby and takes no writes",
  "session-pooled":
    "{name}: a connection pooler gives each transaction another session, and no setting or lock of a session holds",
  "owner-lock-taken": "{name}: another connection holds the lock of this process",
  "session-read-only": "{name}: default_transaction_read_only is on: the session takes no writes",
} as const;

/** Why a location holds no ledger. */
export const ABSENT_WORDS = {
  "no-folder": "{name} cannot be opened: its folder is not there",
  "no-file": "{name} cannot be opened: there is no such file",
  "no-ledger": "{name} holds no ledger",
} as const;

/** Why a ledger that is there, or was to be made, is not used. */
export const UNUSABLE_WORDS = {
  ...SERVER_WORDS,
  "url-scheme": "the url of a ledger on PostgreSQL begins with postgres://",
  "url-unreadable": "the url of the ledger cannot be read",
  "folder-unmade": "the folder of {name} cannot be made: {said}",
  busy: "{name} cannot be opened: another process holds its lock",
  "not-plain": "{name} is not a plain file",
  "not-sqlite": "{name} cannot be opened: it is damaged, or no SQLite file: {said}",
  denied: "{name} cannot be opened: it or its folder may not be used so: {said}",
  "system-said": "{name} cannot be opened: {said}",
  "read-failed": "the ledger cannot be read: {said}",
  "foreign-file": "{name} cannot be opened: it is a SQLite file of another program",
  "newer-format": "{name}: its format is {format}, and this Dedalus knows formats up to {known}: use a newer Dedalus",
  "tables-differ": "{name}: its tables are not those of format {known}",
  "setting-broken": "{name}: {setting} is {value} and must be {needed}",
  "tables-unmade": "{name}: the ledger's tables cannot be made: {said}",
  "table-unlogged": "{name}: the table {table} is UNLOGGED and would not survive a crash",
} as const;

export const UNTRUSTED_WORDS = {
  untrusted: SERVER_WORDS.untrusted,
  "tls-off": "TLS verification cannot be turned off (B4): say sslmode=verify-full",
  "tls-contradicted": "the url turns TLS off, and tls asks for it (B4)",
  "connection-plain": "{host} is not this machine, and the connection would not be encrypted (B4)",
} as const;

/** Why a record was not written, or why nobody knows whether it was. */
export const UNWRITTEN_WORDS = {
  ...READ_ONLY_WORDS,
  ...SERVER_WORDS,
  "lock-held": "another process holds the write lock of {name}; nothing was written",
  sealed: "record {seq} seals this ledger; it goes on at another location",
  closing: "the ledger is closing",
  damaged: "the ledger is damaged ({flaw}); verifying it names the record",
  "read-failed": "the ledger cannot be read: {said}",
  unfit: "it cannot be put on record: {said}",
} as const;

/** Why a verification key is none. */
export const VKEY_WORDS = {
  "key-form": "the verification key is not name+id+key",
  "key-name": "the name of the verification key has white space",
  "key-type": "the verification key is not an Ed25519 key in base64",
  "key-id": "the id of the verification key does not belong to its name and key",
} as const;

/** Why a note or the key that it is checked with proves nothing. */
export const NOTE_WORDS = {
  ...VKEY_WORDS,
  "note-characters": "it has characters that no note has",
  "note-form": "it is not origin, size, root, an empty line and signatures",
  "note-values": "its origin, size or root is malformed",
  "note-signature-form": "a signature line is not — name base64",
  "origin-differs": "its origin is {origin}, the key's {name}",
  unsigned: "{name} has not signed it",
  "signature-broken": "the signature of {name} is not valid",
} as const;

/** Why a proof file proves nothing. */
export const PROOF_WORDS = {
  ...NOTE_WORDS,
  ...RECORD_FLAWS,
  "proof-form": "it is not a proof of the form {form} with its record",
  "path-broken": "its path does not lead from record {seq} to the root of {size:record|records}",
  "seq-differs": "its record says seq {seqThere}, its place is {seq}",
} as const;

/** Why nothing more can be appended to an anchor, although the system reported no error. */
export const ANCHOR_UNFIT_WORDS = {
  replaced: "another file is in its place",
  shortened: "it was shortened while it was in use",
  "end-foreign": "it ends with what is no note",
  "other-writer": "another process writes to it",
  "written-short": "only {written} of {bytes} bytes were taken: the disk may be full",
  "notes-lost": "it lost notes while it was in use",
  lost: "it is not the anchor that it was: {code}",
} as const;

/** Why a note could not be put into the anchor: what became of the file, or what the system said. */
export const ANCHOR_FAILED_WORDS = { ...ANCHOR_UNFIT_WORDS, ...FILE_WORDS } as const;

/** What an operator may want to hear of a saved state; nothing of it keeps a ledger from being used. */
export const SAVED_STATE_WORDS = {
  unreadable: "the saved state is not used: it cannot be read: {said}",
  "signature-foreign": "the saved state is not used: its signature is not of this ledger's key",
  "head-unreadable": "the saved state is not used: its head cannot be read",
  "format-differs": "the saved state is not used: its format is {format}, and this Dedalus writes {known}",
  "end-differs": "the saved state is not used: record {seq} is not the one that it ends with",
  "ledger-shorter": "the saved state is not used: it speaks of {size:record|records}, and the ledger has fewer",
  "code-differs": "the saved state is not used: another version of Dedalus wrote it",
  "state-altered": "the saved state is not used: its state is not the one that was signed",
  "checkpoint-unknown": "the saved state does not know every checkpoint of the anchor: the whole ledger was read",
  behind: "the saved state is {records:record|records} behind; they were folded",
  unwritten: "the saved state could not be written: {said}",
} as const;

/** Why the key that signs checkpoints cannot be used. */
export const KEY_WORDS = {
  absent: "{file}: the key file does not exist",
  unusable: "{file}: the key file holds no Ed25519 key",
  ...after("{file}: the key file cannot be read: ", FILE_WORDS),
} as const;
