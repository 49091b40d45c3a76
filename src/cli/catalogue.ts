// The closed list of commands: their words here, their code loaded only when one of them runs.
//
// Loading one module per command keeps --help about as fast as starting Node. A command's name is one word or two; those
// of two with the same first word are a group, and the first word alone may be a command as well.

import { COMPLETE, CONFIG, type CommandEntry, DESIRED, ENV, ONLY, REPLAY, STEP } from "./arguments/command-words.ts";
import { DAILY_COMMANDS } from "./daily-catalogue.ts";
import { KERNEL_COMMANDS } from "./kernel-catalogue.ts";
import { LEDGER_COMMANDS } from "./ledger-catalogue.ts";
import { SHORT_COMMANDS } from "./short-catalogue.ts";

/** What the commands under one first word are about. */
export const GROUPS: Readonly<Record<string, string>> = {
  ledger: "the records: show, verify, export, back up, move",
  token: "who may ask as whom: create, rotate, revoke, list",
};

export const COMMANDS: readonly CommandEntry[] = [
  {
    answer: "initialised",
    example: ["dedalus init demo/", "dedalus init home --from https://pve1:8006"],
    load: async () => (await import("./commands/init.ts")).run,
    group: "setup",
    more: "With --from it is the configuration of a live provider, and desired.yaml is left to import. Nothing is overwritten.",
    name: "init",
    needsContract: true,
    options: [
      { help: "who acts when no token is given (default: your login name)", name: "operator", value: "NAME" },
      {
        help: "a Proxmox VE to begin with: its certificate is shown to confirm, and pinned",
        name: "from",
        value: "URL",
      },
      { help: "with --from in scripts: the fingerprint that it must show", name: "fingerprint", value: "SHA256" },
      { help: "with --from: the variable with the token to observe", name: "observe-env", value: "NAME" },
      { help: "with --from: the variable with the token to apply", name: "apply-env", value: "NAME" },
    ],
    positionals: [{ help: "the folder to write into; it may exist", name: "FOLDER", required: true }],
    summary: "write a configuration, and make the key that signs",
  },
  {
    answer: "planned",
    example: [
      "dedalus plan",
      "dedalus plan --env home --only web-01,110-119",
      "dedalus plan --action start --vm web-01",
      "dedalus plan --desired desired.yaml --replay current.json --out plan.json",
    ],
    load: async () => (await import("./commands/plan-command.ts")).run,
    group: "plan",
    more: "A recorded act: it observes, plans on what is registered, and records both. With --desired and --replay it plans from files and records nothing.",
    name: "plan",
    needsContract: true,
    options: [
      ENV,
      ONLY,
      { help: "one requested action instead of what is registered, e.g. start", name: "action", value: "ACTION" },
      { help: "the VM of --action, by its number or name", name: "vm", value: "VM" },
      { help: "the snapshot of --action snapshot.*", name: "snapshot", value: "NAME" },
      { help: "CPUs for --action resize", name: "cpus", value: "N" },
      { help: "memory for --action resize, e.g. 4GiB", name: "memory", value: "SIZE" },
      { ...DESIRED, help: "plan from files, recording nothing: the desired.yaml" },
      REPLAY,
      COMPLETE,
      { help: "plan against what is registered, without reading the desired file", name: "registered" },
      { help: "write the plan as plan.json", name: "out", value: "FILE" },
      CONFIG,
    ],
    positionals: [],
    summary: "what would change, what is refused and why",
  },
  {
    answer: "audit",
    example: ["dedalus audit --desired desired.yaml --replay current.json"],
    load: async () => (await import("./commands/audit-command.ts")).run,
    group: "plan",
    name: "audit",
    needsContract: true,
    options: [{ ...DESIRED, required: true }, { ...REPLAY, required: true }, ONLY, COMPLETE],
    positionals: [],
    summary: "explain every desired VM, from files",
  },
  {
    answer: "explained",
    example: [
      "dedalus explain plan.json --vm 101",
      "dedalus explain latest --vm web-01",
      "dedalus explain 01KA4QJ5V8R3W2T6Y7Z8N9M0P1 --step 2",
      "dedalus explain 01KA4QJ5V8R3W2T6Y7Z8N9M0P1 --step 2 --challenge",
      "dedalus explain 01KA4QJ5V8R3W2T6Y7Z8N9M0P1 --step 2 --as-shown",
    ],
    load: async () => (await import("./commands/explain-file.ts")).run,
    group: "plan",
    name: "explain",
    needsContract: true,
    options: [
      { help: "the VM to explain, by its number or name", name: "vm", value: "VM" },
      STEP,
      {
        help: "record that it was shown, and print the hash that confirms the step once, within five minutes",
        name: "challenge",
      },
      { help: "exactly as it was shown to whoever agreed to it last", name: "as-shown" },
      CONFIG,
    ],
    positionals: [
      {
        help: "a recorded plan: its id, the beginning of it, or latest; or a plan.json of plan --out",
        name: "PLAN",
        required: true,
      },
    ],
    summary: "one answer of a plan: facts, effect, rules, evidence",
  },
  {
    answer: "rules",
    example: ["dedalus rules", "dedalus rules N2"],
    load: async () => (await import("./commands/rules.ts")).run,
    group: "setup",
    name: "rules",
    needsContract: true,
    options: [],
    positionals: [{ help: "one rule in full", name: "RULE", required: false }],
    summary: "every rule, and how it is kept",
  },
  {
    answer: "examined",
    example: ["dedalus doctor", "dedalus doctor --config demo/dedalus.yaml", "dedalus doctor --env home"],
    load: async () => (await import("./commands/doctor.ts")).run,
    group: "setup",
    more: "It checks contract, configuration, Node, key, anchor and ledger, and with --env the provider. It mends nothing.",
    name: "doctor",
    needsContract: false,
    options: [
      { help: "ask that environment's provider as well: TLS, clock, version, rights", name: "env", value: "NAME" },
      CONFIG,
    ],
    positionals: [],
    summary: "what is wrong with this installation, and what to do",
  },
  {
    answer: "simulation",
    example: [
      "dedalus simulate --scenario examples/three-nodes.yaml --port 8006",
      "dedalus simulate --scenario examples/three-nodes.yaml --ca pve-root-ca.pem --follow",
    ],
    load: async () => (await import("./commands/simulate.ts")).run,
    group: "setup",
    name: "simulate",
    needsContract: true,
    options: [
      { help: "the simulated provider, as docs/simulator.md says", name: "scenario", required: true, value: "FILE" },
      { help: "the port on 127.0.0.1 (default: any free one)", name: "port", value: "N" },
      { help: "write its certificate, to verify it with", name: "ca", value: "FILE" },
      { help: "show each request as it is answered", name: "follow" },
    ],
    positionals: [],
    summary: "run a simulated Proxmox VE here, until Ctrl-C",
  },
  ...DAILY_COMMANDS,
  {
    answer: "completion",
    example: ["dedalus completion bash", "dedalus completion fish"],
    load: async () => (await import("./commands/completion.ts")).completionOf({ commands: COMMANDS, groups: GROUPS }),
    group: "setup",
    name: "completion",
    needsContract: true,
    options: [],
    positionals: [{ help: "bash, zsh or fish", name: "SHELL", required: true }],
    summary: "print a completion script for your shell",
  },
  ...SHORT_COMMANDS,
  ...KERNEL_COMMANDS,
  ...LEDGER_COMMANDS,
];
