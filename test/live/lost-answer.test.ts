// An answer that does not come in time, against a simulated cluster: the task is searched for in a time of its own,
// also when the place takes the call up only later, and where there is none it stays unknown.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sent } from "../../src/adapters/actuator.ts";
import { type ProxmoxAdapter, proxmoxAdapter } from "../../src/adapters/proxmox/adapter.ts";
import { LIMITS } from "../../src/adapters/proxmox/api/connection.ts";
import { Secret } from "../../src/adapters/secret.ts";
import { DRIVEN, type Simulator, startSimulator } from "../../src/simulator/start-simulator.ts";
import { instantOf } from "../../src/spine/values/instant.ts";
import { mayLeave } from "../adapters/may-leave.ts";
import { intentFor } from "../adapters/proxmox/intents.ts";
import { vmid } from "../simulator/lab.ts";
import { scenarioFrom } from "../simulator/server.ts";
import { APPLY_TOKEN, OBSERVE_TOKEN, THREE_NODES } from "./cluster.ts";

/** The call may leave until the connection stands, and not a moment longer. */
const leaving = (simulator: Simulator): AbortSignal => {
  const control = new AbortController();
  const watch = setInterval(() => {
    if (!simulator.requests().some(({ method }) => method === "POST")) return;
    clearInterval(watch);
    control.abort();
  }, 5);
  return control.signal;
};

const sent = async (fate: string, check: (sent: Sent, adapter: ProxmoxAdapter) => Promise<void>): Promise<void> => {
  const text = THREE_NODES.replace("faults: []", `faults:\n  - { on: { call: start }, fate: ${fate} }`);
  const simulator = await startSimulator({ clock: DRIVEN, port: 0, scenario: scenarioFrom(text) });
  try {
    const now = () => instantOf(simulator.world().nowMs);
    const adapter = proxmoxAdapter({
      apply: new Secret(APPLY_TOKEN),
      environment: "home",
      limits: { ...LIMITS, sendMs: 200 },
      now,
      observe: new Secret(OBSERVE_TOKEN),
      sleep: async (ms) => simulator.advance(ms),
      tls: { sha256: simulator.fingerprint, verify: "pinned" },
      url: simulator.url,
    });
    const { actuator, source } = adapter;
    assert.ok(actuator !== undefined);
    await source.observe([{ vmid: vmid(101) }], new AbortController().signal);
    const intent = intentFor({ kind: "vm.start" }, { name: "web-01" }, { sendBy: instantOf(Date.now() * 2) });
    await check(await actuator.send(intent, leaving(simulator), mayLeave), adapter);
    assert.equal(simulator.requests().filter(({ method }) => method === "POST").length, 1, "it was sent once");
  } finally {
    await simulator.stop();
  }
};

const found = async (answer: Sent, { actuator }: ProxmoxAdapter): Promise<void> => {
  assert.ok(answer.kind === "found", JSON.stringify(answer));
  assert.deepEqual(answer.diagnostics, [
    { code: "answer-lost" },
    { code: "answer-timed-out", facts: { ms: 200 } },
    { code: "task-listed" },
  ]);
  const verdict = await actuator?.verdict(
    intentFor({ kind: "vm.start" }),
    answer.reference,
    new AbortController().signal,
  );
  assert.deepEqual(verdict, { diagnostics: [{ code: "task-done" }], kind: "done" });
};

test("an answer that never comes is found in the node's list, and its verdict is waited for", () =>
  sent("{ kind: lost-reply, how: silence }", found));

test("a call that the place takes up fifteen seconds later is found as well", () =>
  sent("{ kind: late, by: 15 s }", found));

test("a call that nobody heard is still unknown", () =>
  sent("{ kind: unheard, how: silence }", async (answer) => {
    assert.equal(answer.kind, "unknown");
    assert.deepEqual(answer.kind === "unknown" && answer.diagnostics.at(-1), { code: "task-not-listed" });
  }));
