// Every scenario, asked in memory, through the service at its ledger and over HTTP and, where files can tell it,
// through the command line.
//
// UPDATE=1 rewrites the answers; commit only what you can explain.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { throughDoor } from "./scenario-door.ts";
import { type Block, blocksText, parseBlocks } from "./scenario-file.ts";
import { answered, byCommandLine, inMemory, isTellableByFiles } from "./scenario-runner.ts";
import { replayedIn, throughService } from "./scenario-service.ts";
import { NOT_LIVE, type NotLive } from "./scenario-world.ts";

/** What no provider can show, and why: the service observes it by the replay adapter. */
const REPLAYED: Readonly<Record<string, (typeof NOT_LIVE)[NotLive]>> = {
  "foreign environment, question 1": NOT_LIVE.environment,
  "incomplete observation, question 1": NOT_LIVE.gap,
  "incomplete observation, question 2": NOT_LIVE.gap,
  "missing is not stopped, question 2": NOT_LIVE.gap,
  "requested actions, question 1": NOT_LIVE.clone,
  "requested actions, question 2": NOT_LIVE.clone,
  "requested actions, question 3": NOT_LIVE.clone,
  "rollback, question 1": NOT_LIVE.ram,
  "rollback, question 2": NOT_LIVE.ram,
};

/** The kernel takes no observation of another environment, so that it never comes to a plan. */
const REFUSED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "foreign environment": [["refused N7 value-altered"]],
};

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

for (const { blocks, name } of SCENARIOS) {
  for (const [place, ask] of [
    ["the service", throughService],
    ["a service over HTTP", throughDoor],
  ] as const) {
    test(`${name}: ${place} gives the same answer`, async () => {
      const answers = (await ask(blocks)).map(({ answer }) => answer);
      assert.deepEqual(answers, REFUSED[name] ?? (await answered(blocks, inMemory)).map(({ answer }) => answer));
    });
  }
}

test("what no provider can show is known by its story and question, and so is what the service refuses to plan", () => {
  const replayed = SCENARIOS.flatMap(({ blocks, name }) =>
    replayedIn(blocks).map(({ at, why }) => [`${name}, question ${at}`, NOT_LIVE[why]]),
  );
  assert.deepEqual(Object.fromEntries(replayed), REPLAYED);
  const names = SCENARIOS.map(({ name }) => name);
  assert.deepEqual(
    Object.keys(REFUSED).filter((name) => !names.includes(name)),
    [],
  );
});

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
