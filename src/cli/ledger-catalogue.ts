// The commands on the ledger itself: their words here, their code loaded only when one of them runs.

import { CONFIG, type CommandEntry } from "./arguments/command-words.ts";

export const LEDGER_COMMANDS: readonly CommandEntry[] = [
  {
    example: ["dedalus ledger show --vm 101", "dedalus ledger show --kind ledger --follow"],
    load: async () => (await import("./commands/ledger-show.ts")).run,
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
      { help: "records that concern this VM, refused ones too; by its number or name", name: "vm", value: "VM" },
      { help: "records of one undertaking", name: "correlation", value: "ID" },
      { help: "keep printing new records until Ctrl-C; with --json one a line", name: "follow" },
      CONFIG,
    ],
    positionals: [],
    summary: "the records, one line each; with --json exactly as they were written",
  },
  {
    example: ["dedalus ledger verify", "dedalus ledger verify --export audit/ --key 'NAME+ID+KEY'"],
    load: async () => (await import("./commands/ledger-verify.ts")).run,
    name: "ledger verify",
    needsContract: false,
    options: [
      { help: "verify an export instead of the ledger", name: "export", value: "DIR" },
      { help: "verify a proof that 'ledger prove' wrote, instead of the ledger", name: "proof", value: "FILE" },
      {
        help: "the checkpoints to compare it with (default: the configured anchor)",
        name: "anchor",
        value: "FILE",
      },
      {
        help: "the public key of the checkpoints (default: from the configured key file)",
        name: "key",
        value: "VKEY",
      },
      CONFIG,
    ],
    positionals: [],
    summary: "verify every byte, link, hash, signature and blob, offline; names the first that is wrong",
  },
  {
    example: ["dedalus ledger export --out audit/"],
    load: async () => (await import("./commands/ledger-export.ts")).run,
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
    example: ["dedalus ledger backup --to /mnt/backup/dedalus-2026-11-17"],
    load: async () => (await import("./commands/ledger-backup.ts")).run,
    name: "ledger backup",
    needsContract: true,
    options: [
      { help: "the folder to write; it may exist and must be empty", name: "to", required: true, value: "DIR" },
      CONFIG,
    ],
    positionals: [],
    summary: "back up the ledger while it is in use, as an export that is verified before it counts",
  },
  {
    example: ['dedalus ledger restore --from /mnt/backup/dedalus-2026-11-17 --reason "the disk died"'],
    load: async () => (await import("./commands/ledger-restore.ts")).run,
    name: "ledger restore",
    needsContract: true,
    options: [
      { help: "the folder that 'ledger backup' wrote", name: "from", required: true, value: "DIR" },
      { help: "what became of the ledger; it is recorded", name: "reason", required: true, value: "TEXT" },
      CONFIG,
    ],
    positionals: [],
    summary: "restore the ledger from a backup where there is none; it goes on frozen, and records what was lost",
  },
  {
    example: ["dedalus ledger prove 41 --out 41.tlog-proof"],
    load: async () => (await import("./commands/ledger-prove.ts")).run,
    name: "ledger prove",
    needsContract: true,
    options: [
      { help: "where to write the proof (default: SEQ.tlog-proof in this folder)", name: "out", value: "FILE" },
      CONFIG,
    ],
    positionals: [{ help: "the record to prove", name: "SEQ", required: true }],
    summary: "a proof that one record is in the ledger, checkable without Dedalus",
  },
  {
    example: ["dedalus ledger checkpoint"],
    load: async () => (await import("./commands/ledger-checkpoint.ts")).run,
    name: "ledger checkpoint",
    needsContract: true,
    options: [CONFIG],
    positionals: [],
    summary: "sign size and root, and append them to the anchor",
  },
  {
    example: ["dedalus ledger move --to archive.db", "dedalus ledger move --to-env TARGET_URL --yes"],
    load: async () => (await import("./commands/ledger-move.ts")).run,
    name: "ledger move",
    needsContract: true,
    options: [
      {
        help: "a path for sqlite, or postgres://…; other users see a password on a command line, so rather:",
        name: "to",
        value: "LOCATION",
      },
      { help: "the name of an environment variable that holds postgres://…", name: "to-env", value: "NAME" },
      { help: "a file, mode 0600, that holds postgres://…", name: "to-file", value: "FILE" },
      { help: "seal this ledger without being asked, for scripts", name: "yes" },
      CONFIG,
    ],
    positionals: [],
    summary: "move the ledger to another engine, verified, same head; this one is sealed by a last record",
  },
  {
    example: ['dedalus ledger unseal --copy-gone --reason "the new disk died before anything was written to it"'],
    load: async () => (await import("./commands/ledger-unseal.ts")).run,
    name: "ledger unseal",
    needsContract: true,
    options: [
      { help: "your statement that the copy is gone and will never be used again; it is recorded", name: "copy-gone" },
      { help: "how you know; it is recorded", name: "reason", required: true, value: "TEXT" },
      CONFIG,
    ],
    positionals: [],
    summary:
      "let a sealed ledger go on when its copy is gone for good; it goes on frozen, and that copy is void for ever",
  },
  {
    example: ['dedalus ledger unlock --reason "disk enlarged"'],
    load: async () => (await import("./commands/ledger-unlock.ts")).run,
    name: "ledger unlock",
    needsContract: true,
    options: [
      { help: "why it may be written again; it is recorded", name: "reason", required: true, value: "TEXT" },
      CONFIG,
    ],
    positionals: [],
    summary: "take writes again after a full disk or a failed write: an explicit, recorded act",
  },
  {
    example: ['dedalus ledger re-anchor --reason "the anchor\'s disk is lost"'],
    load: async () => (await import("./commands/ledger-re-anchor.ts")).run,
    name: "ledger re-anchor",
    needsContract: true,
    options: [
      { help: "what became of the anchor; it is recorded", name: "reason", required: true, value: "TEXT" },
      CONFIG,
    ],
    positionals: [],
    summary:
      "verify the whole ledger and begin a new anchor after the old one was lost; plans and approvals from before are void",
  },
];
