// Who must agree to which tier, from the table that decides it: one row for each tier and mode, and one for both where
// they agree.

import { agreementsOf } from "../../src/kernel/decide/agreement-table.ts";
import type { ActionKind } from "../../src/spine/model.ts";
import { ACTIONS, rowOf, TIER_ORDER } from "../../src/spine/rules/actions.ts";
import { needsText } from "../../src/spine/words/steps/agreement-in-words.ts";

const ACTION_KINDS = Object.keys(ACTIONS) as readonly ActionKind[];

export const agreementLines = (): readonly string[] => [
  "| tier | actions | mode | a person applies | an agent applies |",
  "| --- | --- | --- | --- | --- |",
  ...TIER_ORDER.flatMap((tier) => {
    const actions = ACTION_KINDS.filter((kind) => rowOf(kind).tier === tier).map((kind) => `\`${kind}\``);
    const rows = agreementsOf(tier).map(({ agent, mode, person }) => ({
      mode,
      needs: `${needsText(person, "person")} | ${needsText(agent, "agent")}`,
    }));
    const [first] = rows;
    const shown = rows.every(({ needs }) => needs === first?.needs)
      ? [{ mode: "both", needs: first?.needs ?? "" }]
      : rows;
    return shown.map(({ mode, needs }) => `| ${tier} | ${actions.join(", ")} | ${mode} | ${needs} |`);
  }),
];
