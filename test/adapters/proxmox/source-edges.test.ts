// The source at its edges: who is told what, what is asked once, and what a second search for a VM may find.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { clockedReader } from "../../../src/adapters/proxmox/api/clocked-reader.ts";
import type { GuestRef } from "../../../src/adapters/proxmox/api/names.ts";
import type { PveReader } from "../../../src/adapters/proxmox/api/pve-reader.ts";
import { GUESTS_PER_NODE, type SourceOptions } from "../../../src/adapters/proxmox/observe/pve-source.ts";
import type { Gap } from "../../../src/spine/observed-codes.ts";
import { CALM, config, configAt, row, sourceFor, statusAt, stopped, vmid } from "./answers.ts";
import { type Answers, openProvider, refused, type Written } from "./provider.ts";

const signal = new AbortController().signal;
const LIST = "GET /cluster/resources?type=vm";

const observing = async (
  t: TestContext,
  answers: Answers,
  ids: readonly number[],
  more: Partial<SourceOptions> = {},
) => {
  const provider = await openProvider(t, { ...CALM, ...answers });
  const observation = await sourceFor(provider, undefined, more).observe(
    ids.map((id) => ({ vmid: vmid(id) })),
    signal,
  );
  return { ...observation, asked: provider.asked.map(({ what }) => what) };
};

const several = (...ids: readonly number[]): Answers => ({
  [LIST]: { data: ids.map((id) => row(id)) },
  ...Object.fromEntries(
    ids.flatMap((id) => [
      [`GET /nodes/pve1/qemu/${id}/status/current`, { data: stopped(id) }],
      [`GET /nodes/pve1/qemu/${id}/pending`, { data: config(id) }],
    ]),
  ),
});

test("VMs come in the order of their numbers, and a node is asked once for its tasks", async (t) => {
  for (const ids of [
    [103, 101, 102],
    [101, 102, 103],
    [103, 102, 101],
  ]) {
    const { asked, vms } = await observing(t, several(101, 102, 103), ids);
    assert.deepEqual(
      vms.map((one) => one.vmid),
      [101, 102, 103],
    );
    assert.equal(asked.filter((what) => what.includes("/tasks?")).length, 1);
  }
  assert.equal(GUESTS_PER_NODE, 4);
});

test("that a list was not seen is heard by whoever listens, and nothing is heard where it was", async (t) => {
  const heard: Gap[] = [];
  const onUnanswered = (unseen: Gap): void => void heard.push(unseen);
  await observing(t, {}, [101], { onUnanswered });
  assert.deepEqual(heard, []);
  const { gaps } = await observing(t, { [LIST]: refused(500, "no") }, [101], { onUnanswered });
  assert.deepEqual(heard, gaps);
  assert.deepEqual(
    gaps.map(({ code }) => code),
    ["list-not-seen"],
  );
});

test("an error of a node that is neither a missing right nor a missing VM is told as its refusal", async (t) => {
  const { vms } = await observing(t, statusAt(refused(500, "no")), [101]);
  assert.deepEqual(vms[0]?.because, {
    code: "node-refused",
    diagnostic: { code: "http-refusal", facts: { httpStatus: 500 }, said: "no" },
    facts: { node: "pve1" },
  });
});

const GONE = refused(500, "Configuration file 'nodes/pve1/qemu-server/101.conf' does not exist");
/** The first list, then the other one. */
const inTurn = (first: Written, then: Written): (() => Written) => {
  let lists = 0;
  return () => {
    lists += 1;
    return lists === 1 ? first : then;
  };
};
const FIRST: Written = { data: [row(101)] };
const VISIBLE: Answers = {
  "GET /access/permissions?path=%2Fvms%2F101": { data: { "/vms/101": { "VM.Audit": 1 } } },
  "GET /access/permissions?path=%2Fvms%2F102": { data: { "/vms/102": { "VM.Audit": 1 } } },
};
const LOST: Answers = { ...statusAt(GONE), ...configAt(GONE), ...VISIBLE };

test("a VM that moves on while it is searched is unknown, and is not left out", async (t) => {
  const moved = inTurn(FIRST, { data: [row(101, { node: "pve2" })] });
  const still = { "GET /nodes/pve2/qemu/101/pending": GONE, "GET /nodes/pve2/qemu/101/status/current": GONE };
  const seen: GuestRef[] = [];
  const onSeen = (guest: GuestRef): void => void seen.push(guest);
  const { vms } = await observing(t, { ...LOST, ...still, [LIST]: moved }, [101], { onSeen });
  assert.deepEqual(
    vms.map(({ because }) => because),
    [{ code: "not-at-node", facts: { node: "pve2" } }],
  );
  assert.deepEqual(seen, [], "nobody is told of a place at which it was not");
});

test("a row of the second list that cannot be read leaves no absence to believe", async (t) => {
  const { gaps } = await observing(t, { ...LOST, [LIST]: inTurn(FIRST, { data: [7] }) }, [101]);
  assert.deepEqual(gaps, [{ code: "rows-unreadable", facts: { rows: 1 } }]);
  const both = await observing(t, { ...LOST, [LIST]: inTurn({ data: [row(101), 7] }, { data: [7] }) }, [101]);
  assert.deepEqual(both.gaps, [{ code: "rows-unreadable", facts: { rows: 2 } }]);
});

test("a second list that does not come leaves the VM unknown, and the others as they were", async (t) => {
  const { gaps, vms } = await observing(t, { ...LOST, [LIST]: inTurn(FIRST, refused(500, "no")) }, [101, 102]);
  assert.deepEqual(
    vms.map(({ because }) => because),
    [{ code: "not-at-node", facts: { node: "pve1" } }],
  );
  assert.deepEqual(gaps, [], "102 is missing by the first list, which was whole");
});

test("the provider's time is that of the last answer that showed one", async () => {
  const dates = ["Sun, 15 Nov 2026 10:00:00 GMT", "Sun, 15 Nov 2026 10:00:01 GMT", undefined, "no date"];
  let asked = 0;
  const version: PveReader["version"] = async () => {
    asked += 1;
    return { data: {}, date: dates[asked - 1], kind: "data" };
  };
  const { providerTime, reader } = clockedReader({ version } as Partial<PveReader> as PveReader);
  assert.equal(providerTime(), undefined);
  const times: unknown[] = [];
  for (const _ of dates) {
    await reader.version(signal);
    times.push(providerTime());
  }
  const last = "2026-11-15T10:00:01.000Z";
  assert.deepEqual(times, ["2026-11-15T10:00:00.000Z", last, last, last]);
});
