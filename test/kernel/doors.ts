// Every door to a step of a plan, for trying it after something has changed: what is done before the change, and the
// asking after it. The plan is a stop of web-01 beside web-02, which is as it should be.

import assert from "node:assert/strict";
import type { RegisteredEntry, StepRef } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { shownBefore } from "../../src/kernel/decide/step-ref.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { entriesIn, registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { DesiredState, DesiredVm } from "../../src/spine/model.ts";
import { desiredFor, vmidOf, state as vmState, wantRunning, wantStopped } from "../spine/world.ts";
import { ALICE, type Ask, approve, BOB, lastId, type Setting, type Story } from "./story.ts";

export const OTHER = vmidOf(102);
export const other = (more: Partial<DesiredVm> = {}): DesiredVm =>
  ({ ...wantRunning({ name: "web-02", vmid: OTHER }), ...more }) as DesiredVm;
export const STOPPED = wantStopped("power-off");
export const TWO_VMS: Setting = {
  vms: [vmState(), vmState({ name: "web-02", vmid: OTHER })],
  entries: [STOPPED, other()],
};

export const register = (told: Story, entries: readonly DesiredVm[]): DesiredState => {
  const desired = desiredFor(entries);
  assert.equal(
    told.ask(registrationOf(desired, get(told.state().desired, "home")), { given: { desired } }).kind,
    "done",
  );
  return desired;
};

export const entryIn = (desired: DesiredState, vmid = STOPPED.vmid): Exclude<RegisteredEntry, "none"> => {
  const found = entriesIn(desired)(vmid);
  return found === "none" ? assert.fail("it is registered") : found;
};

export type Door = (told: Story, of: StepRef, by?: Ask) => (asking?: Ask) => Result;
export const DOORS = {
  apply: (told, of) => {
    approve(told, of, ALICE);
    const challenge = told.ask({ kind: "challenge", of });
    assert.ok(challenge.kind === "challenged", JSON.stringify(challenge));
    const confirmation = { challenge: lastId(told), explanation: challenge.explanation };
    return (asking) => told.ask({ confirmation, kind: "apply", of: shownBefore(of) }, asking);
  },
  approve: (told, of) => (asking) => approve(told, of, BOB, asking),
  "ask for approval of": (told, of) => (asking) => told.ask({ kind: "request-approval", of }, asking),
  challenge: (told, of) => (asking) => told.ask({ kind: "challenge", of }, asking),
} as const satisfies Record<string, Door>;
export const APPLY: Door = DOORS.apply;
