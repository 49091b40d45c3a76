// The words of the refusals of input (rules/refusal-table.ts). Sentences for people: nothing is decided or recognised
// by them.

import { FOUND, MEANT } from "../causes/expectation-words.ts";
import type { RefusalWords } from "../template.ts";
import { FORMAT_WORDS } from "./format-words.ts";
import { USAGE_WORDS } from "./usage-words.ts";

/** What keeps writers out of a file of the ledger. */
const HELD = {
  foreign: "{file} belongs to somebody else than the ledger does",
  special: "{file} is not a plain file",
  unwritable: "{file} may not be written",
} as const;
const REMOVE_INDEX = "End every Dedalus that uses this ledger, then remove the file; it is made anew.";
const OWN_RECORDS = "Give the file to whom the ledger belongs.";
/** Of any provider; who knows which adapter it was says more in the words of that one. */
const CHECKED = "the check {check} found {finding}";

const OTHER_PORT = "Choose another port, or leave it out to have any free one.";
const OTHER_LISTEN = "Name another port as service.listen in dedalus.yaml, such as 127.0.0.1:7401.";

export const INPUT_WORDS = {
  ...FORMAT_WORDS,
  ...USAGE_WORDS,
  "contract-broken": {
    summary: "Contract differs from the code",
    because: "the text of DESIGN.md is not the one this code was built for",
    why: "DESIGN.md says what Dedalus never does; when it is not the text this code was built for, nothing can be promised.",
    next: "Restore DESIGN.md, or follow the recipe 'change a rule' in CONTRIBUTING.md.",
  },
  "vmid-duplicate": {
    summary: "VM written twice",
    because: {
      "in-line": "vmid {number} is already in line {firstLine}",
      twice: "vmid {number} is written twice",
      entries: "vmid {vmid} has two entries",
    },
    why: "One vmid with two entries has no certain meaning.",
    next: "Keep one entry for each vmid.",
  },
  "stop-unsaid": {
    summary: "`stop` is missing on a VM that should be stopped",
    because: "the entry says target: stopped and not how to stop",
    why: "Asking a guest to shut down and cutting its power are two decisions, and neither is a default.",
    next: "Add stop: shutdown or stop: power-off to the entry.",
  },
  "stop-idle": {
    summary: "`stop` is set on a VM that should run",
    because: "the entry says how to stop and target: running",
    why: "An entry that says how to stop a VM that should run contradicts itself.",
    next: "Remove stop, or write target: stopped.",
  },
  "action-unknown": {
    summary: "Action not in the catalogue",
    because: {
      action: FOUND.action,
      "action-meant": FOUND.action,
      "not-an-action": "{found:as foundAs} is not an action",
      "not-an-action-meant": "{found:as foundAs} is not an action",
      unperformed: "no adapter of this version performs {action}",
      word: FOUND.word,
    },
    why: "Only the typed actions of the catalogue exist; nothing is passed through.",
    next: {
      action: "The actions are {actions:written}.",
      "action-meant": MEANT,
      "not-an-action": "Use an action of the catalogue.",
      "not-an-action-meant": "Did you mean {meant}?",
      unperformed: "Use an action of the catalogue.",
      word: "Use an action of the catalogue.",
    },
  },
  "secret-inline": {
    summary: "Secret written in plain text",
    because: {
      address: "an address with a user or a password in it",
      argument: "an address with a password in it, on the command line",
      key: "a key that holds a secret, with its value",
      webhook: "an address that is a secret itself: whoever has it may post there",
      "key-file": "a value where the provider of a secret is expected",
      value: "a value where the provider of a secret is expected",
    },
    why: "Configuration and command lines are read, shown and kept; a secret in them would leak.",
    next: {
      address: "Write the address alone; credentials name the secret's place.",
      argument: "Write the address alone, and the secret where an option names its place (…-env NAME or …-file FILE).",
      key: "Write where the secret is: { env: NAME } or { file: PATH }.",
      "key-file": "Write the path of the key file, never the key.",
      webhook: "Write where the address is: { env: NAME } or { file: PATH }.",
      value: "Write where the secret is: { env: NAME } or { file: PATH }.",
    },
  },
  "secret-open": {
    summary: "Secret file is open to others",
    because: "{file} can be read by others than its owner",
    why: "A secret that other users can read is not one.",
    next: "Close the file to others.",
  },
  "file-open": {
    summary: "File is open to others",
    because: "{file} can be read by others than its owner",
    why: "The ledger tells who did what to which machine; that is its owner's alone.",
    next: "Close the file to others.",
  },
  "file-held": {
    summary: "File keeps writers out",
    because: {
      folder: "{file} may not be written to",
      "index-foreign": HELD.foreign,
      "index-special": HELD.special,
      "index-unwritable": HELD.unwritable,
      "records-foreign": HELD.foreign,
      "records-special": HELD.special,
      "records-unwritable": HELD.unwritable,
    },
    why: "The ledger can be read and takes no record while a file of it may not be written.",
    next: {
      folder: "Give the folder to whom the ledger belongs.",
      "index-foreign": REMOVE_INDEX,
      "index-special": REMOVE_INDEX,
      "index-unwritable": REMOVE_INDEX,
      "records-foreign": OWN_RECORDS,
      "records-special": OWN_RECORDS,
      "records-unwritable": OWN_RECORDS,
    },
  },
  "credential-shared": {
    summary: "Credential named by two environments",
    because: "it names a credential of {other}",
    why: "A credential that serves two environments lets one reach into the other.",
    next: "Make a credential for each environment.",
  },
  "secret-shared": {
    summary: "Secret used in two places",
    because: {
      environments: "{environment} and {other} use the same value",
      service: "{environment} and the service itself use the same value",
    },
    why: "A credential that serves two environments lets one reach into the other.",
    next: "Make another credential, and keep one for each environment.",
  },
  "tls-off": {
    summary: "TLS verification turned off",
    because: {
      address: "an address whose connection would not be verified",
      listen: "the service would listen beyond this machine without TLS",
      off: "verification is turned off",
      server: "a service that is not on this machine would be asked without TLS",
      "service-off": "the TLS of the service is turned off",
      switch: "a key that turns verification off or on; there is no such switch",
    },
    why: "Whoever answers an unverified connection could be anybody.",
    next: {
      address: "Use an address that is verified, such as https.",
      listen: "Name tls: { certificate: PATH, key: PATH }, or listen on 127.0.0.1.",
      off: "Use verify: system, verify: ca with a file, or verify: pinned with a fingerprint.",
      server: "Use its https address.",
      "service-off": "Write tls: { certificate: PATH, key: PATH }, or leave tls out and listen on 127.0.0.1.",
      switch: "Use verify: system, verify: ca with a file, or verify: pinned with a fingerprint.",
    },
  },
  "node-unpinned": {
    summary: "Not the pinned version of Node",
    because: "this is Node {running}, and {pinned} is pinned",
    why: "The same bytes are promised on the Node that the tests ran on.",
    next: "Run make setup, and start Dedalus with bin/dedalus.",
  },
  "adapter-unavailable": {
    summary: "No credential to apply with",
    because: "environment {environment} has no credential to apply with",
    why: "Observing and applying have a credential each, so that whoever may observe cannot change anything.",
    next: "Add credentials.apply to it.",
  },
  "inventory-unavailable": {
    summary: "Nothing to list",
    because: "the {adapter} adapter of {environment} cannot list what is there",
    why: "Only a provider itself knows what it has; a recorded observation shows what was asked for.",
    next: "Name an environment with a live adapter, or write desired.yaml by hand.",
  },
  "certificate-unconfirmed": {
    summary: "Certificate not confirmed",
    because: {
      declined: "the fingerprint of {url} was not confirmed",
      nobody: "no terminal: pass the fingerprint of {url}, which shows {shown}",
      other: "{url} shows the fingerprint {shown}, and {expected} was given",
    },
    why: "A token is sent only to a provider whose certificate is trusted.",
    next: {
      declined: "Compare it with the provider's own, and try again.",
      nobody: "Compare it with the provider's own, then name it, and the variables that will hold the tokens.",
      other: "Find out who answers there before you trust it.",
    },
  },
  "provider-unreachable": {
    summary: "Provider does not answer",
    because: CHECKED,
    why: "What cannot be asked is not known, and nothing is planned on it.",
    next: "Check the address, the network, and that the provider runs.",
  },
  "provider-untrusted": {
    summary: "Provider's certificate is not trusted",
    because: CHECKED,
    why: "A token is sent only to a provider whose certificate is trusted.",
    next: "Correct tls in the configuration, after comparing with the provider itself.",
  },
  "provider-unready": {
    summary: "Provider lacks something that Dedalus needs",
    because: CHECKED,
    why: "What it lacks would show later as unknown, or as a call that is refused.",
    next: "Mend it at the provider.",
  },
  "certificate-unusable": {
    summary: "Certificate is not usable",
    because: {
      malformed: "{file} or its key is not a valid PEM file",
      mismatch: "{file} is not the certificate of the key that is named beside it",
    },
    why: "Beyond this machine the service is reached through TLS alone.",
    next: "Name a certificate and its key as PEM files under service.tls.",
  },
  "port-unusable": {
    summary: "Port cannot be used",
    because: {
      denied: "port {port} may not be used by this user",
      "service-denied": "port {port} may not be used by this user",
      "service-taken": "port {port} is taken by another program, which may be a service that runs already",
      taken: "port {port} is taken by another program",
    },
    why: "Clients look for it at the port that was named.",
    next: {
      denied: OTHER_PORT,
      "service-denied": OTHER_LISTEN,
      "service-taken": OTHER_LISTEN,
      taken: OTHER_PORT,
    },
  },
  "action-duplicate": {
    summary: "Action written twice",
    because: {
      action: "{action} is already in line {firstLine}",
      "action-whom": "{action} for {whom} is already in line {firstLine}",
      every: "every action is already in line {firstLine}",
      "every-whom": "every action for {whom} is already in line {firstLine}",
    },
    why: "Two lines for one action leave open which is meant.",
    next: "Keep one line for each action and subject.",
  },
  "policy-loosens": {
    summary: "Policy would loosen",
    because: {
      key: "a key for something that a policy cannot do",
      level: "found {found:as foundAs}; expected refused or a tier that somebody must agree to",
      lower: "{action} is {tier} by the rules, and {to} would be less",
    },
    why: "A policy refuses an action or asks for more agreement; it has no word that allows, chooses or asks for less.",
    next: "Write refused or a higher tier, or remove it.",
  },
  "plan-altered": {
    summary: "Plan differs from its hash",
    because: {
      plan: "the plan is not the one that was hashed",
      recorded: "plan {plan} is recorded with another hash than the file has",
      step: "the step of VM {vmid} is not the one that was hashed",
      verdict: "the verdict is not the one that this plan gets",
    },
    why: "A plan that was changed after it was made is not the one that was judged.",
    next: "Plan again from the inputs.",
  },
  "plan-of-other-rules": {
    summary: "Plan made under other rules",
    because: {
      policy: "the plan was made under another policy",
      rules: "the plan was made under rules {plan}, and these are rules {here}",
    },
    why: "The same inputs would be judged differently by this version.",
    next: "Plan again with this version.",
  },
} as const satisfies Readonly<Record<string, RefusalWords>>;
