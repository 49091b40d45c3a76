// Every scenario, asked in memory and, where files can tell it, through the command line.
//
// UPDATE=1 rewrites the answers; commit only what you can explain.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { type Block, blocksText, parseBlocks } from "./scenario-file.ts";
import { answered, byCommandLine, inMemory, isTellableByFiles } from "./scenario-runner.ts";

const FOLDER = new URL("./scenarios/", import.meta.url);
const isUpdate = process.env["UPDATE"] === "1";

type Scenario = { readonly file: URL; readonly name: string; readonly text: string; readonly blocks: readonly Block[] };

const SCENARIOS: readonly Scenario[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".txt"))
  .sort()
  .map((name) => {
    const file = new URL(name, FOLDER);
    const text = readFileSync(file, "utf8");
    return { blocks: parseBlocks(text), file, name: name.replace(/\.txt$/, "").replaceAll("-", " "), text };
  });

for (const { blocks, file, name, text } of SCENARIOS) {
  test(`${name}: the story is answered word for word`, async () => {
    const answer = blocksText(await answered(blocks, inMemory));
    if (isUpdate && answer !== text) writeFileSync(file, answer);
    else assert.equal(answer, text);
  });
}

for (const { blocks, name } of SCENARIOS.filter((scenario) => isTellableByFiles(scenario.blocks))) {
  test(`${name}: the command line gives the same answer`, async () => {
    assert.equal(blocksText(await answered(blocks, byCommandLine)), blocksText(await answered(blocks, inMemory)));
  });
}

test("every scenario begins with prose, and has an answer in every block", () => {
  assert.ok(SCENARIOS.length > 0, "there are scenarios");
  for (const { blocks, name } of SCENARIOS) {
    assert.match(blocks[0]?.lines[0] ?? "", /^# [A-Z]/, name);
    if (!isUpdate)
      assert.ok(
        blocks.every(({ answer }) => answer.length > 0),
        name,
      );
  }
});
