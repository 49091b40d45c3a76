// The closed list of commands: their words here, their code loaded only when one of them runs.
//
// Loading one module per command keeps --help about as fast as starting Node.

import type { OptionSpec, Run, Usage } from "./command.ts";

export type Entry = Usage & { readonly load: () => Promise<Run> };

const DESIRED: OptionSpec = { help: "the desired.yaml to plan for", name: "desired", required: true, value: "FILE" };
const REPLAY: OptionSpec = {
  help: "a recorded observation (current.json, or a bare list of VM states)",
  name: "replay",
  required: true,
  value: "FILE",
};
const ONLY: OptionSpec = { help: "an explicit smaller scope, e.g. 101,102", name: "only", value: "VMIDS" };
const COMPLETE: OptionSpec = {
  help: "the bare list given to --replay saw everything, so that absence proves missing",
  name: "complete",
};

export const COMMANDS: readonly Entry[] = [
  {
    example: ["dedalus init demo/"],
    load: async () => (await import("./init.ts")).run,
    name: "init",
    needsContract: true,
    options: [
      { help: "who acts when no token is given (the login name when not said)", name: "operator", value: "NAME" },
    ],
    positionals: [{ help: "the folder to write into; it may exist", name: "FOLDER", required: true }],
    summary: "write a commented dedalus.yaml and desired.yaml",
  },
  {
    example: [
      "dedalus plan --desired desired.yaml --replay current.json --out plan.json",
      "dedalus plan --desired desired.yaml --replay current.json --only 101,102",
    ],
    load: async () => (await import("./plan.ts")).run,
    name: "plan",
    needsContract: true,
    options: [DESIRED, REPLAY, ONLY, COMPLETE, { help: "write the plan as plan.json", name: "out", value: "FILE" }],
    positionals: [],
    summary: "what would change, what is refused and why",
  },
  {
    example: ["dedalus audit --desired desired.yaml --replay current.json"],
    load: async () => (await import("./audit.ts")).run,
    name: "audit",
    needsContract: true,
    options: [DESIRED, REPLAY, ONLY, COMPLETE],
    positionals: [],
    summary: "the whole account of every desired VM; changes nothing",
  },
  {
    example: ["dedalus explain plan.json --vm 101"],
    load: async () => (await import("./explain.ts")).run,
    name: "explain",
    needsContract: true,
    options: [{ help: "the VM to explain", name: "vm", required: true, value: "VMID" }],
    positionals: [{ help: "a plan.json that was written by plan --out", name: "PLAN", required: true }],
    summary: "one answer of a plan: facts, effect, rules and their evidence",
  },
  {
    example: ["dedalus rules", "dedalus rules N2"],
    load: async () => (await import("./rules.ts")).run,
    name: "rules",
    needsContract: true,
    options: [],
    positionals: [{ help: "one rule in full", name: "RULE", required: false }],
    summary: "every rule, and how it is kept",
  },
  {
    example: ["dedalus doctor", "dedalus doctor --config demo/dedalus.yaml"],
    load: async () => (await import("./doctor.ts")).run,
    name: "doctor",
    needsContract: false,
    options: [
      { help: "the configuration to check (dedalus.yaml in this folder when not said)", name: "config", value: "FILE" },
    ],
    positionals: [],
    summary: "contract, configuration, Node and file permissions: what is wrong and what to do",
  },
];
