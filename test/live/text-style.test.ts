// What is printed at a real terminal of 60 columns: nothing is wider, what is to be pasted is whole, and colour is
// there unless NO_COLOR says otherwise.

import assert from "node:assert/strict";
import { test } from "node:test";
import { printable } from "../../src/cli/views/marks.ts";
import { COLOUR } from "../../src/cli/views/paint.ts";
import { atTerminal } from "./at-terminal.ts";
import { atCluster, type Cluster, type PlanValue } from "./cluster.ts";

const WANTED = `version: 1
environment: home
vms:
  - { vmid: 101, name: web-01, target: running }
  - { vmid: 102, name: batch-01, target: stopped, stop: shutdown }
  - { vmid: 105, name: cache-01, target: running, memory: 16 GiB }
  - { vmid: 200, name: dns-01, target: running }
`;
const COLUMNS = 60;

/** Without what was written over by progress. */
const linesOf = (printed: string): readonly string[] =>
  printed.split(/\r?\n/).map((line) => line.slice(line.lastIndexOf("\x1b[K") + 1).replace(/^\[K/, ""));

const isToPaste = (line: string): boolean => /^ *dedalus [a-z]/.test(line);
/** A key or a path that is longer than the terminal is wide. */
const isOneWord = (line: string): boolean => (/\S+$/.exec(line)?.[0].length ?? 0) > COLUMNS - 16;

const atSixty = async ({ folder }: Cluster, ...words: readonly string[]) => {
  const { code, painted, printed } = await atTerminal(folder, words, [], { columns: COLUMNS });
  const lines = linesOf(printed);
  for (const line of lines)
    if (!isToPaste(line) && !isOneWord(line)) assert.ok(line.length <= COLUMNS, `${words.join(" ")}: ${line}`);
  return { code, lines, painted };
};

test("at 60 columns every view fits, hangs below its text, and has the same words as in a pipe", async () => {
  await atCluster(
    async (cluster) => {
      const { id } = await cluster.value<PlanValue>("plan", "--env", "home");
      const views = [
        ["drift"],
        ["list"],
        ["plans"],
        ["status"],
        ["plan", "show", id],
        ["explain", id, "--step", "1"],
        ["history", "web-01"],
        ["token", "list"],
        ["ledger", "show"],
        ["doctor"],
        ["help"],
        ["plan", "--help"],
      ] as const;
      for (const words of views) await atSixty(cluster, ...words);
      for (const words of [["list"], ["plans"]] as const) {
        const { lines } = await atSixty(cluster, ...words);
        const piped = (await cluster.dedalus(...words)).out.split("\n");
        assert.equal(lines.length, piped.length, `a row is a line: ${lines.join("\n")}`);
      }
      const { lines, painted } = await atSixty(cluster, "plan", "show", id);
      assert.ok(lines.includes(" + 101  start web-01: stopped → running  [low]  step 1"), lines.join("\n"));
      assert.ok(lines.includes(" - 102  shut down batch-01: running → stopped  [medium]"));
      for (const sign of [`${COLOUR.green("+")} 101`, `${COLOUR.red("-")} 102`, `${COLOUR.yellow("~")} 105`].map(
        printable,
      )) {
        assert.ok(painted.includes(sign), sign);
      }
      const plain = await atTerminal(cluster.folder, ["plan", "show", id], [], { env: { NO_COLOR: "1" } });
      assert.equal(plain.painted, plain.printed);
      const words = (text: string): string => text.replace(/\s+/g, " ");
      const piped = (await cluster.dedalus("plan", "show", id)).out
        .split("\n")
        .filter((line) => !/ago|in \d/.test(line));
      const shown = words(lines.join(" "));
      for (const line of piped) assert.ok(shown.includes(words(line).trim()), line);
    },
    { wanted: WANTED },
  );
});

test("a hash that is to be pasted is whole, on a line of its own, at any width", async () => {
  await atCluster(
    async (cluster) => {
      const { id } = await cluster.value<PlanValue>("plan", "--env", "home");
      const { lines } = await atSixty(cluster, "explain", id, "--step", "1", "--challenge");
      const command = lines.find(isToPaste)?.trim() ?? "";
      assert.match(command, new RegExp(`^dedalus apply ${id} --step 1 --confirm [0-9a-f]{64}$`));
      const applied = await cluster.dedalus(...command.split(" ").slice(1));
      assert.equal(applied.code, 0, applied.err);
      assert.match(applied.out, /^\+ step 1: VM 101 start succeeded: /);
    },
    { wanted: WANTED },
  );
});
