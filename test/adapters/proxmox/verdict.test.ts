// PVE's verdict on a task: done, failed where that is proven, and unknown for everything else.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ProviderVerdict } from "../../../src/adapters/actuator.ts";
import { parseUpid } from "../../../src/adapters/proxmox/api/names.ts";
import { secondsOfDate, secondsOfInstant } from "../../../src/adapters/proxmox/api/provider-clock.ts";
import type { Action, Instant, VmState } from "../../../src/spine/model.ts";
import { CALM, row, running, stopped } from "./answers.ts";
import { actuatorFor, codesOf, intentFor, UPID } from "./intents.ts";
import { type Answers, empty, openProvider, refused, type TestProvider, type Written } from "./provider.ts";

const signal = new AbortController().signal;
const upidOf = (type: string): string => UPID.replace("qmstart", type);
const pathOf = (upid: string): string => `GET /nodes/pve1/tasks/${encodeURIComponent(upid)}/status`;
const ended = (exitstatus?: string): Written => ({ data: { exitstatus, status: "stopped" } });
const RUNS: Written = { data: { status: "running" } };

/** Each answer once, the last one again and again. */
const inTurn = (answers: readonly Written[]): (() => Written) => {
  let asked = 0;
  return () => {
    asked += 1;
    return answers[Math.min(asked, answers.length) - 1] as Written;
  };
};

const verdictOn = async (
  t: TestContext,
  type: string,
  answers: readonly Written[],
  more: Answers = {},
  action: Action = { kind: "vm.start" },
): Promise<ProviderVerdict & { readonly provider: TestProvider; readonly slept: number }> => {
  const provider = await openProvider(t, { ...CALM, ...more, [pathOf(upidOf(type))]: inTurn(answers) });
  let slept = 0;
  const abort = new AbortController();
  const actuator = actuatorFor(provider, {
    slept: () => {
      slept += 1;
      if (slept === 10) abort.abort();
    },
  });
  return { ...(await actuator.verdict(intentFor(action), upidOf(type), abort.signal)), provider, slept };
};

test("a task that runs is waited for, on its own node, and only by reading", async (t) => {
  const { kind, provider, slept } = await verdictOn(t, "qmstart", [RUNS, RUNS, ended("OK")]);
  assert.deepEqual([kind, slept], ["done", 2]);
  assert.deepEqual([...new Set(provider.asked.map(({ verb }) => verb))], ["GET"]);
});

test("truth 19: warnings are success", async (t) => {
  const { diagnostics, kind } = await verdictOn(t, "qmstart", [ended("WARNINGS: 3")]);
  assert.deepEqual([kind, diagnostics], ["done", [{ code: "task-warned", said: "WARNINGS: 3" }]]);
});

test("an error that PVE writes before it begins is a failure", async (t) => {
  for (const [type, text] of [
    ["qmstart", "VM is locked (backup)"],
    ["qmstart", "VM 101 already running"],
    ["qmstart", "you can't start a vm if it's a template"],
    ["qmstart", "can't lock file '/var/lock/qemu-server/lock-101.conf' - got timeout"],
    ["qmsnapshot", "snapshot name 'before-upgrade' already used"],
    ["qmrollback", "snapshot 'nope' does not exist"],
  ] as const) {
    assert.equal((await verdictOn(t, type, [ended(text)])).kind, "failed", text);
  }
});

test("an error of a task whose work would show is PVE's word that it failed; the observation afterwards tells the rest", async (t) => {
  for (const [type, text] of [
    ["qmstart", "storage 'nfs1' is not online"],
    ["qmstart", "start failed: QEMU exited with code 1"],
    ["vzstart", "startup for container '101' failed"],
    ["qmconfig", "invalid bootorder: device 'scsi9' does not exist'"],
    ["qmrollback", "storage 'nfs1' is not online"],
    ["vzrollback", "storage 'nfs1' is not online"],
    ["qmdelsnapshot", "storage 'nfs1' is not online"],
    ["vzdelsnapshot", "storage 'nfs1' is not online"],
    ["qmsnapshot", "storage 'nfs1' is not online"],
    ["vzsnapshot", "storage 'nfs1' is not online"],
  ] as const) {
    const { diagnostics, kind } = await verdictOn(t, type, [ended(text)]);
    assert.deepEqual([kind, diagnostics], ["failed", [{ code: "task-failed", said: text }]]);
  }
});

test("an error that may be half of something is unknown", async (t) => {
  for (const [type, text] of [
    ["qmshutdown", "VM quit/powerdown failed - got timeout"],
    ["qmshutdown", "storage 'nfs1' is not online"],
    ["qmreboot", "VM quit/powerdown failed"],
    ["qmstop", "VM 101 qmp command 'quit' failed - client closed connection"],
    ["qmreset", "VM 101 qmp command 'system_reset' failed"],
    ["qmpause", "VM 101 qmp command 'stop' failed"],
    ["qmresume", "VM 101 qmp command 'cont' failed"],
    ["hastart", "command 'ha-manager set vm:101 --state started' failed: exit code 2"],
    ["qmstart", "start failed: command '/usr/bin/kvm -id 101' failed: got timeout"],
    ["qmsnapshot", "snapshot create failed: starting cleanup"],
    ["qmsnapshot", "can't lock file '/var/lock/qemu-server/lock-101.conf' - got timeout"],
    ["qmsnapshot", "unable to open file '/etc/pve/nodes/pve1/qemu-server/101.conf.tmp.21235' - Permission denied"],
    ["qmdestroy", "unable to remove disk"],
    ["qmstart", "interrupted by signal"],
  ] as const) {
    const { diagnostics, kind } = await verdictOn(t, type, [ended(text)]);
    assert.deepEqual([kind, diagnostics], ["unknown", [{ code: "task-failed-halfway", said: text }]]);
  }
});

test("truth 19: a verdict that is lost is unknown", async (t) => {
  const gone: Written = {
    errors: { upid: "no such task" },
    message: "Parameter verification failed.\n",
    reason: "Parameter verification failed.",
    status: 400,
  };
  for (const answer of [
    ended("unexpected status"),
    ended(),
    ended(""),
    gone,
    { data: null },
    { data: { status: "?" } },
    { data: { exitstatus: "OK", status: "?" } },
  ]) {
    const { kind, slept } = await verdictOn(t, "qmstart", [answer]);
    assert.deepEqual([kind, slept], ["unknown", 0]);
  }
});

test("a node that is away for a while is asked again, because asking changes nothing", async (t) => {
  const { kind, slept } = await verdictOn(t, "qmstart", [empty(596, "Connection timed out"), RUNS, ended("OK")]);
  assert.deepEqual([kind, slept], ["done", 2]);
});

test("a verdict that does not come in time is unknown, with the last that was heard", async (t) => {
  const verdict = await verdictOn(t, "qmstart", [RUNS]);
  assert.deepEqual([verdict.kind, codesOf(verdict)], ["unknown", "verdict-timed-out, task-running"]);
});

test("truth 18: a request to HA is done when the state is there, and not when the task says OK", async (t) => {
  const states: Answers = {
    "GET /nodes/pve1/qemu/101/status/current": inTurn([
      { data: stopped(101) },
      { data: stopped(101) },
      { data: running(101) },
    ]),
  };
  const { diagnostics, kind, slept } = await verdictOn(t, "hastart", [ended("OK")], states);
  assert.deepEqual([kind, slept], ["done", 2]);
  assert.deepEqual(diagnostics, [{ code: "ha-accepted" }, { code: "state-reached", facts: { expected: "running" } }]);
});

test("truth 18: a request to HA that is not carried out is a request and no more", async (t) => {
  const states: Answers = { "GET /nodes/pve1/qemu/101/status/current": { data: running(101) } };
  const { diagnostics, kind } = await verdictOn(t, "hastop", [ended("OK")], states, { kind: "vm.stop" });
  assert.equal(kind, "unknown");
  assert.deepEqual(diagnostics, [
    { code: "ha-accepted" },
    { code: "state-not-reached", facts: { expected: "stopped" } },
  ]);
});

test("truth 18: HA may carry a request out on another node", async (t) => {
  const { kind } = await verdictOn(t, "hastart", [ended("OK")], {
    "GET /cluster/resources?type=vm": inTurn([{ data: [row(101)] }, { data: [row(101, { node: "pve2" })] }]),
    "GET /nodes/pve1/qemu/101/status/current": refused(500, "Configuration file 'x' does not exist"),
    "GET /nodes/pve2/qemu/101/status/current": { data: running(101) },
  });
  assert.equal(kind, "done");
});

test("a reboot is done when the guest runs in another process, and not when it went down", async (t) => {
  const upid = upidOf("qmreboot");
  const BOOTED = { boot: "pve1:579" };
  const reboot = async (after: readonly Written[], seen: Partial<VmState> = BOOTED): Promise<ProviderVerdict> => {
    const provider = await openProvider(t, {
      ...CALM,
      [pathOf(upid)]: ended("OK"),
      "GET /nodes/pve1/qemu/101/status/current": inTurn(after),
    });
    const abort = new AbortController();
    let slept = 0;
    const actuator = actuatorFor(provider, {
      slept: () => {
        slept += 1;
        if (slept === 5) abort.abort();
      },
    });
    return actuator.verdict(intentFor({ kind: "vm.reboot" }, seen), upid, abort.signal);
  };
  const [same, down, anew, unseen] = [
    running(101),
    stopped(101),
    running(101, { pid: 580 }),
    running(101, { pid: undefined }),
  ].map((data) => ({ data }));
  assert.equal((await reboot([same, down, anew] as readonly Written[])).kind, "done");
  for (const stays of [same, down, unseen] as readonly Written[]) {
    const verdict = await reboot([stays]);
    assert.deepEqual([verdict.kind, codesOf(verdict)], ["unknown", "guest-down, restart-not-seen"]);
  }
  assert.equal((await reboot([anew] as readonly Written[], {})).kind, "unknown", "no process was seen before");
});

test("a reference that names no task, or a task of another VM, is not asked about", async (t) => {
  const provider = await openProvider(t, {});
  const actuator = actuatorFor(provider);
  for (const reference of ["", "UPID:x", "../../access/ticket", UPID.replace(":101:", ":102:"), `${UPID}\n`]) {
    assert.equal((await actuator.verdict(intentFor({ kind: "vm.start" }), reference, signal)).kind, "unknown");
  }
  assert.deepEqual(provider.asked, []);
});

test("the name of a task tells who began what, where and when", () => {
  const task = parseUpid("UPID:pve1:000003F7:00029294A:6AFA32FB:qmstart:101:root@pam!oracle:");
  assert.deepEqual(
    [task?.node, task?.type, task?.vmid, task?.user, task?.startedAt],
    ["pve1", "qmstart", 101, "root@pam!oracle", 1794781947],
  );
  assert.equal(parseUpid("UPID:pve1:000003F7:0002929E:6AFA32FB:startall::root@pam:")?.vmid, undefined);
  assert.equal(parseUpid("UPID:pve1:000003F7:0002929E:6AFA32FB:a/b:101:root@pam:"), undefined);
});

test("instants and Date headers become the same seconds", () => {
  const samples = [
    "1970-01-01T00:00:00.000Z",
    "2000-02-29T23:59:59.000Z",
    "2026-11-15T10:00:00.000Z",
    "2100-03-01T00:00:00.000Z",
  ];
  for (const sample of samples) {
    const seconds = Date.parse(sample) / 1000;
    assert.equal(secondsOfInstant(sample as Instant), seconds, sample);
    assert.equal(secondsOfDate(new Date(sample).toUTCString()), seconds, sample);
  }
  for (const bad of [undefined, "", "yesterday", "Sun, 15 Xyz 2026 10:00:00 GMT"])
    assert.equal(secondsOfDate(bad), undefined);
});

test("a task is asked about once a second", async (t) => {
  const provider = await openProvider(t, { [pathOf(UPID)]: inTurn([RUNS, ended("OK")]) });
  const waits: number[] = [];
  const actuator = actuatorFor(provider, { slept: (ms) => waits.push(ms) });
  assert.equal((await actuator.verdict(intentFor({ kind: "vm.start" }), UPID, signal)).kind, "done");
  assert.deepEqual(waits, [1000]);
});

test("a verdict is told with what it was read from", async (t) => {
  const told = async (exit: string): Promise<unknown> => (await verdictOn(t, "qmstart", [ended(exit)])).diagnostics;
  assert.deepEqual(await told("OK"), [{ code: "task-done" }]);
  const locked = "VM is locked (backup)";
  assert.deepEqual(await told(locked), [{ code: "task-did-nothing", said: locked }]);
  const actuator = actuatorFor(await openProvider(t, {}));
  const of = async (reference: string): Promise<string> =>
    codesOf(await actuator.verdict(intentFor({ kind: "vm.start" }), reference, signal));
  assert.equal(await of("at-once"), "call-answered-done");
  assert.equal(await of("x"), "reference-not-a-task");
  assert.equal(await of(UPID.replace(":101:", ":102:")), "task-of-another-vm");
});
