// What a policy would have decided, in words: each step with what was decided and what would have been, and how many.

import type { StepOtherwise, TierAsked } from "../../kernel/judge-otherwise.ts";
import type { WhatIf } from "../../service/read/weigh-policy.ts";
import { inWords } from "../../spine/words/refusals/refusal-words.ts";
import { actionTitle } from "../../spine/words/steps/step-summary.ts";
import { counted } from "./counted.ts";
import type { TextStyle } from "./text-style.ts";

export const whatIfLines = ({ applies, asked, plans, refused, steps }: WhatIf, style: TextStyle): readonly string[] => {
  const left = asked + refused - steps.length;
  return [
    ...steps.flatMap((step) => stepLines(step, style)),
    ...(left === 0 ? [] : [`${counted(left, "more step")} not listed`]),
    `judged ${counted(plans, "plan")} and ${counted(applies, "attempt")} to apply: ${counted(refused, "step")} would have been refused, ${asked} would have needed more agreement`,
  ];
};

const stepLines = (of: StepOtherwise, style: TextStyle): readonly string[] => [
  `${of.environment}: VM ${of.vmid} ${actionTitle(of.action, of.name)}, ${of.judgedWhen} in record ${of.seq}`,
  style.dim(`  step ${of.step} of plan ${of.plan}, asked for by ${of.requester}`),
  `  was ${askedText(of.decided)}; would be ${"refusals" in of.would ? "refused:" : askedText(of.would)}`,
  ...("refusals" in of.would ? of.would.refusals : []).map((refusal) => {
    const { because, summary } = inWords(refusal);
    return `    ${summary}: ${because} (${refusal.rule}, ${refusal.code})`;
  }),
];

const askedText = ({ needs, tier }: TierAsked): string =>
  needs === "refused" ? `${tier}, never by an agent` : `${tier} with ${counted(needs.approvals, "approval")}`;
