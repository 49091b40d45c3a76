// What came in and could not be taken: files, arguments, configuration.

import { type RefusalRow, rowsOf } from "./refusal-row.ts";

const input = rowsOf("input");

export const INPUT_REFUSALS = {
  usage: input(
    "P7-F1",
    "Command not understood",
    "A command that is half understood is not run.",
    "Use the words that --help lists.",
  ),
  "contract-broken": input(
    "P7-F1",
    "Contract differs from the code",
    "DESIGN.md says what this system will never do; when its text is not the one this code was built for, no promise holds.",
    "Restore DESIGN.md, or follow the recipe 'change a rule' in CONTRIBUTING.md.",
  ),
  "file-unreadable": input(
    "P7-F1",
    "File cannot be read",
    "Nothing is assumed of a file that cannot be read.",
    "Check the path and its permissions.",
  ),
  "file-unwritable": input(
    "P7-F1",
    "File cannot be written",
    "What could not be written whole is not written at all.",
    "Check the folder, its permissions and the space on the disk.",
  ),
  "file-exists": input(
    "P7-F1",
    "File exists already",
    "Nothing that somebody wrote is overwritten.",
    "Choose another folder or path, or move the file away.",
  ),
  "file-too-large": input(
    "P7-F1",
    "File is too large",
    "A file past the limit is more likely a mistake than a wish.",
    "Make the file smaller, or split it by environment.",
  ),
  "file-empty": input(
    "P7-F1",
    "File is empty",
    "An empty file is not an empty wish.",
    "Give a file that says something; 'dedalus init' writes examples of desired.yaml and dedalus.yaml.",
  ),
  "text-malformed": input(
    "P7-F1",
    "Text is not well-formed",
    "What cannot be parsed is not guessed.",
    "Mend the text at this position.",
  ),
  "problems-many": input(
    "P7-F1",
    "More problems than are listed",
    "Nobody reads the thousandth, and a text full of mistakes is not the text that was meant.",
    "Mend what is listed, or give the file that was meant.",
  ),
  "text-aliased": input(
    "P7-F1",
    "Anchor, alias or tag used",
    "A line must mean what it says where it stands.",
    "Write the value out.",
  ),
  "key-duplicate": input(
    "P7-F1",
    "Key written twice",
    "Two values for one key leave open which is meant.",
    "Keep one of them.",
  ),
  "key-unknown": input(
    "P7-F1",
    "Key not known",
    "A misspelt key would be silently lost.",
    "Use a known key, or remove it.",
  ),
  "key-missing": input(
    "P7-F1",
    "Key missing",
    "There are no defaults where a wrong guess costs something.",
    "Add the key.",
  ),
  "type-wrong": input(
    "P7-F1",
    "Value of the wrong type",
    "Values are not converted.",
    "Write a value of the type that is expected.",
  ),
  "value-wrong": input(
    "P7-F1",
    "Value not allowed",
    "Values outside what is documented are not rounded or clipped.",
    "Write an allowed value.",
  ),
  "unit-unknown": input(
    "P7-F1",
    "Unit not known",
    "GB means two different numbers to two people.",
    "Use KiB, MiB, GiB or TiB, or plain bytes.",
  ),
  "version-unknown": input(
    "P7-F1",
    "Format version not known",
    "A file of another version may mean something else.",
    "Use version 1, or a Dedalus that knows this version.",
  ),
  "vmid-duplicate": input(
    "N8",
    "VM written twice",
    "One vmid with two wishes has no certain meaning.",
    "Keep one entry for each vmid.",
  ),
  "stop-unsaid": input(
    "P7-A2",
    "How to stop is not said",
    "Asking a guest to shut down and cutting its power are two decisions, and neither is a default.",
    "Add stop: shutdown or stop: power-off to the entry.",
  ),
  "stop-idle": input(
    "P7-A2",
    "A way to stop without a wish to stop",
    "An entry that says how to stop a VM that should run is two wishes.",
    "Remove stop, or write target: stopped.",
  ),
  "action-unknown": input(
    "B7",
    "Action not in the catalogue",
    "Only the typed actions of the catalogue exist; nothing is passed through.",
    "Use an action of the catalogue.",
  ),
  "secret-inline": input(
    "B5",
    "Secret written into configuration",
    "Configuration is read, hashed and shown; a secret in it would leak.",
    "Write where the secret is: { env: NAME } or { file: PATH }.",
  ),
  "secret-open": input(
    "B5",
    "Secret file is open to others",
    "A secret that other users can read is not one.",
    "Give the file to its owner alone: chmod 600.",
  ),
  "credential-shared": input(
    "B3",
    "Credential named by two environments",
    "A credential that serves two environments lets one reach into the other.",
    "Make a credential for each environment.",
  ),
  "tls-off": input(
    "B4",
    "TLS verification turned off",
    "Whoever answers an unverified connection could be anybody.",
    "Use verify: system, verify: ca with a file, or verify: pinned with a fingerprint.",
  ),
  "node-unpinned": input(
    "N6",
    "Another Node than the pinned one",
    "The same bytes are promised on the Node that the tests ran on.",
    "Run make setup, and start Dedalus with bin/dedalus.",
  ),
  "adapter-unavailable": input(
    "P7-F1",
    "Adapter is not available",
    "An environment whose place cannot be reached by this version is neither looked at nor changed.",
    "Use an adapter of this version, or a version that has this one.",
  ),
  "place-unreachable": input(
    "P7-F1",
    "Place does not answer",
    "What cannot be asked is not known, and nothing is planned on it.",
    "Check the address, the network, and that the place runs.",
  ),
  "place-untrusted": input(
    "B4",
    "Place is not the one that is trusted",
    "No token is shown to a stranger.",
    "Correct tls in the configuration, after comparing with the place itself.",
  ),
  "place-unready": input(
    "P7-F1",
    "Place lacks something that Dedalus needs",
    "What it lacks would show later as unknown, or as a call that is refused.",
    "Mend it at the place.",
  ),
  "port-unusable": input(
    "P7-F1",
    "Port cannot be used",
    "What listens elsewhere than it was told is not found.",
    "Choose another port, or leave it out to have any free one.",
  ),
  "action-duplicate": input(
    "P7-F1",
    "Action written twice",
    "Two lines for one action leave open which is meant.",
    "Keep one line for each action.",
  ),
  "policy-loosens": input(
    "P7-A3",
    "Policy would loosen",
    "A policy refuses an action or asks for more agreement; it has no word that allows, chooses or asks for less.",
    "Write refused or a higher tier, or remove it.",
  ),
  "plan-altered": input(
    "N7",
    "Plan differs from its hash",
    "A plan that was changed after it was made is nobody's decision.",
    "Plan again from the inputs.",
  ),
  "plan-of-other-rules": input(
    "N6",
    "Plan made under other rules",
    "The same inputs would be judged differently by this version.",
    "Plan again with this version.",
  ),
} as const satisfies Record<string, RefusalRow>;
