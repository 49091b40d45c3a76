// The page on which a person approves or denies one step: everything that they agree to, then the reason, then the two
// buttons, which send the digests of what was shown. Without script, and with nothing chosen beforehand.
//
// What whoever asked gave as their reason comes after what Dedalus says of the step: nobody is persuaded first.
//
// A button that would be refused is disabled, with the kernel's own words beside it; no rule lives here. What was
// refused a moment ago is said first, and the reason that was typed is still there. Not here: what becomes of it
// (approval/approval-flow.ts). Keeps P7-A2.

import type { Ulid } from "../../ledger/record/record.ts";
import type { StepReviewed } from "../../service/act/review-step.ts";
import type { Execution, RefusedAnswer } from "../../service/answer.ts";
import { approvalPath } from "../../service/approval-page.ts";
import type { Refusal } from "../../spine/model.ts";
import { visible } from "../../spine/values/invisible.ts";
import { actionTitle } from "../../spine/words/steps/step-summary.ts";
import { againstPart, refusalText } from "./against-part.ts";
import { explanationPart } from "./explanation-part.ts";
import { type Html, html } from "./html.ts";
import { asQuoted } from "./quoted.ts";
import { hiddenField } from "./sign-in-pages.ts";
import { decisionsPart, requestsPart, stepFacts } from "./step-facts.ts";
import type { WebPage } from "./web-page.ts";

/** What was wrong with the form itself, before anybody was asked. */
export type FormFlaw = keyof typeof FLAWS;

const FLAWS = {
  foreign: [403, "This form was made in another session, or by another page."],
  malformed: [400, "This form did not come back as it was made."],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

export type StepForm = {
  /** For whom it is made, sealed: a reason that outlives their session is kept for them. */
  readonly author: string;
  readonly csrf: string;
  readonly flaw?: FormFlaw;
  /** Of each button its own: pressed twice, it is one act. */
  readonly keys: { readonly approve: Ulid; readonly deny: Ulid };
  /** Of whoever is signed in. */
  readonly name: string;
  /** As it was typed. */
  readonly reason: string;
  readonly refused?: Pick<RefusedAnswer, "outcome" | "refusals"> & { readonly status: number };
};

export const stepPage = (reviewed: StepReviewed, form: StepForm): WebPage => {
  const { explanation, shown } = reviewed;
  const { flaw, refused } = form;
  const { step } = explanation;
  // A title is text alone: what cannot be seen in it is written as its code.
  const what = step === undefined ? "" : `: ${visible(actionTitle(step.action.kind, step.name))}`;
  return {
    body: html`${alertPart(refused, flaw)}
${stepFacts(reviewed)}
${explanationPart(explanation, shown)}
${requestsPart(reviewed)}
${decisionsPart(reviewed)}
${decidePart(reviewed, form)}
<p class="soft foot">You are signed in as <strong>${asQuoted(form.name)}</strong>. <a href="/signed-in">Your session</a></p>`,
    status: flaw === undefined ? (refused?.status ?? 200) : FLAWS[flaw][0],
    title: `Approve or deny${what}`,
  };
};

/** A caller is never left in doubt whether anything was decided, but where nobody knows. */
const CAME_TO: Readonly<Record<Execution, string>> = {
  executed: "It was decided all the same.",
  not_executed: "Nothing was approved or denied by it. Your reason is still below.",
  unknown:
    "Whether it was recorded is not known. Press the same button again: what was recorded is not recorded twice.",
};

const alertPart = (refused: StepForm["refused"], flaw: FormFlaw | undefined): Html | undefined => {
  if (flaw !== undefined)
    return html`<div role="alert"><p><strong>${FLAWS[flaw][1]}</strong></p><p>${CAME_TO.not_executed}</p></div>`;
  if (refused === undefined) return undefined;
  return html`<div role="alert">${refused.refusals.map(refusalText)}<p>${CAME_TO[refused.outcome]}</p></div>`;
};

const decidePart = (reviewed: StepReviewed, { author, csrf, keys, reason }: StepForm): Html => {
  const { against, explanation, of, words } = reviewed;
  const path = approvalPath(of.plan, of.step);
  const isClosed = against.approve.length > 0 && against.deny.length > 0;
  return html`<section aria-labelledby="decide"><h2 id="decide">Your decision</h2>
<form method="post" action="${path}">${hiddenField("author", author)}${hiddenField("csrf", csrf)}${hiddenField("explanation", explanation.hash)}${hiddenField("words", words)}
${isClosed && reason === "" ? undefined : reasonPart(reason, isClosed)}
${againstParts(against)}
${button("Approve", `${path}/approvals`, keys.approve, against.approve)}
${button("Deny", `${path}/denials`, keys.deny, against.deny)}
</form></section>`;
};

/** Where nothing can be decided any more, what was typed can still be copied. */
const reasonPart = (reason: string, isClosed: boolean): Html => html`<label for="reason">Reason</label>
<textarea id="reason" name="reason" rows="3" required aria-describedby="reason-note"${isClosed ? html` readonly` : undefined}>
${reason}</textarea>
<p class="soft" id="reason-note">Recorded with your decision. Approving applies nothing: it lets whoever asked go on.</p>`;

/** Both by one list where the same stands against them. */
const againstParts = ({ approve, deny }: StepReviewed["against"]): Html => {
  const codes = (refusals: readonly Refusal[]): string => refusals.map(({ cause, code }) => `${code} ${cause}`).join();
  const parts =
    codes(approve) === codes(deny)
      ? [againstPart("You can neither approve nor deny it now", approve)]
      : [againstPart("You cannot approve it now", approve), againstPart("You cannot deny it now", deny)];
  return html`<div id="against">${parts}</div>`;
};

/** Two of equal weight: neither is offered before the other. */
const button = (text: string, path: string, key: Ulid, against: readonly Refusal[]): Html =>
  html`<button type="submit" class="second" formaction="${path}" name="key" value="${key}"${
    against.length === 0 ? undefined : html` disabled aria-describedby="against"`
  }>${text}</button>`;
