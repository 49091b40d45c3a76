// What a folder, a file or a VM is called never speaks to the terminal, and a command that is printed is the one that
// was meant.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { spellAfter } from "../../src/cli/spell.ts";
import { isName, isTag, isText } from "../../src/formats/fields.ts";
import { reasonRefusal } from "../../src/kernel/decide/grounds.ts";
import { fileWord, shellText } from "../../src/spine/values/shell.ts";
import { atDesk, current, DESIRED, vm } from "./desk.ts";

const EVIL = "e\x1b[31m\x07\r\u202e'\\l";
const assertPlain = (text: string): void => assert.doesNotMatch(text.replaceAll("\n", ""), /\p{C}/u);

test("a folder, a file and a VM that carry codes of a terminal are printed as text", async () => {
  await atDesk({ "desired.yaml": DESIRED }, async (dedalus, folder) => {
    mkdirSync(join(folder, EVIL));
    for (const [name, text] of [
      ["broken.yaml", "version: 7\n"],
      ["current.json", current([vm(101, EVIL, "stopped")])],
      ["dedalus.yaml", "version: 7\n"],
    ] as const)
      writeFileSync(join(folder, EVIL, name), text);
    for (const argv of [
      ["check", join(EVIL, "broken.yaml")],
      ["plan", "--desired", join(EVIL, "broken.yaml"), "--replay", join(EVIL, "current.json")],
      ["plan", "--desired", "desired.yaml", "--replay", join(EVIL, "current.json")],
      ["plan", "--desired", join(EVIL, "absent"), "--replay", EVIL],
      ["status", "--config", join(EVIL, "dedalus.yaml")],
      ["doctor", "--config", join(EVIL, "dedalus.yaml")],
      ["init", EVIL],
      ["init", join(EVIL, "new")],
      ["start", EVIL, "--config", EVIL],
      [EVIL],
    ]) {
      const { err, out } = await dedalus(...argv);
      assert.ok(`${err}${out}` !== "");
      assertPlain(`${err}${out}`);
    }
  });
});

test("a shell reads the word that was meant, whatever is in it", () => {
  for (const word of [EVIL, "a b", "it's", "\\", "日本\u009b", "\u{e0001}x", "-rf", "\x01f"]) {
    assertPlain(shellText(word));
    assert.equal(
      execFileSync("bash", ["-c", `printf %s ${fileWord(word)}`], { encoding: "utf8" }).replace("./-", "-"),
      word,
    );
  }
  assert.equal(fileWord("-rf"), "'./-rf'");
});

test("the same command again has its option before the words that are none", () => {
  const again = { ask: "againConfirmed", with: {} } as const;
  assert.equal(spellAfter(["stop", "--", "-x"])(again), "dedalus stop --yes -- -x");
  assert.equal(spellAfter(["stop", "x"])(again), "dedalus stop x --yes");
});

test("what nobody sees is no name, no tag and no reason; what everybody sees is", () => {
  for (const unseen of ["\u3164", "\u2800", "web-01\ufe0f", "a\u115fb", "a\u034fb", "a\uffa0b", "a\u200db"]) {
    assert.ok(!isName(unseen) && !isTag(unseen) && !isText(unseen), JSON.stringify(unseen));
    assert.equal(reasonRefusal(unseen)?.cause, "invisible");
  }
  for (const seen of ["é", "日本", "한글", "🚀", "web-01", "⠁"]) {
    assert.ok(isName(seen) && isTag(seen) && isText(seen), seen);
    assert.equal(reasonRefusal(seen), undefined);
  }
});
