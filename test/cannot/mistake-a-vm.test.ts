// N8 and B3: a VM of another name, another identity or another environment is not the one that was meant.

import assert from "node:assert/strict";
import { test } from "node:test";
import { spellAfter } from "../../src/cli/spell.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { nextStepsOf } from "../../src/spine/rules/next-steps.ts";
import { cannot } from "../cannot.ts";
import { coded, meeting, observationOf, refusalsIn, state, VMID, vmidOf, wantRunning } from "../spine/world.ts";

cannot("N8", "act on a VM of another name", {
  neighbour: () => meeting(wantRunning({ name: "web-01" }), state({ name: "web-01", status: "stopped" })),
  offence: () =>
    coded("name-mismatch", meeting(wantRunning({ name: "web-01" }), state({ name: "web-02", status: "stopped" }))),
});

cannot("N8", "take two spellings of a name for one", {
  neighbour: () => meeting(wantRunning(), state()),
  offence: () => coded("name-mismatch", meeting(wantRunning(), state({ name: "Web-01" }))),
});

cannot("N8", "act on a VM of another identity", {
  neighbour: () => meeting(wantRunning({ identity: "uuid-a" }), state({ identity: "uuid-a" })),
  offence: () =>
    coded("identity-mismatch", meeting(wantRunning({ identity: "uuid-a" }), state({ identity: "uuid-b" }))),
});

cannot("N8", "act on a VM that does not show the identity that is demanded", {
  neighbour: () => meeting(wantRunning(), state()),
  offence: () => coded("identity-not-seen", meeting(wantRunning({ identity: "uuid-a" }), state())),
});

cannot("B3", "use the observation of another environment", {
  neighbour: () => refusalsIn({ environment: "home", observation: observationOf([state()]), entries: [wantRunning()] }),
  offence: () =>
    coded(
      "environment-mismatch",
      refusalsIn({
        environment: "home",
        observation: observationOf([state()], { environment: "cloud" }),
        entries: [wantRunning()],
      }),
    ),
});

cannot("B3", "clear a plan that was made from another environment's observation", {
  neighbour: () => refusalsIn({ environment: "home", observation: observationOf([state()]), entries: [wantRunning()] }),
  offence: () =>
    coded(
      "observation-foreign",
      refusalsIn({
        environment: "home",
        observation: observationOf([state()], { environment: "cloud" }),
        entries: [wantRunning()],
      }),
    ),
});

// What is remembered, at the plan.

const remembering = (was: string, is: string | undefined, desired?: string): readonly Refusal[] =>
  refusalsIn({
    identities: [[VMID, was]],
    observation: observationOf([state(is === undefined ? {} : { identity: is })]),
    entries: [wantRunning(desired === undefined ? {} : { identity: desired })],
  });
cannot("N8", "plan for a VM that is another than the one seen before", {
  neighbour: () => remembering("uuid-a", "uuid-a"),
  offence: () => coded("identity-changed", remembering("uuid-a", "uuid-b")),
});
cannot("N8", "plan for a VM that shows no identity where one was seen before", {
  neighbour: () => remembering("uuid-a", "uuid-a"),
  offence: () => coded("identity-not-seen", remembering("uuid-a", undefined)),
});
cannot("N8", "plan for another VM because its entry demands it", {
  neighbour: () => remembering("uuid-b", "uuid-b", "uuid-b"),
  offence: () => coded("identity-changed", remembering("uuid-a", "uuid-b", "uuid-b")),
});
cannot("N8", "plan for the remembered VM where the entry demands another", {
  neighbour: () => remembering("uuid-a", "uuid-a", "uuid-a"),
  offence: () => coded("identity-mismatch", remembering("uuid-a", "uuid-a", "uuid-b")),
});
test("the refusal says both identities, and what to paste, whatever is in them", () => {
  const hostile = "rootfs 'x'; $(reboot) `id`";
  const [refusal] = remembering("uuid-a", hostile);
  assert.deepEqual(refusal?.facts, { environment: "home", observedIdentity: hostile, rememberedIdentity: "uuid-a" });
  const [step] = nextStepsOf(refusal ?? assert.fail());
  assert.deepEqual(step, { ask: "acceptIdentity", with: { environment: "home", identity: hostile, vmid: 101 } });
  assert.equal(
    spellAfter([])(step ?? assert.fail()),
    `dedalus accept-identity --env home --vm 101 --identity 'rootfs '\\''x'\\''; $(reboot) \`id\`' --reason "…"`,
  );
});
test("another VM's identity is of no matter", () => {
  assert.deepEqual(
    refusalsIn({
      identities: [[vmidOf(100), "uuid-z"]],
      observation: observationOf([state({ identity: "uuid-a" })]),
      entries: [wantRunning()],
    }),
    [],
  );
});
