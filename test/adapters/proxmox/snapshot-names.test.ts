// A snapshot's name by PVE's grammar: what it forbids blocks making one.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ActionKind, VmState } from "../../../src/spine/model.ts";
import { CALM, sourceFor, vmid } from "./answers.ts";
import { openProvider } from "./provider.ts";

const signal = new AbortController().signal;

const blocked = (state: VmState, kind: ActionKind): string | undefined =>
  state.blockers?.find(({ actions }) => actions === "all" || actions.includes(kind))?.code;

test("a snapshot's name that PVE forbids blocks making it, and no other name does", async (t) => {
  const provider = await openProvider(t, CALM);
  const why = async (newSnapshot: string): Promise<string | undefined> => {
    const { vms } = await sourceFor(provider).observe([{ vmid: vmid(101) }], signal, ["snapshots", { newSnapshot }]);
    const [state] = vms;
    assert.ok(state !== undefined);
    assert.equal(blocked(state, "vm.snapshot.delete"), undefined, "what is there can be removed");
    return blocked(state, "vm.snapshot.create");
  };
  for (const name of ["1x", "x", "", "a b", "a.b", "-a", "_a", "é1", "a".repeat(41), "a".repeat(45)]) {
    assert.equal(await why(name), "snapshot-name-unfit", name);
  }
  for (const name of ["current", "pending", "PENDING"]) assert.equal(await why(name), "snapshot-name-reserved");
  for (const name of ["a1", "Before-upgrade_2", "vzdump", "currents", "a".repeat(40)]) {
    assert.equal(await why(name), undefined, name);
  }
});
