// The privileges of Proxmox VE and the roles that come with it, by release.
//
// VM.Monitor is gone in 9; the guest agent has privileges of its own there.

import { ROLES } from "../../formats/scenario/scenario-fields.ts";

export type Dialect = "8" | "9";

const EVERYWHERE = [
  "Datastore.Allocate",
  "Datastore.AllocateSpace",
  "Datastore.AllocateTemplate",
  "Datastore.Audit",
  "Group.Allocate",
  "Mapping.Audit",
  "Mapping.Modify",
  "Mapping.Use",
  "Permissions.Modify",
  "Pool.Allocate",
  "Pool.Audit",
  "Realm.Allocate",
  "Realm.AllocateUser",
  "SDN.Allocate",
  "SDN.Audit",
  "SDN.Use",
  "Sys.AccessNetwork",
  "Sys.Audit",
  "Sys.Console",
  "Sys.Incoming",
  "Sys.Modify",
  "Sys.PowerMgmt",
  "Sys.Syslog",
  "User.Modify",
  "VM.Allocate",
  "VM.Audit",
  "VM.Backup",
  "VM.Clone",
  "VM.Config.CDROM",
  "VM.Config.CPU",
  "VM.Config.Cloudinit",
  "VM.Config.Disk",
  "VM.Config.HWType",
  "VM.Config.Memory",
  "VM.Config.Network",
  "VM.Config.Options",
  "VM.Console",
  "VM.Migrate",
  "VM.PowerMgmt",
  "VM.Snapshot",
  "VM.Snapshot.Rollback",
] as const;

const ONLY = {
  "8": ["VM.Monitor"],
  "9": [
    "VM.GuestAgent.Audit",
    "VM.GuestAgent.FileRead",
    "VM.GuestAgent.FileSystemMgmt",
    "VM.GuestAgent.FileWrite",
    "VM.GuestAgent.Unrestricted",
    "VM.Replicate",
  ],
} as const satisfies Record<Dialect, readonly string[]>;

export const privilegesOf = (dialect: Dialect): readonly string[] => [...EVERYWHERE, ...ONLY[dialect]].toSorted();

const NOT_FOR_ADMINS =
  /^(?:Permissions\.Modify|Sys\.(?:PowerMgmt|Modify|Incoming|AccessNetwork)|Realm\.Allocate|SDN\.Use)$/;
const VM_USER = /^VM\.(?:Audit|Backup|Config\.(?:CDROM|Cloudinit)|Console|PowerMgmt|GuestAgent\.Audit|Monitor)$/;

const BUILT_IN: Readonly<Record<(typeof ROLES)[number], (privilege: string) => boolean>> = {
  Administrator: () => true,
  NoAccess: () => false,
  PVEAdmin: (privilege) => !NOT_FOR_ADMINS.test(privilege),
  PVEAuditor: (privilege) => /\.Audit$/.test(privilege),
  PVEPoolUser: (privilege) => privilege === "Pool.Audit",
  PVEVMAdmin: (privilege) => privilege.startsWith("VM."),
  PVEVMUser: (privilege) => VM_USER.test(privilege),
};

/** The privileges of a role; undefined when there is no such role. */
export const privilegesOfRole = (
  role: string,
  own: ReadonlyMap<string, readonly string[]>,
  dialect: Dialect,
): readonly string[] | undefined => {
  const written = own.get(role);
  if (written !== undefined) return written;
  const known = ROLES.find((name) => name === role);
  return known === undefined ? undefined : privilegesOf(dialect).filter(BUILT_IN[known]);
};
