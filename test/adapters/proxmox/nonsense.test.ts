// What a place may answer besides sense: each becomes unknown or a gap, in words that can be shown, and nothing of it
// becomes part of a path.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ActionKind, VmState } from "../../../src/spine/model.ts";
import { CALM, config, configAt, row, sourceFor, statusAt, stopped, vmid } from "./answers.ts";
import { type Answers, openProvider, type Written } from "./provider.ts";

const signal = new AbortController().signal;

const one = async (t: TestContext, answers: Answers): Promise<VmState> => {
  const provider = await openProvider(t, { ...CALM, ...answers });
  const { vms } = await sourceFor(provider).observe([{ vmid: vmid(101) }], signal);
  assert.equal(vms.length, 1);
  return vms[0] as VmState;
};
const blocker = (state: VmState, kind: ActionKind): string | undefined =>
  state.blockers?.find(({ actions }) => actions === "all" || actions.includes(kind))?.code;

test("absurd numbers are not reported", async (t) => {
  for (const absurd of [1e300, -1, 0, 0.5, "99999999999999999999", "0x10", "", null, [2], true]) {
    const state = await one(
      t,
      configAt({ data: config(101, { cores: { value: absurd }, memory: { value: absurd } }) }),
    );
    assert.deepEqual([state.status, state.cpus, state.maxmem], ["stopped", undefined, undefined], String(absurd));
  }
});

test("tags are read whole or not at all, because a tag can protect", async (t) => {
  assert.deepEqual((await one(t, configAt({ data: config(101, { tags: "web;prod" }) }))).tags, ["prod", "web"]);
  for (const tags of [["prod"], "web;pr\u0000od", 7]) {
    const state = await one(t, configAt({ data: config(101, { tags: { value: tags } }) }));
    assert.deepEqual(state.because, { code: "tags-unreadable" });
  }
});

test("a name with control characters or without end leaves the VM unknown, and is not shown", async (t) => {
  for (const name of ["\u001b[31mred", "x".repeat(10_000), " blank", ""]) {
    const state = await one(t, {
      ...statusAt({ data: stopped(101, { name }) }),
      ...configAt({ data: config(101, { name }) }),
      "GET /cluster/resources?type=vm": { data: [row(101, { name })] },
    });
    assert.deepEqual([state.status, state.name], ["unknown", ""]);
    assert.deepEqual(state.because, { code: "name-unreadable" });
  }
});

test("a name that PVE made up is shown and nothing is done", async (t) => {
  const state = await one(t, {
    ...statusAt({ data: stopped(101, { name: "VM 101" }) }),
    ...configAt({ data: config(101, { name: undefined }) }),
  });
  assert.deepEqual([state.status, state.name], ["stopped", "VM 101"]);
  assert.equal(blocker(state, "vm.start"), "name-not-shown");
});

test("a node with path characters is never part of a path", async (t) => {
  for (const bad of ["../access", "pve1/../..", "pve1%2f", "", "-x", "a".repeat(64), 7, null]) {
    const provider = await openProvider(t, {
      ...CALM,
      "GET /cluster/resources?type=vm": { data: [row(101, { node: bad })] },
    });
    const { vms } = await sourceFor(provider).observe([{ vmid: vmid(101) }], signal);
    assert.equal(vms[0]?.because?.code, "node-impossible");
    assert.deepEqual(provider.asked.map(({ what }) => what).sort(), ["/cluster/resources?type=vm", "/cluster/status"]);
  }
});

test("a list that cannot be read is a gap, and no VM is made up from it", async (t) => {
  const lists: readonly Written[] = [
    { data: "no list" },
    { data: null },
    { raw: (response) => void response.end("<html>") },
    { raw: (response) => void response.end('{"data":[{"vmid":101') },
    { reason: "Authentication failed!", status: 401 },
  ];
  for (const list of lists) {
    const provider = await openProvider(t, { ...CALM, "GET /cluster/resources?type=vm": list });
    const seen = await sourceFor(provider).observe([{ vmid: vmid(101) }], signal);
    assert.deepEqual([seen.complete, seen.vms, seen.gaps.length], [false, [], 1]);
  }
});

test("a row that cannot be read leaves no absence to believe, and a doubled one is a doubt", async (t) => {
  const strange = await openProvider(t, {
    ...CALM,
    "GET /cluster/resources?type=vm": { data: [row(101), { vmid: "x" }, 7] },
  });
  const seen = await sourceFor(strange).observe([{ vmid: vmid(101) }, { vmid: vmid(102) }], signal);
  assert.deepEqual(seen.gaps, [{ code: "rows-unreadable", facts: { rows: 2 } }]);
  const twice = await one(t, { "GET /cluster/resources?type=vm": { data: [row(101), row(101, { node: "pve2" })] } });
  assert.deepEqual(twice.because, { code: "listed-twice", facts: { times: 2 } });
});

test("a token without any right makes few gaps of many VMs", async (t) => {
  const provider = await openProvider(t, {
    ...CALM,
    "GET /access/permissions": { data: {} },
    "GET /cluster/resources?type=vm": { data: [] },
  });
  const { gaps } = await sourceFor(provider).observe(
    Array.from({ length: 500 }, (_, at) => ({ vmid: vmid(100 + at) })),
    signal,
  );
  assert.deepEqual([gaps.length, gaps.at(-1)], [21, { code: "more-not-visible", facts: { more: 480 } }]);
  assert.equal(provider.asked.length, 3);
});

test("answers of another VM, or in another form, leave the VM unknown", async (t) => {
  for (const data of [null, [], "x", stopped(102)]) {
    assert.equal((await one(t, statusAt({ data }))).status, "unknown");
  }
  for (const data of [null, {}, "x", [{ value: 1 }], [{ key: "cores" }, { key: "cores" }]]) {
    assert.deepEqual((await one(t, configAt({ data }))).because, { code: "configuration-unreadable" });
  }
});
