// The clauses of the contract with agents, from the table that is checked by and the words that are printed.

import { CLAUSE_IDS, CLAUSES, type ClauseNeed } from "../../src/boundary/contract/agent-clauses.ts";
import { CLAUSE_WORDS } from "../../src/cli/views/contract-words.ts";

const NEEDS: Readonly<Record<ClauseNeed, string>> = {
  apply: "`--apply`",
  approval: "`--wait` and a person",
  nothing: "",
  step: "a step",
  wait: "`--wait`",
};

export const clauseLines = (): readonly string[] => [
  "| clause | name | what holds | tried with |",
  "| --- | --- | --- | --- |",
  ...CLAUSE_IDS.map((clause) => {
    const { name, needs } = CLAUSES[clause];
    const given = needs.map((need: ClauseNeed) => NEEDS[need]).filter((text) => text !== "");
    return `| ${clause} | ${name} | ${CLAUSE_WORDS[clause]}. | ${given.join(", ") || "nothing"} |`;
  }),
];
