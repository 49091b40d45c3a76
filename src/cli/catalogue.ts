// The closed list of commands: their words here, their code loaded only when one of them runs.
//
// Loading one module per command keeps --help about as fast as starting Node. A command's name is one word or two; those
// of two with the same first word are a group, and the first word alone may be a command as well.

import type { OptionSpec, Run, Usage } from "./command.ts";

export type Entry = Usage & { readonly load: () => Promise<Run> };

/** What the commands under one first word are about. */
export const GROUPS: Readonly<Record<string, string>> = {
  ledger: "what is remembered: show, prove, verify, export, copy it",
};

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

const CONFIG: OptionSpec = {
  help: "the configuration (dedalus.yaml in this folder when not said)",
  name: "config",
  value: "FILE",
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
    summary: "write a commented dedalus.yaml and desired.yaml, and make the key that signs checkpoints",
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
    options: [CONFIG],
    positionals: [],
    summary: "contract, configuration, Node, key, anchor and ledger: what is wrong and what to do",
  },
  {
    example: ["dedalus ledger show --vm 101", "dedalus ledger show --kind ledger --follow"],
    load: async () => (await import("./ledger-show.ts")).run,
    name: "ledger show",
    needsContract: true,
    options: [
      { help: "the first record", name: "from", value: "SEQ" },
      { help: "the last record", name: "to", value: "SEQ" },
      {
        help: "records of this kind, or of the kinds below it (ledger: ledger.seal and others)",
        name: "kind",
        value: "K",
      },
      { help: "records whose body names this VM", name: "vm", value: "VMID" },
      { help: "records of one undertaking", name: "correlation", value: "ID" },
      { help: "go on with what is written later, until Ctrl-C; with --json one record a line", name: "follow" },
      CONFIG,
    ],
    positionals: [],
    summary: "the records, one line each; with --json exactly as they were written",
  },
  {
    example: ["dedalus ledger verify", "dedalus ledger verify --export audit/ --key 'NAME+ID+KEY'"],
    load: async () => (await import("./ledger-verify.ts")).run,
    name: "ledger verify",
    needsContract: false,
    options: [
      { help: "verify an export instead of the ledger", name: "export", value: "DIR" },
      { help: "verify a proof that 'ledger prove' wrote, instead of the ledger", name: "proof", value: "FILE" },
      {
        help: "the checkpoints to hold it against (the configured anchor when not said)",
        name: "anchor",
        value: "FILE",
      },
      {
        help: "the public key of the checkpoints (from the configured key file when not said)",
        name: "key",
        value: "VKEY",
      },
      CONFIG,
    ],
    positionals: [],
    summary: "offline: every byte, link, hash, signature and blob; names the first that does not hold",
  },
  {
    example: ["dedalus ledger export --out audit/"],
    load: async () => (await import("./ledger-export.ts")).run,
    name: "ledger export",
    needsContract: true,
    options: [
      { help: "the folder to write; it may exist and must be empty", name: "out", required: true, value: "DIR" },
      CONFIG,
    ],
    positionals: [],
    summary: "the whole ledger as files that anybody can verify: lines, tiles, blobs and a signed checkpoint",
  },
  {
    example: ["dedalus ledger prove 41 --out 41.tlog-proof"],
    load: async () => (await import("./ledger-prove.ts")).run,
    name: "ledger prove",
    needsContract: true,
    options: [
      { help: "where to write the proof (SEQ.tlog-proof in this folder when not said)", name: "out", value: "FILE" },
      CONFIG,
    ],
    positionals: [{ help: "the record to prove", name: "SEQ", required: true }],
    summary: "a proof that one record is in the ledger, checkable without Dedalus",
  },
  {
    example: ["dedalus ledger checkpoint"],
    load: async () => (await import("./ledger-checkpoint.ts")).run,
    name: "ledger checkpoint",
    needsContract: true,
    options: [CONFIG],
    positionals: [],
    summary: "sign size and root, and append them to the anchor",
  },
  {
    example: ["dedalus ledger copy --to archive.db", "dedalus ledger copy --to-env TARGET_URL"],
    load: async () => (await import("./ledger-copy.ts")).run,
    name: "ledger copy",
    needsContract: true,
    options: [
      {
        help: "a path for sqlite, or postgres://…; other users see a password on a command line, so rather:",
        name: "to",
        value: "PLACE",
      },
      { help: "the name of an environment variable that holds postgres://…", name: "to-env", value: "NAME" },
      { help: "a file, mode 0600, that holds postgres://…", name: "to-file", value: "FILE" },
      CONFIG,
    ],
    positionals: [],
    summary: "move the ledger to another engine, verified, same head; this one is sealed by a last record",
  },
  {
    example: ['dedalus ledger rearm --reason "disk enlarged"'],
    load: async () => (await import("./ledger-rearm.ts")).run,
    name: "ledger rearm",
    needsContract: true,
    options: [
      { help: "why it may be written again; it is recorded", name: "reason", required: true, value: "TEXT" },
      CONFIG,
    ],
    positionals: [],
    summary: "take writes again after a full disk or a failed write: an explicit, recorded act",
  },
];
