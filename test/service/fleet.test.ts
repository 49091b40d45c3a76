// fleet: the registered VMs beside what the ledger holds of them, judged as a plan would, once for each thing that the
// judgement stands on.

import assert from "node:assert/strict";
import { test } from "node:test";
import { currentText } from "../../src/formats/current-json.ts";
import type { Engine } from "../../src/ledger/engine.ts";
import { fleetJson, vmShownJson } from "../../src/service/json/fleet-json.ts";
import type { FleetVm } from "../../src/service/read/fleet.ts";
import type { Service } from "../../src/service/service.ts";
import type { VmState } from "../../src/spine/model.ts";
import { VM_FIELDS } from "../../tools/answers/vm-fields.ts";
import { noteMembers, printed } from "../live/counted-answers.ts";
import { GiB, observationOf, state, VMID, vmidOf } from "../spine/world.ts";
import { bearer, codes, leftOpen, OPERATOR, ok, readyToApply, serving } from "./serving.ts";

const HOME = { environment: "home" };
const TWO = `version: 1
environment: home
vms:
  - { vmid: 102, name: web-02, target: running, cpus: 2, memory: 2 GiB }
  - { vmid: 101, name: web-01, target: running }
`;

const fleetOf = async (service: Service) => {
  const { value } = ok(await service.fleet(OPERATOR, {}));
  noteMembers(fleetJson(value));
  const [home] = value.environments;
  return home ?? assert.fail("home is configured");
};
const vmsOf = async (service: Service): Promise<readonly FleetVm[]> => {
  const { vms } = await fleetOf(service);
  const vm = vms[0]?.entry.vmid;
  if (vm !== undefined) noteMembers(vmShownJson(ok(await service.vm(OPERATOR, { vm })).value));
  return vms;
};
const registerTwo = async (service: Service): Promise<void> => {
  ok(await service.register(OPERATOR, { ...HOME, desired: { file: "desired.yaml", text: TWO } }));
};
/** As a sensor brings it: what it shows can be anything. */
const bring = async (service: Service, vms: readonly VmState[], complete = true): Promise<string> => {
  const name = `probe-${vms.length}-${complete}`;
  const made = await service.createToken(OPERATOR, { days: 7, kind: "agent", name, roles: ["sensor"] });
  const token = made.kind === "ok" ? made.value.token : undefined;
  const probe = bearer(token ?? assert.fail("it is shown once"));
  const text = currentText({ ...observationOf(vms), complete });
  return ok(await service.ingest(probe, { ...HOME, current: { file: "pushed.json", text } })).value.id;
};

test("a VM that nobody observed is unknown, with its reason, and refused as a plan would refuse it", async (t) => {
  const { open, provider } = await serving(t);
  const [vm, ...others] = await vmsOf(open());
  assert.deepEqual([others, provider.counts.observations], [[], 0]);
  assert.deepEqual(
    [vm?.status, vm?.doubt?.code, vm?.observation, vm?.seen],
    ["unknown", "not-seen", undefined, undefined],
  );
  assert.ok(vm?.answer.kind === "refusal");
  assert.deepEqual([vm.answer.code, vm.answer.rule], ["vm-unknown", "N1"]);
});

test("a VM stands beside the newest observation that shows it, and the step that would mend it", async (t) => {
  const { open } = await serving(t);
  const service = open();
  const { value: observed } = ok(await service.observe(OPERATOR, HOME));
  const { approval, counts, isFrozen, observations, vms } = await fleetOf(service);
  assert.deepEqual([approval, isFrozen, counts.differ, counts.refused], ["single-operator", false, 1, 0]);
  assert.deepEqual(
    observations.map(({ complete, digest, gaps, id }) => [complete, digest, gaps, id]),
    [[true, observed.digest, [], observed.id]],
  );
  const [vm] = vms;
  assert.deepEqual([vm?.entry.vmid, vm?.status, vm?.observation], [101, "stopped", observed.id]);
  assert.ok(vm?.answer.kind === "step");
  assert.deepEqual([vm.answer.action, vm.answer.reason], ["vm.start", "status-differs"]);
});

test("rows ascend, and each VM has the newest observation that tells of it", async (t) => {
  const { open } = await serving(t);
  const service = open();
  await registerTwo(service);
  const both = await bring(service, [
    state({ name: "web-01", status: "running", vmid: VMID }),
    state({ cpus: 2, maxmem: 2 * GiB, name: "web-02", status: "running", vmid: vmidOf(102) }),
  ]);
  const one = await bring(service, [state({ name: "web-02", paused: true, status: "running", vmid: vmidOf(102) })]);
  const { observations, vms } = await fleetOf(service);
  assert.deepEqual(
    vms.map(({ entry, observation, status }) => [entry.vmid, observation, status]),
    [
      [101, both, "running"],
      [102, one, "paused"],
    ],
  );
  assert.deepEqual(
    observations.map(({ id }) => id),
    [one, both],
  );
});

test("a VM that a newer observation was asked for and does not show is missing", async (t) => {
  const { open, provider } = await serving(t);
  const service = open();
  await registerTwo(service);
  ok(await service.observe(OPERATOR, HOME));
  provider.gone.add(102);
  // Of one action: it was asked for that VM alone, and tells nothing of the other.
  const request = { action: { kind: "vm.reset" }, vmid: VMID } as const;
  ok(await service.makePlan(OPERATOR, { ...HOME, request, scope: [VMID] }));
  const statuses = async () => (await vmsOf(service)).map(({ entry, status }) => [entry.vmid, status]);
  assert.deepEqual(await statuses(), [
    [101, "stopped"],
    [102, "stopped"],
  ]);
  const { value: observed } = ok(await service.observe(OPERATOR, HOME));
  const missing = (await vmsOf(service))[1];
  assert.deepEqual(
    [missing?.status, missing?.observation, missing?.seen, missing?.answer.kind === "refusal" && missing.answer.code],
    ["missing", observed.id, undefined, "vm-missing"],
  );
});

test("neither an observation of before its registration nor what a sensor brings proves a VM absent", async (t) => {
  const { open } = await serving(t);
  const service = open();
  ok(await service.observe(OPERATOR, HOME));
  await registerTwo(service);
  assert.deepEqual(
    [(await vmsOf(service))[1]?.status, (await vmsOf(service))[1]?.doubt?.code],
    ["unknown", "not-seen"],
  );
  await bring(service, [state({ name: "web-01", vmid: VMID })]);
  assert.equal((await vmsOf(service))[1]?.status, "unknown");
});

test("what was observed is told with its blockers and its doubt in words", async (t) => {
  const { open } = await serving(t);
  const service = open();
  await registerTwo(service);
  await bring(
    service,
    [
      state({ because: { code: "provider-silent" }, name: "web-01", status: "unknown", vmid: VMID }),
      state({
        blockers: [{ actions: "all", code: "locked", facts: { lock: "backup" } }],
        cpus: 1,
        maxmem: GiB,
        name: "web-02",
        node: "pve2",
        pending: { cpus: 2 },
        status: "stopped",
        vmid: vmidOf(102),
      }),
    ],
    false,
  );
  const json = fleetJson(ok(await service.fleet(OPERATOR, {})).value);
  noteMembers(json);
  const [home] = json.fleet;
  const [first, second] = home?.registeredVms ?? [];
  assert.deepEqual(first?.doubt, { code: "provider-silent", detail: "the provider did not answer" });
  assert.equal(first?.judged, "refusal");
  assert.ok(first.refusals?.[0]?.text.detail.includes("the provider did not answer"));
  assert.deepEqual(second?.lastObserved, {
    blockers: [
      {
        actions: "all",
        code: "locked",
        detail: "it is locked (backup): an operation owns it",
        facts: { lock: "backup" },
      },
    ],
    cpus: 1,
    maxmem: GiB,
    name: "web-02",
    onNode: "pve2",
    pending: { cpus: 2 },
  });
  assert.equal(second?.refusals?.[0]?.code, "blocked-by-provider");
});

test("what is under way with a VM stands beside it: an open intent, what was applied, and what blocks it", async (t) => {
  const at = await serving(t);
  const service = at.open();
  const ready = await readyToApply(service);
  const release = at.provider.verdict.close();
  const { value: applying } = ok(await service.apply(OPERATOR, ready));
  const [open] = await vmsOf(service);
  assert.deepEqual([open?.openIntent, open?.blockedBy, open?.since?.id], [applying.intent, undefined, applying.intent]);
  release();
  await applying.underway?.ended;
  const [ended] = await vmsOf(service);
  assert.deepEqual(
    [ended?.openIntent, ended?.since?.action, ended?.since?.end?.outcome, ended?.status],
    [undefined, "vm.start", "succeeded", "stopped"],
  );
  ok(await service.observe(OPERATOR, HOME));
  const [after] = await vmsOf(service);
  assert.deepEqual([after?.since, after?.status, after?.answer.kind], [undefined, "running", "in-sync"]);
});

test("a VM whose outcome is unknown is told with the intent that blocks it, until it is reconciled", async (t) => {
  const at = await serving(t);
  const intent = await leftOpen(at);
  const service = at.open();
  assert.equal(await service.begin(), undefined);
  const [vm] = await vmsOf(service);
  assert.deepEqual([vm?.blockedBy, vm?.openIntent, vm?.since?.end?.outcome], [intent, undefined, "unknown"]);
  ok(await service.reconcile(OPERATOR, { ...HOME, vmid: VMID }));
  assert.equal((await vmsOf(service))[0]?.blockedBy, undefined);
});

test("a step that waits for an approval is told with its plan, and a freeze with its environment", async (t) => {
  const { open } = await serving(t);
  const service = open();
  const { value: applying } = ok(await service.apply(OPERATOR, await readyToApply(service)));
  await applying.underway?.ended;
  const request = { action: { kind: "vm.reset" }, vmid: VMID } as const;
  const { value: plan } = ok(await service.makePlan(OPERATOR, { ...HOME, request, scope: [VMID] }));
  const { isFrozen, vms } = await fleetOf(service);
  assert.deepEqual([isFrozen, vms[0]?.awaited?.map(({ plan: id, step }) => [id, step])], [false, [[plan.id, 1]]]);
  ok(await service.approve(OPERATOR, { plan: plan.id, reason: "agreed", step: { number: 1 } }));
  assert.equal((await vmsOf(service))[0]?.awaited, undefined);
  ok(await service.freeze(OPERATOR, { reason: "incident" }));
  assert.equal((await fleetOf(service)).isFrozen, true);
});

test("the judgement is made once for what it stands on, whoever asks and whatever else is recorded", async (t) => {
  const at = await serving(t);
  const asked = { blobs: 0 };
  const service = at.openOver((engine: Engine) => ({
    ...engine,
    blob: (digest) => {
      asked.blobs += 1;
      return engine.blob(digest);
    },
  }));
  ok(await service.observe(OPERATOR, HOME));
  const { token = "" } = ok(await service.createToken(OPERATOR, { days: 7, name: "eve", roles: ["observer"] })).value;
  const [first] = (await fleetOf(service)).vms;
  const before = asked.blobs;
  assert.ok(before > 0);
  ok(await service.annotate(OPERATOR, { text: "seen" }));
  assert.equal((await fleetOf(service)).vms[0], first);
  assert.equal(ok(await service.fleet(bearer(token), HOME)).value.environments[0]?.vms[0], first);
  assert.equal(asked.blobs, before);
  ok(await service.observe(OPERATOR, HOME));
  assert.notEqual((await fleetOf(service)).vms[0], first);
  assert.ok(asked.blobs > before);
});

test("another registration is judged anew, and an environment that is not configured is refused", async (t) => {
  const { open } = await serving(t);
  const service = open();
  ok(await service.observe(OPERATOR, HOME));
  assert.equal((await vmsOf(service)).length, 1);
  await registerTwo(service);
  assert.deepEqual(
    (await vmsOf(service)).map(({ entry, status }) => [entry.vmid, status]),
    [
      [101, "stopped"],
      [102, "unknown"],
    ],
  );
  assert.deepEqual(codes(await service.fleet(OPERATOR, { environment: "moon" })), ["environment-unknown"]);
});

test("the schema knows no member of what is told of VMs that nothing prints", () => {
  assert.deepEqual(
    Object.keys(VM_FIELDS).filter((name) => !printed.has(name)),
    [],
  );
});
