// What stands around an explanation on a page: of which plan and environment it is, who asked and by which door, what
// is still needed, until when, why they asked, and what was decided or tried already.

import type { Door } from "../../kernel/command/request.ts";
import type { StepReviewed } from "../../service/act/review-step.ts";
import { outcomeText } from "../../spine/words/steps/outcome-words.ts";
import { type Html, html } from "./html.ts";
import { asQuoted, asSentence, names } from "./quoted.ts";

const DOORS: Readonly<Record<Door, string>> = {
  agent: "over MCP",
  local: "at the ledger’s own files",
  service: "through the service",
};
const KINDS: Readonly<Record<string, string>> = { agent: "an agent", kernel: "the kernel", person: "a person" };

const requesterText = ({ door, id, invitedBy, kind, maker }: StepReviewed["requester"]): Html =>
  html`<strong>${asQuoted(id)}</strong>, ${asQuoted(KINDS[kind] ?? kind)}, ${DOORS[door]}${
    maker === undefined ? undefined : html`; ${asQuoted(maker)} made its token`
  }${invitedBy === undefined ? undefined : html`; invited by ${asQuoted(invitedBy)}`}`;

/** `1 of 2 given: bob. Neither alice nor carol can approve it: …` */
export const neededText = ({ shown: { approvedBy, needed, status }, uncounted }: StepReviewed): Html => {
  if (needed === 0) return status === "refused" ? html`none is enough` : html`none needed`;
  const given = approvedBy.length === 0 ? undefined : html`: ${names(approvedBy)}`;
  return html`${approvedBy.length} of ${needed} given${given}${uncountedText(uncounted)}`;
};

const uncountedText = (uncounted: readonly string[]): Html | undefined => {
  const [first, second, ...others] = uncounted;
  if (first === undefined) return undefined;
  const told = "they requested it, or may be the same person";
  if (second === undefined) return html`. ${asQuoted(first)} cannot approve it: ${told}`;
  return others.length === 0
    ? html`. Neither ${asQuoted(first)} nor ${asQuoted(second)} can approve it: ${told}`
    : html`. None of ${names(uncounted)} can approve it: ${told}`;
};

/** To the second, as a person reads it; programs read the attribute. */
const timeText = (instant: string): Html =>
  html`<time datetime="${instant}">${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC</time>`;

const statusText = (status: string): string => status.replaceAll("-", " ");

const row = (term: string, value: Html): Html => html`<dt>${term}</dt><dd>${value}</dd>`;

export const stepFacts = (reviewed: StepReviewed): Html => {
  const { of, requester, shown } = reviewed;
  const { agreements, endsAt, status } = shown;
  return html`<dl>
${row("Environment", html`<strong>${asQuoted(of.environment)}</strong>, approval ${agreements[0]?.mode ?? ""}`)}
${row("Requested by", requesterText(requester))}
${row("Status", html`${statusText(status)}`)}
${row("Approvals", neededText(reviewed))}
${endsAt === undefined ? undefined : row("Expires", timeText(endsAt))}
${row("Plan", html`<code>${of.plan}</code>, step ${of.step}`)}
${row("Plan hash", html`<code>${of.planHash}</code>`)}
</dl>`;
};

/** Why people were asked, in the words of whoever asked; nothing where nobody said it. */
export const requestsPart = ({ shown: { asked } }: StepReviewed): Html | undefined => {
  const lines = asked.flatMap(({ by, reason }) =>
    reason === undefined ? [] : [html`<li>${asQuoted(by)}: “${asQuoted(reason)}”</li>`],
  );
  return lines.length === 0
    ? undefined
    : html`<section aria-labelledby="requests"><h2 id="requests">Why approval was requested</h2><ul>${lines}</ul>
<p class="soft">In the words of whoever asked. Dedalus checked none of it, and nothing is decided by it.</p></section>`;
};

/** What was decided, and what became of it; nothing where nothing was. */
export const decisionsPart = ({ approvals, denials, intent }: StepReviewed): Html | undefined => {
  const lines = [
    ...approvals.map(
      ({ by, counted, expiresAt }) =>
        html`<li>Approved by ${asQuoted(by)}, until ${timeText(expiresAt)}${counted ? "" : "; it does not count"}</li>`,
    ),
    ...denials.map(({ by, reason }) => html`<li>Denied by ${asQuoted(by)}: “${asQuoted(reason)}”</li>`),
    ...(intent === undefined ? [] : [html`<li>${intentText(intent)}</li>`]),
  ];
  return lines.length === 0
    ? undefined
    : html`<section aria-labelledby="decisions"><h2 id="decisions">Decided so far</h2><ul>${lines}</ul></section>`;
};

const intentText = ({ end, id }: NonNullable<StepReviewed["intent"]>): Html =>
  end === undefined
    ? html`It is being applied: intent <code>${id}</code>`
    : html`Tried: ${end.outcome}, ${asSentence(outcomeText(end))}; intent <code>${id}</code>`;
