// What people agreed to who signed in: it stands when they sign out, and goes when an operator ends their sessions or
// when they may not approve there any more.

import assert from "node:assert/strict";
import { test } from "node:test";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { by, GROUPS, serve, served, servedConfigOf, signIn, someone } from "../kernel/signing-in.ts";
import { type Ask, apply, approve, codesOf, planned, refusalsOf, type Story } from "../kernel/story.ts";
import { coded, state as vmState, wantStopped } from "../spine/world.ts";

const CONFIG = servedConfigOf("four-eyes");
const AT_SERVICE: Ask = { config: CONFIG, door: "service" };
const ADA = someone("ada", "operator");
const EVE = someone("eve", "approver");
const OLGA = someone("olga", "operator");

/** Ada plans to cut the power of a VM, eve approves, something happens, and ada applies. */
const applying = (happens: (told: Story) => void, config = CONFIG): readonly Refusal[] => {
  const told = served("four-eyes", CONFIG);
  signIn(told, by("ada", ["ops"]));
  signIn(told, by("eve", ["eyes"]));
  signIn(told, by("olga", ["ops"]));
  const { of } = planned(told, {
    by: ADA,
    config: CONFIG,
    door: "service",
    entries: [wantStopped("power-off")],
    vms: [vmState({ status: "running" })],
  });
  assert.deepEqual(codesOf(approve(told, of, EVE, AT_SERVICE)), []);
  happens(told);
  return refusalsOf(apply(told, of, ADA, { config, door: "service" }));
};
const tokenAt = (told: Story, id: string): string => get(told.state().people, id)?.sessions.at(-1)?.token ?? "";
const leaves = (told: Story): void => {
  const left = told.ask(
    { ends: "session", kind: "sign-out", token: tokenAt(told, "eve") },
    { by: EVE, everywhere: true, ...AT_SERVICE },
  );
  assert.deepEqual(codesOf(left), []);
};
const ended =
  (subject: string) =>
  (told: Story): void => {
    const request = { ends: "person", kind: "sign-out", reason: "left the team", subject } as const;
    assert.deepEqual(codesOf(told.ask(request, { by: OLGA, everywhere: true, ...AT_SERVICE })), []);
  };

cannot("P7-A2", "apply on the approval of somebody whose sessions an operator ended", {
  neighbour: () => applying(leaves),
  offence: () => coded("approval-missing", applying(ended("eve"))),
});
cannot("P7-A2", "apply on the approval of somebody who lost the role", {
  neighbour: () => applying((told) => void signIn(told, by("eve", ["eyes"]))),
  offence: () =>
    coded(
      "approval-missing",
      applying((told) => void signIn(told, by("eve", ["ops"]))),
    ),
});
cannot("P7-A2", "apply on an approval where the newest map does not let them approve", {
  neighbour: () => applying((told) => void serve(told, CONFIG)),
  offence: () => {
    const narrower = servedConfigOf("four-eyes", [
      { environments: ["away"], group: "eyes", roles: ["approver"] },
      ...GROUPS.slice(1),
    ]);
    return coded(
      "approval-missing",
      applying((told) => void serve(told, narrower), narrower),
    );
  },
});

test("a plan is closed when an operator ends the sessions of whoever asked for it", () => {
  const told = served("four-eyes", CONFIG);
  signIn(told, by("ada", ["ops"]));
  signIn(told, by("olga", ["ops"]));
  const { id } = planned(told, { by: ADA, config: CONFIG, door: "service" });
  ended("ada")(told);
  assert.equal(recall(told.state().plans, id)?.closed, "requester-revoked");
});

test("an operator ends the sessions of somebody who has signed in, with a reason", () => {
  const told = served("four-eyes", CONFIG);
  signIn(told, by("olga", ["ops"]));
  const asked = (subject: string, reason: string) =>
    codesOf(
      told.ask({ ends: "person", kind: "sign-out", reason, subject }, { by: OLGA, everywhere: true, ...AT_SERVICE }),
    );
  assert.deepEqual(asked("nobody-yet", "why not"), ["person-unknown"]);
  assert.deepEqual(asked("olga", " "), ["reason-missing"]);
});
