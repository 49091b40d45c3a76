// An examination at its edges: each check by itself, and where one condition alone decides what is told or granted.

import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { proxmoxAdapter } from "../../../src/adapters/proxmox/adapter.ts";
import { Secret } from "../../../src/adapters/secret.ts";
import type { ServerTrust } from "../../../src/dial/trust.ts";
import { NOW, vmid } from "./answers.ts";
import {
  ALL_ACTING,
  APPLY,
  answersOf,
  BOTH,
  dated,
  find,
  findings,
  noAccess,
  rights,
  SEEN,
  WELL,
  type World,
} from "./examined.ts";
import { type Answers, empty, openProvider, TOKEN, within } from "./provider.ts";

const signal = new AbortController().signal;

test("a version that is not shown is told as that, and one that is unsupported by its number", async (t) => {
  const told = async (data: unknown): Promise<readonly unknown[]> => {
    const { code, facts } = find(await findings(t, { version: dated(data) }), "version");
    return [code, facts];
  };
  const supported = [8, 9];
  for (const data of [{}, { version: "" }, { version: 9 }, "9.2.3"]) {
    assert.deepEqual(await told(data), ["version-not-shown", { supported }], JSON.stringify(data));
  }
  assert.deepEqual(await told({ version: "7.4-3" }), ["version-unsupported", { supported, version: "7.4-3" }]);
});

test("clocks may be ten seconds apart, and not eleven; an answer without a date shows none", async (t) => {
  const clock = async (date: string): Promise<readonly unknown[]> => {
    const { code, isWrong } = find(await findings(t, { version: dated({ version: "9.2.3" }, date) }), "clock");
    return [code, isWrong];
  };
  assert.deepEqual(await clock("Sun, 15 Nov 2026 10:00:10 GMT"), ["clock-ahead", false]);
  assert.deepEqual(await clock("Sun, 15 Nov 2026 10:00:11 GMT"), ["clock-ahead", true]);
  assert.deepEqual(await clock("Sun, 15 Nov 2026 09:59:50 GMT"), ["clock-behind", false]);
  assert.deepEqual(await clock("yesterday"), ["clock-not-shown", true]);
});

test("the token that acts is judged by itself: not accepted, no token, or not there", async (t) => {
  const applying = async (answers: Answers, apply: Secret | undefined): Promise<readonly unknown[]> => {
    const provider = await openProvider(t, { ...answersOf({}), ...answers });
    const found = await proxmoxAdapter({
      environment: "home",
      ...(apply === undefined ? {} : { apply }),
      now: () => NOW,
      observe: new Secret(TOKEN),
      sleep: async () => undefined,
      tls: { sha256: provider.certificate.fingerprint, verify: "pinned" },
      url: provider.url,
    }).examine([{ isProtected: false, vmid: vmid(101) }], signal);
    return found.filter(({ check }) => check.startsWith("apply-")).map(({ code, isWrong }) => [code, isWrong]);
  };
  const denied: Answers = {
    "GET /version": ({ authorization }) =>
      authorization.includes("!apply=") ? empty(401, "no") : dated({ version: "9.2.3" }),
  };
  assert.deepEqual(await applying(denied, new Secret(APPLY)), [["token-not-accepted", true]]);
  assert.deepEqual(await applying({}, new Secret("x")), [["token-malformed", true]]);
  assert.deepEqual(await applying({}, undefined), [["token-absent", false]]);
});

test("who could not be believed is told from who could not be reached", async (t) => {
  const cause = async (url: string, tls: ServerTrust): Promise<readonly unknown[]> => {
    const found = await proxmoxAdapter({
      environment: "home",
      limits: within({ connectMs: 300 }),
      now: () => NOW,
      observe: new Secret(TOKEN),
      sleep: async () => undefined,
      tls,
      url,
    }).examine([], signal);
    return found.map((one) => [one.code, one.facts["diagnostic"], one.cause]);
  };
  const provider = await openProvider(t, {});
  const selfSigned = ["not-connected", "certificate-self-signed", "untrusted"];
  assert.deepEqual(await cause(provider.url, { verify: "system" }), [selfSigned]);
  const silent = createServer((socket) => t.after(() => void socket.destroy()));
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const url = `https://localhost:${(silent.address() as AddressInfo).port}`;
  const timedOut = ["not-connected", "connect-timed-out", "unreachable"];
  assert.deepEqual(await cause(url, { verify: "system" }), [timedOut]);
  silent.close();
});

const AUDIT = ["Sys.Audit", "VM.Audit"];

test("an entry NoAccess counts from the root and from a pool, if it propagates, and on the VM itself if it does not", async (t) => {
  const denied = async (entry: object): Promise<unknown> =>
    find(await findings(t, { acl: [entry], rights: [rights("test", "/", AUDIT)] }), "observe-rights").facts["denied"];
  assert.deepEqual(await denied(noAccess("/", "user", "dedalus@pve")), ["dedalus@pve@/"]);
  assert.deepEqual(await denied(noAccess("/pool/lab", "user", "dedalus@pve")), ["dedalus@pve@/pool/lab"]);
  assert.deepEqual(await denied(noAccess("/vms/101", "user", "dedalus@pve", 0)), ["dedalus@pve@/vms/101"]);
  assert.deepEqual(await denied(noAccess("/vms/101", "group", "ops")), ["@ops@/vms/101"]);
  for (const path of ["/", "/pool/lab"]) {
    assert.equal(await denied(noAccess(path, "user", "dedalus@pve", 0)), undefined, path);
  }
  assert.equal(await denied(noAccess("/storage", "user", "dedalus@pve")), undefined);
  for (const odd of [7, { ...noAccess("/vms/101", "realm", "dedalus@pve") }, noAccess("/vms/101", "user", "")]) {
    assert.equal(await denied(odd as object), undefined, JSON.stringify(odd));
  }
});

test("observing is granted where it is missing: at the root, or below what takes it away, or nowhere", async (t) => {
  const told = async (root: readonly string[], more: World = {}): Promise<readonly unknown[]> => {
    const given = [rights("test", "/", root), ...(more.rights ?? []), ...WELL.slice(2)];
    const { commands, facts } = find(await findings(t, { ...more, rights: given }), "observe-rights");
    const granted = commands.filter((one) => one.includes(" modify ")).map((one) => one.split(" ")[3]);
    return [facts["missing"], [...new Set(granted)], commands.length];
  };
  const seen = { rights: [rights("test", "/vms/101", ["VM.Audit"])] };
  assert.deepEqual(await told(["VM.Audit"], seen), [["Sys.Audit@/"], ["/"], 2]);
  assert.deepEqual(await told(["Sys.Audit"]), [["VM.Audit@/vms/101"], ["/"], 2]);
  assert.deepEqual(await told(AUDIT), [["VM.Audit@/vms/101"], ["/vms/101"], 2]);
  const acl = [noAccess("/vms/101", "user", "dedalus@pve")];
  assert.deepEqual(await told(["Sys.Audit"], { acl }), [["VM.Audit@/vms/101"], [], 1]);
});

test("an action needs all of its privileges, and each that is missing is told where", async (t) => {
  const wanted = BOTH;
  const lacking = (id: number, ...without: readonly string[]) =>
    rights(
      "apply",
      `/vms/${id}`,
      ALL_ACTING.filter((one) => !without.includes(one)),
    );
  const given = [...SEEN, lacking(101), lacking(102, "VM.Config.CPU")];
  const { code, commands, facts, isWrong } = find(await findings(t, { rights: given, wanted }), "apply-rights");
  assert.deepEqual(
    [code, facts, isWrong, commands],
    ["actions-missing", { actions: ["vm.resize"], missing: ["VM.Config.CPU@/vms/102"] }, false, []],
  );
});

test("what is no row of a list of VMs protects nobody", async (t) => {
  const vms = [7, null, { name: "prod-db", vmid: "x" }, { vmid: 101 }] as readonly object[];
  assert.equal(find(await findings(t, { vms }), "protected").code, "no such check");
});

test("entries of the access list are told in their own order, whatever the order of the answer", async (t) => {
  const acl = ["/", "/pool/lab", "/vms", "/vms/101"].map((path) => noAccess(path, "user", "dedalus@pve"));
  for (const listed of [acl, acl.toReversed()]) {
    const found = await findings(t, { acl: listed, rights: [rights("test", "/", AUDIT)] });
    assert.deepEqual(
      find(found, "observe-rights").facts["denied"],
      acl.map(({ path }) => `dedalus@pve@${path}`),
    );
  }
});
