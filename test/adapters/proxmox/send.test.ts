// What becomes of one call: exactly one request with exactly these parts, and failed only where PVE proves it.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Sent } from "../../../src/adapters/actuator.ts";
import { LIMITS } from "../../../src/adapters/proxmox/api/connection.ts";
import type { GuestRef } from "../../../src/adapters/proxmox/api/names.ts";
import type { Diagnostic } from "../../../src/spine/diagnostic-codes.ts";
import type { Action, Instant, VmState } from "../../../src/spine/model.ts";
import { mayLeave } from "../may-leave.ts";
import { CALM, config, containerConfig, row, vmid } from "./answers.ts";
import { certificate } from "./certificate.ts";
import { AT_PVE1, actuatorFor, codesOf, intentFor, UPID } from "./intents.ts";
import { type Answers, empty, openProvider, refused, type TestProvider, type Written } from "./provider.ts";

const signal = new AbortController().signal;
const START: Action = { kind: "vm.start" };
const AT_START = "POST /nodes/pve1/qemu/101/status/start";

const mutations = (provider: TestProvider): readonly string[] =>
  provider.asked
    .filter(({ verb }) => verb !== "GET")
    .map(({ body, verb, what }) => `${verb} ${what}${body === "" ? "" : ` ${body}`}`);

const taken = (type: string): Written => ({ data: UPID.replace("qmstart", type) });

const CASES: readonly (readonly [Action, string, string])[] = [
  [START, "POST /nodes/pve1/qemu/101/status/start", "qmstart"],
  [{ kind: "vm.shutdown" }, "POST /nodes/pve1/qemu/101/status/shutdown", "qmshutdown"],
  [{ kind: "vm.stop" }, "POST /nodes/pve1/qemu/101/status/stop", "qmstop"],
  [{ kind: "vm.reboot" }, "POST /nodes/pve1/qemu/101/status/reboot", "qmreboot"],
  [{ kind: "vm.reset" }, "POST /nodes/pve1/qemu/101/status/reset", "qmreset"],
  [{ kind: "vm.suspend" }, "POST /nodes/pve1/qemu/101/status/suspend", "qmpause"],
  [{ kind: "vm.resume" }, "POST /nodes/pve1/qemu/101/status/resume", "qmresume"],
  [{ kind: "vm.delete" }, "DELETE /nodes/pve1/qemu/101", "qmdestroy"],
  [{ kind: "vm.snapshot.create", snapshot: "s1" }, "POST /nodes/pve1/qemu/101/snapshot snapname=s1", "qmsnapshot"],
  [{ kind: "vm.snapshot.rollback", snapshot: "s1" }, "POST /nodes/pve1/qemu/101/snapshot/s1/rollback", "qmrollback"],
  [{ kind: "vm.snapshot.delete", snapshot: "s1" }, "DELETE /nodes/pve1/qemu/101/snapshot/s1", "qmdelsnapshot"],
];

for (const [action, call, type] of CASES) {
  test(`${action.kind} is one call and nothing besides`, async (t) => {
    const provider = await openProvider(t, { [call.split(" ").slice(0, 2).join(" ")]: taken(type) });
    const sent = await actuatorFor(provider).send(intentFor(action), signal, mayLeave);
    assert.deepEqual(sent, { kind: "sent", reference: UPID.replace("qmstart", type) });
    assert.deepEqual(mutations(provider), [call]);
  });
}

test("a form is announced with its length and type; a DELETE has neither, and no body", async (t) => {
  const provider = await openProvider(t, {
    [AT_START]: taken("qmstart"),
    "DELETE /nodes/pve1/qemu/101": taken("qmdestroy"),
  });
  const framing = async (action: Action): Promise<readonly unknown[]> => {
    await actuatorFor(provider).send(intentFor(action), signal, mayLeave);
    const headers = provider.asked.at(-1)?.headers ?? {};
    return [headers["content-length"], headers["content-type"], headers["transfer-encoding"]];
  };
  assert.deepEqual(await framing(START), ["0", "application/x-www-form-urlencoded", undefined]);
  assert.deepEqual(await framing({ kind: "vm.delete" }), [undefined, undefined, undefined]);
});

const notSent = (why: Diagnostic): Sent => ({ diagnostics: [{ code: "not-sent" }, why], kind: "failed" });

test("clone and migrate are not sent", async (t) => {
  const provider = await openProvider(t, {});
  for (const action of [
    { kind: "vm.clone", name: "a", to: vmid(9) },
    { kind: "vm.migrate", node: "pve2" },
  ] as const) {
    const sent = await actuatorFor(provider).send(intentFor(action), signal, mayLeave);
    assert.deepEqual(sent, notSent({ code: "action-not-offered", facts: { action: action.kind } }));
  }
  assert.deepEqual(provider.asked, []);
});

test("a snapshot's name outside the grammar never becomes part of a path", async (t) => {
  const provider = await openProvider(t, {});
  for (const snapshot of ["../../status/stop", "s", "1bad", "current", "Pending", "a b", "a".repeat(41), "x%2f"]) {
    for (const kind of ["vm.snapshot.create", "vm.snapshot.rollback", "vm.snapshot.delete"] as const) {
      assert.equal((await actuatorFor(provider).send(intentFor({ kind, snapshot }), signal, mayLeave)).kind, "failed");
    }
  }
  assert.deepEqual(provider.asked, []);
});

test("an intent of another environment, or about another VM than was seen, is not sent", async (t) => {
  const provider = await openProvider(t, { [AT_START]: taken("qmstart") });
  const actuator = actuatorFor(provider);
  assert.equal((await actuator.send(intentFor(START, {}, { environment: "cloud" }), signal, mayLeave)).kind, "failed");
  assert.equal((await actuator.send(intentFor(START, { vmid: vmid(102) }), signal, mayLeave)).kind, "failed");
  assert.equal((await actuator.send(intentFor(START, { kind: "ct" }), signal, mayLeave)).kind, "failed");
  assert.deepEqual(provider.asked, []);
});

test("a guest that no look has seen in this process is looked up, and not sent to when it is nowhere", async (t) => {
  const known = await openProvider(t, { ...CALM, [AT_START]: taken("qmstart") });
  assert.equal((await actuatorFor(known, { where: "not seen" }).send(intentFor(START), signal, mayLeave)).kind, "sent");
  const bare = await openProvider(t, { "GET /cluster/resources?type=vm": { data: [row(102)] } });
  const sent = await actuatorFor(bare, { where: "not seen" }).send(intentFor(START), signal, mayLeave);
  assert.deepEqual(sent, notSent({ code: "location-not-seen" }));
  assert.deepEqual(mutations(bare), []);
});

test("nothing leaves after the instant until which it may", async (t) => {
  const provider = await openProvider(t, { [AT_START]: taken("qmstart") });
  const clock = ["2026-11-15T10:00:29.999Z", "2026-11-15T10:00:30.001Z"] as const;
  let reads = 0;
  const now = (): Instant => {
    reads += 1;
    return clock[Math.min(reads, 2) - 1] as Instant;
  };
  const sent = await actuatorFor(provider, { now }).send(intentFor(START), signal, mayLeave);
  assert.deepEqual(sent, notSent({ code: "send-by-passed", facts: { sendBy: "2026-11-15T10:00:30.000Z" } }));
  assert.deepEqual(provider.asked, []);
});

test("a provider that is not the pinned one gets nothing, and that is proven", async (t) => {
  const provider = await openProvider(t, { [AT_START]: taken("qmstart") });
  const sent = await actuatorFor(provider, { fingerprint: certificate().fingerprint }).send(
    intentFor(START),
    signal,
    mayLeave,
  );
  assert.ok(sent.kind === "failed");
  assert.equal(codesOf(sent), "not-sent, certificate-other");
  assert.deepEqual(provider.asked, []);
});

const after = async (t: TestContext, written: Written, more: Answers = {}, limits = LIMITS): Promise<Sent> => {
  const provider = await openProvider(t, { ...CALM, ...more, [AT_START]: written });
  const sent = await actuatorFor(provider, { limits }).send(intentFor(START), signal, mayLeave);
  assert.equal(mutations(provider).length, 1, "whatever was answered, it was sent once");
  return sent;
};

test("a refusal that PVE writes before it begins is a failure", async (t) => {
  for (const written of [
    refused(500, "VM is locked (backup)"),
    refused(500, "cluster not ready - no quorum?"),
    refused(500, "VM 101 not running"),
    refused(500, "Configuration file 'nodes/pve1/qemu-server/101.conf' does not exist"),
    refused(500, "checksum mismatch (file change by other user?)"),
    refused(403, "Permission check failed (/vms/101, VM.PowerMgmt)"),
    empty(401, "Authentication failed!"),
    {
      errors: { skiplock: "Only root may use this option." },
      message: "Parameter verification failed.\n",
      reason: "Parameter verification failed.",
      status: 400,
    },
  ]) {
    assert.equal((await after(t, written)).kind, "failed");
  }
});

test("an error of the API, with no task in the list, is refused at once: whether it had begun is for an observation", async (t) => {
  for (const written of [
    refused(500, "balloon value too large (must be smaller than assigned memory)"),
    refused(500, "start failed: QEMU exited with code 1"),
    {
      errors: { memory: "hotplug problem - no" },
      message: "Parameter verification failed.\n",
      reason: "Parameter verification failed.",
      status: 400,
    },
  ] as const satisfies readonly Written[]) {
    const sent = await after(t, written, { "GET /nodes/pve1/tasks": { data: [] } });
    assert.equal(sent.kind, "refused", JSON.stringify(sent));
    const unread = await after(t, written, { "GET /nodes/pve1/tasks": refused(500, "no") });
    assert.equal(unread.kind, "unknown", "what the list would say is not guessed");
  }
});

test("any other refusal proves nothing", async (t) => {
  for (const written of [
    refused(500, "got timeout"),
    refused(500, "can't lock file '/var/log/pve/tasks/.active.lock' - got timeout"),
    refused(500, "unable to open file '/var/log/pve/tasks/active.tmp.4711' - No space left on device"),
    empty(500, "Internal Server Error"),
    empty(595, "Connection refused"),
    empty(596, "Connection timed out"),
    empty(599, "Too many redirections"),
    refused(503, "Service Unavailable"),
    { raw: (response) => void response.writeHead(500).end("<html>a proxy is out of order") },
    { raw: (response) => void response.writeHead(403).end("<html>blocked by a proxy") },
    { data: null },
    { data: UPID.replace(":101:", ":102:") },
    { data: "done" },
    { raw: (response) => void response.end("<html>") },
  ] as const satisfies readonly Written[]) {
    const sent = await after(t, written, { "GET /nodes/pve1/tasks": { data: [] } });
    assert.equal(sent.kind, "unknown", JSON.stringify(sent));
  }
});

const sizing = async (
  t: TestContext,
  action: Omit<Extract<Action, { kind: "vm.resize" }>, "kind">,
  settings: Record<string, unknown> = {},
  seen: Partial<VmState> = {},
): Promise<readonly [string, readonly string[]]> => {
  const provider = await openProvider(t, {
    "GET /nodes/pve1/qemu/101/pending": { data: config(101, settings) },
    "POST /nodes/pve1/qemu/101/config": taken("qmconfig"),
  });
  const sent = await actuatorFor(provider).send(intentFor({ kind: "vm.resize", ...action }, seen), signal, mayLeave);
  return ["diagnostics" in sent ? codesOf(sent) : sent.kind, mutations(provider)];
};

const written = (form: string): readonly [string, readonly string[]] => [
  "sent",
  [`POST /nodes/pve1/qemu/101/config ${form}&digest=41a11e8936dbf94c2a6f972db4ca5ba34364cc3d`],
];

test("a resize keeps the sockets, spreads the cores evenly, and holds on to the digest", async (t) => {
  assert.deepEqual(await sizing(t, { cpus: 4 }), written("cores=4"));
  assert.deepEqual(await sizing(t, { cpus: 4 }, { sockets: 2 }), written("cores=2"));
  assert.deepEqual(await sizing(t, { memory: 1073741824 }), written("memory=1024"));
  assert.deepEqual(await sizing(t, { cpus: 3 }, { cores: 4, vcpus: 2 }), written("vcpus=3"));
  assert.deepEqual(await sizing(t, { cpus: 2, memory: 1073741824 }), written("cores=2&memory=1024"));
});

test("a resize that could be laid out in two ways, or in none, is not sent", async (t) => {
  const offences = [
    [{ cpus: 3 }, { sockets: 2 }, "cpus-uneven"],
    [{ cpus: 9 }, { cores: 4, vcpus: 2 }, "cpus-too-many"],
    [{ cpus: 4 }, { cores: undefined }, "layout-not-seen"],
    [{ memory: 1073741825 }, {}, "memory-not-whole"],
  ] as const;
  for (const [action, settings, code] of offences) {
    const [codes, calls] = await sizing(t, action, settings);
    assert.equal(codes, `not-sent, ${code}`);
    assert.deepEqual(calls, []);
  }
});

test("a resize on another configuration than was seen is not sent", async (t) => {
  const [codes, calls] = await sizing(t, { cpus: 4 }, { digest: "0".repeat(40) });
  assert.equal(codes, "not-sent, configuration-changed");
  assert.deepEqual(calls, []);
  assert.equal((await sizing(t, { cpus: 4 }, {}, { revision: "x" }))[0], "not-sent, revision-not-seen");
});

test("a stopped container takes its sizes at once", async (t) => {
  const provider = await openProvider(t, {
    "GET /nodes/pve1/lxc/101/pending": { data: containerConfig(101) },
    "PUT /nodes/pve1/lxc/101/config": { data: null },
  });
  const actuator = actuatorFor(provider, { where: { ...AT_PVE1, kind: "ct" } as GuestRef });
  const intent = intentFor({ cpus: 2, kind: "vm.resize" }, { kind: "ct" });
  const sent = await actuator.send(intent, signal, mayLeave);
  assert.deepEqual(sent, { kind: "sent", reference: "at-once" });
  assert.equal((await actuator.verdict(intent, "at-once", signal)).kind, "done");
  assert.equal(
    mutations(provider)[0],
    "PUT /nodes/pve1/lxc/101/config cores=2&digest=41a11e8936dbf94c2a6f972db4ca5ba34364cc3d",
  );
});

test("what may leave until an instant leaves at that instant", async (t) => {
  const provider = await openProvider(t, { [AT_START]: taken("qmstart") });
  const now = (): Instant => "2026-11-15T10:00:30.000Z" as Instant;
  assert.equal((await actuatorFor(provider, { now }).send(intentFor(START), signal, mayLeave)).kind, "sent");
});

const CONTAINER = { ...AT_PVE1, kind: "ct" } as GuestRef;
const toContainer = async (t: TestContext, action: Action, answers: Answers = {}) => {
  const provider = await openProvider(t, answers);
  const actuator = actuatorFor(provider, { where: CONTAINER });
  return {
    calls: () => mutations(provider),
    sent: await actuator.send(intentFor(action, { kind: "ct" }), signal, mayLeave),
  };
};

test("a container is not reset, paused or resumed", async (t) => {
  for (const kind of ["vm.reset", "vm.suspend", "vm.resume"] as const) {
    const { calls, sent } = await toContainer(t, { kind });
    assert.deepEqual(sent, notSent({ code: "action-not-provable", facts: { action: kind } }));
    assert.deepEqual(calls(), []);
  }
});

test("a snapshot that a backup left on a container can be removed and gone back to, and not be made", async (t) => {
  const at = "/nodes/pve1/lxc/101/snapshot";
  const answers = {
    [`DELETE ${at}/vzdump`]: taken("vzdelsnapshot"),
    [`POST ${at}/vzdump/rollback`]: taken("vzrollback"),
  };
  for (const kind of ["vm.snapshot.delete", "vm.snapshot.rollback"] as const) {
    assert.equal((await toContainer(t, { kind, snapshot: "vzdump" }, answers)).sent.kind, "sent", kind);
    const impossible = await toContainer(t, { kind, snapshot: "../x" }, answers);
    assert.deepEqual(impossible.sent, notSent({ code: "snapshot-name-impossible" }));
  }
  const made = await toContainer(t, { kind: "vm.snapshot.create", snapshot: "vzdump" }, answers);
  assert.ok(made.sent.kind === "failed");
  assert.equal(codesOf(made.sent), "not-sent, snapshot-name-reserved");
});

const AT_CONFIG = "PUT /nodes/pve1/lxc/101/config";
const OF_CONTAINER: Answers = { "GET /nodes/pve1/lxc/101/pending": { data: containerConfig(101) } };
const RESIZE: Action = { cpus: 2, kind: "vm.resize" };

test("an empty answer is success for a container's sizes alone, and nothing else is", async (t) => {
  const sized = async (data: unknown): Promise<Sent> =>
    (await toContainer(t, RESIZE, { ...OF_CONTAINER, [AT_CONFIG]: { data } })).sent;
  assert.equal((await sized(null)).kind, "sent");
  assert.deepEqual(await sized("done"), {
    diagnostics: [{ code: "answer-without-task" }, { code: "call-without-task" }],
    kind: "unknown",
  });
  const empty: Written = { data: null };
  const tasks: Answers = { "GET /nodes/pve1/tasks": { data: [] } };
  const started = await toContainer(t, START, { ...tasks, "POST /nodes/pve1/lxc/101/status/start": empty });
  assert.equal(started.sent.kind, "unknown");
  const provider = await openProvider(t, { ...CALM, "POST /nodes/pve1/qemu/101/config": empty });
  assert.equal((await actuatorFor(provider).send(intentFor(RESIZE), signal, mayLeave)).kind, "unknown");
});

test("a container's sizes become no task: an error is its refusal, and a lost answer stays unknown", async (t) => {
  const after500 = await toContainer(t, RESIZE, { ...OF_CONTAINER, [AT_CONFIG]: refused(500, "too large") });
  const refusal = { code: "call-refused", facts: { httpStatus: 500 }, said: "too large" };
  assert.deepEqual(after500.sent, { diagnostics: [refusal], kind: "refused" });
  const cut: Written = { raw: (response) => response.destroy() };
  const { sent } = await toContainer(t, RESIZE, { ...OF_CONTAINER, [AT_CONFIG]: cut });
  assert.ok(sent.kind === "unknown");
  assert.equal(sent.diagnostics.at(-1)?.code, "call-without-task");
});

test("whether a call may leave is asked last, when all that it needs was read, and a no keeps it here", async (t) => {
  const provider = await openProvider(t, {
    "GET /nodes/pve1/qemu/101/pending": { data: config(101, {}) },
    "POST /nodes/pve1/qemu/101/config": taken("qmconfig"),
    "POST /nodes/pve1/qemu/101/status/start": taken("qmstart"),
  });
  for (const action of [RESIZE, START]) {
    const before = provider.asked.length;
    const asked: number[] = [];
    const withhold = async (): Promise<boolean> => {
      asked.push(provider.asked.length - before);
      return false;
    };
    assert.deepEqual(await actuatorFor(provider).send(intentFor(action), signal, withhold), { kind: "withheld" });
    assert.deepEqual(asked, [action.kind === "vm.resize" ? 1 : 0], "what is read for it was read by then");
    assert.deepEqual(mutations(provider), []);
  }
});
