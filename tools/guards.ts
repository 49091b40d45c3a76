// make guards: removes each guard that the hostile suite relies on, one at a time and on a copy of the tree, and sees
// that its cases fail.
//
//   node tools/guards.ts [words of a guard's name]
//
// First every case runs with all guards in place, and must pass. Exit code 1 where one does not, where a guard's text
// is not found exactly once, or where a case passes without its guard.

import { GUARDS } from "./guards/all-guards.ts";
import { CONTROLS, runCases, tryGuard } from "./guards/try-guard.ts";
import { copyTree } from "./mutate/work-copy.ts";

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const word = process.argv[2] ?? "";
const chosen = GUARDS.filter(({ name }) => name.includes(word));
const copy = copyTree(".");
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    copy.remove();
    process.exit(130);
  });
}
const startedMs = performance.now();
let unproven = 0;
const object = (text: string): void => {
  unproven += 1;
  say(text);
};
try {
  for (const test of new Set(chosen.map((guard) => guard.test))) {
    const cases = chosen.filter((guard) => guard.test === test).flatMap((guard) => guard.cases);
    const titles = [...new Set([...cases, CONTROLS[test] ?? ""])];
    const ran = await runCases(copy, test, titles);
    for (const title of titles.filter((one) => ran?.passed.includes(one) !== true))
      object(`does not pass with its guard: ${title} (${test})`);
  }
  for (const guard of unproven > 0 ? [] : chosen) {
    const objection = await tryGuard(copy, guard);
    if (objection === undefined) say(`red without  ${guard.name} (${guard.cases.length})`);
    else object(`UNPROVEN     ${guard.name}: ${objection}`);
  }
} finally {
  copy.remove();
}
const cases = chosen.reduce((sum, guard) => sum + guard.cases.length, 0);
const seconds = Math.round((performance.now() - startedMs) / 1_000);
say(`${chosen.length} guards, ${cases} cases, ${unproven} unproven, ${seconds} s`);
process.exitCode = unproven > 0 || chosen.length === 0 ? 1 : 0;
