// The words of a command that is not understood: one cause for one mistake, whichever command it was made with.
//
// `{argument}` is written as the door writes it: on the command line --vm, or SEQ where a word stands alone; the service says
// the field of its request, and a door renders that. Sentences for people: nothing is decided or recognised by them.

import { VKEY_WORDS } from "./engine-words.ts";
import { after } from "./failure.ts";
import type { RefusalWords } from "./template.ts";

const HELP = "See: dedalus {command} --help";
const NO_COMMAND = "there is no command {command}";
const NO_OPTION = "{command} has no option {argument}";
const NO_RULE = "there is no rule {rule}";
const SHOWN = "See what it answers for each VM: dedalus plan show {plan}";

export const USAGE_WORDS = {
  usage: {
    summary: "Command not understood",
    because: {
      ...after("--key takes NAME+ID+KEY: ", VKEY_WORDS),
      "argument-extra": "{command} does not take {argument}",
      "argument-missing": "{argument} is missing",
      "challenge-of-file": "--challenge is for a recorded plan, and a file is named",
      "command-missing": "no command is given",
      "command-unknown": NO_COMMAND,
      "command-unknown-in-group": "there is no command {group} {command}",
      "command-unknown-meant": NO_COMMAND,
      "complete-of-file": "--complete is for a bare list, and {file} says itself whether it saw everything",
      "copy-gone-unsaid": "--copy-gone is missing: only a copy that is gone for good lets its source go on",
      "given-twice": "{argument} is given twice",
      "goes-with": "{argument} goes with {with}",
      "needs-option": "{what} needs {argument}",
      "needs-some-of": "{what} needs at least one of {arguments}",
      "no-open-plan": "{actor} has no open plan",
      "no-step": "the plan has no step",
      "no-step-of-vm": "VM {vm} has no step in this plan",
      "not-a-hash": "{argument} takes the 64 hex digits of an explanation's hash",
      "not-a-role": '"{found}" is not a role',
      "not-a-seq": '{argument} takes the seq of a record, and "{found}" is none',
      "not-a-text": "{argument} takes a text of 1 to 1000 visible characters",
      "not-a-vmid": '{argument} takes a vmid, and "{found}" is none',
      "not-in-range": "{argument} takes a number from {least} to {most}",
      "not-together": "{argument} and {other} cannot be given together",
      "one-of": "exactly one of {arguments} is needed",
      "option-missing": "{argument} {value} is missing",
      "option-unknown": NO_OPTION,
      "option-unknown-meant": NO_OPTION,
      "plan-file-unrecorded": "{file} is of a plan that was not recorded",
      "plan-of-what": "plan needs --env NAME, or --desired FILE and --replay FILE; missing: {missing}",
      "record-unknown": "there is no record {seq}; the ledger has {size}, counted from 0",
      "rule-unknown": NO_RULE,
      "rule-unknown-meant": NO_RULE,
      "second-word-missing": "{group} needs a second word: {words}",
      "target-unknown": "the target is no address of an engine that is known",
      "value-missing": "{argument} needs a value: {value}",
      "value-unwanted": "{argument} takes no value",
    },
    why: "A command that is half understood is not run.",
    next: {
      "argument-extra": HELP,
      "argument-missing": HELP,
      "challenge-of-file": "Name the plan by its id.",
      "command-missing": "See: dedalus --help",
      "command-unknown": "See: dedalus --help",
      "command-unknown-in-group": "See: dedalus {group} --help",
      "command-unknown-meant": "Did you mean: dedalus {meant}?",
      "complete-of-file": "Leave --complete out.",
      "copy-gone-unsaid": "Add --copy-gone when you know that it is; it is recorded.",
      "given-twice": HELP,
      "goes-with": "Add {with}, or leave {argument} out.",
      "key-form": "Give the key as the ledger's owner shows it.",
      "key-id": "Give the key as the ledger's owner shows it.",
      "key-name": "Give the key as the ledger's owner shows it.",
      "key-type": "Give the key as the ledger's owner shows it.",
      "needs-option": "Add {argument}.",
      "needs-some-of": "Add one of them.",
      "no-open-plan": "Make one: dedalus plan --env NAME",
      "no-step": SHOWN,
      "no-step-of-vm": SHOWN,
      "not-a-hash": "Give the hash of the explanation that was read.",
      "not-a-role": "The roles are {roles}.",
      "not-a-seq": "Write the number of a record, for example 41.",
      "not-a-text": "Say in one sentence why.",
      "not-a-vmid": "Write a whole number, for example 101.",
      "not-in-range": "Write a number from {least} to {most}.",
      "not-together": "Leave one of them out.",
      "one-of": "Give one of them.",
      "option-missing": HELP,
      "option-unknown": HELP,
      "option-unknown-meant": "Did you mean {meant}?",
      "plan-file-unrecorded": "Plan with a provider, which is recorded: dedalus plan --env NAME --out {file:shell}",
      "plan-of-what": "See: dedalus plan --help",
      "record-unknown": "See: dedalus ledger show",
      "rule-unknown": "See: dedalus rules",
      "rule-unknown-meant": "Did you mean {meant}?",
      "second-word-missing": "See: dedalus {group} --help",
      "target-unknown": "See: dedalus ledger move --help",
      "value-missing": HELP,
      "value-unwanted": HELP,
    },
  },
} as const satisfies Readonly<Record<string, RefusalWords>>;
