// What changes when a person watches: colour and progress. The words stay the same.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { atDesk, current, DESIRED, runAt, vm } from "./desk.ts";

const FILES = {
  "current.json": current([vm(101, "web-01", "stopped"), vm(102, "web-02", "unknown")]),
  "desired.yaml": DESIRED,
};
const PLAN = ["plan", "--desired", "desired.yaml", "--replay", "current.json"] as const;

const watched = (folder: string, noColour: boolean, ...more: readonly string[]) =>
  runAt(folder, [...PLAN, ...more], { isErrTerminal: true, isOutTerminal: true, noColour });

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for.
const COLOURS = /\x1b\[[0-9;]*m/g;

test("colour adds nothing to the words, and NO_COLOR takes it away", async () => {
  await atDesk(FILES, async (dedalus, folder) => {
    const plain = (await dedalus(...PLAN)).out;
    const { out } = await watched(folder, false);
    assert.notEqual(out, plain);
    assert.equal(out.replace(COLOURS, ""), plain);
    assert.equal((await watched(folder, true)).out, plain);
  });
});

test("progress goes to a watched stderr and is wiped at the end; a pipe sees nothing of it", async () => {
  await atDesk(FILES, async (dedalus, folder) => {
    const { err } = await watched(folder, false);
    assert.ok(err.includes("reading current.json"));
    assert.ok(err.endsWith("\r\x1b[K"));
    assert.equal((await dedalus(...PLAN)).err, "");
  });
});

test("--json has no colour and no progress on stdout, watched or not", async () => {
  await atDesk(FILES, async (_dedalus, folder) => {
    const { out } = await watched(folder, false, "--json");
    assert.doesNotMatch(out, COLOURS);
    assert.equal(JSON.parse(out).verdict.kind, "refused");
  });
});

test("a reader that leaves early is no error", () => {
  const dedalus = fileURLToPath(new URL("../../bin/dedalus", import.meta.url));
  const { stderr, stdout } = spawnSync("sh", ["-c", `"${dedalus}" rules --json | head -c 1`], { encoding: "utf8" });
  assert.equal(stdout, "{");
  assert.equal(stderr, "");
});
