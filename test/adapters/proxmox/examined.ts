// A provider as an examination meets it, for tests to change one thing in: rights by token and path, the access list,
// the version.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { ExaminationFinding, ExaminedVm } from "../../../src/adapters/examination.ts";
import { proxmoxAdapter } from "../../../src/adapters/proxmox/adapter.ts";
import { Secret } from "../../../src/adapters/secret.ts";
import { NOW, vmid } from "./answers.ts";
import { type Answers, openProvider, TOKEN, TOKEN_SECRET, type Written } from "./provider.ts";

const signal = new AbortController().signal;
export const APPLY = `dedalus@pve!apply=${TOKEN_SECRET}`;

export const dated = (data: unknown, date = "Sun, 15 Nov 2026 10:00:01 GMT"): Written => ({
  raw: (response) => {
    response.setHeader("date", date);
    response.end(JSON.stringify({ data }));
  },
});

export const rights = (
  who: string,
  on: string,
  privileges: readonly string[],
): readonly [string, readonly string[]] => [`${who} ${on}`, privileges];

export const ALL_ACTING = [
  "VM.PowerMgmt",
  "VM.Config.CPU",
  "VM.Config.Memory",
  "VM.Snapshot",
  "VM.Snapshot.Rollback",
  "VM.Allocate",
];
export const WELL = [
  rights("test", "/", ["Sys.Audit", "VM.Audit"]),
  rights("test", "/vms/101", ["VM.Audit"]),
  rights("apply", "/vms/101", ALL_ACTING),
];

export type World = {
  readonly acl?: readonly object[];
  readonly apply?: string;
  readonly observe?: string;
  readonly rights?: readonly (readonly [string, readonly string[]])[];
  readonly version?: Written;
  readonly vms?: readonly object[];
  readonly wanted?: readonly ExaminedVm[];
};

/** Rights by token: the query names the path, and without one everything is listed. */
export const answersOf = ({
  acl = [],
  rights: given = WELL,
  version = dated({ version: "9.2.3" }),
  vms = [],
}: World): Answers => ({
  "GET /access/acl": { data: acl },
  "GET /access/permissions": ({ authorization, what }) => {
    const who = authorization.includes("!apply=") ? "apply" : "test";
    const path = new URLSearchParams(what.split("?")[1]).get("path");
    const own = given
      .filter(([key]) => key.startsWith(`${who} `))
      .map(
        ([key, privileges]) =>
          [key.slice(who.length + 1), Object.fromEntries(privileges.map((name) => [name, 1]))] as const,
      );
    const map = Object.fromEntries(own);
    return { data: path === null ? map : { [path]: map[path] ?? {} } };
  },
  "GET /cluster/resources?type=vm": { data: vms },
  "GET /version": version,
});

export const findings = async (t: TestContext, world: World = {}): Promise<readonly ExaminationFinding[]> => {
  const provider = await openProvider(t, answersOf(world));
  const found = await proxmoxAdapter({
    apply: new Secret(world.apply ?? APPLY),
    environment: "home",
    now: () => NOW,
    observe: new Secret(world.observe ?? TOKEN),
    sleep: async () => undefined,
    tls: { sha256: provider.certificate.fingerprint, verify: "pinned" },
    url: provider.url,
  }).examine(world.wanted ?? [{ isProtected: false, vmid: vmid(101) }], signal);
  assert.ok(!JSON.stringify(found).includes(TOKEN_SECRET), "a finding never holds a secret");
  return found;
};

export const find = (list: readonly ExaminationFinding[], check: string): ExaminationFinding =>
  list.find((finding) => finding.check === check) ?? {
    check,
    code: "no such check",
    commands: [],
    facts: {},
    isWrong: true,
  };

export const BOTH = [101, 102].map((id) => ({ isProtected: false, vmid: vmid(id) }));
export const SEEN = [...WELL.slice(0, 2), rights("test", "/vms/102", ["VM.Audit"])];

export const noAccess = (path: string, type: string, ugid: string, propagate = 1) => ({
  path,
  propagate,
  roleid: "NoAccess",
  type,
  ugid,
});
