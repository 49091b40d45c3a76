// What each key does at the question of a walk, at a real terminal: yes, no, explain, skip, leave, and whatever is none
// of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Refusal } from "../../src/spine/model.ts";
import { atTerminal } from "./at-terminal.ts";
import { FIRST, SECOND, SHUTDOWN, START, walking } from "./two-steps.ts";

test("e shows the whole explanation and asks again; s goes to the next step; q ends", async () => {
  await walking(async (cluster, plan) => {
    const { code, printed } = await atTerminal(
      cluster.folder,
      ["apply", plan],
      [
        { says: FIRST, types: "e\n" },
        { says: FIRST, types: "s\n" },
        { says: SECOND, types: "q\n" },
      ],
    );
    assert.equal(code, 3, printed);
    assert.match(printed, /VM 101: start web-01\S*\r?\n[\s\S]*effect: [\s\S]*explanation [0-9a-f]{12}\b/);
    assert.deepEqual(cluster.mutations(), []);
  });
});

test("P7-A2 Enter, n and q are a no; whatever is none of the keys is none, is asked about again, and a few of it are a no", async () => {
  await walking(async (cluster, plan) => {
    const answered = async (...typed: readonly string[]) => {
      const typings = typed.map((types) => ({ says: FIRST, types: `${types}\n` }));
      const { code, printed } = await atTerminal(cluster.folder, ["apply", plan], typings);
      assert.equal(code, 3, printed);
      assert.deepEqual(cluster.mutations(), []);
      return printed;
    };
    for (const no of ["", "n", "No", "q"]) await answered(no);
    assert.match(await answered("maybe", "yy", "ja"), /stopped after 0 of 2 steps/);
    const helped = await answered("?", "n");
    for (const key of ["y", "n", "e", "s", "q", "?"]) assert.match(helped, new RegExp(`^  [${key}]  \\S`, "m"), key);
    assert.doesNotMatch(helped, /Not one of these keys/);
  });
});

test("an answer that was none of the keys can be mended", async () => {
  await walking(async (cluster, plan) => {
    const { code, printed } = await atTerminal(
      cluster.folder,
      ["apply", plan, "--step", "1"],
      [
        { says: FIRST, types: "maybe\n" },
        { says: FIRST, types: "y\n" },
      ],
    );
    assert.equal(code, 0, printed);
    assert.deepEqual(cluster.mutations(), [START]);
  });
});

test("whoever skips every step hears that nothing was executed, and of no confirmation", async () => {
  await walking(async (cluster, plan) => {
    const { code, printed } = await atTerminal(
      cluster.folder,
      ["apply", plan],
      [
        { says: FIRST, types: "s\n" },
        { says: SECOND, types: "s\n" },
      ],
    );
    assert.equal(code, 3, printed);
    assert.match(printed, /every step was skipped; nothing was executed/);
    assert.doesNotMatch(printed, /confirmation-missing/);
    assert.deepEqual(cluster.mutations(), []);
  });
});

test("a program hears which steps were skipped when all of them were", async () => {
  await walking(
    async ({ dedalus }, plan) => {
      const { code, out } = await dedalus("apply", plan, "--json");
      const told = JSON.parse(out).error.refusals.map((one: Refusal) => [one.code, one.cause, one.facts["step"]]);
      const declined = ["confirmation-missing", "declined"];
      assert.deepEqual(
        [code, told],
        [
          3,
          [
            [...declined, 1],
            [...declined, 2],
          ],
        ],
      );
    },
    { answer: () => "s" },
  );
});

test("a step that was skipped makes a walk that applied another one incomplete", async () => {
  await walking(async (cluster, plan) => {
    const { code, printed } = await atTerminal(
      cluster.folder,
      ["apply", plan],
      [
        { says: FIRST, types: "s\n" },
        { says: SECOND, types: "y\n" },
      ],
    );
    assert.equal(code, 5, printed);
    assert.deepEqual(cluster.mutations(), [SHUTDOWN]);
  });
});
