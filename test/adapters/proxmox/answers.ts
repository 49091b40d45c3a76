// Answers of a small cluster in the shapes of the real API, for tests to change one thing in.

import { LIMITS, type Limits } from "../../../src/adapters/proxmox/api/connection.ts";
import { readerOf } from "../../../src/adapters/proxmox/api/pve-reader.ts";
import { type ApiToken, tokenOf } from "../../../src/adapters/proxmox/api/pve-token.ts";
import { proxmoxSource, type SourceOptions } from "../../../src/adapters/proxmox/observe/pve-source.ts";
import { Secret } from "../../../src/adapters/secret.ts";
import type { Source } from "../../../src/adapters/source.ts";
import { addressOf } from "../../../src/dial/trust.ts";
import type { Instant, Vmid } from "../../../src/spine/model.ts";
import { type Answers, type TestProvider, TOKEN, type Written } from "./provider.ts";

export const vmid = (id: number): Vmid => id as Vmid;
export const NOW = "2026-11-15T10:00:00.000Z" as Instant;
export const DIGEST = "41a11e8936dbf94c2a6f972db4ca5ba34364cc3d";
export const UUID = "2f6a1f0e-8c1f-4d4c-9c43-0d6f1f1f1f1f";

export const row = (id: number, more: object = {}): object => ({
  cpu: 0,
  disk: 0,
  id: `qemu/${id}`,
  maxcpu: 2,
  maxmem: 536870912,
  name: `vm-${id}`,
  node: "pve1",
  status: "stopped",
  template: 0,
  type: "qemu",
  uptime: 0,
  vmid: id,
  ...more,
});

export const stopped = (id: number, more: object = {}): object => ({
  cpus: 2,
  ha: { managed: 0 },
  maxmem: 536870912,
  name: `vm-${id}`,
  qmpstatus: "stopped",
  status: "stopped",
  uptime: 0,
  vmid: id,
  ...more,
});

export const running = (id: number, more: object = {}): object => ({
  ...stopped(id),
  pid: 579,
  qmpstatus: "running",
  "running-machine": "pc-i440fx-10.0",
  "running-qemu": "10.0.13",
  status: "running",
  uptime: 256,
  ...more,
});

type Setting = unknown | { readonly value?: unknown; readonly pending?: unknown; readonly delete?: number };

const item = (key: string, setting: Setting): object =>
  typeof setting === "object" && setting !== null ? { key, ...setting } : { key, value: setting };

/** As `pending` lists it; a setting given as undefined is left out. */
export const config = (id: number, more: Readonly<Record<string, Setting>> = {}): readonly object[] =>
  Object.entries({
    cores: 2,
    digest: DIGEST,
    memory: "512",
    meta: "creation-qemu=10.0.2,ctime=1794000000",
    name: `vm-${id}`,
    smbios1: `uuid=${UUID}`,
    sockets: 1,
    vmgenid: "f0f0f0f0-0000-4000-8000-000000000000",
    ...more,
  })
    .filter(([, setting]) => setting !== undefined)
    .map(([key, setting]) => item(key, setting));

export const containerConfig = (id: number, more: Readonly<Record<string, Setting>> = {}): readonly object[] =>
  Object.entries({
    arch: "amd64",
    cores: 1,
    digest: DIGEST,
    hostname: `ct-${id}`,
    memory: 512,
    rootfs: `local:${id}/vm-${id}-disk-0.raw,size=8G`,
    ...more,
  })
    .filter(([, setting]) => setting !== undefined)
    .map(([key, setting]) => item(key, setting));

export const node = (name: string, more: object = {}): object => ({
  id: `node/${name}`,
  ip: "10.0.0.1",
  level: "",
  local: name === "pve1" ? 1 : 0,
  name,
  nodeid: 1,
  online: 1,
  type: "node",
  ...more,
});

export const clusterEntry = (quorate: 0 | 1): object => ({
  id: "cluster",
  name: "lab",
  nodes: 2,
  quorate,
  type: "cluster",
  version: 1,
});

/** One node, one stopped VM 101; everything may be read. */
export const CALM: Answers = {
  "GET /access/permissions": { data: { "/": { "Sys.Audit": 1, "VM.Audit": 1 }, "/vms": { "VM.Audit": 1 } } },
  "GET /cluster/resources?type=vm": { data: [row(101)] },
  "GET /cluster/status": { data: [node("pve1")] },
  "GET /nodes/pve1/qemu/101/pending": { data: config(101) },
  "GET /nodes/pve1/qemu/101/status/current": { data: stopped(101) },
  "GET /nodes/pve1/tasks": { data: [] },
  "GET /nodes/pve2/tasks": { data: [] },
};

export const statusAt = (written: Written): Answers => ({ "GET /nodes/pve1/qemu/101/status/current": written });
export const configAt = (written: Written): Answers => ({ "GET /nodes/pve1/qemu/101/pending": written });

export const TEST_TOKEN = tokenOf(new Secret(TOKEN)) as ApiToken;

export const sourceFor = (provider: TestProvider, limits: Limits = LIMITS, more: Partial<SourceOptions> = {}): Source =>
  proxmoxSource({
    environment: "home",
    now: () => NOW,
    onSeen: () => undefined,
    reader: readerOf({
      limits,
      address: addressOf(provider.url),
      token: TEST_TOKEN,
      trust: { sha256: provider.certificate.fingerprint, verify: "pinned" },
    }),
    ...more,
  });
