// The words of what is wrong with stored data, by cause: findings of a verification, and damage that a reader meets.
//
// Apart from the words of refusals, because a finding is one of many and has no rule of its own. Not here: what kind of
// finding it is (ledger/verify), the refusal that the first of them becomes (ledger-words.ts).

/** Of one record, whose seq is told beside it. */
export const RECORD_FLAWS = {
  "line-missing": "the line is missing",
  "no-bytes": "{column} holds no bytes",
  "page-damaged": "{said}",
  "too-long": "it has {bytes} bytes, more than {max}",
  "not-utf8": "it is not UTF-8",
  "not-an-object": "it is not a JSON object",
  "other-format": "its format is {format}; this version of Dedalus reads {known}",
  "not-canonical": "it leaves the canonical form at byte {byte}",
  "field-no-actor": "{field} must be an id, a kind (person, agent or kernel) and roles",
  "field-no-hash": "{field} must be 64 lower-case hex digits",
  "field-no-hashes": "{field} must be a list of SHA-256 hashes",
  "field-no-instant": "{field} must be an RFC 3339 time in UTC with milliseconds",
  "field-no-object": "{field} must be an object",
  "field-no-size": "{field} must be a whole number from 0 on",
  "field-no-text": "{field} must be a text",
  "field-no-ulid": "{field} must be a ULID",
  "field-no-version": "{field} must be {known}",
  "field-unknown": "{field} is no field of a record",
  "not-ended": "it does not end as a record does",
  "body-unfit": "its body is not one that its kind has",
  "out-of-order": "its seq is {seqThere} where {size} belongs",
  "first-link-broken": "its prev is {prev}, but the first record has {hash}",
  "link-broken": "its prev is {prev}, but the hash of record {before} is {hash}",
  "head-differs": "its hash is {hash}, but the head says {headHash}",
  "root-differs": "the root of the first {size:record|records} is {root}, the checkpoint says {signed}",
  "behind-checkpoint": "a signed checkpoint covers {covered:record|records}, and the ledger has {size}",
  "behind-saved-state": "a signed saved state covers {covered:record|records}, and the ledger has {size}",
  "shorter-than-known": "this process has read {covered:record|records}, and the ledger has {size}",
  "known-end-differs": "it is not the one that this process has read there",
  "past-checkpoint": "the checkpoint covers {covered:record|records}, there are {size}",
  "saved-state-end-differs": "it is not the one that a signed saved state ends with",
  torn: "the last line has no line feed after its {bytes} bytes",
  "blob-missing": "blob {digest} is not there",
  "blob-differs": "blob {digest} holds other bytes",
  "key-unlisted": "its key is not among the used keys",
  "key-misplaced": "its key is said to be of record {other}",
  "key-of-other-request": "its key is said to be of another request",
  "key-stray": "key {key} of {caller} is not that record's",
  "key-unreadable": "its key cannot be read",
  "request-unreadable": "the request of its key is no SHA-256",
  "copy-mark-stray": "a copy is marked as {mark} there",
  "copy-differs": "the copy does not read back as it was written",
  "copy-head-differs": "the copy's head is not the source's",
  unprovable: "it cannot be proven: {flaw}",
} as const;

/** Of what stands beside the records. */
export const STORE_FLAWS = {
  "head-unreadable": "the head cannot be read",
  "not-a-seq": "{value} is no seq",
  "column-empty": "{column} holds no bytes",
  "store-damaged": "{said}",
  "blob-altered": "blob {digest} does not hold the bytes of its name",
  "file-missing": "{file} is not there",
  "tile-differs": "{file} is not the tree's",
  "blob-file-altered": "{file} does not hold the bytes of its name",
} as const;

export const FLAW_WORDS = { ...RECORD_FLAWS, ...STORE_FLAWS } as const;
