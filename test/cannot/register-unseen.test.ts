// N2: a desired file is registered in place of what it was compared with. What another process registered meanwhile, a
// protection above all, is not removed by somebody who did not see it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { DesiredState, Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { again } from "../kernel/day.ts";
import { register } from "../kernel/doors.ts";
import { refusalsOf, type Story, story } from "../kernel/story.ts";
import { coded, desiredFor, wantRunning, wantStopped } from "../spine/world.ts";

const RUNS = desiredFor([wantRunning()]);
const PROTECTED = desiredFor([wantRunning({ protected: true })]);
const STOPS = desiredFor([wantStopped("power-off")]);

const registered = (...states: readonly DesiredState[]): Story => {
  const told = story();
  for (const { entries } of states)
    register(
      told,
      entries.filter((entry) => entry.kind === "desired"),
    );
  return told;
};
const stops = (told: Story, before?: DesiredState): readonly Refusal[] =>
  refusalsOf(told.ask(registrationOf(STOPS, before), { given: { desired: STOPS } }));

cannot("N2", "register a file in place of a protection that it was not compared with", {
  neighbour: () => stops(registered(RUNS, PROTECTED), PROTECTED),
  offence: () => coded("desired-moved", stops(registered(RUNS, PROTECTED), RUNS)),
});
cannot("N2", "register a file as the first where another one was registered meanwhile", {
  neighbour: () => stops(registered()),
  offence: () => coded("desired-moved", stops(registered(PROTECTED))),
});
cannot("N2", "register a file in place of one where nothing is registered", {
  neighbour: () => stops(registered(RUNS), RUNS),
  offence: () => coded("desired-moved", stops(registered(), RUNS)),
});

test("what is registered of one environment is not compared with another's", () => {
  const told = registered(PROTECTED);
  const away = desiredFor([wantRunning()], "away");
  assert.deepEqual(refusalsOf(told.ask(registrationOf(away), { environment: "away", given: { desired: away } })), []);
});

test("a refused registration leaves what stands, and is refused again on replay", async () => {
  const told = registered(RUNS, PROTECTED);
  stops(told, RUNS);
  assert.equal(get(told.state().desired, "home")?.digest, PROTECTED.digest);
  const replayed = await again(told);
  assert.equal(replayed.kind, "equal", JSON.stringify(replayed));
});
