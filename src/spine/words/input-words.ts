// The words of the refusals in rules/input-refusals.ts. Sentences for people: nothing is decided or recognised by them.

import { EXPECTATIONS, FOUND, FOUND_MEANT, FOUND_UNQUOTED, forEach } from "./expectation-words.ts";
import type { RefusalWords } from "./template.ts";
import { MALFORMED_WORDS } from "./text-words.ts";

/** What does not fit for a reason of its own, and what to do about it. */
const UNFIT = {
  "secret-twice": "two places for one secret",
  "tls-pinned": "a ledger's server is not verified by a fingerprint",
  "protected-false": "found {found}; expected true",
  "no-environment": "no environment is written; expected at least one",
  "stated-unfit": "it is not a code of the table with its facts",
  "environment-name-key": `an environment's name that is not allowed; expected ${EXPECTATIONS["environment-name"]}`,
  "no-node": "no node is written; expected at least one",
  "when-not-one": "a fault says when in {count:way|ways}; expected one of {words}",
  "settings-key": "a key that no configuration has; expected small letters, digits and underscores",
  "ct-ram": "a container has no memory that a snapshot could keep",
  "snapshot-twice": "a snapshot is written twice",
  "node-twice": "node {name} is written twice",
  "said-by-config": "{key} is said by config already",
  "gaps-of-complete": "a complete look has no gaps",
  "resize-empty": "a resize names cpus, memory or both",
  "refusals-empty": "a refused plan has a refusal",
  "because-of-applicable": "an applicable plan has no because",
} as const;
const UNKNOWN_KEYS = {
  listed: "{key} is not a key here",
  meant: "{key} is not a key here",
  "hushed-listed": "a key that is not known here",
  "hushed-meant": "a key that is not known here",
  "other-variant": "{key} belongs to {by}: {owners}, and this is {by}: {word}",
  "not-with": "it does not go with {when}, which has a {what}",
  "not-a-fact": "this is not the name of a fact",
} as const;
const ALLOWED = "Write an allowed value.";
const MEANT = "Write {meant}, if that is meant.";
const AMOUNTS = { age: FOUND.age, amount: FOUND.amount } as const;
const EXACT = "Use KiB, MiB, GiB or TiB, or plain bytes.";

export const INPUT_WORDS = {
  usage: {
    summary: "Command not understood",
    why: "A command that is half understood is not run.",
    next: "Use the words that --help lists.",
  },
  "contract-broken": {
    summary: "Contract differs from the code",
    because: "the text of DESIGN.md is not the one this code was built for",
    why: "DESIGN.md says what this system will never do; when its text is not the one this code was built for, no promise holds.",
    next: "Restore DESIGN.md, or follow the recipe 'change a rule' in CONTRIBUTING.md.",
  },
  "file-unreadable": {
    summary: "File cannot be read",
    why: "Nothing is assumed of a file that cannot be read.",
    next: "Check the path and its permissions.",
  },
  "file-unwritable": {
    summary: "File cannot be written",
    why: "What could not be written whole is not written at all.",
    next: "Check the folder, its permissions and the space on the disk.",
  },
  "file-exists": {
    summary: "File exists already",
    why: "Nothing that somebody wrote is overwritten.",
    next: "Choose another folder or path, or move the file away.",
  },
  "file-too-large": {
    summary: "File is too large",
    because: {
      larger: "it has more than {max} bytes",
      size: "it has {bytes} bytes, and {max} is the limit",
    },
    why: "A file past the limit is more likely a mistake than a wish.",
    next: "Make the file smaller, or split it by environment.",
  },
  "file-empty": {
    summary: "File is empty",
    because: {
      nothing: "there is nothing in it",
      blanks: "nothing but blanks",
      comments: "nothing but blanks and comments",
    },
    why: "An empty file is not an empty wish.",
    next: "Give a file that says something; 'dedalus init' writes examples of desired.yaml and dedalus.yaml.",
  },
  "text-malformed": {
    summary: "Text is not well-formed",
    because: MALFORMED_WORDS,
    why: "What cannot be parsed is not guessed.",
    next: "Mend the text at this position.",
  },
  "problems-many": {
    summary: "More problems than are listed",
    because: {
      "broken-off": "more than {max} mistakes; nothing behind this was read",
      listed: "{max} are listed, and there are more from here on",
    },
    why: "Nobody reads the thousandth, and a text full of mistakes is not the text that was meant.",
    next: "Mend what is listed, or give the file that was meant.",
  },
  "text-aliased": {
    summary: "Anchor, alias or tag used",
    because: { "merge-key": "a merge key", mark: "an anchor, an alias or a tag" },
    why: "A line must mean what it says where it stands.",
    next: "Write the value out.",
  },
  "key-duplicate": {
    summary: "Key written twice",
    because: {
      "in-line": "the key stands in line {firstLine} already",
      "in-object": "this key stands in the same object already",
    },
    why: "Two values for one key leave open which is meant.",
    next: "Keep one of them.",
  },
  "key-unknown": {
    summary: "Key not known",
    because: UNKNOWN_KEYS,
    why: "A misspelt key would be silently lost.",
    next: {
      ...forEach(UNKNOWN_KEYS, "Use a known key, or remove it."),
      "hushed-listed": "The keys here are {known}.",
      "hushed-meant": "Write {meant}, if that is meant, or remove it.",
      listed: "The keys here are {known}.",
      meant: "Write {meant}, if that is meant, or remove it.",
    },
  },
  "key-missing": {
    summary: "Key missing",
    because: {
      absent: "{key} is not written",
      "secret-place": "neither env nor file is written",
    },
    why: "There are no defaults where a wrong guess costs something.",
    next: "Add the key.",
  },
  "type-wrong": {
    summary: "Value of the wrong type",
    because: { ...FOUND, ...FOUND_UNQUOTED },
    why: "Values are not converted.",
    next: {
      ...forEach(FOUND, "Write a value of the type that is expected."),
      ...forEach(FOUND_UNQUOTED, "Write it in quotes, as a text."),
    },
  },
  "value-wrong": {
    summary: "Value not allowed",
    because: { ...FOUND, ...FOUND_MEANT, ...UNFIT },
    why: "Values outside what is documented are not rounded or clipped.",
    next: {
      ...forEach(FOUND, ALLOWED),
      ...forEach(FOUND_MEANT, MEANT),
      ...forEach(UNFIT, ALLOWED),
      "amount-meant": "Write {meant}, if that is meant, or the number of bytes.",
      "protected-false": "Remove the key: nothing takes protection away.",
      "said-by-config": "Write it in the text.",
      "secret-twice": "Keep env or file.",
      "tls-pinned":
        "Write verify: system, or verify: ca with the file of the authority, which may be the certificate itself.",
    },
  },
  "unit-unknown": {
    summary: "Unit not known",
    because: {
      ...AMOUNTS,
      "age-meant": FOUND.age,
      "amount-meant": FOUND.amount,
      "memory-option": "--memory takes a size such as 2GiB, and {found} is none",
    },
    why: "GB means two different numbers to two people.",
    next: {
      age: "Write the unit: s, min or h.",
      "age-meant": MEANT,
      amount: EXACT,
      "amount-meant": "Write {meant}, if that is meant, or the number of bytes.",
      "memory-option": EXACT,
    },
  },
  "version-unknown": {
    summary: "Format version not known",
    because: { version: FOUND.version },
    why: "A file of another version may mean something else.",
    next: "Use version 1, or a Dedalus that knows this version.",
  },
  "vmid-duplicate": {
    summary: "VM written twice",
    because: {
      "in-line": "vmid {number} stands in line {firstLine} already",
      twice: "vmid {number} is written twice",
      wishes: "vmid {vmid} has two wishes",
    },
    why: "One vmid with two wishes has no certain meaning.",
    next: "Keep one entry for each vmid.",
  },
  "stop-unsaid": {
    summary: "How to stop is not said",
    because: "the entry says target: stopped and not how to stop",
    why: "Asking a guest to shut down and cutting its power are two decisions, and neither is a default.",
    next: "Add stop: shutdown or stop: power-off to the entry.",
  },
  "stop-idle": {
    summary: "A way to stop without a wish to stop",
    because: "the entry says how to stop and target: running",
    why: "An entry that says how to stop a VM that should run is two wishes.",
    next: "Remove stop, or write target: stopped.",
  },
  "action-unknown": {
    summary: "Action not in the catalogue",
    because: {
      action: FOUND.action,
      "action-meant": FOUND.action,
      "not-an-action": "{found} is not an action",
      unperformed: "no adapter of this version performs {action}",
      word: FOUND.word,
    },
    why: "Only the typed actions of the catalogue exist; nothing is passed through.",
    next: {
      action: "The actions are {actions}.",
      "action-meant": MEANT,
      "not-an-action": "Use an action of the catalogue.",
      unperformed: "Use an action of the catalogue.",
      word: "Use an action of the catalogue.",
    },
  },
  "secret-inline": {
    summary: "Secret written into configuration",
    because: {
      address: "an address with a user or a password in it",
      key: "a key that holds a secret, with its value",
      "key-file": "a value where the place of a secret is expected",
      value: "a value where the place of a secret is expected",
    },
    why: "Configuration is read, hashed and shown; a secret in it would leak.",
    next: {
      address: "Write the address alone; credentials name the secret's place.",
      key: "Write where the secret is: { env: NAME } or { file: PATH }.",
      "key-file": "Write the path of the key file, never the key.",
      value: "Write where the secret is: { env: NAME } or { file: PATH }.",
    },
  },
  "secret-open": {
    summary: "Secret file is open to others",
    because: "{file} can be read by others than its owner",
    why: "A secret that other users can read is not one.",
    next: "Run: chmod 600 {file:shell}",
  },
  "file-open": {
    summary: "File is open to others",
    why: "The ledger tells who did what to which machine; that is its owner's alone.",
    next: "Give the file to its owner alone: chmod 600.",
  },
  "file-held": {
    summary: "File keeps writers out",
    why: "The ledger can be read and takes no record while a file of it may not be written.",
    next: "Give the file to the ledger's owner.",
  },
  "credential-shared": {
    summary: "Credential named by two environments",
    because: "it names a credential of {other}",
    why: "A credential that serves two environments lets one reach into the other.",
    next: "Make a credential for each environment.",
  },
  "tls-off": {
    summary: "TLS verification turned off",
    because: {
      address: "an address whose connection would not be verified",
      off: "verification is turned off",
      switch: "a key that turns verification off or on; there is no such switch",
    },
    why: "Whoever answers an unverified connection could be anybody.",
    next: {
      address: "Use an address that is verified, such as https.",
      off: "Use verify: system, verify: ca with a file, or verify: pinned with a fingerprint.",
      switch: "Use verify: system, verify: ca with a file, or verify: pinned with a fingerprint.",
    },
  },
  "node-unpinned": {
    summary: "Another Node than the pinned one",
    why: "The same bytes are promised on the Node that the tests ran on.",
    next: "Run make setup, and start Dedalus with bin/dedalus.",
  },
  "adapter-unavailable": {
    summary: "Adapter is not available",
    why: "An environment whose place cannot be reached by this version is neither looked at nor changed.",
    next: "Use an adapter of this version, or a version that has this one.",
  },
  "place-unreachable": {
    summary: "Place does not answer",
    why: "What cannot be asked is not known, and nothing is planned on it.",
    next: "Check the address, the network, and that the place runs.",
  },
  "place-untrusted": {
    summary: "Place is not the one that is trusted",
    why: "No token is shown to a stranger.",
    next: "Correct tls in the configuration, after comparing with the place itself.",
  },
  "place-unready": {
    summary: "Place lacks something that Dedalus needs",
    why: "What it lacks would show later as unknown, or as a call that is refused.",
    next: "Mend it at the place.",
  },
  "port-unusable": {
    summary: "Port cannot be used",
    because: {
      denied: "port {port} may not be used by this user",
      taken: "port {port} is taken by another program",
    },
    why: "What listens elsewhere than it was told is not found.",
    next: "Choose another port, or leave it out to have any free one.",
  },
  "action-duplicate": {
    summary: "Action written twice",
    because: "{action} stands in line {firstLine} already",
    why: "Two lines for one action leave open which is meant.",
    next: "Keep one line for each action.",
  },
  "policy-loosens": {
    summary: "Policy would loosen",
    because: {
      key: "a key for something that a policy cannot do",
      level: FOUND["policy-level"],
      lower: "{action} is {tier} by the rules, and {to} would be less",
    },
    why: "A policy refuses an action or asks for more agreement; it has no word that allows, chooses or asks for less.",
    next: "Write refused or a higher tier, or remove it.",
  },
  "plan-altered": {
    summary: "Plan differs from its hash",
    because: {
      plan: "the plan is not the one that was hashed",
      step: "the step of VM {vmid} is not the one that was hashed",
      verdict: "the verdict is not the one that this plan gets",
    },
    why: "A plan that was changed after it was made is nobody's decision.",
    next: "Plan again from the inputs.",
  },
  "plan-of-other-rules": {
    summary: "Plan made under other rules",
    because: {
      policy: "the plan stands on another policy than this one",
      rules: "the plan was made under rules {plan}, and these are rules {here}",
    },
    why: "The same inputs would be judged differently by this version.",
    next: "Plan again with this version.",
  },
} as const satisfies Readonly<Record<string, Omit<RefusalWords, "because"> & Partial<Pick<RefusalWords, "because">>>>;
