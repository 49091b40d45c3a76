// What became of a decision on a step: its record, whose it is, and what is still needed.

import type { StepReviewed } from "../../service/act/review-step.ts";
import { approvalPath } from "../../service/approval-page.ts";
import { stepSummary } from "../../spine/words/steps/step-summary.ts";
import { html } from "./html.ts";
import { asQuoted, asSentence } from "./quoted.ts";
import { neededText } from "./step-facts.ts";
import type { WebPage } from "./web-page.ts";

export type DecisionShown = {
  readonly by: string;
  readonly did: "approve" | "deny";
  readonly id: string;
  readonly seq: number;
};

const DID = { approve: "Approved", deny: "Denied" } as const;

export const decidedPage = (reviewed: StepReviewed, { by, did, id, seq }: DecisionShown): WebPage => {
  const { explanation, of, shown } = reviewed;
  const { facts, step, vmid } = explanation;
  return {
    body: html`<p role="status">${step === undefined ? undefined : asSentence(stepSummary({ facts, step, vmid }, shown.tier))}</p>
<dl><dt>By</dt><dd><strong>${asQuoted(by)}</strong></dd>
<dt>Record</dt><dd>${seq}: <code>${id}</code></dd>
<dt>Approvals</dt><dd>${neededText(reviewed)}</dd>
<dt>Status</dt><dd>${shown.status.replaceAll("-", " ")}</dd></dl>
<p class="soft">Nothing was applied by it. You can close this page.</p>
<p><a href="${approvalPath(of.plan, of.step)}">Back to the step</a></p>`,
    status: 200,
    title: DID[did],
  };
};
