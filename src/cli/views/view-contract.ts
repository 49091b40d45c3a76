// The contract with agents, checked: one line for each clause, and below it why it does not hold or was not tried.

import {
  CLAUSE_IDS,
  type ClauseChecked,
  type ClauseStatus,
  type ClauseVerdict,
} from "../../boundary/contract/agent-clauses.ts";
import { present } from "../../spine/values/present.ts";
import { filled } from "../../spine/words/template.ts";
import { BROKEN_WORDS, CLAUSE_WORDS, DIFFERS_FROM, UNTRIED_WORDS } from "./contract-words.ts";
import { counted } from "./counted.ts";
import type { Colour } from "./paint.ts";
import type { TextStyle } from "./text-style.ts";

const reasonText = (verdict: ClauseVerdict): string | undefined => {
  if (verdict.status === "held") return undefined;
  const { facts } = verdict;
  if (verdict.status === "not-tried") return filled(UNTRIED_WORDS[verdict.code], facts);
  return filled(verdict.code === "differs" && "due" in facts ? DIFFERS_FROM : BROKEN_WORDS[verdict.code], facts);
};

export const contractJson = (checked: readonly ClauseChecked[], environment: string, server: string) => ({
  clauses: checked.map(({ clause, door, verdict }) => ({
    clause,
    ...present({ detail: reasonText(verdict) }),
    ...(verdict.status === "held" ? {} : { code: verdict.code, facts: verdict.facts }),
    holding: verdict.status,
    title: CLAUSE_WORDS[clause],
    way: door,
  })),
  environment,
  server,
});

/** What a clause came to at all doors: one that broke it is enough, and one that held it where none did. */
const WORST: readonly ClauseStatus[] = ["broken", "held", "not-tried"];
const SHOWN: Readonly<Record<ClauseStatus, { readonly colour: Colour; readonly word: string }>> = {
  broken: { colour: "red", word: "broken   " },
  held: { colour: "green", word: "held     " },
  "not-tried": { colour: "dim", word: "not tried" },
};

export const contractLines = (checked: readonly ClauseChecked[], style: TextStyle): readonly string[] => {
  const rows = CLAUSE_IDS.map((clause) => {
    const at = checked.filter((one) => one.clause === clause);
    const status = WORST.find((one) => at.some(({ verdict }) => verdict.status === one)) ?? "not-tried";
    return { at: at.filter(({ verdict }) => verdict.status === status), clause, status };
  });
  const countOf = (status: ClauseStatus): number => rows.filter((row) => row.status === status).length;
  return [
    ...rows.map(({ at, clause, status }) => {
      const { colour, word } = SHOWN[status];
      const reasons = new Set(at.map(({ verdict }) => reasonText(verdict)).filter((text) => text !== undefined));
      const doors = at.map(({ door }) => door).join(", ");
      const why = reasons.size === 0 ? "" : `: ${[...reasons].join("; ")}`;
      return `${clause.padEnd(3)}  ${style[colour](word)}  ${CLAUSE_WORDS[clause]} (${doors})${why}`;
    }),
    `${counted(countOf("held"), "clause")} held, ${countOf("broken")} broken, ${countOf("not-tried")} not tried`,
  ];
};
