// Five refusals as docs/style.md shows them, rendered from the catalogue: the examples are always the real words.

import type { Refusal, Vmid } from "../../src/spine/model.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { inWords } from "../../src/spine/words/refusals/refusal-words.ts";

const vmid = 102 as Vmid;

const GOOD: readonly Refusal[] = [
  refuse("vm-missing", { facts: {}, vmid }),
  refuse("name-mismatch", { facts: { desiredName: "web-02", observedName: "web-09" }, vmid }),
  refuse("state-unfit", {
    cause: "status",
    facts: { action: "vm.start", neededStatus: "stopped", observedStatus: "running" },
    vmid,
  }),
  refuse("unit-unknown", { cause: "memory-option", facts: { argument: "--memory", found: "2 GB" } }),
  refuse("approval-missing", { cause: "too-few", facts: { approvals: 0, needed: 1, plan: "01KA4QJ5", step: 1 }, vmid }),
];

export const exampleLines = (): readonly string[] => [
  "```text",
  ...GOOD.flatMap((refusal, at) => {
    const { because, next, summary, why } = inWords(refusal);
    return [...(at === 0 ? [] : [""]), `${summary}: ${because}`, `  why:  ${why}`, `  next: ${next}`];
  }),
  "```",
];
