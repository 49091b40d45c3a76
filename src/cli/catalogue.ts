// The closed list of commands: their words here, their code loaded only when one of them runs.
//
// Loading one module per command keeps --help about as fast as starting Node. A command's name is one word or two; those
// of two with the same first word are a group, and the first word alone may be a command as well.

import { COMPLETE, CONFIG, type CommandEntry, DESIRED, ONLY, REPLAY, STEP } from "./arguments/command-words.ts";
import { KERNEL_COMMANDS } from "./kernel-catalogue.ts";
import { LEDGER_COMMANDS } from "./ledger-catalogue.ts";
import { SHORT_COMMANDS } from "./short-catalogue.ts";

/** What the commands under one first word are about. */
export const GROUPS: Readonly<Record<string, string>> = {
  ledger: "what is remembered: show, prove, verify, export, move it",
  token: "who may ask as whom: create, rotate, revoke, list",
};

export const COMMANDS: readonly CommandEntry[] = [
  {
    example: ["dedalus init demo/"],
    load: async () => (await import("./commands/init.ts")).run,
    name: "init",
    needsContract: true,
    options: [
      { help: "who acts when no token is given (the login name when not said)", name: "operator", value: "NAME" },
    ],
    positionals: [{ help: "the folder to write into; it may exist", name: "FOLDER", required: true }],
    summary: "write a commented dedalus.yaml and desired.yaml, and make the key that signs checkpoints",
  },
  {
    example: [
      "dedalus plan --env home",
      "dedalus plan --env home --action vm.start --vm 101",
      "dedalus plan --desired desired.yaml --replay current.json --out plan.json",
    ],
    load: async () => (await import("./commands/plan-command.ts")).run,
    name: "plan",
    needsContract: true,
    options: [
      { help: "observe an environment of dedalus.yaml, plan for it, and record both", name: "env", value: "NAME" },
      DESIRED,
      REPLAY,
      ONLY,
      COMPLETE,
      { help: "with --env: one requested action instead of what is registered", name: "action", value: "ACTION" },
      { help: "the VM of --action", name: "vm", value: "VMID" },
      { help: "the snapshot of --action vm.snapshot.*", name: "snapshot", value: "NAME" },
      { help: "CPUs for --action vm.resize", name: "cpus", value: "N" },
      { help: "memory for --action vm.resize, e.g. 4GiB", name: "memory", value: "SIZE" },
      { help: "with --env: plan against what is registered, without reading the desired file", name: "registered" },
      { help: "write the plan as plan.json", name: "out", value: "FILE" },
      CONFIG,
    ],
    positionals: [],
    summary: "what would change, what is refused and why; with --env as a recorded act",
  },
  {
    example: ["dedalus audit --desired desired.yaml --replay current.json"],
    load: async () => (await import("./commands/audit-command.ts")).run,
    name: "audit",
    needsContract: true,
    options: [{ ...DESIRED, required: true }, { ...REPLAY, required: true }, ONLY, COMPLETE],
    positionals: [],
    summary: "the whole account of every desired VM; changes nothing",
  },
  {
    example: [
      "dedalus explain plan.json --vm 101",
      "dedalus explain 01KA4QJ5V8R3W2T6Y7Z8N9M0P1 --step 2",
      "dedalus explain 01KA4QJ5V8R3W2T6Y7Z8N9M0P1 --step 2 --challenge",
    ],
    load: async () => (await import("./commands/explain-file.ts")).run,
    name: "explain",
    needsContract: true,
    options: [
      { help: "the VM to explain", name: "vm", value: "VMID" },
      STEP,
      { help: "record that it was shown: its hash confirms the step once, within five minutes", name: "challenge" },
      CONFIG,
    ],
    positionals: [
      { help: "a recorded plan's id, or a plan.json that was written by plan --out", name: "PLAN", required: true },
    ],
    summary: "one answer of a plan: facts, effect, rules and their evidence",
  },
  {
    example: ["dedalus rules", "dedalus rules N2"],
    load: async () => (await import("./commands/rules.ts")).run,
    name: "rules",
    needsContract: true,
    options: [],
    positionals: [{ help: "one rule in full", name: "RULE", required: false }],
    summary: "every rule, and how it is kept",
  },
  {
    example: ["dedalus doctor", "dedalus doctor --config demo/dedalus.yaml", "dedalus doctor --env home"],
    load: async () => (await import("./commands/doctor.ts")).run,
    name: "doctor",
    needsContract: false,
    options: [
      { help: "ask that environment's provider as well: TLS, clock, version, rights", name: "env", value: "NAME" },
      CONFIG,
    ],
    positionals: [],
    summary: "contract, configuration, Node, key, anchor, ledger and provider: what is wrong and what to do",
  },
  {
    example: [
      "dedalus simulate --scenario examples/three-nodes.yaml --port 8006",
      "dedalus simulate --scenario examples/three-nodes.yaml --ca pve-root-ca.pem --follow",
    ],
    load: async () => (await import("./commands/simulate.ts")).run,
    name: "simulate",
    needsContract: true,
    options: [
      { help: "the simulated provider, as docs/simulator.md says", name: "scenario", required: true, value: "FILE" },
      { help: "the port on 127.0.0.1 (any free one when not said)", name: "port", value: "N" },
      { help: "write its certificate, to verify it with", name: "ca", value: "FILE" },
      { help: "show each request as it is answered", name: "follow" },
    ],
    positionals: [],
    summary: "a simulated Proxmox VE on this machine, for demos and tests; runs until Ctrl-C",
  },
  ...SHORT_COMMANDS,
  ...KERNEL_COMMANDS,
  ...LEDGER_COMMANDS,
];
