// Methods that write a guest's configuration: PUT at once, POST in a task.
//
// Each key needs its own privilege. A digest that is not the file's refuses the write.

import type { Edits } from "../world/guest-file.ts";
import type { GuestKind } from "../world/settings.ts";
import { forbidden, isPermitted } from "./access.ts";
import { data, type Errors, notPermitted, type Replied, soon, wrongParameters } from "./api-reply.ts";
import { callGuest, FOLDER, onGuest } from "./guest-of.ts";
import { type Context, numberIn, type Route } from "./route.ts";
import { BOOLEAN, INTEGER, NODE, type Params, type Rule, type Schema, TEXT, VMID } from "./schema.ts";

const ANY_CONFIG = [
  "VM.Config.Disk",
  "VM.Config.CDROM",
  "VM.Config.CPU",
  "VM.Config.Memory",
  "VM.Config.Network",
  "VM.Config.HWType",
  "VM.Config.Options",
  "VM.Config.Cloudinit",
];

const COUNT: Rule = { min: 1, type: "integer" };
const AMOUNT: Rule = { min: 0, type: "integer" };
const MEMORY: Rule = {
  format: (value) =>
    /^(?:current=)?[0-9]+$/.test(value)
      ? undefined
      : `invalid format - format error\nmemory.current: type check ('integer') failed - got '${value}'\n`,
  type: "string",
};

const COMMON: Schema = {
  cores: COUNT,
  cpulimit: { min: 0, type: "number" },
  cpuunits: COUNT,
  delete: TEXT,
  description: TEXT,
  digest: { lengthMax: 64, type: "string" },
  hookscript: TEXT,
  lock: TEXT,
  nameserver: TEXT,
  "net[0-9]+": TEXT,
  node: NODE,
  onboot: BOOLEAN,
  ostype: TEXT,
  protection: BOOLEAN,
  revert: TEXT,
  searchdomain: TEXT,
  startup: TEXT,
  tags: TEXT,
  template: BOOLEAN,
  vmid: VMID,
};

const SCHEMAS = {
  ct: {
    ...COMMON,
    arch: TEXT,
    features: TEXT,
    hostname: TEXT,
    memory: { min: 16, type: "integer" },
    "mp[0-9]+": TEXT,
    rootfs: TEXT,
    swap: AMOUNT,
    tty: AMOUNT,
    unprivileged: BOOLEAN,
  },
  vm: {
    ...COMMON,
    "(?:scsi|virtio|sata|ide|usb|serial|ipconfig|hostpci)[0-9]+": TEXT,
    "(?:efidisk0|tpmstate0|audio0|rng0|vga|boot|bios|machine|cpu|hotplug|scsihw|smbios1|vmgenid|agent|args|keyboard)":
      TEXT,
    acpi: BOOLEAN,
    balloon: AMOUNT,
    "ci(?:user|password|custom|type)": TEXT,
    force: BOOLEAN,
    kvm: BOOLEAN,
    memory: MEMORY,
    name: {
      format: (value) =>
        /^[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?$/.test(value)
          ? undefined
          : "invalid format - value does not look like a valid DNS name\n",
      type: "string",
    },
    numa: BOOLEAN,
    shares: AMOUNT,
    skiplock: { isForRoot: true, type: "boolean" },
    sockets: COUNT,
    sshkeys: TEXT,
    tablet: BOOLEAN,
    vcpus: COUNT,
  },
} as const satisfies Record<GuestKind, Schema>;

/** How a write is done, and nothing of the configuration. */
const NOT_KEYS = new Set(["background_delay", "delete", "digest", "force", "node", "revert", "skiplock", "vmid"]);

const PRIVILEGES: readonly (readonly [RegExp, string])[] = [
  [/^(?:cores|sockets|vcpus|cpu|cpulimit|cpuunits|numa)$/, "VM.Config.CPU"],
  [/^(?:memory|balloon|shares|swap)$/, "VM.Config.Memory"],
  [/^(?:net[0-9]+|nameserver|searchdomain|hostname)$/, "VM.Config.Network"],
  [/^(?:(?:scsi|virtio|sata|ide|mp)[0-9]+|rootfs|efidisk0|tpmstate0|scsihw)$/, "VM.Config.Disk"],
  [/^(?:ci.*|ipconfig[0-9]+|sshkeys)$/, "VM.Config.Cloudinit"],
  [
    /^(?:usb[0-9]+|serial[0-9]+|hostpci[0-9]+|vga|machine|bios|audio0|rng0|keyboard|kvm|acpi|tablet|args)$/,
    "VM.Config.HWType",
  ],
];

const privilegeOf = (key: string): string =>
  PRIVILEGES.find(([pattern]) => pattern.test(key))?.[1] ?? "VM.Config.Options";

const keysIn = (params: Params, name: "delete" | "revert"): readonly string[] =>
  (params.get(name) ?? "").split(/[,; ]/).filter((key) => key !== "");

const editsOf = (params: Params): Edits => {
  const written = [...params].filter(([key]) => !NOT_KEYS.has(key));
  return Object.fromEntries([...written, ...keysIn(params, "delete").map((key) => [key, undefined] as const)]);
};

/** In the words of qemu-server src/PVE/API2/Qemu.pm and pve-container src/PVE/API2/LXC/Config.pm, quotes and all. */
const clashIn = (params: Params, kind: GuestKind): Errors | undefined => {
  const [deleted, reverted] = [keysIn(params, "delete"), keysIn(params, "revert")];
  const isVm = kind === "vm";
  for (const key of reverted) {
    if (!isOption(kind, key)) return { revert: `unknown option '${key}'` };
    if (params.has(key)) {
      return isVm
        ? { delete: `you can't use '-${key}' and -revert ${key}' at the same time` }
        : { revert: `you can't use '-${key}' and '-revert ${key}' at the same time` };
    }
  }
  for (const key of deleted) {
    if (params.has(key)) return { delete: `you can't use '-${key}' and -delete ${key}' at the same time` };
    if (reverted.includes(key)) {
      return isVm
        ? { revert: `you can't use '-delete ${key}' and -revert ${key}' at the same time` }
        : { delete: `you can't use '-delete ${key}' and '-revert ${key}' at the same time` };
    }
  }
  return undefined;
};

const isOption = (kind: GuestKind, key: string): boolean =>
  !NOT_KEYS.has(key) && Object.keys(SCHEMAS[kind]).some((name) => new RegExp(`^(?:${name})$`).test(key));

const write = (context: Context, kind: GuestKind, inTask: boolean): Replied => {
  const { params, weigh, who } = context;
  const edits = editsOf(params);
  const reverts = keysIn(params, "revert");
  const path = `/vms/${params.get("vmid")}`;
  const clash = clashIn(params, kind);
  if (clash !== undefined) return soon(wrongParameters(clash));
  const refused = [...Object.keys(edits), ...reverts]
    .map((key) => ({ path, privileges: [privilegeOf(key)] }))
    .find((need) => !isPermitted(weigh, who, need));
  if (refused !== undefined) return soon(notPermitted(forbidden(refused)));
  const digest = params.get("digest");
  const replied = callGuest(context, kind, {
    ...(digest === undefined ? {} : { digest }),
    edits,
    inTask: inTask && Object.keys(edits).length + reverts.length > 0,
    ...(reverts.length === 0 ? {} : { reverts }),
    verb: "configure",
  });
  return inTask ? inBackground(context, replied) : replied;
};

/** The answer waits for the task for so many seconds, and is null when it ended in time. */
const inBackground = ({ params, provider }: Context, replied: Replied): Replied => {
  const seconds = numberIn(params, "background_delay");
  const { reply } = replied;
  if (seconds === undefined || reply.kind !== "data" || typeof reply.data !== "string") return replied;
  const task = provider.world().tasks.get(reply.data);
  const leftMs = task?.stages.reduce((sum, { afterMs }) => sum + afterMs, 0) ?? 0;
  return leftMs <= seconds * 1000
    ? { delayMs: replied.delayMs + leftMs, reply: data(null) }
    : { delayMs: replied.delayMs + seconds * 1000, reply };
};

const NEED = onGuest(ANY_CONFIG, true);

export const CONFIG_ROUTES: readonly Route[] = [
  {
    answer: (context) => write(context, "vm", false),
    method: "PUT",
    need: NEED,
    path: `/nodes/{node}/${FOLDER.vm}/{vmid}/config`,
    schema: SCHEMAS.vm,
  },
  {
    answer: (context) => write(context, "vm", true),
    method: "POST",
    need: NEED,
    path: `/nodes/{node}/${FOLDER.vm}/{vmid}/config`,
    schema: { ...SCHEMAS.vm, background_delay: { ...INTEGER, max: 30, min: 1 } },
  },
  {
    answer: (context) => write(context, "ct", false),
    method: "PUT",
    need: NEED,
    path: `/nodes/{node}/${FOLDER.ct}/{vmid}/config`,
    schema: SCHEMAS.ct,
  },
];
