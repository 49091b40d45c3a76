// The twenty-two partial truths of the API, by number: what it shows, and the honest statement that is made of it.
//
// 18, 19 and 20 are about acting, and their tests are with the actuator.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { currentText, parseCurrent } from "../../../src/formats/current-json.ts";
import type { ActionKind, Observation, VmState } from "../../../src/spine/model.ts";
import { believe } from "../../../src/spine/plan/belief.ts";
import { rowOf, unmet } from "../../../src/spine/rules/actions.ts";
import {
  CALM,
  clusterEntry,
  config,
  configAt,
  node,
  row,
  running,
  sourceFor,
  statusAt,
  stopped,
  vmid,
} from "./answers.ts";
import { type Answers, empty, openProvider, refused } from "./provider.ts";

const signal = new AbortController().signal;

const wanted = (ids: readonly number[]) => ids.map((id) => ({ vmid: vmid(id) }));

/** What is seen is also what a replay of it would see. */
const observe = async (t: TestContext, answers: Answers, ids: readonly number[] = [101]): Promise<Observation> => {
  const provider = await openProvider(t, { ...CALM, ...answers });
  // The provider's clock comes beside what is seen, and is no part of it.
  const { providerTime: _, ...observation } = await sourceFor(provider).observe(wanted(ids), signal, ["snapshots"]);
  const again = parseCurrent(currentText(observation), "current.json", { complete: false, environment: "home" });
  assert.deepEqual(again.kind === "ok" ? again.value : again, observation);
  return observation;
};

const one = async (t: TestContext, answers: Answers): Promise<VmState> => {
  const { vms } = await observe(t, answers);
  assert.equal(vms.length, 1);
  return vms[0] as VmState;
};

const blocked = (state: VmState, kind: ActionKind): string | undefined =>
  state.blockers?.find(({ actions }) => actions === "all" || actions.includes(kind))?.code;

const may = (state: VmState, kind: ActionKind): string | undefined => blocked(state, kind) ?? unmet(rowOf(kind), state);

test("a calm VM is what PVE says it is, and may be started", async (t) => {
  const state = await one(t, {});
  assert.deepEqual(state, {
    blockers: [{ actions: ["vm.clone", "vm.migrate"], code: "action-not-offered" }],
    cpus: 2,
    identity: "uuid 2f6a1f0e-8c1f-4d4c-9c43-0d6f1f1f1f1f, created 1794000000",
    kind: "vm",
    maxmem: 536870912,
    name: "vm-101",
    node: "pve1",
    revision: "41a11e8936dbf94c2a6f972db4ca5ba34364cc3d",
    source: "proxmox, node pve1",
    status: "stopped",
    vmid: 101,
  });
  assert.equal(may(state, "vm.start"), undefined);
});

test("truth 1: a VM that the token may not see is not visible, never absent", async (t) => {
  const seen = await observe(t, {
    "GET /access/permissions": { data: { "/vms/100": { "VM.Audit": 1 } } },
    "GET /cluster/resources?type=vm": { data: [] },
  });
  assert.equal(seen.complete, false);
  assert.deepEqual(seen.gaps, [{ code: "vm-not-visible", facts: { path: "/vms/101", right: "VM.Audit", vm: 101 } }]);
  assert.equal(believe(undefined, seen).kind, "unknown");
});

test("truth 1: a VM that the token would see and does not is missing", async (t) => {
  const seen = await observe(t, {
    "GET /access/permissions?path=%2Fvms%2F101": { data: { "/vms/101": { "VM.Audit": 1 } } },
    "GET /cluster/resources?type=vm": { data: [] },
  });
  assert.deepEqual([seen.complete, seen.gaps, seen.vms], [true, [], []]);
  assert.equal(believe(undefined, seen).kind, "missing");
});

test("truth 1: a right that is taken away on the VM itself proves nothing, whatever the list of rights says", async (t) => {
  const seen = await observe(t, {
    "GET /access/permissions?path=%2Fvms%2F101": { data: { "/vms/101": {} } },
    "GET /cluster/resources?type=vm": { data: [] },
  });
  assert.equal(seen.gaps[0]?.code, "vm-not-visible");
});

test("truth 2: a list that is silently shorter leaves the observation incomplete for the VMs that it lacks", async (t) => {
  const seen = await observe(t, { "GET /access/permissions": { data: { "/vms/101": { "VM.Audit": 1 } } } }, [101, 102]);
  assert.equal(seen.complete, false);
  assert.deepEqual(
    seen.gaps.map(({ code, facts }) => [code, facts?.["vm"]]),
    [["vm-not-visible", 102]],
  );
  assert.equal(seen.vms[0]?.status, "stopped");
});

const DEAD: Answers = {
  "GET /cluster/resources?type=vm": { data: [row(101), row(200, { node: "pve2", status: "running" })] },
  "GET /nodes/pve2/qemu/200/pending": empty(595, "No route to host"),
  "GET /nodes/pve2/qemu/200/status/current": empty(595, "No route to host"),
};

test("truth 3: a row without a report is unknown when its node does not answer either", async (t) => {
  const bare = { id: "qemu/200", node: "pve2", status: "unknown", type: "qemu", vmid: 200 };
  const { vms } = await observe(
    t,
    { ...DEAD, "GET /cluster/resources?type=vm": { data: [row(101), bare] } },
    [101, 200],
  );
  assert.deepEqual(
    vms.map(({ status }) => status),
    ["stopped", "unknown"],
  );
  assert.deepEqual(
    [vms[1]?.because?.code, vms[1]?.because?.facts],
    ["node-silent", { lastReport: "unknown", node: "pve2" }],
  );
});

test("truth 4: a row that says running is a last report and not the present", async (t) => {
  const { vms } = await observe(t, DEAD, [101, 200]);
  const diagnostic = { code: "http-refusal", facts: { httpStatus: 595 }, said: "No route to host" };
  const because = { code: "node-silent", diagnostic, facts: { lastReport: "running", node: "pve2" } };
  assert.deepEqual([vms[1]?.status, vms[1]?.because], ["unknown", because]);
});

test("truth 5: a node that membership calls offline is not asked, and its VMs are unknown", async (t) => {
  const provider = await openProvider(t, {
    ...CALM,
    ...DEAD,
    "GET /cluster/status": { data: [clusterEntry(1), node("pve1"), node("pve2", { online: 0 })] },
  });
  const { vms } = await sourceFor(provider).observe([{ vmid: vmid(200) }], signal);
  assert.deepEqual(vms[0]?.because, { code: "node-offline", facts: { lastReport: "running", node: "pve2" } });
  assert.deepEqual(
    provider.asked.filter(({ what }) => what.includes("pve2")),
    [],
  );
});

test("truth 6: 595 and 596 are no answer", async (t) => {
  for (const status of [595, 596, 597, 599]) {
    const state = await one(t, statusAt(empty(status, "Connection timed out")));
    assert.deepEqual(state.because, {
      code: "node-silent",
      diagnostic: { code: "http-refusal", facts: { httpStatus: status }, said: "Connection timed out" },
      facts: { lastReport: "stopped", node: "pve1" },
    });
  }
});

test("truth 7: without quorum nothing is done, because what stops could not be started again", async (t) => {
  const state = await one(t, {
    ...statusAt({ data: running(101) }),
    "GET /cluster/status": { data: [clusterEntry(0), node("pve1"), node("pve2", { online: 0 })] },
  });
  assert.equal(state.status, "running");
  for (const kind of ["vm.stop", "vm.shutdown", "vm.reboot", "vm.resize", "vm.delete"] as const) {
    assert.equal(may(state, kind), "quorum-lost");
  }
});

test("truth 7: without quorum no absence is believed", async (t) => {
  const seen = await observe(
    t,
    { "GET /cluster/status": { data: [clusterEntry(0), node("pve1"), node("pve2", { online: 0 })] } },
    [101, 102],
  );
  assert.deepEqual(seen.gaps, [{ code: "quorum-lost" }]);
});

test("truth 7: where quorum may not be seen, what cannot be taken back is refused and a start is not", async (t) => {
  const hidden: Answers = { "GET /cluster/status": refused(403, "Permission check failed (/, Sys.Audit)") };
  const up = await one(t, { ...hidden, ...statusAt({ data: running(101) }) });
  assert.equal(may(up, "vm.stop"), "quorum-not-seen");
  const { diagnostic } = up.blockers?.find(({ code }) => code === "quorum-not-seen") ?? {};
  const said = "Permission check failed (/, Sys.Audit)";
  assert.deepEqual(diagnostic, { code: "http-refusal", facts: { httpStatus: 403 }, said });
  assert.equal(may(up, "vm.shutdown"), "quorum-not-seen");
  assert.equal(may(await one(t, hidden), "vm.start"), undefined);
});

test("truth 8: a monitor that is silent leaves the guest unconfirmed, and only a stop is left to people", async (t) => {
  for (const silent of [{ "running-qemu": undefined }, { "running-machine": undefined, "running-qemu": undefined }]) {
    const state = await one(t, statusAt({ data: running(101, silent) }));
    assert.equal(state.status, "running");
    for (const kind of ["vm.shutdown", "vm.reboot", "vm.suspend", "vm.reset", "vm.snapshot.create"] as const) {
      assert.equal(may(state, kind), "monitor-silent");
    }
    assert.equal(may(state, "vm.stop"), undefined);
  }
});

test("truth 9: a process whose guest does not execute is not called healthy", async (t) => {
  for (const word of ["prelaunch", "io-error", "guest-panicked", "internal-error"]) {
    const state = await one(t, statusAt({ data: running(101, { qmpstatus: word }) }));
    assert.deepEqual([state.status, state.paused], ["running", true]);
    assert.deepEqual(state.blockers?.[0]?.facts, { state: word });
    assert.equal(may(state, "vm.resume"), "guest-halted");
    assert.equal(may(state, "vm.stop"), undefined);
  }
});

test("a guest that an operation owns stands still, and is running all the same", async (t) => {
  const { paused, status } = await one(t, statusAt({ data: running(101, { qmpstatus: "postmigrate" }) }));
  assert.deepEqual([paused, status], [true, "running"]);
});

test("truth 9: a paused guest may be resumed and not be shut down", async (t) => {
  const state = await one(t, statusAt({ data: running(101, { qmpstatus: "paused" }) }));
  assert.equal(state.paused, true);
  assert.equal(may(state, "vm.resume"), undefined);
  assert.match(may(state, "vm.shutdown") ?? "", /^paused$/);
});

test("truth 9: a run state that nobody listed is unknown", async (t) => {
  const state = await one(t, statusAt({ data: running(101, { qmpstatus: "\u001b[2Jdancing" }) }));
  assert.deepEqual(
    [state.status, state.because],
    ["unknown", { code: "status-undefined", said: "running, \\u{1b}[2Jdancing" }],
  );
});

test("truth 10: what the list says of the guest's run state is not used", async (t) => {
  const state = await one(t, {
    ...statusAt({ data: running(101, { qmpstatus: "paused" }) }),
    "GET /cluster/resources?type=vm": { data: [row(101, { status: "running" })] },
  });
  assert.equal(state.paused, true);
});

test("truth 11: a lock is an operation that owns the VM, and is named", async (t) => {
  const state = await one(t, statusAt({ data: stopped(101, { lock: "backup" }) }));
  assert.deepEqual(state.blockers?.[0], { actions: "all", code: "locked", facts: { lock: "backup" } });
  const taken = await one(t, configAt({ data: config(101, { lock: "snapshot" }) }));
  assert.deepEqual(taken.blockers?.[0]?.facts, { lock: "snapshot" });
});

test("truth 12: a hibernated VM is not plainly stopped: a start would resume it", async (t) => {
  const state = await one(t, statusAt({ data: stopped(101, { lock: "suspended" }) }));
  assert.equal(may(state, "vm.start"), "hibernated");
});

test("truth 13: what waits for a restart is named beside what runs", async (t) => {
  const state = await one(t, {
    ...statusAt({ data: running(101) }),
    ...configAt({ data: config(101, { cores: { pending: 4, value: 2 }, memory: { pending: "1024", value: "512" } }) }),
  });
  assert.deepEqual([state.cpus, state.maxmem, state.pending], [2, 536870912, { cpus: 4, maxmem: 1073741824 }]);
});

test("truth 14: a size that is not listed is not reported, and no default is filled in", async (t) => {
  const state = await one(t, configAt({ data: config(101, { cores: undefined, memory: undefined }) }));
  assert.deepEqual([state.cpus, state.maxmem, state.status], [undefined, undefined, "stopped"]);
});

test("truth 15: a VM that is listed and may not be read is unknown", async (t) => {
  const denied = refused(403, "Permission check failed (/vms/101, VM.Audit)");
  for (const answers of [statusAt(denied), configAt(denied)]) {
    const state = await one(t, answers);
    assert.equal(state.status, "unknown");
    assert.deepEqual(state.because, {
      code: "right-missing",
      facts: { path: "/vms/101" },
      said: "Permission check failed (/vms/101, VM.Audit)",
    });
  }
});

const GONE = refused(500, "Configuration file 'nodes/pve1/qemu-server/101.conf' does not exist");

test("truth 16: a VM that moved is looked up once more and seen where it is", async (t) => {
  let lists = 0;
  const { vms } = await observe(t, {
    ...statusAt(GONE),
    ...configAt(GONE),
    "GET /cluster/resources?type=vm": () => {
      lists += 1;
      return { data: [row(101, { node: lists === 1 ? "pve1" : "pve2" })] };
    },
    "GET /nodes/pve2/qemu/101/pending": { data: config(101) },
    "GET /nodes/pve2/qemu/101/status/current": { data: stopped(101) },
  });
  assert.deepEqual([lists, vms[0]?.status, vms[0]?.source], [2, "stopped", "proxmox, node pve2"]);
});

test("truth 16: a VM that is not where the cluster lists it, twice, is unknown, and its node is not asked again", async (t) => {
  const provider = await openProvider(t, { ...CALM, ...statusAt(GONE), ...configAt(GONE) });
  const { vms } = await sourceFor(provider).observe([{ vmid: vmid(101) }], signal);
  assert.deepEqual(vms[0]?.because, { code: "not-at-node", facts: { node: "pve1" } });
  assert.equal(provider.asked.filter(({ what }) => what.endsWith("/status/current")).length, 1);
});

test("truth 16: a VM that was destroyed in between is missing once that is proven", async (t) => {
  let lists = 0;
  const seen = await observe(t, {
    ...statusAt(GONE),
    ...configAt(GONE),
    "GET /access/permissions?path=%2Fvms%2F101": { data: { "/vms/101": { "VM.Audit": 1 } } },
    "GET /cluster/resources?type=vm": () => {
      lists += 1;
      return { data: lists === 1 ? [row(101)] : [] };
    },
  });
  assert.equal(believe(seen.vms[0], seen).kind, "missing");
});

test("truth 17: another machine under the same id has another identity", async (t) => {
  const before = await one(t, {});
  const other = await one(t, configAt({ data: config(101, { meta: "creation-qemu=10.0.2,ctime=1794999999" }) }));
  const rolledBack = await one(t, configAt({ data: config(101, { vmgenid: "00000000-0000-4000-8000-000000000001" }) }));
  assert.notEqual(other.identity, before.identity);
  assert.equal(rolledBack.identity, before.identity);
});

test("truth 17: a VM that shows nothing of its own is never deleted", async (t) => {
  const state = await one(t, configAt({ data: config(101, { meta: undefined, smbios1: undefined }) }));
  assert.equal(state.identity, undefined);
  assert.equal(may(state, "vm.delete"), "identity-not-shown");
  assert.equal(may(await one(t, {}), "vm.delete"), undefined);
});

test("truth 21: figures that are withheld are not zero", async (t) => {
  const withheld = { ha: { managed: 0 }, name: "vm-101", qmpstatus: "stopped", status: "stopped", vmid: 101 };
  const state = await one(t, { ...statusAt({ data: withheld }), ...configAt({ data: config(101, { memory: "0" }) }) });
  assert.deepEqual([state.status, state.maxmem], ["stopped", undefined]);
});

test("truth 22: a template is not started", async (t) => {
  assert.equal(may(await one(t, statusAt({ data: stopped(101, { template: 1 }) })), "vm.start"), "template");
  assert.equal(may(await one(t, configAt({ data: config(101, { template: 1 }) })), "vm.start"), "template");
});
