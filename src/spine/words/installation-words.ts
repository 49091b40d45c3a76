// The words of an examined installation: what is checked, and what was found, by code.
//
// Apart from the words of refusals: a finding that is well has none. Not here: what an adapter finds of its provider, which
// has words of its own (adapters/examination.ts).

export const CHECK_WORDS = {
  anchor: "anchor",
  applying: "applying in {environment}",
  caller: "caller",
  desired: "desired file of {environment}",
  files: "files of the ledger",
  ledger: "ledger",
  policy: "policy of {environment}",
  provider: "provider of {environment}",
  records: "records",
  secrets: "secret files",
  "signing-key": "signing key",
  unchecked: "anchor and ledger",
} as const;

export const FOUND_WORDS = {
  "anchor-lost": "{file}",
  "anchor-unused": "{file}, no checkpoint yet",
  "anchor-used": "{file}, {checkpoints:checkpoint|checkpoints}, the last over {records:record|records}",
  applies: "every step from here; approved first: {approved}; refused by the policy: {refused}",
  "applies-nothing-here":
    "nothing from here: {approval} is approved and applied through a service, and this is the local door",
  "applies-nothing-observed": "nothing: there is no credential to apply with, so it is only observed",
  "applies-nothing-recorded":
    "nothing: {adapter} shows a recorded observation, which is planned from and never applied to",
  "caller-known": "{actor} ({kind}, {roles})",
  "caller-unknown": "nobody",
  "desired-bad": "{file}",
  "desired-read": "{file}, {vms:VM|VMs}",
  "files-there": "{count} there",
  "key-read": "{file}, public half {key}",
  "key-unread": "{file}",
  "ledger-absent": "none yet; its first record makes it",
  "ledger-fits": "{name}, {records:record|records}, fits its anchor",
  "ledger-fits-again": "{name}, {records:record|records}, fits its anchor; {reAnchored}",
  "ledger-unanchored": "{name}, {records:record|records}, held against nothing: its anchor is lost",
  "ledger-unbelieved": "not looked at: its anchor cannot be believed",
  "ledger-unopened": "{engine}",
  "ledger-unread": "{name}",
  "no-key": "not looked at: without the key nothing can be checked",
  "policy-loose": "it tightens nothing",
  "policy-tightens": "{tightens}",
  "provider-asked": "{adapter}, {vms:VM|VMs} {source}",
  "provider-none": "{adapter}: there is no provider to ask",
  "provider-unconfigured": "not configured",
  "provider-unopened": "{adapter}",
  "records-broken": "{findings} of {records} do not hold, the first is {seq}",
  "records-whole": "{records}, each linked to the one before",
  "secrets-named": "{count} named",
  "secrets-wanted": "{count} named, not there yet: {absent}",
} as const;
