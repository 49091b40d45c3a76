// P7-A3: a policy adds to the rules and takes nothing from them; and what was planned on one is applied under no other.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePolicy } from "../../src/formats/policy-yaml.ts";
import { startRequest } from "../../src/kernel/command/program.ts";
import type { Request } from "../../src/kernel/command/request.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import type { Refusal } from "../../src/spine/model.ts";
import type { Policy, PolicyLevel } from "../../src/spine/plan/policy.ts";
import { cannot, type Objection } from "../cannot.ts";
import {
  ALICE,
  apply,
  approve,
  BOB,
  CAROL,
  codesOf,
  configOf,
  DAN,
  explanationHash,
  planned,
  ROBO,
  refusalsOf,
  type Setting,
  type Story,
  story,
} from "../kernel/story.ts";
import { coded, state as vmState, wantStopped } from "../spine/world.ts";

const written = (line: string): readonly Objection[] => {
  const parsed = parsePolicy(`version: 1\ntighten:\n  - ${line}\n`, "policy.yaml");
  return parsed.kind === "ok" ? [] : parsed.problems.filter(({ code }) => code === "policy-loosens");
};

cannot("P7-A3", "ask for less than the rules do", {
  neighbour: () => written("{ action: vm.stop, to: high }"),
  offence: () => written("{ action: vm.stop, to: medium }"),
});

cannot("P7-A3", "let an action go unasked", {
  neighbour: () => written("{ action: vm.start, to: low }"),
  offence: () => written("{ action: vm.start, to: read }"),
});

cannot("P7-A3", "say that an action is allowed", {
  neighbour: () => written("{ action: vm.stop, to: refused }"),
  offence: () => written("{ action: vm.stop, to: allowed }"),
});

cannot("P7-A3", "give a policy a key that allows", {
  neighbour: () => written("{ action: vm.stop, to: refused }"),
  offence: () => written("{ action: vm.stop, to: refused, allow: [alice] }"),
});

const tightening = (to: PolicyLevel, action: "vm.start" | "vm.stop" = "vm.start"): Policy => ({
  tighten: [{ action, to }],
  version: 1,
});
const RAISED = tightening("high");

type Changed = { readonly now: Policy | undefined; readonly planned: Policy | undefined };

/** A start planned under one policy, then asked for by a process that has another. */
const changed = (policies: Changed, ask: (told: Story, of: ReturnType<typeof planned>["of"]) => Request) => {
  const told = story("single-operator", true, policies.planned);
  const { of } = planned(told);
  const config = configOf("single-operator", true, policies.now);
  told.ask(startRequest(config, "1"), { by: KERNEL_ACTOR, config, instance: told.other });
  return refusalsOf(told.ask(ask(told, of), { config, instance: told.other }));
};
const CHALLENGE = (_: Story, of: ReturnType<typeof planned>["of"]): Request => ({ kind: "challenge", of });
const ASKED = {
  approve: (told, of) => ({ explanation: explanationHash(told, of), kind: "approve", of, reason: "agreed" }),
  challenge: CHALLENGE,
  "ask for approval of": (_, of) => ({ kind: "request-approval", of }),
} as const satisfies Record<string, typeof CHALLENGE>;

for (const [word, ask] of Object.entries(ASKED)) {
  cannot("P7-A3", `${word} a step under another policy than its plan stands on`, {
    neighbour: () => changed({ now: RAISED, planned: RAISED }, ask),
    offence: () => coded("policy-differs", changed({ now: undefined, planned: RAISED }, ask)),
  });
}

cannot("P7-A3", "go on under a stricter policy with what was planned under none", {
  neighbour: () => changed({ now: undefined, planned: undefined }, CHALLENGE),
  offence: () => coded("policy-differs", changed({ now: RAISED, planned: undefined }, CHALLENGE)),
});

cannot("P7-A3", "go on under a policy about something else", {
  neighbour: () => changed({ now: { ...RAISED }, planned: RAISED }, CHALLENGE),
  offence: () =>
    coded("policy-differs", changed({ now: tightening("refused", "vm.stop"), planned: RAISED }, CHALLENGE)),
});

/** Everything is agreed to under the policy; then the applying process has another, or the same. */
const appliedUnder = (now: Policy | undefined): readonly Refusal[] => {
  const told = story("single-operator", true, RAISED);
  const { of } = planned(told);
  approve(told, of, BOB);
  const challenge = told.ask({ kind: "challenge", of });
  assert.ok(challenge.kind === "challenged", JSON.stringify(challenge));
  const id = told.records.at(-1)?.auditId ?? assert.fail("the challenge is recorded");
  const config = configOf("single-operator", true, now);
  told.ask(startRequest(config, "1"), { by: KERNEL_ACTOR, config });
  const confirmation = { challenge: id, explanation: challenge.explanation };
  return refusalsOf(told.ask({ confirmation, kind: "apply", of }, { config }));
};

cannot("P7-A3", "apply a step under another policy, whoever agreed to it before", {
  neighbour: () => appliedUnder(RAISED),
  offence: () => coded("policy-differs", appliedUnder(undefined)),
});

test("a policy that tightens nothing is no other policy", () => {
  assert.deepEqual(changed({ now: { tighten: [], version: 1 }, planned: undefined }, CHALLENGE), []);
  assert.deepEqual(changed({ now: undefined, planned: { tighten: [], version: 1 } }, CHALLENGE), []);
});

test("a step is denied and its plan canceled under any policy", () => {
  const ways = [
    (_, of) => ({ kind: "deny", of, reason: "the policy changed" }),
    (_, of) => ({ kind: "cancel", plan: of.plan, reason: "the policy changed" }),
  ] as const satisfies (typeof CHALLENGE)[];
  for (const ask of ways) assert.deepEqual(changed({ now: undefined, planned: RAISED }, ask), []);
});

const STOP: Setting = { vms: [vmState()], entries: [wantStopped("power-off")] };

const verdictUnder = (policy: Policy): readonly Refusal[] => {
  const told = story("single-operator", true, policy);
  const { result } = planned(told, STOP);
  assert.ok(result.kind === "planned");
  const { verdict } = JSON.parse(told.blobs.get(result.plan) ?? assert.fail("the plan is a blob"));
  assert.equal(verdict.kind, result.verdict);
  return verdict.kind === "refused" ? verdict.refusals : [];
};

cannot("P7-A2", "plan an action that the policy of its environment refuses", {
  neighbour: () => verdictUnder(tightening("refused", "vm.start")),
  offence: () => coded("policy-refuses", verdictUnder(tightening("refused", "vm.stop"))),
});

cannot("P7-E3", "apply a step that the policy refused", {
  neighbour: () => agreed(story("single-operator", true, tightening("refused", "vm.start")), STOP),
  offence: () => coded("plan-refused", agreed(story("single-operator", true, tightening("refused", "vm.stop")), STOP)),
});
const agreed = (told: Story, setting: Setting): readonly Refusal[] => {
  const { of } = planned(told, setting);
  approve(told, of, BOB);
  return refusalsOf(apply(told, of));
};

cannot("P7-A2", "apply what a policy raised before somebody approved it", {
  neighbour: () => {
    const told = story("four-eyes", true, RAISED);
    const { of } = planned(told, { by: DAN });
    approve(told, of, BOB, { door: "service" });
    return refusalsOf(apply(told, of, DAN, { door: "service" }));
  },
  offence: () => {
    const told = story("four-eyes", true, RAISED);
    const { of } = planned(told, { by: DAN });
    return coded("approval-missing", refusalsOf(apply(told, of, DAN, { door: "service" })));
  },
});

test("without a policy the same start needs nobody's approval", () => {
  const told = story("four-eyes");
  assert.equal(apply(told, planned(told, { by: DAN }).of, DAN, { door: "service" }).kind, "intended");
});

cannot("P7-A2", "apply what a policy made irreversible without its name", {
  neighbour: () => ended({ name: "web-01" }),
  offence: () => coded("name-not-typed", ended({})),
});
const ended = (more: { readonly name?: string }): readonly Refusal[] => {
  const told = story("single-operator", true, tightening("irreversible"));
  const { of } = planned(told);
  approve(told, of, ALICE);
  return refusalsOf(apply(told, of, ALICE, more));
};

cannot("P7-A2", "let an agent have what a policy made irreversible", {
  neighbour: () => byAgent("high"),
  offence: () => coded("agent-irreversible", byAgent("irreversible")),
});
const byAgent = (to: "high" | "irreversible"): readonly Refusal[] => {
  const told = story("single-operator", true, tightening(to));
  const { of } = planned(told, { by: ROBO });
  for (const by of [BOB, CAROL]) approve(told, of, by);
  return refusalsOf(told.ask({ kind: "apply", of }, { by: ROBO, door: "service" }));
};

const MINUTE_MS = 60_000;
cannot("N1", "let a raised step live longer than its tier does", {
  neighbour: () => after(14 * MINUTE_MS),
  offence: () => coded("step-expired", after(15 * MINUTE_MS)),
});
const after = (ms: number): readonly Refusal[] => {
  const told = story("single-operator", true, RAISED);
  const { of } = planned(told);
  told.pass(ms);
  return refusalsOf(told.ask({ kind: "challenge", of }));
};

test("an approval of a raised step ends with the step", () => {
  const lives = [undefined, RAISED].map((policy) => {
    const told = story("single-operator", true, policy);
    const result = approve(told, planned(told).of, BOB);
    assert.ok(result.kind === "approved", codesOf(result).join());
    return result.expiresAt;
  });
  assert.deepEqual(lives, ["2026-11-15T11:00:00.000Z", "2026-11-15T10:15:00.000Z"]);
});
