// What doctor finds at a place: each finding with what to do, and nothing of a secret in any of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExaminationFinding, ExaminedVm } from "../../../src/adapters/examination.ts";
import { proxmoxAdapter } from "../../../src/adapters/proxmox/adapter.ts";
import { Secret } from "../../../src/adapters/secret.ts";
import { NOW, vmid } from "./answers.ts";
import { certificate } from "./certificate.ts";
import { answersOf, BOTH, dated, find, findings, noAccess, rights, SEEN, WELL, type World } from "./examined.ts";
import { empty, openProvider, TOKEN, TOKEN_SECRET } from "./provider.ts";

const signal = new AbortController().signal;

test("a provider that is as it must be has nothing wrong", async (t) => {
  const found = await findings(t);
  assert.deepEqual(
    found.map(({ check, code, facts, isWrong }) => [check, code, facts, isWrong]),
    [
      ["tls", "certificate-pinned", {}, false],
      ["observe-token", "token-accepted", { token: "dedalus@pve!test" }, false],
      ["version", "version-supported", { version: "9.2.3" }, false],
      ["clock", "clock-same", { within: 1 }, false],
      ["observe-rights", "rights-whole", {}, false],
      ["apply-token", "token-accepted", { token: "dedalus@pve!apply" }, false],
      ["apply-rights", "actions-whole", {}, false],
    ],
  );
});

test("a pin that does not fit shows the fingerprint that was met, and nothing more is asked", async (t) => {
  const provider = await openProvider(t, answersOf({}));
  const found = await proxmoxAdapter({
    environment: "home",
    now: () => NOW,
    observe: new Secret(TOKEN),
    sleep: async () => undefined,
    tls: { sha256: certificate().fingerprint, verify: "pinned" },
    url: provider.url,
  }).examine([], signal);
  assert.equal(found.length, 1);
  assert.deepEqual(
    [found[0]?.code, found[0]?.cause, found[0]?.facts],
    ["certificate-other", "untrusted", { shown: provider.certificate.fingerprint }],
  );
  assert.deepEqual(provider.asked, []);
});

test("a token that is not accepted, or is none, is named without its secret", async (t) => {
  const denied = await findings(t, { version: empty(401, "Authentication failed!") });
  const { code, facts } = find(denied, "observe-token");
  assert.deepEqual(
    [code, facts],
    [
      "token-not-accepted",
      { diagnostic: "http-refusal", httpStatus: 401, said: "Authentication failed!", token: "dedalus@pve!test" },
    ],
  );
  const none = find(await findings(t, { observe: TOKEN_SECRET }), "observe-token");
  assert.deepEqual([none.code, none.isWrong], ["token-malformed", true]);
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
  const clock = async (date: string): Promise<ExaminationFinding> =>
    find(await findings(t, { version: dated({ version: "9.2.3" }, date) }), "clock");
  const far = await clock("Sun, 15 Nov 2026 09:58:00 GMT");
  assert.deepEqual([far.code, far.facts, far.isWrong], ["clock-behind", { allowed: 10, apart: 120 }, true]);
  const near = await clock("Sun, 15 Nov 2026 10:00:09 GMT");
  assert.deepEqual([near.code, near.facts, near.isWrong], ["clock-ahead", { allowed: 10, apart: 9 }, false]);
  for (const second of ["09:59:59", "10:00:00", "10:00:01"]) {
    assert.equal((await clock(`Sun, 15 Nov 2026 ${second} GMT`)).code, "clock-same");
  }
  assert.deepEqual((await clock("Sun, 15 Nov 2026 09:59:58 GMT")).facts, { allowed: 10, apart: 2 });
});

test("a right to look that is missing is named with its path and the commands that would grant it", async (t) => {
  const found = find(
    await findings(t, { rights: [rights("test", "/", ["VM.Audit"]), ...WELL.slice(2)] }),
    "observe-rights",
  );
  assert.deepEqual([found.code, found.facts], ["rights-missing", { missing: ["Sys.Audit@/", "VM.Audit@/vms/101"] }]);
  assert.deepEqual(found.commands, [
    // The root shows VMs and this one does not, so something in between hides it; what, this token may not see.
    "pveum acl delete /vms/101 --users 'dedalus@pve' --roles NoAccess   # if it stands there: pveum acl list",
    "pveum acl delete /vms/101 --tokens 'dedalus@pve!test' --roles NoAccess   # if it stands there",
    "pveum acl modify / --users 'dedalus@pve' --roles PVEAuditor",
    "pveum acl modify / --tokens 'dedalus@pve!test' --roles PVEAuditor",
    "pveum acl modify /vms/101 --users 'dedalus@pve' --roles PVEAuditor",
    "pveum acl modify /vms/101 --tokens 'dedalus@pve!test' --roles PVEAuditor",
  ]);
});

test("a token that looks and could act is wrong", async (t) => {
  const found = find(
    await findings(t, { rights: [...WELL, rights("test", "/vms/7", ["VM.PowerMgmt"])] }),
    "observe-rights",
  );
  assert.deepEqual(
    [found.isWrong, found.code, found.facts],
    [true, "rights-beyond", { count: 1, examples: ["VM.PowerMgmt"], path: "/vms/7" }],
  );
});

test("one token for both is wrong", async (t) => {
  assert.equal(find(await findings(t, { apply: TOKEN }), "apply-token").code, "token-shared");
});

test("a right to act that is left out is told, and wrong only where nothing is left", async (t) => {
  const few = find(
    await findings(t, { rights: [...WELL.slice(0, 2), rights("apply", "/vms/101", ["VM.PowerMgmt"])] }),
    "apply-rights",
  );
  assert.equal(few.isWrong, false);
  assert.equal(few.code, "actions-missing");
  assert.ok(JSON.stringify(few.facts["actions"]).includes("vm.resize"));
  assert.match(String(few.facts["missing"]), /^VM\.Config\.CPU,VM\.Config\.Memory,VM\.Snapshot,.*@\/vms\/101$/);
  assert.deepEqual(few.commands, [], "what was left out on purpose is not proposed");
  const none = find(await findings(t, { rights: WELL.slice(0, 2) }), "apply-rights");
  assert.equal(none.isWrong, true);
  assert.deepEqual(none.commands, [
    "pveum role add Dedalus-VM.PowerMgmt --privs 'VM.PowerMgmt'   # unless it exists",
    "pveum acl modify /vms/101 --users 'dedalus@pve' --roles PVEAuditor,Dedalus-VM.PowerMgmt",
    "pveum acl modify /vms/101 --tokens 'dedalus@pve!apply' --roles Dedalus-VM.PowerMgmt",
  ]);
});

test("what a VM has already is granted with the rest, or the entry would take it away", async (t) => {
  const few = [...WELL.slice(0, 2), rights("apply", "/vms/101", ["VM.Snapshot"])];
  const { commands, isWrong } = find(await findings(t, { rights: few }), "apply-rights");
  assert.equal(isWrong, true);
  assert.equal(
    commands.at(-1),
    "pveum acl modify /vms/101 --tokens 'dedalus@pve!apply' --roles Dedalus-VM.PowerMgmt,Dedalus-VM.Snapshot",
  );
});

test("nothing is granted on a protected VM, however that is known", async (t) => {
  const worlds: Readonly<Record<string, World>> = {
    "by its entry": { wanted: [BOTH[0] as ExaminedVm, { isProtected: true, vmid: vmid(102) }] },
    "by its name": { vms: [{ name: "PROD-db", type: "qemu", vmid: 102 }], wanted: BOTH },
    "by its tag": { vms: [{ name: "db", tags: "web;Prod", type: "qemu", vmid: "102" }], wanted: BOTH },
  };
  for (const [how, world] of Object.entries(worlds)) {
    const acting = find(await findings(t, { ...world, rights: SEEN }), "apply-rights");
    assert.ok(
      acting.commands.some((command) => command.includes("/vms/101 ")),
      how,
    );
    assert.ok(!JSON.stringify(acting).includes("/vms/102"), `${how}: ${JSON.stringify(acting)}`);
    const well = find(await findings(t, { ...world, rights: [...SEEN, ...WELL.slice(2)] }), "apply-rights");
    assert.deepEqual([well.code, well.isWrong], ["actions-whole", false]);
    assert.deepEqual(find(await findings(t, { ...world, rights: SEEN }), "protected").facts, { vms: 1 }, how);
  }
  const open = find(await findings(t, { rights: SEEN, wanted: BOTH }), "apply-rights");
  assert.ok(
    open.commands.some((command) => command.includes("/vms/102 ")),
    "its neighbour is granted",
  );
});

test("an entry NoAccess is named with the command that removes it, and nothing is granted beside it", async (t) => {
  const acl = [noAccess("/vms/101", "user", "dedalus@pve"), noAccess("/vms/7", "user", "dedalus@pve")];
  const hidden = [rights("test", "/", ["Sys.Audit", "VM.Audit"])];
  const found = await findings(t, { acl, rights: hidden });
  for (const check of ["observe-rights", "apply-rights"]) {
    const { code, commands, facts, isWrong } = find(found, check);
    assert.equal(isWrong, true);
    assert.match(code, /-taken$/);
    assert.deepEqual(facts["denied"], ["dedalus@pve@/vms/101"]);
    assert.deepEqual(commands, ["pveum acl delete /vms/101 --users 'dedalus@pve' --roles NoAccess"], check);
  }
});

test("an entry NoAccess counts for the token, from above, and for a group; not where it does not reach", async (t) => {
  const hidden = [rights("test", "/", ["Sys.Audit", "VM.Audit"])];
  const removed = async (entry: object): Promise<string | undefined> =>
    find(await findings(t, { acl: [entry], rights: hidden }), "observe-rights").commands.find((one) =>
      / delete /.test(one),
    );
  assert.equal(
    await removed(noAccess("/vms/101", "token", "dedalus@pve!test")),
    "pveum acl delete /vms/101 --tokens 'dedalus@pve!test' --roles NoAccess",
  );
  assert.equal(
    await removed(noAccess("/vms", "user", "dedalus@pve")),
    "pveum acl delete /vms --users 'dedalus@pve' --roles NoAccess",
  );
  assert.match(
    (await removed(noAccess("/vms/101", "group", "ops"))) ?? "",
    /--groups 'ops' --roles NoAccess {3}# if dedalus@pve is in it/,
  );
  for (const other of [
    noAccess("/vms", "user", "dedalus@pve", 0),
    noAccess("/vms/102", "user", "dedalus@pve"),
    noAccess("/vms/101", "user", "root@pam"),
    noAccess("/vms/101", "token", "dedalus@pve!other"),
    { ...noAccess("/vms/101", "user", "dedalus@pve"), roleid: "PVEAuditor" },
    noAccess("/vms/101; rm -rf /", "user", "dedalus@pve"),
  ]) {
    assert.equal(await removed(other), undefined, JSON.stringify(other));
  }
});

test("where the access list is not shown, the entry that may stand there is named with the grant", async (t) => {
  const hidden = [rights("test", "/", ["VM.Audit"])];
  const { commands } = find(await findings(t, { rights: hidden }), "observe-rights");
  assert.ok(
    commands.some((one) => /^pveum acl delete \/vms\/101 --users 'dedalus@pve' --roles NoAccess {3}# if/.test(one)),
  );
});

test("what is found does not depend on the order in which PVE lists anything", async (t) => {
  const more = [
    ...WELL,
    rights("test", "/vms/9", ["VM.PowerMgmt", "VM.Audit"]),
    rights("test", "/vms/10", ["VM.Console", "VM.Backup"]),
  ];
  const acl = [noAccess("/vms/101", "user", "dedalus@pve"), noAccess("/vms", "token", "dedalus@pve!test")];
  const straight = await findings(t, { acl, rights: more });
  const turned = more.toReversed().map(([key, privileges]) => [key, privileges.toReversed()] as const);
  assert.deepEqual(await findings(t, { acl: acl.toReversed(), rights: turned }), straight);
});

test("of rights beyond observing three are named, and all are counted", async (t) => {
  const beyond = async (...names: readonly string[]) =>
    find(await findings(t, { rights: [...WELL, rights("test", "/vms/7", names)] }), "observe-rights").facts;
  const examples = ["VM.A", "VM.B", "VM.C"];
  assert.deepEqual(await beyond("VM.A", "VM.B", "VM.C"), { count: 3, examples, path: "/vms/7" });
  assert.deepEqual(await beyond("VM.D", "VM.C", "VM.B", "VM.A"), { count: 4, examples, path: "/vms/7" });
});

test("whoever may read the list of entries, at / or at /access, is not told to guess at them", async (t) => {
  const guesses = async (...more: readonly ReturnType<typeof rights>[]) => {
    const given = [rights("test", "/", ["VM.Audit"]), ...more, ...WELL.slice(2)];
    const { commands } = find(await findings(t, { rights: given }), "observe-rights");
    return commands.filter((command) => command.includes("if it stands there")).length;
  };
  assert.equal(await guesses(), 2);
  assert.equal(await guesses(rights("test", "/access", ["Sys.Audit"])), 0);
  assert.equal(await guesses(rights("test", "/access", ["Sys.Modify"])), 2);
});
