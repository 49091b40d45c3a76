// N8: what a number meant is remembered; a VM that was deleted and made anew is not taken for the one before.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Requests } from "../../src/kernel/command/request.ts";
import type { Result, ResultOf } from "../../src/kernel/command/result.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { Actor, Ulid } from "../../src/ledger/record/record.ts";
import type { Observation, Refusal, VmState } from "../../src/spine/model.ts";
import { type Identities, identitiesDigest } from "../../src/spine/values/identities.ts";
import { observe } from "../../src/spine/values/observation.ts";
import { cannot } from "../cannot.ts";
import { again } from "../kernel/day.ts";
import {
  ALICE,
  apply,
  BOB,
  codesOf,
  DAN,
  looked,
  planIn,
  planned,
  ROBO,
  refusalsOf,
  remembered,
  type Story,
  story,
} from "../kernel/story.ts";
import { coded, desiredFor, observationOf, VMID, vmidOf, state as vmState, wantRunning } from "../spine/world.ts";

const seenAs = (identity: string | undefined, more: Partial<VmState> = {}): VmState =>
  vmState({ ...(identity === undefined ? {} : { identity }), status: "stopped", ...more });

// What is remembered.

const saw = (told: Story, vms: readonly VmState[], more: Partial<Observation> = {}): Ulid =>
  looked(told, observationOf(vms, { observedAt: told.now(), ...more }), {
    ...(more.environment === undefined ? {} : { environment: more.environment }),
  });
const result = ({ records }: Story): Result => records.at(-1)?.body["result"] as Result;
const held = (told: Story, environment?: string): unknown => remembered(told, environment).identities;
const OTHER = vmidOf(102);

test("the first identity that is seen is remembered, and nothing that is seen later changes or forgets it", () => {
  const told = story();
  saw(told, [seenAs("uuid-a")]);
  assert.deepEqual(held(told), [[VMID, "uuid-a"]]);
  for (const vms of [
    [seenAs("uuid-b")],
    [seenAs(undefined)],
    [],
    [seenAs("uuid-b", { because: { code: "stated", said: "no answer" }, status: "unknown" })],
  ]) {
    saw(told, vms);
    assert.deepEqual(held(told), [[VMID, "uuid-a"]], JSON.stringify(vms));
  }
});
test("an observation adds those that it sees for the first time, in the order of their numbers", () => {
  const told = story();
  saw(told, [seenAs("uuid-b", { vmid: OTHER })]);
  saw(told, [seenAs("uuid-a")], { complete: false, gaps: [{ code: "stated", said: "node pve2" }] });
  assert.deepEqual(held(told), [
    [VMID, "uuid-a"],
    [OTHER, "uuid-b"],
  ]);
});
test("one that could not be seen is not remembered, and one that is not the same is reported", () => {
  const told = story();
  saw(told, [seenAs("uuid-a", { because: { code: "stated", said: "no answer" }, status: "unknown" })]);
  assert.equal(held(told), undefined);
  saw(told, [seenAs("uuid-a"), seenAs("uuid-b", { vmid: OTHER })]);
  saw(told, [seenAs("uuid-x"), seenAs("uuid-b", { vmid: OTHER })]);
  assert.deepEqual((result(told) as ResultOf<"observed">).changed, { count: 1, vmids: [VMID] });
});
test("what did not change is one blob, however often it is seen", () => {
  const told = story();
  const named = new Set<string>();
  for (let times = 0; times < 3; times += 1) {
    told.pass(1_000);
    saw(told, [seenAs("uuid-a"), ...(times === 0 ? [] : [seenAs(times === 1 ? "uuid-b" : "uuid-c", { vmid: OTHER })])]);
    named.add((result(told) as ResultOf<"observed">).identities ?? "none");
  }
  const blobs = told.records.flatMap(({ blobs: list = [] }) => list).filter((digest) => named.has(digest));
  assert.equal(named.size, 2, "the third saw nothing new");
  assert.equal(blobs.length, 2, "each is stored with the record that made it");
});
test("each environment has its own", () => {
  const told = story();
  saw(told, [seenAs("uuid-a")]);
  saw(told, [seenAs("uuid-b")], { environment: "away" });
  assert.deepEqual(held(told), [[VMID, "uuid-a"]]);
  assert.deepEqual(held(told, "away"), [[VMID, "uuid-b"]]);
});
test("what is replayed or pushed is not remembered, and is not held against what is", () => {
  const told = story("single-operator", false);
  saw(told, [seenAs("uuid-a")]);
  assert.equal(held(told), undefined);
  const { result: made } = planned(told, { vms: [seenAs("uuid-b")] });
  assert.equal(made.kind, "planned");
});
test("what an observation remembers, refuses or finds changed replays as it was", async () => {
  const told = story();
  saw(told, [seenAs("uuid-a")]);
  saw(told, [seenAs("uuid-b")]);
  planOf(told, "uuid-b");
  accepted(told, { identity: "uuid-b" });
  planOf(told, "uuid-b");
  bringing(told, []);
  accepted(told, { identity: "uuid-z" });
  const replayed = await again(told);
  assert.equal(replayed.kind, "equal", JSON.stringify(replayed));
});

// At the kernel.

const planOf = (told: Story, identity: string | undefined): readonly Refusal[] => {
  const desired = desiredFor([wantRunning()]);
  told.ask(registrationOf(desired), { given: { desired } });
  const observation = observationOf([seenAs(identity)], { observedAt: told.now() });
  const id = looked(told, observation);
  const given = { observation, desired, ...remembered(told) };
  const made = told.ask({ kind: "plan", observation: id, scope: "all" }, { given });
  if (made.kind === "refused") return made.refusals;
  return planIn(told, made).answers.filter((answer) => answer.kind === "refusal");
};
const after = (...before: readonly string[]): Story => {
  const told = story();
  for (const identity of before) saw(told, [seenAs(identity)]);
  return told;
};
cannot("N8", "plan for a VM that was made anew under its number and name", {
  neighbour: () => planOf(after("uuid-a"), "uuid-a"),
  offence: () => coded("identity-changed", planOf(after("uuid-a"), "uuid-b")),
});
cannot("N8", "get used to another VM by seeing it often", {
  neighbour: () => planOf(after("uuid-a", "uuid-a", "uuid-a"), "uuid-a"),
  offence: () => coded("identity-changed", planOf(after("uuid-a", "uuid-b", "uuid-b", "uuid-b"), "uuid-b")),
});

const bringing = (told: Story, identities?: Identities): readonly Refusal[] => {
  const observation = observationOf([seenAs("uuid-a")], { observedAt: told.now() });
  const { digest } = observe(observation);
  const seen = { complete: true, gaps: 0, observedAt: told.now(), providerTime: told.now(), vms: 1 };
  const given = { observation, ...(identities === undefined ? {} : { identities }) };
  return refusalsOf(told.ask({ kind: "observe", observation: digest, ...seen }, { given }));
};
for (const [what, other] of [
  ["other identities than those remembered", [[VMID, "uuid-b"]]],
  ["none of those remembered", undefined],
  [
    "more identities than are remembered",
    [
      [VMID, "uuid-a"],
      [OTHER, "uuid-c"],
    ],
  ],
] as const) {
  cannot("N8", `observe with ${what}`, {
    neighbour: () => bringing(after("uuid-a"), [[VMID, "uuid-a"]]),
    offence: () => coded("identities-moved", bringing(after("uuid-a"), other)),
  });
}
cannot("N8", "plan with other identities than those remembered", {
  neighbour: () => planOf(after("uuid-a"), "uuid-a"),
  offence: () => {
    const told = after("uuid-a");
    const desired = desiredFor([wantRunning()]);
    told.ask(registrationOf(desired), { given: { desired } });
    const observation = observationOf([seenAs("uuid-b")], { observedAt: told.now() });
    const id = looked(told, observation);
    const identities: Identities = [[VMID, "uuid-b"]];
    const given = { identities, observation, desired };
    return coded("identities-moved", refusalsOf(told.ask({ kind: "plan", observation: id, scope: "all" }, { given })));
  },
});

// The operator's word.

type Accepting = Partial<Omit<Requests["accept-identity"], "observation">> & {
  readonly by?: Actor;
  readonly environment?: string;
  readonly observation?: Ulid;
  readonly lateMs?: number;
  readonly seen?: VmState;
};
const accepted = (told: Story, asked: Accepting = {}): readonly Refusal[] => {
  const { by = ALICE, identity = "uuid-b", lateMs = 0, reason = "rebuilt", vmid = VMID } = asked;
  const observation = observationOf([asked.seen ?? seenAs("uuid-b")], { observedAt: told.now() });
  const seen = looked(told, observation);
  told.pass(lateMs);
  const request = { identity, kind: "accept-identity", observation: asked.observation ?? seen, reason, vmid } as const;
  const given = { observation, ...remembered(told) };
  const { environment = "home" } = asked;
  return refusalsOf(told.ask(request, { by, door: by === ALICE ? "local" : "service", environment, given }));
};
const acceptedAfterA = (asked: Accepting): readonly Refusal[] => accepted(after("uuid-a"), asked);

cannot("N8", "plan for a rebuilt VM before an operator has accepted it", {
  neighbour: () => {
    const told = after("uuid-a");
    accepted(told);
    return planOf(told, "uuid-b");
  },
  offence: () => coded("identity-changed", planOf(after("uuid-a"), "uuid-b")),
});
cannot("N8", "go on with the VM of before once another was accepted", {
  neighbour: () => {
    const told = after("uuid-a");
    accepted(told);
    return planOf(told, "uuid-b");
  },
  offence: () => {
    const told = after("uuid-a");
    accepted(told);
    return coded("identity-changed", planOf(told, "uuid-a"));
  },
});
cannot("N8", "accept an identity that the VM does not show", {
  neighbour: () => acceptedAfterA({}),
  offence: () => coded("identity-not-observed", acceptedAfterA({ identity: "uuid-c" })),
});
cannot("N8", "accept the identity of a VM that could not be seen", {
  neighbour: () => acceptedAfterA({}),
  offence: () =>
    coded(
      "identity-not-observed",
      acceptedAfterA({ seen: seenAs("uuid-b", { because: { code: "stated", said: "no answer" }, status: "unknown" }) }),
    ),
});
cannot("N8", "accept the identity of another VM's number", {
  neighbour: () => acceptedAfterA({}),
  offence: () => coded("identity-not-observed", acceptedAfterA({ vmid: OTHER })),
});
cannot("N8", "accept what is remembered already", {
  neighbour: () => acceptedAfterA({}),
  offence: () => coded("identity-not-changed", acceptedAfterA({ identity: "uuid-a", seen: seenAs("uuid-a") })),
});
cannot("N8", "accept what nobody has to accept", {
  neighbour: () => acceptedAfterA({}),
  offence: () => coded("identity-not-changed", accepted(story())),
});
test("that nothing is remembered is told apart from that it is the same", () => {
  const causes = (refusals: readonly Refusal[]) =>
    refusals.flatMap(({ cause, code }) => (code === "identity-not-changed" ? [cause] : []));
  assert.deepEqual(causes(accepted(story(), { vmid: vmidOf(202) })), ["unseen"]);
  assert.deepEqual(causes(acceptedAfterA({ identity: "uuid-a", seen: seenAs("uuid-a") })), ["same"]);
});
cannot("N1", "accept an identity by an old observation", {
  neighbour: () => acceptedAfterA({ lateMs: 60_000 }),
  offence: () => coded("observation-stale", acceptedAfterA({ lateMs: 60_001 })),
});
cannot("N1", "accept an identity by an observation that is not in the ledger", {
  neighbour: () => acceptedAfterA({}),
  offence: () => coded("observation-unknown", acceptedAfterA({ observation: story().instance })),
});
cannot("N1", "accept an identity by an observation of another environment", {
  neighbour: () => acceptedAfterA({}),
  offence: () => coded("observation-unknown", acceptedAfterA({ environment: "away" })),
});
cannot("B3", "accept an identity in an environment that is not configured", {
  neighbour: () => acceptedAfterA({}),
  offence: () => coded("environment-unknown", acceptedAfterA({ environment: "lab" })),
});
cannot("P7-A2", "accept an identity without a reason", {
  neighbour: () => acceptedAfterA({}),
  offence: () => coded("reason-missing", acceptedAfterA({ reason: " " })),
});
for (const [who, by] of [
  ["an approver", BOB],
  ["an agent", ROBO],
] as const) {
  cannot("P7-A1", `accept an identity as ${who}`, {
    neighbour: () => acceptedAfterA({ by: DAN }),
    offence: () => coded("role-missing", acceptedAfterA({ by })),
  });
}
cannot("N7", "accept an identity by another observation than the recorded one", {
  neighbour: () => acceptedAfterA({}),
  offence: () => {
    const told = after("uuid-a");
    const seen = saw(told, [seenAs("uuid-b")]);
    const observation = observationOf([seenAs("uuid-c")], { observedAt: told.now() });
    const request = {
      identity: "uuid-c",
      kind: "accept-identity",
      observation: seen,
      reason: "rebuilt",
      vmid: VMID,
    } as const;
    const given = { observation, ...remembered(told) };
    return coded("value-altered", refusalsOf(told.ask(request, { given })));
  },
});
cannot("N8", "accept an identity into other ones than those remembered", {
  neighbour: () => acceptedAfterA({}),
  offence: () => {
    const told = after("uuid-a");
    const observation = observationOf([seenAs("uuid-b")], { observedAt: told.now() });
    const seen = looked(told, observation);
    const request = {
      identity: "uuid-b",
      kind: "accept-identity",
      observation: seen,
      reason: "rebuilt",
      vmid: VMID,
    } as const;
    return coded("identities-moved", refusalsOf(told.ask(request, { given: { identities: [], observation } })));
  },
});

test("what we deleted ourselves stays remembered: whatever has its number later is another VM", () => {
  const told = story();
  const { of } = planned(told, { action: { kind: "vm.delete" }, vms: [seenAs("uuid-a")] });
  saw(told, []);
  assert.deepEqual(codesOf(apply(told, of)), ["approval-missing", "name-not-typed"]);
  assert.deepEqual(
    planOf(told, "uuid-b").map(({ code }) => code),
    ["identity-changed"],
  );
});
test("the digest in the state is that of the canonical map", () => {
  const told = after("uuid-a");
  assert.equal(get(told.state().identities, "home"), identitiesDigest("home", [[VMID, "uuid-a"]]));
  assert.notEqual(identitiesDigest("home", []), identitiesDigest("away", []));
});
