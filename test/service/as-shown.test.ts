// A step is shown again as it was read: in the recorded words and as of then, whatever this program says today.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startRequest } from "../../src/kernel/command/program.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import type { Engine } from "../../src/ledger/engine.ts";
import type { Ledger } from "../../src/ledger/open.ts";
import { explainAsShown } from "../../src/service/read/as-shown.ts";
import type { StepExplained } from "../../src/service/read/explain-recorded.ts";
import { OWN_WORDS } from "../../src/spine/words/own-words.ts";
import { recordedWords } from "../../src/spine/words/recorded-words.ts";
import { explanationInWords, framedExplanation } from "../../src/spine/words/steps/explanation-in-words.ts";
import { nameQuestion, stepQuestion, stepSummary } from "../../src/spine/words/steps/step-summary.ts";
import { CATALOGUE } from "../../src/spine/words/words-catalogue.ts";
import { apply, approve, BOB, configOf, lastId, planned, type Story, story } from "../kernel/story.ts";
import { MARK, reworded } from "../spine/reworded.ts";
import { OPERATOR, ok, readyToApply, serving } from "./serving.ts";

const OTHER = recordedWords(reworded(CATALOGUE));

/** The story's ledger, as whoever reads one has it. */
const readingOf = ({ blobs, headHash, lines }: Story) => {
  const engine: Pick<Engine, "blob" | "pages"> = {
    blob: async (digest) => {
      const text = blobs.get(digest);
      return text === undefined ? undefined : new TextEncoder().encode(text);
    },
    pages: async function* (from, to) {
      yield lines.slice(from, to).map((line) => new TextEncoder().encode(line));
    },
  };
  return { head: { hash: headHash(), size: lines.length }, ledger: { engine } as Ledger, sees: () => true };
};

/** From here on a program with other words is in use. */
const startReworded = (told: Story): void => {
  const config = configOf("single-operator");
  const request = { ...startRequest(config, "2"), words: OTHER.digest };
  const result = told.ask(request, { by: KERNEL_ACTOR, config, given: { words: OTHER.text }, instance: told.other });
  assert.equal(result.kind, "done", JSON.stringify(result));
};

const asShown = async (told: Story, plan: string, number = 1): Promise<StepExplained> => {
  const found = await explainAsShown(readingOf(told), { plan, step: { number } });
  return "explanation" in found ? found : assert.fail(JSON.stringify(found));
};

test("what was read in other words is shown from the ledger in those, and not in this program's", async () => {
  const told = story();
  const { id, of } = planned(told);
  startReworded(told);
  const challenge = told.ask({ kind: "challenge", of }, { words: OTHER.digest });
  assert.ok(challenge.kind === "challenged", JSON.stringify(challenge));
  const { asShown: then, explanation } = await asShown(told, id);
  assert.deepEqual([then?.words, then?.record.id, then?.by], [OTHER.digest, lastId(told), "alice"]);
  assert.equal(explanation.hash, challenge.explanation);
  const read = explanationInWords(explanation, then?.catalogue);
  assert.deepEqual(read, explanationInWords(explanation, reworded(CATALOGUE)));
  assert.notDeepEqual(read, explanationInWords(explanation));
});

test("the frame of what was read, what its tier needed and the questions are those of then", async () => {
  const told = story();
  const { id, of } = planned(told);
  startReworded(told);
  assert.equal(told.ask({ kind: "challenge", of }, { words: OTHER.digest }).kind, "challenged");
  const { asShown: then, explanation, tier } = await asShown(told, id);
  const { facts, step, vmid } = explanation;
  assert.ok(then !== undefined && step !== undefined);
  assert.deepEqual([tier, then.agreements.map(({ mode }) => mode)], [then.agreements[0]?.tier, ["single-operator"]]);
  const { end, heading, lines } = framedExplanation(explanation, then, then.catalogue);
  const asked = [
    stepSummary({ facts, step, vmid }, tier, then.catalogue),
    stepQuestion({ facts, step, vmid }, then.catalogue),
  ];
  const texts = [heading, ...lines, end, ...asked, nameQuestion(then.catalogue)];
  assert.deepEqual(
    texts.filter((text) => !text.startsWith(MARK)),
    [],
  );
  assert.ok(framedExplanation(explanation, then).lines.every((line) => !line.includes(MARK)));
});

test("an approval that was given before the program was reworded is shown in the words of before", async () => {
  const told = story();
  const { id, of } = planned(told);
  assert.equal(approve(told, of, BOB).kind, "approved");
  startReworded(told);
  const { asShown: then } = await asShown(told, id);
  assert.deepEqual([then?.by, then?.record.kind, then?.words], ["bob", "approve", OWN_WORDS.digest]);
});

test("it is shown as of then: a denial that came later is not in it, and a plan that is forgotten is still shown", async () => {
  const told = story();
  const { id, of } = planned(told);
  const challenge = told.ask({ kind: "challenge", of });
  assert.ok(challenge.kind === "challenged");
  told.ask({ kind: "deny", of, reason: "not today" }, { by: BOB });
  for (const _ of ["a day", "another day"]) {
    told.pass(24 * 60 * 60_000);
    told.ask({ kind: "annotate", text: "a day later" });
  }
  const { explanation } = await asShown(told, id);
  assert.deepEqual([explanation.denied, explanation.hash], [undefined, challenge.explanation]);
});

test("the last time that it was read counts, and a refused one does not", async () => {
  const told = story();
  const { id, of } = planned(told);
  assert.equal(apply(told, of).kind, "intended");
  const confirmed = lastId(told);
  assert.equal(told.ask({ kind: "challenge", of }).kind, "refused");
  assert.equal((await asShown(told, id)).asShown?.record.id, confirmed);
});

test("a service shows it when it is asked to, and says so when nobody was shown it", async (t) => {
  const { open } = await serving(t);
  const service = open();
  const { plan } = await readyToApply(service);
  const step = { number: 1 };
  const { value } = ok(await service.explain(OPERATOR, { plan, step, words: "as-shown" }));
  assert.deepEqual([value.asShown?.by, value.asShown?.words], ["alice", OWN_WORDS.digest]);
  assert.equal(ok(await service.explain(OPERATOR, { plan, step })).value.asShown, undefined);
  const other = await service.explain(OPERATOR, { plan, step: { number: 2 }, words: "as-shown" });
  assert.ok(other.kind === "refused");
  assert.deepEqual(
    other.refusals.map(({ cause, code }) => [code, cause]),
    [["usage", "step-not-shown"]],
  );
});
