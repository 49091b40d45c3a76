// Everything that must not change when a sentence does: the hashes of plans, steps and explanations of many worlds, and
// what the histories replay to. Printed when it is run, so that a copy of the sources can be asked for its own.

import { join } from "node:path";
import { agreementsOf } from "../src/kernel/decide/agreement-table.ts";
import { replay } from "../src/kernel/replay-ledger.ts";
import { STATE_CODEC } from "../src/kernel/state/state-json.ts";
import { DIAGNOSTICS } from "../src/spine/diagnostic-codes.ts";
import type { DesiredEntry, VmState } from "../src/spine/model.ts";
import { BLOCKERS, DOUBTS, GAPS } from "../src/spine/observed-codes.ts";
import { explainAnswer } from "../src/spine/plan/explain.ts";
import { ACTIONS, isActionKind, TIER_ORDER } from "../src/spine/rules/actions.ts";
import { OUTCOME_CAUSES } from "../src/spine/rules/outcome-causes.ts";
import { REFUSAL_CODES } from "../src/spine/rules/refusals.ts";
import { canonical } from "../src/spine/values/canonical.ts";
import type { AnswerCounts } from "../src/spine/values/counts.ts";
import { sha256 } from "../src/spine/values/hash.ts";
import { diagnosticsText } from "../src/spine/words/causes/diagnostic-words.ts";
import { blockerText, doubtText, gapText } from "../src/spine/words/causes/observation-words.ts";
import { generalWords } from "../src/spine/words/refusals/refusal-words.ts";
import { agreementTexts, needsText } from "../src/spine/words/steps/agreement-in-words.ts";
import { framedExplanation } from "../src/spine/words/steps/explanation-in-words.ts";
import { INAPPLICABLE_WORDS, inapplicableText } from "../src/spine/words/steps/inapplicable-words.ts";
import { outcomeText } from "../src/spine/words/steps/outcome-words.ts";
import { nameQuestion, stepQuestion, stepSummary } from "../src/spine/words/steps/step-summary.ts";
import { verdictText } from "../src/spine/words/steps/verdict-words.ts";
import { CATALOGUE, type Words } from "../src/spine/words/words-catalogue.ts";
import { blobsOf, HISTORIES, recordsOf } from "./history-files.ts";
import { actionOf } from "./spine/one-of-each.ts";
import { textsIn } from "./spine/reworded.ts";
import {
  GiB,
  judge,
  observationOf,
  request,
  state,
  VMID,
  vmidOf,
  type World,
  wantRunning,
  wantStopped,
} from "./spine/world.ts";
import { wordsFilesIn } from "./words-files.ts";

const SEEN: readonly Partial<VmState>[] = [
  {},
  { status: "stopped" },
  { paused: true },
  { because: { code: "not-told" }, status: "unknown" },
  { name: "another" },
  { tags: ["prod"] },
  { cpus: 2, maxmem: GiB, pending: { cpus: 4 } },
  { cpus: 2, maxmem: GiB, status: "stopped" },
  { identity: "uuid-b", snapshots: { names: ["before"], withRam: ["before"] } },
];
const COUNTS: readonly AnswerCounts[] = [0, 1].flatMap((differ) =>
  [0, 1, 2].flatMap((refused) =>
    [0, 1].map((missing) => ({ awaitingRestart: 0, differ, inSync: 0, missing, refused })),
  ),
);
const ENTRIES: readonly DesiredEntry[] = [
  wantRunning(),
  wantRunning({ cpus: 4, memory: 2 * GiB }),
  wantRunning({ identity: "uuid-a" }),
  wantRunning({ protected: true }),
  wantStopped("power-off"),
  wantStopped("shutdown", { cpus: 4 }),
  ...Object.keys(ACTIONS)
    .filter(isActionKind)
    .map((kind) => request(actionOf(kind))),
];
const worlds = (): readonly World[] =>
  ENTRIES.flatMap((entry) => [
    ...SEEN.map((seen) => ({ observation: observationOf([state(seen)]), entries: [entry] })),
    {
      observation: observationOf([], { complete: false, gaps: [{ code: "stated", said: "node pve2" }] }),
      entries: [entry],
    },
    { observation: observationOf([]), scope: [VMID, vmidOf(999)], entries: [entry] },
    { observation: observationOf([state()], { environment: "cloud" }), entries: [entry] },
  ]);

const judged = (given: World): readonly unknown[] => {
  const { plan, verdict } = judge(given);
  const explained = plan.answers.map((answer) => explainAnswer(plan, verdict, answer, answer.vmid ?? VMID).hash);
  const steps = plan.answers.flatMap((answer) => (answer.kind === "step" ? [answer.hash] : []));
  return [plan.hash, sha256(canonical(verdict)), steps, explained];
};

const replayed = async (version: number): Promise<unknown> => {
  const result = await replay([recordsOf(version)], blobsOf(version));
  return result.kind === "equal" ? sha256(canonical(STATE_CODEC.toJson(result.state))) : result;
};

/** Sentences as somebody reads them, by every way that leads from codes to words. */
const spoken = (): readonly string[] => [
  ...codesIn(BLOCKERS).map((code) => blockerText({ code })),
  ...codesIn(DOUBTS).map((code) => doubtText({ code, diagnostic: { code: "connection-refused" } })),
  ...codesIn(GAPS).map((code) => gapText({ code })),
  ...codesIn(DIAGNOSTICS).map((code) => diagnosticsText([{ code }])),
  ...codesIn(OUTCOME_CAUSES).map((cause) => outcomeText({ cause, diagnostics: [{ code: "answer-lost" }] })),
  ...codesIn(INAPPLICABLE_WORDS).map(inapplicableText),
  ...COUNTS.map((counts) => verdictText({ kind: "clear", tiers: [] }, counts)),
  ...TIER_ORDER.flatMap((tier) => agreementTexts(agreementsOf(tier))),
  ...TIER_ORDER.flatMap((tier) => agreementsOf(tier).map(({ person }) => needsText(person, "person"))),
  ...REFUSAL_CODES.flatMap((code) => Object.values(generalWords(code))),
  ...worlds().flatMap(shownIn),
];

/** Everything around an explanation that somebody reads before they agree. */
const shownIn = (given: World): readonly string[] => {
  const { plan, verdict } = judge(given);
  return plan.answers.flatMap((answer) => {
    const explanation = explainAnswer(plan, verdict, answer, answer.vmid ?? VMID);
    const { facts, step, vmid } = explanation;
    const { end, heading, lines } = framedExplanation(explanation, {
      agreements: agreementsOf("medium"),
      invited: [
        { invitedBy: "alice", name: "finn", party: "requester" },
        { invitedBy: "alice", name: "gwen", party: "approver" },
      ],
    });
    const asked =
      step === undefined
        ? []
        : [stepSummary({ facts, step, vmid }, "medium"), stepQuestion({ facts, step, vmid }), nameQuestion()];
    return [heading, ...lines, end, ...asked];
  });
};
const codesIn = <T extends object>(table: T): readonly (keyof T)[] => Object.keys(table) as (keyof T)[];

export type Fingerprint = {
  readonly decided: unknown;
  readonly spoken: readonly string[];
  readonly texts: readonly string[];
};

const ROOT = new URL("..", import.meta.url).pathname;

/** Of every table that a file of words exports, in the catalogue or not. */
const textsOfTables = async (): Promise<readonly string[]> => {
  const modules = await Promise.all(wordsFilesIn(ROOT).map((file): Promise<object> => import(join(ROOT, file))));
  return modules
    .flatMap((module) => Object.entries(module))
    .filter(([name]) => /(?:WORDS|FLAWS)$/.test(name))
    .flatMap(([, words]) => textsIn(words as Words));
};

export const fingerprint = async (): Promise<Fingerprint> => ({
  decided: { histories: await Promise.all(HISTORIES.map(replayed)), plans: worlds().map(judged) },
  spoken: spoken(),
  texts: [...textsIn(CATALOGUE), ...(await textsOfTables())],
});

if (import.meta.main) process.stdout.write(JSON.stringify(await fingerprint()));
