// Methods about migrating a guest: what it could meet, and the migration itself.
//
// The fields are those of qemu-server src/PVE/API2/Qemu.pm and pve-container src/PVE/API2/LXC.pm, which spell them in
// two ways. Every other member is allowed, whether it is up or not: the original does not ask it. The one storage is
// local.

import { LOCAL_TARGET } from "../world/refused-call.ts";
import { disksIn, type GuestKind, lockIn, sizeIn } from "../world/settings.ts";
import { isQuorate, type SimulatedGuest, type World } from "../world/world.ts";
import { data, died, type Replied, soon, wrongParameters } from "./api-reply.ts";
import { callGuest, FOLDER, KINDS, onGuest, readGuest } from "./guest-of.ts";
import { type Context, type Route, textIn } from "./route.ts";
import { BOOLEAN, INTEGER, isTrue, NODE, type Schema, TEXT, VMID } from "./schema.ts";
import { membersOf } from "./view-node.ts";

const othersThan = (world: World, { node }: SimulatedGuest): readonly string[] =>
  membersOf(world)
    .map(({ name }) => name)
    .filter((name) => name !== node);

const localDisks = ({ file }: SimulatedGuest): readonly object[] =>
  disksIn(file.settings).map(([, disk]) => ({ cdrom: 0, size: sizeIn(disk), volid: disk.split(",")[0] }));

const precondition = (world: World, guest: SimulatedGuest): Readonly<Record<string, unknown>> => {
  const nodes = othersThan(world, guest);
  const dependent = guest.ha === undefined ? {} : { "dependent-ha-resources": [] };
  const running = guest.run.kind === "running" ? 1 : 0;
  if (guest.kind === "ct") return { "allowed-nodes": nodes, ...dependent, "not-allowed-nodes": {}, running };
  return {
    allowed_nodes: nodes,
    ...dependent,
    "has-dbus-vmstate": 1,
    local_disks: localDisks(guest),
    local_resources: [],
    "mapped-resource-info": {},
    "mapped-resources": [],
    // Nothing is said against any of them.
    not_allowed_nodes: Object.fromEntries(nodes.map((name) => [name, {}])),
    running,
  };
};

const shown = (context: Context, kind: GuestKind): Replied => {
  const { world } = context;
  if (!isQuorate(world)) return soon(died("cluster not ready - no quorum?"));
  return readGuest(context, kind, (guest) => {
    const lock = lockIn(guest.file.settings);
    return lock === undefined
      ? data(precondition(world, guest))
      : died(`${kind === "vm" ? "VM" : "CT"} is locked (${lock})`);
  });
};

const migrated = (context: Context, kind: GuestKind): Replied => {
  const { params } = context;
  const target = textIn(params, "target");
  if (target === textIn(params, "node")) return soon(wrongParameters({ target: LOCAL_TARGET }));
  const isOnline = isTrue(params.get("online")) || isTrue(params.get("restart"));
  return callGuest(context, kind, { isOnline, target, verb: "migrate" });
};

const LIMIT = { ...INTEGER, min: 0 };
const OPTIONS = {
  ct: { bwlimit: { ...LIMIT, type: "number" }, restart: BOOLEAN, "target-storage": TEXT, timeout: INTEGER },
  vm: {
    bwlimit: LIMIT,
    force: { isForRoot: true, type: "boolean" },
    migration_network: { isForRoot: true, type: "string" },
    migration_type: { isForRoot: true, oneOf: ["secure", "insecure"], type: "string" },
    targetstorage: TEXT,
    "with-conntrack-state": BOOLEAN,
    "with-local-disks": BOOLEAN,
  },
} as const satisfies Record<GuestKind, Schema>;

const routesOf = (kind: GuestKind): readonly Route[] => {
  const path = `/nodes/{node}/${FOLDER[kind]}/{vmid}/migrate`;
  const guest = { node: NODE, vmid: VMID };
  const { isRequired: _, ...optionalNode } = NODE;
  return [
    {
      answer: (context) => shown(context, kind),
      method: "GET",
      need: onGuest(["VM.Migrate"]),
      path,
      schema: { ...guest, target: optionalNode },
    },
    {
      answer: (context) => migrated(context, kind),
      method: "POST",
      need: onGuest(["VM.Migrate"]),
      path,
      schema: { ...guest, ...OPTIONS[kind], online: BOOLEAN, target: NODE },
    },
  ];
};

export const MIGRATE_ROUTES: readonly Route[] = KINDS.flatMap(routesOf);
