// What doctor finds at a place: each finding with what to do, and nothing of a secret in any of them.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { proxmoxAdapter } from "../../../src/adapters/proxmox/adapter.ts";
import type { Finding } from "../../../src/adapters/proxmox/examine.ts";
import { Secret } from "../../../src/adapters/secret.ts";
import { NOW, vmid } from "./answers.ts";
import { certificate } from "./certificate.ts";
import { type Answers, empty, openPlace, TOKEN, TOKEN_SECRET, type Written } from "./place.ts";

const signal = new AbortController().signal;
const APPLY = `dedalus@pve!apply=${TOKEN_SECRET}`;

const dated = (data: unknown, date = "Sun, 15 Nov 2026 10:00:01 GMT"): Written => ({
  raw: (response) => {
    response.setHeader("date", date);
    response.end(JSON.stringify({ data }));
  },
});

const rights = (who: string, on: string, privileges: readonly string[]): readonly [string, readonly string[]] => [
  `${who} ${on}`,
  privileges,
];

const ALL_ACTING = [
  "VM.PowerMgmt",
  "VM.Config.CPU",
  "VM.Config.Memory",
  "VM.Snapshot",
  "VM.Snapshot.Rollback",
  "VM.Allocate",
];
const WELL = [
  rights("test", "/", ["Sys.Audit", "VM.Audit"]),
  rights("test", "/vms/101", ["VM.Audit"]),
  rights("apply", "/vms/101", ALL_ACTING),
];

type World = {
  readonly apply?: string;
  readonly observe?: string;
  readonly rights?: readonly (readonly [string, readonly string[]])[];
  readonly version?: Written;
};

/** Rights by token: the query names the path, and without one everything is listed. */
const answersOf = ({ rights: given = WELL, version = dated({ version: "9.2.3" }) }: World): Answers => ({
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
  "GET /version": version,
});

const findings = async (t: TestContext, world: World = {}): Promise<readonly Finding[]> => {
  const place = await openPlace(t, answersOf(world));
  const found = await proxmoxAdapter({
    apply: new Secret(world.apply ?? APPLY),
    environment: "home",
    now: () => NOW,
    observe: new Secret(world.observe ?? TOKEN),
    sleep: async () => undefined,
    tls: { sha256: place.certificate.fingerprint, verify: "pinned" },
    url: place.url,
  }).examine([vmid(101)], signal);
  assert.ok(!JSON.stringify(found).includes(TOKEN_SECRET), "a finding never holds a secret");
  return found;
};

const find = (list: readonly Finding[], check: string): Finding =>
  list.find((finding) => finding.check === check) ?? { check, found: "no such check", isWrong: true, next: [] };

test("a place that is as it must be has nothing wrong", async (t) => {
  const found = await findings(t);
  assert.deepEqual(
    found.map(({ check, found: words, isWrong }) => [check, words, isWrong]),
    [
      ["TLS", "it is the pinned certificate", false],
      ["observe token", "dedalus@pve!test is accepted", false],
      ["version", "Proxmox VE 9.2.3", false],
      ["clock", "1 s ahead of ours", false],
      ["rights to look", "everything that is wanted may be seen, and nothing may be changed", false],
      ["apply token", "dedalus@pve!apply is accepted", false],
      ["rights to act", "every action on every wanted VM", false],
    ],
  );
});

test("a pin that does not fit shows the fingerprint that was met, and nothing more is asked", async (t) => {
  const place = await openPlace(t, answersOf({}));
  const found = await proxmoxAdapter({
    environment: "home",
    now: () => NOW,
    observe: new Secret(TOKEN),
    sleep: async () => undefined,
    tls: { sha256: certificate().fingerprint, verify: "pinned" },
    url: place.url,
  }).examine([], signal);
  assert.equal(found.length, 1);
  assert.ok(found[0]?.found.includes(place.certificate.fingerprint));
  assert.deepEqual(place.asked, []);
});

test("a token that is not accepted, or is none, is named without its secret", async (t) => {
  const denied = await findings(t, { version: empty(401, "Authentication failed!") });
  assert.equal(find(denied, "observe token").found, "dedalus@pve!test: 401 Authentication failed!");
  const none = await findings(t, { observe: TOKEN_SECRET });
  assert.deepEqual(
    [find(none, "observe token").found, find(none, "observe token").isWrong],
    ["the secret is not a token", true],
  );
});

test("versions that the adapter was not made for are wrong", async (t) => {
  for (const [version, isWrong] of [
    ["8.4.1", false],
    ["9.0.0", false],
    ["7.4-3", true],
    ["10.0.1", true],
    ["\u001b[2J", true],
  ] as const) {
    assert.equal(find(await findings(t, { version: dated({ version }) }), "version").isWrong, isWrong, version);
  }
});

test("clocks that are apart are told, in the direction they are", async (t) => {
  const clock = async (date: string): Promise<Finding> =>
    find(await findings(t, { version: dated({ version: "9.2.3" }, date) }), "clock");
  assert.deepEqual(
    [(await clock("Sun, 15 Nov 2026 09:58:00 GMT")).found, (await clock("Sun, 15 Nov 2026 09:58:00 GMT")).isWrong],
    ["120 s behind ours", true],
  );
  assert.equal((await clock("Sun, 15 Nov 2026 10:00:09 GMT")).isWrong, false);
});

test("a right to look that is missing is named with its path and the commands that would grant it", async (t) => {
  const found = find(
    await findings(t, { rights: [rights("test", "/", ["VM.Audit"]), ...WELL.slice(2)] }),
    "rights to look",
  );
  assert.equal(found.found, "missing: Sys.Audit on / and below, VM.Audit on /vms/101");
  assert.deepEqual(found.next, [
    "pveum acl modify / --users 'dedalus@pve' --roles PVEAuditor",
    "pveum acl modify / --tokens 'dedalus@pve!test' --roles PVEAuditor",
    // The root shows VMs and this one does not, so something in between hides it.
    "pveum acl modify /vms/101 --users 'dedalus@pve' --roles PVEAuditor",
    "pveum acl modify /vms/101 --tokens 'dedalus@pve!test' --roles PVEAuditor",
  ]);
});

test("a token that looks and could act is wrong", async (t) => {
  const found = find(
    await findings(t, { rights: [...WELL, rights("test", "/vms/7", ["VM.PowerMgmt"])] }),
    "rights to look",
  );
  assert.deepEqual(
    [found.isWrong, found.found],
    [true, "the token that only looks may do more: VM.PowerMgmt on /vms/7"],
  );
});

test("one token for both is wrong", async (t) => {
  assert.equal(find(await findings(t, { apply: TOKEN }), "apply token").found, "it is the token that observes");
});

test("a right to act that is left out is told, and wrong only where nothing is left", async (t) => {
  const few = find(
    await findings(t, { rights: [...WELL.slice(0, 2), rights("apply", "/vms/101", ["VM.PowerMgmt"])] }),
    "rights to act",
  );
  assert.equal(few.isWrong, false);
  assert.match(few.found, /vm\.resize.*missing: VM\.Config\.CPU, VM\.Config\.Memory, VM\.Snapshot, .* on \/vms\/101$/);
  assert.equal(few.next.at(-1), "pveum acl modify /vms/101 --tokens 'dedalus@pve!apply' --roles DedalusApply");
  const none = find(await findings(t, { rights: WELL.slice(0, 2) }), "rights to act");
  assert.equal(none.isWrong, true);
  assert.match(none.next[0] ?? "", /^pveum role add DedalusApply --privs 'VM\.PowerMgmt,VM\.Config\.CPU,/);
});
