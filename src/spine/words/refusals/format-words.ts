// The words of the refusals of a file, and of its text and its fields: what every format may say of a file.
//
// Not here: what only one format refuses (input-words.ts), the tables of causes (expectation-words.ts, text-words.ts,
// system-words.ts).

import { after, under } from "../cause.ts";
import { ANCHOR_FAILED_WORDS } from "../causes/engine-words.ts";
import { EXPECTATIONS, FOUND, FOUND_MEANT, FOUND_UNQUOTED, forEach, MEANT } from "../causes/expectation-words.ts";
import { FILE_WORDS } from "../causes/system-words.ts";
import { MALFORMED_WORDS } from "../causes/text-words.ts";
import type { RefusalWords } from "../template.ts";

/** What paths are for, where the word is not the words. */
const PATH_ROLES = "desired-state=desired state|move-target=target of the move|signing-key=signing key";

/** What does not fit for a reason of its own, and what to do about it. */
const UNFIT = {
  "secret-twice": "two places for one secret",
  "tls-pinned": "a ledger's server is not verified by a fingerprint",
  "protected-false": "found {found:as foundAs}; expected true",
  "no-environment": "no environment is written; expected at least one",
  "stated-unfit": "it is not a code of the table with its facts",
  "environment-name-key": `an environment's name that is not allowed; expected ${EXPECTATIONS["environment-name"]}`,
  "group-environment": "a group is given roles in {environment}, which is not an environment of this file",
  "list-empty": "nothing is listed; expected at least one",
  "word-twice": "{word} is listed twice",
  "no-group": "no group is written; expected at least one",
  "no-node": "no node is written; expected at least one",
  "when-not-one": "a fault says when in {count:way|ways}; expected one of {words}",
  "settings-key": "a key that no configuration has; expected small letters, digits and underscores",
  "ct-ram": "a container has no memory that a snapshot could keep",
  "snapshot-twice": "a snapshot is written twice",
  "node-twice": "node {name} is written twice",
  "said-by-config": "{key} is said by config already",
  "gaps-of-complete": "a complete observation has no gaps",
  "resize-empty": "a resize names cpus, memory or both",
  "refusals-empty": "a refused plan has a refusal",
  "because-of-applicable": "an applicable plan has no because",
} as const;
const UNKNOWN_KEYS = {
  listed: '"{key}" is not a key here',
  meant: '"{key}" is not a key here',
  "hushed-listed": "a key that is not known here",
  "hushed-meant": "a key that is not known here",
  "other-variant": "{key} belongs to {by}: {owners}, and this is {by}: {word}",
  "not-with": "it does not go with {when}, which has a {what}",
  "not-a-fact": "this is not the name of a fact",
} as const;
const READABLE = "Check the path and its permissions.";
const ALLOWED = "Write an allowed value.";
const AMOUNTS = { age: FOUND.age, amount: FOUND.amount } as const;
const EXACT = "Use KiB, MiB, GiB or TiB, or plain bytes.";

export const FORMAT_WORDS = {
  "file-unreadable": {
    summary: "File cannot be read",
    because: {
      ...FILE_WORDS,
      certificate: "{file}, the certificate to verify with, cannot be read",
      "client-certificate":
        "{file}, which client.yaml in {folder} names as the certificate to verify with, cannot be read",
      "no-config": "there is none in this folder or above it",
      "no-config-here": "there is none in this folder or above it",
      observation: "{file}, the recorded observation, cannot be read",
    },
    why: "Nothing is assumed of a file that cannot be read.",
    next: {
      ...forEach(FILE_WORDS, READABLE),
      certificate: READABLE,
      "client-certificate": READABLE,
      "no-config": "Go to its folder, name it, make one, or ask a running service.",
      "no-config-here": "Go to its folder, on the machine of the ledger, or name it.",
      observation: READABLE,
    },
  },
  "file-unwritable": {
    summary: "File cannot be written",
    because: {
      ...FILE_WORDS,
      ...under(
        "anchor-",
        after("the record is in the ledger, and its checkpoint is not in the anchor: {file}: ", ANCHOR_FAILED_WORDS),
      ),
      ...under("folder-", after("the folder {folder} cannot be made: ", FILE_WORDS)),
      "read-only": "it is read-only",
    },
    why: "What could not be written whole is not written at all.",
    next: "Check the folder, its permissions and the space on the disk.",
  },
  "path-shared": {
    summary: "Path has two roles",
    because: `{file} would be the {role:${PATH_ROLES}}, and belongs to the {other:${PATH_ROLES}} already`,
    why: "What is written for one of them would destroy the other.",
    next: "Name another path.",
  },
  "file-exists": {
    summary: "File exists already",
    because: {
      "not-empty": "the folder holds something",
      "not-plain": "it is not a plain file",
      "other-content": "it holds something else",
      unfinished: "an unfinished export with .part in its name stands beside it; remove that first",
      "unreadable-folder": "it is no folder that can be read",
    },
    why: "Nothing that somebody wrote is overwritten.",
    next: "Choose another folder or path, or move the file away.",
  },
  "file-too-large": {
    summary: "File is too large",
    because: {
      larger: "it has more than {max} bytes",
      size: "it has {bytes} bytes, and {max} is the limit",
    },
    why: "A file of this size is more likely a mistake.",
    next: "Make the file smaller, or split it by environment.",
  },
  "file-empty": {
    summary: "File is empty",
    because: {
      nothing: "there is nothing in it",
      blanks: "nothing but blanks",
      comments: "nothing but blanks and comments",
    },
    why: "An empty file is more likely a mistake than an empty environment.",
    next: "Give a file that says something; init writes examples of desired.yaml and dedalus.yaml.",
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
    why: "Many problems often have one cause; fix the first ones first.",
    next: "Mend what is listed, or give the file that was meant.",
  },
  "text-aliased": {
    summary: "Anchor, alias or tag used",
    because: { "merge-key": "a merge key", mark: "an anchor, an alias or a tag" },
    why: "Every line must be readable by itself.",
    next: "Write the value out.",
  },
  "key-duplicate": {
    summary: "Key written twice",
    because: {
      "in-line": "the key is already in line {firstLine}",
      "in-object": "this key is already in the same object",
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
      "secret-unnamed": "neither env nor file is written",
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
      "group-environment": "Write one of {known}, or all.",
      "word-twice": "Keep one of them.",
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
      "memory-option": "{argument} takes a size such as 2GiB, and {found} is none",
    },
    why: "A unit is never guessed, and GB means two different numbers to two people.",
    next: {
      age: "Write the unit: s, min or h.",
      "age-meant": MEANT,
      amount: EXACT,
      "amount-meant": "Write {meant}, if that is meant, or the number of bytes.",
      "memory-option": "Write the number with its unit: KiB, MiB, GiB or TiB.",
    },
  },
  "version-unknown": {
    summary: "Format version not known",
    because: { version: FOUND.version },
    why: "A file of another version may mean something else.",
    next: "Use version 1, or a Dedalus that knows this version.",
  },
} as const satisfies Readonly<Record<string, RefusalWords>>;
