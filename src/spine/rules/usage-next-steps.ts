// Which next steps follow a command that is not understood, by the mistake. Part of next-step-table.ts, which asks for
// every cause.

import { ask, askOf } from "./askable.ts";

const NOTHING = [] as const;
const HELP = [askOf("help", { command: "command" })] as const;
const USAGE = [ask("usage")] as const;
const OVERVIEW = [ask("help")] as const;
const SHOW_PLAN = [askOf("showPlan", { plan: "plan" })] as const;
const SNAPSHOT_AGAIN = [
  askOf("planAction", { action: "action", environment: "environment", snapshot: "meant", vmid: "vmid" }),
] as const;

export const USAGE_NEXT_STEPS = {
  "argument-extra": HELP,
  "argument-missing": HELP,
  "command-missing": OVERVIEW,
  "command-unknown": OVERVIEW,
  "command-unknown-in-group": [askOf("help", { command: "group" })],
  "command-unknown-meant": [askOf("help", { command: "meant" })],
  "complete-of-file": NOTHING,
  "copy-gone-unsaid": NOTHING,
  "given-twice": HELP,
  "goes-with": NOTHING,
  "key-form": NOTHING,
  "key-id": NOTHING,
  "key-name": NOTHING,
  "key-type": NOTHING,
  "needs-option": NOTHING,
  "needs-some-of": NOTHING,
  "no-plan": [askOf("makePlan", { environment: "environment" })],
  "no-plan-of-several": [ask("plans")],
  "no-step": SHOW_PLAN,
  "no-step-of-vm": SHOW_PLAN,
  "not-a-fingerprint": NOTHING,
  "not-a-hash": NOTHING,
  "not-a-role": NOTHING,
  "not-a-seq": NOTHING,
  "not-a-text": NOTHING,
  "not-an-address": NOTHING,
  "not-a-variable": NOTHING,
  "not-in-range": NOTHING,
  "not-a-server": NOTHING,
  "not-one-of": NOTHING,
  "no-terminal": NOTHING,
  "not-together": NOTHING,
  "one-of": NOTHING,
  "option-missing": HELP,
  "option-unknown": HELP,
  "option-unknown-meant": NOTHING,
  placeholder: NOTHING,
  "plan-ambiguous": [ask("plans")],
  "plan-file-unrecorded": [ask("plans")],
  "plan-of-what": [askOf("help", { command: "command" })],
  "place-files": NOTHING,
  "place-ledger": NOTHING,
  "place-machine": NOTHING,
  "place-program": NOTHING,
  "plan-unnamed": [askOf("explain", { plan: "plan" })],
  "plans-apart": [ask("plans")],
  "provider-unknown": NOTHING,
  "blob-unknown": [ask("records")],
  "record-unknown": [ask("records")],
  "recorded-plan-only": [ask("plans")],
  "rule-unknown": [ask("rules")],
  "rule-unknown-meant": NOTHING,
  "second-word-missing": [askOf("help", { command: "group" })],
  "snapshot-name": SNAPSHOT_AGAIN,
  "snapshot-name-reserved": SNAPSHOT_AGAIN,
  "step-not-shown": [askOf("explain", { plan: "plan" })],
  "target-unknown": USAGE,
  "value-missing": HELP,
  "value-unwanted": HELP,
  "vm-ambiguous": [ask("vms")],
  "vm-unknown": [ask("vms")],
  "vm-unknown-meant": NOTHING,
  "vm-unrecorded": [ask("vms")],
} as const;
