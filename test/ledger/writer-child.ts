// A writer in a process of its own: `writer-child.ts OPENER WHERE CALLER RECORDS LINES_MAX`.
//
// It opens the ledger, takes the head, says "ready" and waits for a line on its input. Then it appends RECORDS records
// in commits of 1 to LINES_MAX lines, starting at the head it took, and says each commit's fate as a line of JSON after
// it is known. Written with writeSync, so that what was acknowledged is out of the process before it can be killed.

import assert from "node:assert/strict";
import { once } from "node:events";
import { writeSync } from "node:fs";
import type { Appended, Engine, Opened } from "../../src/ledger/engine.ts";
import { commitOn, type Made } from "./lines.ts";

export type Said = Appended & { readonly from: number; readonly head: Made["head"] };

const say = (what: string): number => writeSync(1, `${what}\n`);

const isOpener = (module: unknown): module is { readonly open: (where: string) => Promise<Opened> } =>
  typeof module === "object" && module !== null && "open" in module;

/** A lost reply is settled by looking for the commit's own key. */
const fateOf = async (engine: Engine, { commit }: Made, said: Appended): Promise<Appended> => {
  const [first] = commit.keys;
  if (said.kind !== "unknown" || first === undefined) return said;
  const use = await engine.lookup(first.caller, first.key);
  return use === undefined ? { kind: "conflict", size: (await engine.head()).size } : { kind: "ok" };
};

const main = async ([opener = "", where = "", caller = "", records = "", linesMax = ""]: readonly string[]) => {
  const module: unknown = await import(opener);
  assert.ok(isOpener(module));
  const result = await module.open(where);
  assert.ok(result.kind === "open", JSON.stringify(result));
  const { engine } = result;
  let head = await engine.head();
  say("ready");
  await once(process.stdin, "data");
  for (let left = Number(records), round = 0; left > 0; round += 1) {
    const made = commitOn(head, Math.min(left, 1 + ((round * 7) % Number(linesMax))), { caller, note: caller });
    const fate = await fateOf(engine, made, await engine.append(made.commit, { size: head.size }));
    say(JSON.stringify({ ...fate, from: head.size, head: made.head } satisfies Said));
    assert.ok(fate.kind === "ok" || fate.kind === "conflict", JSON.stringify(fate));
    if (fate.kind === "ok") left -= made.commit.lines.length;
    head = fate.kind === "ok" ? made.head : await engine.head();
  }
  await engine.close();
  process.stdin.destroy();
};

await main(process.argv.slice(2));
