// docs/simulator.md does not lie: its program prints what it shows, its scenarios are scenarios, and its tables list
// every method, change and fate that there is, and no other.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CHANGE_WORDS, FATE_WORDS, FAULT_CALLS, LOSSES } from "../../src/formats/scenario/scenario-faults.ts";
import { GUEST_STATUSES } from "../../src/formats/scenario/scenario-guests.ts";
import { parseScenario } from "../../src/formats/scenario/scenario-yaml.ts";
import { METHODS } from "../../src/simulator/pve/api.ts";
import { scenarioOf } from "../../src/simulator/scenario.ts";

const PATH = fileURLToPath(new URL("../../docs/simulator.md", import.meta.url));
const TEXT = readFileSync(PATH, "utf8");

const blocksOf = (language: string, text = TEXT): readonly string[] =>
  Array.from(text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm")), ([, body]) => body ?? "");

const wordsIn = (text: string): readonly string[] => Array.from(text.matchAll(/`([^`]+)`/g), ([, word]) => word ?? "");

/** The words in the first column of the table below a heading. */
const columnOf = (head: string): readonly string[] => {
  const table = TEXT.slice(TEXT.indexOf(`| ${head} |`)).split("\n\n")[0] ?? "";
  return table
    .split("\n")
    .slice(2)
    .flatMap((line) => wordsIn(line.split("|")[1] ?? ""));
};

test("the program of docs/simulator.md prints what it shows", () => {
  const [program = ""] = blocksOf("ts");
  const [printed] = blocksOf("text", TEXT.slice(TEXT.indexOf(program)));
  const { stderr, stdout } = spawnSync(process.execPath, ["--input-type=module-typescript", "--eval", program], {
    cwd: dirname(PATH),
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  assert.equal(stdout, printed);
});

test("the scenario of docs/simulator.md is one", () => {
  const blocks = blocksOf("yaml");
  assert.equal(blocks.length, 1);
  for (const block of blocks) {
    const parsed = parseScenario(block, "docs/simulator.md");
    assert.equal(parsed.kind, "ok", JSON.stringify(parsed));
    assert.equal(scenarioOf(parsed.value).world.guests.size, parsed.value.guests.length);
  }
});

test("docs/simulator.md lists every method, and no other", () => {
  const table = TEXT.slice(TEXT.indexOf("| methods |")).split("\n\n")[0] ?? "";
  const listed = wordsIn(table)
    .filter((word) => /^[A-Z]+ \//.test(word))
    .flatMap((word) =>
      word.includes("{kind}") ? ["qemu", "lxc"].map((kind) => word.replace("{kind}", kind)) : [word],
    );
  assert.deepEqual(listed.toSorted(), METHODS);
});

test("docs/simulator.md lists every change, fate, loss, call and status", () => {
  assert.deepEqual(columnOf("change").toSorted(), [...CHANGE_WORDS].toSorted());
  const fates = columnOf("fate").filter((word) => !["how", "by", "text"].includes(word));
  assert.deepEqual(fates.toSorted(), [...FATE_WORDS].toSorted());
  const words = new Set(wordsIn(TEXT.replace(/^```[\s\S]*?^```$/gm, "")));
  for (const word of [...LOSSES, ...FAULT_CALLS, ...GUEST_STATUSES])
    assert.ok(words.has(word), `${word} is not in the document`);
});

test("the guests of a scenario are the same ones whenever it is started", () => {
  const parsed = parseScenario(readFileSync(new URL("../../examples/three-nodes.yaml", import.meta.url), "utf8"), "f");
  assert.ok(parsed.kind === "ok");
  const identities = (startMs: number): readonly string[] =>
    [...scenarioOf(parsed.value, startMs).world.guests.values()].map(({ file }) =>
      JSON.stringify(["meta", "smbios1"].map((key) => file.settings.get(key))),
    );
  const [one, other] = [identities(Date.UTC(2026, 5)), identities(Date.UTC(2027, 5))];
  assert.ok(one.length > 3 && one.some((text) => /ctime=/.test(text)));
  assert.deepEqual(one, other);
});
