// A step is good for as long as the registered entry of its VM: every door to it is tried after another file was
// registered; the neighbour is the same change to another VM, which voids nothing. And each part of the proof that an
// entry is registered.

import assert from "node:assert/strict";
import { test } from "node:test";
import { configHash } from "../../src/kernel/command/recorded-config.ts";
import type { RegisteredEntry, StepRef } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { commandOf } from "../../src/kernel/command-desk.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import { decide } from "../../src/kernel/versions.ts";
import type { DesiredState, DesiredVm, Refusal } from "../../src/spine/model.ts";
import type { sha256 } from "../../src/spine/values/hash.ts";
import { OWN_WORDS } from "../../src/spine/words/own-words.ts";
import { cannot } from "../cannot.ts";
import { APPLY, DOORS, type Door, entryIn, OTHER, other, register, STOPPED, TWO_VMS } from "../kernel/doors.ts";
import {
  ALICE,
  BOB,
  codesOf,
  configOf,
  lastId,
  planned,
  ROBO,
  refusalsOf,
  type Setting,
  type Story,
  story,
} from "../kernel/story.ts";
import { coded, desiredFor, wantRunning, wantStopped } from "../spine/world.ts";

/** A stop of web-01 beside web-02, then another file, then the asking. */
const afterFile = (door: Door, entries: readonly DesiredVm[], setting: Setting = TWO_VMS): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, setting);
  const ask = door(told, of);
  register(told, entries);
  return refusalsOf(ask());
};

for (const [word, door] of Object.entries<Door>(DOORS)) {
  cannot("N2", `${word} a step of a VM that is registered as protected by now`, {
    neighbour: () => afterFile(door, [STOPPED, other({ protected: true })]),
    offence: () => coded("production-touched", afterFile(door, [{ ...STOPPED, protected: true }, other()])),
  });
  cannot("N2", `${word} a step of a VM that is registered under a production name by now`, {
    neighbour: () => afterFile(door, [STOPPED, other({ name: "prod-02" })]),
    offence: () => coded("production-touched", afterFile(door, [{ ...STOPPED, name: "prod-01" }, other()])),
  });
  cannot("P7-A1", `${word} a step of a VM that is not registered any more`, {
    neighbour: () => afterFile(door, [STOPPED]),
    offence: () => coded("vm-not-desired", afterFile(door, [other()])),
  });
  cannot("P7-A1", `${word} a step whose VM has another desired entry by now`, {
    neighbour: () => afterFile(door, [STOPPED, other({ cpus: 4 })]),
    offence: () => coded("desired-changed", afterFile(door, [wantStopped("shutdown"), other()])),
  });
}

const REQUESTED: Setting = { ...TWO_VMS, action: { kind: "vm.stop" }, entries: [wantRunning(), other()] };
cannot("N2", "apply a requested action on a VM that is registered as protected by now", {
  neighbour: () => afterFile(DOORS.apply, [wantRunning(), other({ protected: true })], REQUESTED),
  offence: () =>
    coded("production-touched", afterFile(DOORS.apply, [wantRunning({ protected: true }), other()], REQUESTED)),
});

test("what a protected VM may have is refused for the changed entry, and not for production", () => {
  const told = story();
  const { of } = planned(told);
  register(told, [wantRunning({ protected: true })]);
  assert.deepEqual(codesOf(told.ask({ kind: "challenge", of })), ["desired-changed"]);
});

test("the entry of before makes the plan good again", () => {
  const told = story();
  const { of } = planned(told, TWO_VMS);
  register(told, [{ ...STOPPED, protected: true }, other()]);
  assert.deepEqual(codesOf(told.ask({ kind: "challenge", of })), ["desired-changed", "production-touched"]);
  register(told, [other(), STOPPED]);
  assert.equal(told.ask({ kind: "challenge", of }).kind, "challenged");
});

test("a denial needs no entry, and may come when the VM is not registered any more", () => {
  const told = story();
  const { of } = planned(told, TWO_VMS);
  register(told, [other()]);
  assert.equal(told.ask({ kind: "deny", of, reason: "not today" }, { by: BOB }).kind, "done");
});

// The entry that is brought: each part of its proof.

const brought = (
  registered: (now: DesiredState, before: DesiredState) => RegisteredEntry | "left-out",
  entries: readonly DesiredVm[] = [STOPPED, other({ cpus: 4 })],
): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, TWO_VMS);
  const now = register(told, entries);
  const asking = { registered: registered(now, desiredFor([STOPPED, other()])) };
  return coded("entry-unproven", refusalsOf(told.ask({ kind: "challenge", of }, asking)));
};
const SHOWN = () => brought((now) => entryIn(now));

cannot("P7-A1", "agree to a step without showing the registered entry of its VM", {
  neighbour: SHOWN,
  offence: () => brought(() => "left-out"),
});
cannot("P7-A1", "show the entry of another VM", {
  neighbour: SHOWN,
  offence: () => brought((now) => entryIn(now, OTHER)),
});
cannot("P7-A1", "show the entry of another VM under the vmid of the step", {
  neighbour: SHOWN,
  offence: () => brought((now) => ({ ...entryIn(now, OTHER), entry: STOPPED })),
});
cannot("P7-A1", "show an entry with the proof of an older registration", {
  neighbour: SHOWN,
  offence: () => brought((_, before) => entryIn(before)),
});
cannot("P7-A1", "show the entry that was planned on where another one is registered", {
  neighbour: SHOWN,
  offence: () => brought((now) => ({ ...entryIn(now), entry: STOPPED }), [{ ...STOPPED, protected: true }, other()]),
});
cannot("P7-A1", "show an entry at another place than it has", {
  neighbour: SHOWN,
  offence: () => brought((now) => ({ ...entryIn(now), index: 1 })),
});

test("a step shows nothing where nothing at all is registered", () => {
  const told = story();
  const { of } = planned(told);
  const { state } = told;
  const bare = { ...state(), desired: { ...state().desired, size: 0, root: undefined } };
  const desk = { actor: ALICE, configHash: configHash(configOf("single-operator")), door: "local" } as const;
  const more = { ids: () => lastId(told), instance: told.instance, now: told.now, words: OWN_WORDS.digest };
  const registered = entryIn(desiredFor([wantRunning()]));
  const command = commandOf({ ...desk, ...more }, { kind: "challenge", of, registered }, { environment: "home" });
  const { draft } = decide(bare as ReturnType<typeof state>, command, undefined);
  assert.deepEqual(codesOf(draft.body["result"] as Result), ["entry-unproven"]);
});

/** Confirmed, and applied without an entry. */
const leftOut = (between: (told: Story) => void, confirm = (of: StepRef) => of): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, TWO_VMS);
  const ask = APPLY(told, of);
  between(told);
  const second = confirm(of);
  return coded(
    "entry-unproven",
    refusalsOf(
      second === of
        ? ask({ registered: "left-out" })
        : told.ask({ kind: "apply", of: second }, { by: ROBO, door: "service", registered: "left-out" }),
    ),
  );
};
cannot("P7-A1", "leave out the entry when another file was registered after the challenge", {
  neighbour: () => leftOut((told) => register(told, [STOPPED, other()])),
  offence: () => leftOut((told) => register(told, [STOPPED, other({ cpus: 4 })])),
});
cannot("P7-A1", "leave out the entry where no challenge is confirmed", {
  neighbour: () => leftOut(() => undefined),
  offence: () =>
    leftOut(
      () => undefined,
      (of) => ({ ...of }),
    ),
});

test("leaving the entry out hides no protection: it was judged on the same registration", () => {
  const told = story();
  const { of } = planned(told, TWO_VMS);
  const ask = APPLY(told, of);
  register(told, [{ ...STOPPED, protected: true }, other()]);
  assert.deepEqual(codesOf(ask({ registered: "left-out" })), ["entry-unproven"]);
  assert.deepEqual(codesOf(ask()), ["desired-changed", "production-touched"]);
});

// The root that a registration records.

const registered = (root: (desired: DesiredState) => string): readonly Refusal[] => {
  const told = story();
  const desired = desiredFor([STOPPED, other()]);
  const request = { ...registrationOf(desired), root: root(desired) as ReturnType<typeof sha256> };
  return refusalsOf(told.ask(request, { given: { desired } }));
};
cannot("N7", "register a file under the root of another", {
  neighbour: () => registered((desired) => registrationOf(desired).root),
  offence: () => registered(() => registrationOf(desiredFor([STOPPED])).root),
});
