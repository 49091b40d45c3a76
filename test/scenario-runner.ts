// Runs a scenario: tells the scene line by line, and hands each question to a way of asking.
//
// Four ways, and all give the same answer: in memory, straight through the spine and its views; by files, through the
// command line as a person would; through the service at its ledger (scenario-service.ts), and from elsewhere over HTTP
// (scenario-door.ts). No file holds a request, so those are not asked by files.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exitOf } from "../src/cli/asking/judge.ts";
import { exitCode } from "../src/cli/exit-codes.ts";
import { spellAfter } from "../src/cli/spell.ts";
import { plainStyle, type TextStyle } from "../src/cli/views/text-style.ts";
import { explanationLines, planLines } from "../src/cli/views/view-plan.ts";
import { now } from "../src/clock.ts";
import { agreementsIn } from "../src/service/read/plan-tiers.ts";
import type { DesiredEntry, DesiredVm } from "../src/spine/model.ts";
import { explain } from "../src/spine/plan/explain.ts";
import { runAt } from "./cli/desk.ts";
import { desiredTextOf } from "./desired-text.ts";
import { type Block, commandsOf, withoutHashes } from "./scenario-file.ts";
import { EMPTY, hasRequest, type Query, queryOf, type Scene, told, worldOf } from "./scenario-language.ts";
import { judge, planFileOf } from "./spine/world.ts";

export type Asking = (scene: Scene, query: Query) => Promise<readonly string[]>;

/** The same blocks, each with the answer that this way of asking gives. */
export const answered = async (blocks: readonly Block[], ask: Asking): Promise<readonly Block[]> => {
  const out: Block[] = [];
  for (const { block, query, scene } of scenesOf(blocks)) {
    out.push({ ...block, answer: (await ask(scene, query)).map(withoutHashes) });
  }
  return out;
};

type Asked = { readonly block: Block; readonly query: Query; readonly scene: Scene };

/** Each block with the scene as it is when its question comes. */
export const scenesOf = (blocks: readonly Block[]): readonly Asked[] => {
  let scene = EMPTY;
  return blocks.map((block) => {
    const commands = commandsOf(block);
    scene = commands.slice(0, -1).reduce(told, scene);
    const query = queryOf(commands.at(-1) ?? "");
    assert.ok(query !== undefined, `a block ends with a question: ${commands.at(-1)}`);
    return { block, query, scene };
  });
};

/** For whoever plans from the two files of a story. */
export const OF_FILES: TextStyle = plainStyle(
  now(),
  spellAfter(["plan", "--desired", "desired.yaml", "--replay", "current.json"]),
);

/** Whether desired.yaml and current.json can tell the whole story. */
export const isTellableByFiles = (blocks: readonly Block[]): boolean =>
  !scenesOf(blocks).some(({ scene }) => hasRequest(scene));

export const inMemory: Asking = async (scene, query) => {
  const judgement = judge(worldOf(scene));
  if (query.kind === "plan") return planLines(planFileOf(judgement), OF_FILES);
  const { plan, verdict } = judgement;
  const explanation = explain(plan, verdict, query.vmid);
  assert.ok(explanation !== undefined, `the plan has no answer for VM ${query.vmid}`);
  return explanationLines(
    explanation,
    { agreements: agreementsIn(verdict, explanation.step?.hash), invited: [] },
    OF_FILES,
  );
};

const isDesired = (entry: DesiredEntry): entry is DesiredVm => entry.kind === "desired";

const desiredText = (scene: Scene): string => desiredTextOf(worldOf(scene).entries.filter(isDesired));

export const currentText = (scene: Scene): string => `${JSON.stringify(worldOf(scene).observation)}\n`;

export const byCommandLine: Asking = async (scene, query) => {
  const folder = await mkdtemp(join(tmpdir(), "dedalus-scenario-"));
  try {
    await writeFile(join(folder, "desired.yaml"), desiredText(scene));
    await writeFile(join(folder, "current.json"), currentText(scene));
    const planned = await typed(folder, ["plan", ...inputs(scene), "--out", "plan.json"]);
    assert.equal(planned.code, exitCode(exitOf(planFileOf(judge(worldOf(scene))))));
    if (query.kind === "plan") return planned.lines;
    return (await typed(folder, ["explain", "plan.json", "--vm", String(query.vmid)])).lines;
  } finally {
    await rm(folder, { recursive: true });
  }
};

const inputs = ({ scope }: Scene): readonly string[] => [
  ...["--desired", "desired.yaml", "--replay", "current.json"],
  ...(scope === "all" ? [] : ["--only", scope.join(",")]),
];

const typed = async (folder: string, argv: readonly string[]) => {
  const texts: string[] = [];
  const write = (text: string) => {
    texts.push(text);
  };
  const { code } = await runAt(folder, [...argv, "--verbose"], { err: write, out: write });
  return { code, lines: texts.join("").trimEnd().split("\n") };
};
