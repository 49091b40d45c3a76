// The world that the recordings of Proxmox VE 9.2 were taken from, as scenario text: one node alone with folders of two
// others, and for the last recording a cluster of two whose peer is absent.
//
// Between some recordings the place was changed without a record of it; those changes stand here, by recording.

import type { Change } from "../../src/simulator/world/faults.ts";

export const ROOT = "PVEAPIToken=root@pam!oracle=aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
export const AUDITOR = "PVEAPIToken=aud@pve!ro=bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";

const file = (...lines: readonly string[]): string => lines.map((line) => `${" ".repeat(6)}${line}\n`).join("");

const FRONT = [
  "#web front%3A do not stop",
  "#second line",
  "agent: 1",
  "cores: 1",
  "cpu: qemu64",
  "kvm: 0",
  "memory: 256",
  "name: front01",
  "onboot: 1",
  "ostype: l26",
  "parent: before-upgrade",
  "scsi0: local:106/vm-106-disk-0.qcow2,size=1G",
  "scsihw: virtio-scsi-single",
  "tags: prod",
  "",
  "[before-upgrade]",
  "#taken by hand",
  "cores: 1",
  "memory: 256",
  "name: front01",
  "ostype: l26",
  "scsi0: local:106/vm-106-disk-0.qcow2,size=1G",
  "snaptime: 1794000000",
];

type Guest = {
  readonly vmid: number;
  readonly words?: string;
  readonly node?: string;
  readonly lines: readonly string[];
};

const GUESTS: readonly Guest[] = [
  {
    lines: [
      "boot:  ",
      "cores: 2",
      "cpu: qemu64",
      "kvm: 0",
      "memory: 512",
      "name: web01",
      "numa: 0",
      "ostype: l26",
      "scsihw: virtio-scsi-single",
      "smbios1: uuid=7b10d7af-b932-4c66-b2c3-3996152ec465",
      "sockets: 1",
      "tags: prod;web",
    ],
    vmid: 100,
    words: "status: running, uptime: 252 s",
  },
  { lines: ["cores: 1", "lock: backup", "memory: 1024", "name: db01", "ostype: l26"], vmid: 101 },
  { lines: ["cores: 1", "memory: 256", "name: tmpl", "ostype: l26", "template: 1"], vmid: 102 },
  { lines: ["cores: banana", "memory: 256", "name: broken", "this line is not config", "ostype: l26"], vmid: 103 },
  { lines: ["cores: 1", "memory: 256", "name: keep-me", "ostype: l26", "protection: 1"], vmid: 104 },
  {
    lines: [
      "cores: 1",
      "cpu: qemu64",
      "kvm: 0",
      "memory: 256",
      "name: app01",
      "ostype: l26",
      "hotplug: disk,network,usb",
      "",
      "[PENDING]",
      "delete: balloon",
      "memory: 512",
    ],
    vmid: 105,
  },
  { lines: FRONT, vmid: 106 },
  {
    lines: [
      "cores: 1",
      "lock: suspended",
      "memory: 256",
      "name: hib01",
      "ostype: l26",
      "runningmachine: pc-i440fx-10.0+pve0",
      "vmstate: local:107/vm-107-state-suspend-2026-11-01.raw",
    ],
    vmid: 107,
  },
  {
    lines: ["cores: 1", "cpu: qemu64", "kvm: 0", "memory: 256", "name: victim", "ostype: l26"],
    vmid: 108,
    words: "deaf: true",
  },
  { lines: [], vmid: 109 },
  { lines: ["cores: 2", "memory: 2048", "name: far01", "ostype: l26"], node: "pve2", vmid: 200 },
  { lines: ["cores: 2", "lock: migrate", "memory: 2048", "name: far02", "ostype: l26"], node: "pve3", vmid: 201 },
  {
    lines: [
      "arch: amd64",
      "cores: 1",
      "hostname: ct01",
      "memory: 512",
      "ostype: debian",
      "rootfs: local:300/vm-300-disk-0.raw,size=8G",
      "swap: 512",
      "unprivileged: 1",
    ],
    vmid: 300,
    words: "kind: ct",
  },
];

const guestText = ({ lines, node = "pve1", vmid, words = "" }: Guest): string => {
  const more =
    words === ""
      ? ""
      : words
          .split(", ")
          .map((word) => `    ${word}\n`)
          .join("");
  const config = lines.length === 0 ? '    config: ""\n' : `    config: |\n${file(...lines)}`;
  return `  - vmid: ${vmid}\n    node: ${node}\n${more}${config}`;
};

const scenario = (cluster: string, peer: string, guests: readonly Guest[]): string => `version: 1
seed: 92
pve: "9.2.3"
${cluster}start: "2026-11-15T22:31:10Z"
nodes:
  - { name: pve1, cpus: 2, memory: 24 GiB }
  - { name: pve2, ${peer} }
  - { name: pve3, member: false }
guests:
${guests.map(guestText).join("")}users:
  - { name: root@pam, password: simulated }
  - { name: aud@pve }
tokens:
  - { id: root@pam!oracle, secret: aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa, privsep: false }
  - { id: aud@pve!ro, secret: bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb, privsep: true }
acl:
  - { path: /vms/100, who: aud@pve, role: PVEAuditor, propagate: true }
  - { path: /vms/100, who: aud@pve!ro, role: PVEAuditor, propagate: true }
`;

export const ALONE = scenario("", "member: false", GUESTS);
export const NO_QUORUM = scenario(
  "cluster: lab\n",
  "up: false",
  GUESTS.filter(({ vmid }) => vmid !== 108).map((guest) =>
    guest.vmid === 106 ? { ...guest, words: "status: paused, uptime: 590 s" } : guest,
  ),
);

/** What had been changed before a recording began. */
export const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  "18-start-suspend-resume": [{ key: "cores", kind: "set", value: "2", vmid: 108 }],
  "21-shutdown-timeout": [{ kind: "renamed", name: "victim-renamed", vmid: 108 }],
  "32-destroy": [{ kind: "stops", vmid: 108 }],
};

/** The credentials that a recording says it was given without writing them down. */
export const GIVEN: Readonly<Record<string, readonly string[]>> = {
  "03-auth-bad-token": [
    "PVEAPIToken=root@pam!oracle=00000000-0000-4000-8000-000000000000",
    "PVEAPIToken=root@pam!nobody=aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
    "Bearer aaaaaaaa",
    ROOT.replace("=", " "),
  ],
};
