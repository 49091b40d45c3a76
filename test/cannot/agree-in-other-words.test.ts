// P7-A2: whoever agrees names the words in which they were shown what they agree to, and those are recorded.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bringing, startRequest } from "../../src/kernel/command/program.ts";
import { bodyOf } from "../../src/kernel/command/record-body.ts";
import { configHash } from "../../src/kernel/command/recorded-config.ts";
import type { StepRef } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { commandOf, KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { explanationOf } from "../../src/kernel/decide/agree.ts";
import { shownBefore } from "../../src/kernel/decide/step-ref.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import { entriesIn } from "../../src/kernel/state/registered-entry.ts";
import { decide } from "../../src/kernel/versions.ts";
import type { Refusal, Sha256 } from "../../src/spine/model.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { OWN_WORDS } from "../../src/spine/words/own-words.ts";
import { recordedWords } from "../../src/spine/words/recorded-words.ts";
import { explanationInWords } from "../../src/spine/words/steps/explanation-in-words.ts";
import { CATALOGUE, wordsIn } from "../../src/spine/words/words-catalogue.ts";
import { cannot } from "../cannot.ts";
import { again } from "../kernel/day.ts";
import {
  ALICE,
  BOB,
  configOf,
  explanationHash,
  lastId,
  planned,
  refusalsOf,
  type Story,
  story,
} from "../kernel/story.ts";
import { reworded } from "../spine/reworded.ts";
import { coded, desiredFor, VMID, wantRunning } from "../spine/world.ts";

const OTHER = recordedWords(reworded(CATALOGUE));

/** A program with other words starts under the same configuration. */
const startsAnew = (told: Story): void => {
  const config = configOf("single-operator");
  const request = { ...startRequest(config, "2"), words: OTHER.digest };
  const result = told.ask(request, { by: KERNEL_ACTOR, config, given: { words: OTHER.text }, instance: told.other });
  assert.equal(result.kind, "done", JSON.stringify(result));
};

type Agreeing = (told: Story, of: StepRef, words: Sha256) => readonly Refusal[];
const confirmedIn = (told: Story, of: StepRef, challenged: Sha256, words: Sha256): readonly Refusal[] => {
  const challenge = told.ask({ kind: "challenge", of }, { words: challenged });
  assert.ok(challenge.kind === "challenged", JSON.stringify(challenge));
  const { explanation } = challenge;
  const confirmation = { challenge: lastId(told), explanation };
  return refusalsOf(told.ask({ confirmation, kind: "apply", of: shownBefore(of) }, { words }));
};
const AGREEING: Readonly<Record<string, Agreeing>> = {
  "approve a step": (told, of, words) => {
    const explanation = explanationHash(told, of);
    return refusalsOf(told.ask({ explanation, kind: "approve", of, reason: "seen" }, { by: BOB, words }));
  },
  "be challenged": (told, of, words) => refusalsOf(told.ask({ kind: "challenge", of }, { words })),
  "confirm a step": (told, of, words) => confirmedIn(told, of, OWN_WORDS.digest, words),
};
const agreed = (agree: Agreeing, words: Sha256, before?: (told: Story) => void): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told);
  before?.(told);
  return agree(told, of, words);
};

for (const [what, agree] of Object.entries(AGREEING)) {
  cannot("P7-A2", `${what} in words that nobody recorded`, {
    neighbour: () => agreed(agree, OWN_WORDS.digest),
    offence: () => coded("words-differ", agreed(agree, sha256("other words"))),
  });
}
cannot("P7-A2", "agree in the words of a program that another has taken the place of", {
  neighbour: () => agreed(AGREEING["be challenged"] as Agreeing, OTHER.digest, startsAnew),
  offence: () => coded("words-differ", agreed(AGREEING["be challenged"] as Agreeing, OWN_WORDS.digest, startsAnew)),
});
cannot("P7-A2", "confirm in other words than the challenge was shown in", {
  neighbour: () => {
    const told = story();
    const { of } = planned(told);
    startsAnew(told);
    return confirmedIn(told, of, OTHER.digest, OTHER.digest);
  },
  offence: () => {
    const told = story();
    const { of } = planned(told);
    const { explanation } = told.ask({ kind: "challenge", of }) as { readonly explanation: Sha256 };
    const confirmation = { challenge: lastId(told), explanation };
    startsAnew(told);
    const asked = told.ask({ confirmation, kind: "apply", of: shownBefore(of) }, { words: OTHER.digest });
    return coded("words-differ", refusalsOf(asked));
  },
});
/** Challenged and confirmed in the same words; a program with others may start in between. */
const confirmedAfter = (between: (told: Story) => void): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told);
  const { explanation } = told.ask({ kind: "challenge", of }) as { readonly explanation: Sha256 };
  const confirmation = { challenge: lastId(told), explanation };
  between(told);
  return refusalsOf(told.ask({ confirmation, kind: "apply", of: shownBefore(of) }));
};
cannot("P7-A2", "confirm in the words of the challenge after a program with others took its place", {
  neighbour: () => confirmedAfter(() => undefined),
  offence: () => {
    const refusals = confirmedAfter(startsAnew);
    const facts = { now: OTHER.digest, shown: OWN_WORDS.digest };
    assert.deepEqual(refusals, [refuse("words-differ", { cause: "program", facts, vmid: VMID })]);
    return refusals;
  },
});
/** Under a configuration that was brought by an act on the ledger alone, or also by a program that started. */
const underNew = (isStarted: boolean): readonly Refusal[] => {
  const told = story();
  const config = { ...configOf("single-operator"), note: "the same otherwise" };
  const { of } = planned(told);
  const act = { anchor: "anchor.txt", kind: "ledger.checkpoint", ...bringing(config, "1") } as const;
  assert.equal(told.ask(act, { config, everywhere: true }).kind, "done");
  if (isStarted) told.ask(startRequest(config, "1"), { by: KERNEL_ACTOR, config });
  return refusalsOf(told.ask({ kind: "challenge", of }, { config }));
};
cannot("P7-A2", "agree under a configuration whose program recorded no words", {
  neighbour: () => underNew(true),
  offence: () => coded("words-differ", underNew(false)),
});

/** A challenge as a door asks for it, or without the words in which it is shown. */
const challengedBy = (isNamed: boolean): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told);
  const { ids, instance, now } = told;
  const desk = { actor: ALICE, configHash: configHash(configOf("single-operator")), door: "local" } as const;
  const registered = entriesIn(desiredFor([wantRunning()]))(of.step.vmid);
  const request = { kind: "challenge", of, registered } as const;
  const whole = commandOf({ ...desk, ids, instance, now, words: OWN_WORDS.digest }, request, { environment: "home" });
  const { words: _, ...unnamed } = whole;
  return refusalsOf(decide(told.state(), isNamed ? whole : unnamed, undefined).draft.body["result"] as Result);
};
cannot("P7-A2", "agree without saying in which words it was shown", {
  neighbour: () => challengedBy(true),
  offence: () => coded("words-differ", challengedBy(false)),
});

cannot("N7", "start with words that are not those that it names", {
  neighbour: () => {
    startsAnew(story());
    return [];
  },
  offence: () => {
    const request = { ...startRequest(configOf("single-operator"), "2"), words: OTHER.digest };
    return coded("value-altered", refusalsOf(story().ask(request, { by: KERNEL_ACTOR, given: { words: "{}" } })));
  },
});

test("the words are stored with the first start that names them, and what was shown is shown again from there", async () => {
  const told = story();
  const { of } = planned(told);
  startsAnew(told);
  startsAnew(told);
  const naming = told.records.filter(({ blobs = [] }) => blobs.includes(OTHER.digest));
  assert.deepEqual(
    naming.map(({ kind }) => kind),
    ["start"],
  );
  told.ask({ kind: "challenge", of }, { words: OTHER.digest });
  const challenge = told.records.at(-1) ?? assert.fail("there is a record");
  const { words } = bodyOf(challenge) ?? assert.fail("it is the kernel's");
  const text = told.blobs.get(words ?? assert.fail("it names its words")) ?? assert.fail("they are stored");
  assert.equal(sha256(text), words);
  const plan = recall(told.state().plans, of.plan) ?? assert.fail("the plan is known");
  const explanation = explanationOf(told.state(), plan, of.step);
  assert.deepEqual(
    explanationInWords(explanation, wordsIn(text)),
    explanationInWords(explanation, reworded(CATALOGUE)),
  );
  assert.notDeepEqual(explanationInWords(explanation, wordsIn(text)), explanationInWords(explanation));
  const result = await again(told);
  assert.equal(result.kind, "equal", JSON.stringify(result));
});
