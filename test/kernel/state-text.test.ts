// Every part of a state survives its text: those that may be absent, where they are and where they are not; and by what
// one requester's plans replace each other.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bringing } from "../../src/kernel/command/program.ts";
import { INITIAL, type State, scopeKeyOf } from "../../src/kernel/state/state.ts";
import { STATE_CODEC } from "../../src/kernel/state/state-json.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { VMID, vmidOf } from "../spine/world.ts";
import { again } from "./day.ts";
import { configOf, planned, type Story, story } from "./story.ts";

const restored = (state: State): State => STATE_CODEC.fromJson(JSON.parse(JSON.stringify(STATE_CODEC.toJson(state))));
const [OBSERVATION, OTHER] = [story().instance, story().other];
const BRINGS = bringing(configOf("single-operator"), "1");

const sealed = (told: Story): void => {
  const size = told.state().size;
  const [copy, root] = [sha256("a copy"), sha256("a root")];
  told.ask({ ...BRINGS, copy, kind: "ledger.seal", root, size, to: "elsewhere" });
};
const reAnchored = (told: Story): void => {
  const [root, size] = [sha256("a root"), told.state().size];
  told.ask({
    ...BRINGS,
    found: "anchor-absent",
    kind: "ledger.re-anchor",
    notes: 0,
    reason: "lost",
    root,
    size,
  });
};

test("what a state may lack is lacking after its text, and is there where it was", () => {
  assert.deepEqual(restored(INITIAL), INITIAL);
  assert.deepEqual(
    ["reAnchored", "seal", "started"].filter((name) => name in restored(INITIAL)),
    [],
  );
  for (const act of [() => undefined, planned, reAnchored, sealed]) {
    const told = story();
    act(told);
    assert.deepEqual(restored(told.state()), told.state());
  }
});

test("a plan replaces one of the same environment, requester, scope and request, and no other", () => {
  const all = { observation: OBSERVATION, scope: "all" } as const;
  const keys = [
    scopeKeyOf("home", "alice", all),
    scopeKeyOf("away", "alice", all),
    scopeKeyOf("home", "bob", all),
    scopeKeyOf("home", "alice", { ...all, scope: [vmidOf(101)] }),
    scopeKeyOf("home", "alice", { ...all, request: { action: { kind: "vm.start" }, vmid: VMID } }),
    scopeKeyOf("home", "alice", { ...all, request: { action: { kind: "vm.stop" }, vmid: VMID } }),
  ];
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(scopeKeyOf("home", "alice", { ...all, observation: OTHER }), keys[0]);
});

test("a field of a record that is another is named", async () => {
  const told = story();
  const [first, ...rest] = told.records;
  assert.ok(first !== undefined);
  const other = [sha256("another"), ...(first.blobs ?? [])].sort();
  const result = await again(told, [{ ...first, blobs: other }, ...rest]);
  assert.deepEqual(result, { difference: { cause: "field", facts: { field: "blobs" } }, kind: "differs", seq: 0 });
});
