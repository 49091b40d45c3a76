// The words of the refusals in rules/input-refusals.ts. Sentences for people: nothing is decided or recognised by them.

import type { RefusalWords } from "./template.ts";

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
    why: "A file past the limit is more likely a mistake than a wish.",
    next: "Make the file smaller, or split it by environment.",
  },
  "file-empty": {
    summary: "File is empty",
    why: "An empty file is not an empty wish.",
    next: "Give a file that says something; 'dedalus init' writes examples of desired.yaml and dedalus.yaml.",
  },
  "text-malformed": {
    summary: "Text is not well-formed",
    why: "What cannot be parsed is not guessed.",
    next: "Mend the text at this position.",
  },
  "problems-many": {
    summary: "More problems than are listed",
    why: "Nobody reads the thousandth, and a text full of mistakes is not the text that was meant.",
    next: "Mend what is listed, or give the file that was meant.",
  },
  "text-aliased": {
    summary: "Anchor, alias or tag used",
    why: "A line must mean what it says where it stands.",
    next: "Write the value out.",
  },
  "key-duplicate": {
    summary: "Key written twice",
    why: "Two values for one key leave open which is meant.",
    next: "Keep one of them.",
  },
  "key-unknown": {
    summary: "Key not known",
    why: "A misspelt key would be silently lost.",
    next: "Use a known key, or remove it.",
  },
  "key-missing": {
    summary: "Key missing",
    why: "There are no defaults where a wrong guess costs something.",
    next: "Add the key.",
  },
  "type-wrong": {
    summary: "Value of the wrong type",
    why: "Values are not converted.",
    next: "Write a value of the type that is expected.",
  },
  "value-wrong": {
    summary: "Value not allowed",
    why: "Values outside what is documented are not rounded or clipped.",
    next: "Write an allowed value.",
  },
  "unit-unknown": {
    summary: "Unit not known",
    why: "GB means two different numbers to two people.",
    next: "Use KiB, MiB, GiB or TiB, or plain bytes.",
  },
  "version-unknown": {
    summary: "Format version not known",
    why: "A file of another version may mean something else.",
    next: "Use version 1, or a Dedalus that knows this version.",
  },
  "vmid-duplicate": {
    summary: "VM written twice",
    why: "One vmid with two wishes has no certain meaning.",
    next: "Keep one entry for each vmid.",
  },
  "stop-unsaid": {
    summary: "How to stop is not said",
    why: "Asking a guest to shut down and cutting its power are two decisions, and neither is a default.",
    next: "Add stop: shutdown or stop: power-off to the entry.",
  },
  "stop-idle": {
    summary: "A way to stop without a wish to stop",
    why: "An entry that says how to stop a VM that should run is two wishes.",
    next: "Remove stop, or write target: stopped.",
  },
  "action-unknown": {
    summary: "Action not in the catalogue",
    why: "Only the typed actions of the catalogue exist; nothing is passed through.",
    next: "Use an action of the catalogue.",
  },
  "secret-inline": {
    summary: "Secret written into configuration",
    why: "Configuration is read, hashed and shown; a secret in it would leak.",
    next: "Write where the secret is: { env: NAME } or { file: PATH }.",
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
    why: "A credential that serves two environments lets one reach into the other.",
    next: "Make a credential for each environment.",
  },
  "tls-off": {
    summary: "TLS verification turned off",
    why: "Whoever answers an unverified connection could be anybody.",
    next: "Use verify: system, verify: ca with a file, or verify: pinned with a fingerprint.",
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
    why: "Two lines for one action leave open which is meant.",
    next: "Keep one line for each action.",
  },
  "policy-loosens": {
    summary: "Policy would loosen",
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
