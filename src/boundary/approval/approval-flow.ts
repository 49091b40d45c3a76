// A person decides on one step in a browser: the page, the yes or no, and what became of it. Each is one call of the
// service as that person; nothing is decided here, and nothing is ever applied.
//
// A form brings back what it was made with: the word of its session, the digests of the explanation and of the words
// that were shown, and a key of its own, so that pressing twice is one act. What is refused is shown with the step as
// it is by then, and the reason that was typed. Not here: what a page says (pages/). Keeps B2, B6, P7-A2.

import { bodyOf } from "../../kernel/command/record-body.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import { isUlid } from "../../ledger/record/ulid.ts";
import { isRefused, type RefusedAnswer, type ServiceAnswer } from "../../service/answer.ts";
import { approvalPath } from "../../service/approval-page.ts";
import type { Caller } from "../../service/hold/callers.ts";
import { present } from "../../spine/values/present.ts";
import { oneLine } from "../contract/one-line.ts";
import type { RequestAt } from "../contract/routes.ts";
import { statusOfAnswer } from "../contract/statuses.ts";
import { requestOf } from "../http/request-check.ts";
import type { WebReply, WebRequest } from "../identity/identity-desk.ts";
import { approvalRefusedPage, SENT_ON, sentOnPage, signedOutMeanwhilePage } from "../pages/approval-exits.ts";
import { decidedPage } from "../pages/decided-page.ts";
import { type FormFlaw, type StepForm, stepPage } from "../pages/step-page.ts";
import type { WebPage } from "../pages/web-page.ts";
import { type ApprovalDesk, type Visitor, visitorOf } from "./approval-desk.ts";
import { keepReason, keptReason, REASON_OVER, sealAuthor } from "./kept-reason.ts";

type ApprovalAnswer = (desk: ApprovalDesk, request: WebRequest) => Promise<WebReply>;
type At = RequestAt<"review">;

const NO_QUERY: ReadonlyMap<string, readonly string[]> = new Map();
const paged = (page: WebPage): WebReply => ({ kind: "page", page });
const refusedPage = (refused: RefusedAnswer): WebReply =>
  paged(approvalRefusedPage(refused.refusals, statusOfAnswer(refused)));

/** As the page itself is addressed, for whoever comes back to it. */
const pathIn = ({ plan = "", step = "" }: WebRequest["params"]): string =>
  `/approve/${encodeURIComponent(plan)}/${encodeURIComponent(step)}`;

const stepIn = ({ params }: WebRequest): At | RefusedAnswer =>
  requestOf("review", { body: { text: "{}", value: {} }, params, query: NO_QUERY });

/**
 * A browser that was sent here by another site does not show its session; sent on by a page of ours it does, if there
 * is one.
 */
export const showStep: ApprovalAnswer = async (desk, request) => {
  const visitor = await visitorOf(desk, request);
  if (visitor === "nobody") {
    const path = pathIn(request.params);
    return isFromElsewhere(request)
      ? paged(sentOnPage(path))
      : { kind: "redirect", to: `/sign-in?to=${encodeURIComponent(path)}` };
  }
  if (isRefused(visitor)) return refusedPage(visitor);
  const at = stepIn(request);
  if ("refusals" in at) return refusedPage(at);
  const reason = keptReason(desk, request.cookie, pathIn(request.params), visitor.name);
  return showReviewed(desk, visitor, at, { reason });
};

const isFromElsewhere = ({ query, site }: WebRequest): boolean =>
  (site === "cross-site" || site === "same-site") && !query.has(SENT_ON);

/** `keys` are those that are asked again: where nobody knows what became of one. */
type Typed = {
  readonly flaw?: FormFlaw;
  readonly keys?: Partial<StepForm["keys"]>;
  readonly reason: string;
  readonly refused?: RefusedAnswer;
};

const showReviewed = async (desk: ApprovalDesk, visitor: Visitor, at: At, typed: Typed): Promise<WebReply> => {
  const { newId, service } = desk;
  const answer = await service.review(visitor.caller, at);
  if (answer.kind === "refused") return refusedPage(typed.refused ?? answer);
  const { flaw, keys, reason, refused } = typed;
  return paged(
    stepPage(answer.value, {
      author: sealAuthor(desk, visitor.name),
      csrf: visitor.csrf,
      keys: { approve: newId(), deny: newId(), ...keys },
      name: visitor.name,
      reason,
      ...present({ flaw }),
      ...(refused === undefined ? {} : { refused: { ...refused, status: statusOfAnswer(refused) } }),
    }),
  );
};

/** Everything that a form of ours has, and nothing else. */
const FIELDS: ReadonlySet<string> = new Set(["author", "csrf", "explanation", "key", "reason", "words"]);
type Form = { readonly explanation: string; readonly key: Ulid; readonly words: string };

const formIn = ({ body }: WebRequest): Form | undefined => {
  const { explanation, key, words } = body;
  if (!Object.keys(body).every((name) => FIELDS.has(name))) return undefined;
  if (typeof explanation !== "string" || typeof words !== "string") return undefined;
  return typeof key === "string" && isUlid(key) ? { explanation, key, words } : undefined;
};

/** One line, as a record has it: a break is a blank. */
const reasonIn = ({ body }: WebRequest): string => (typeof body["reason"] === "string" ? oneLine(body["reason"]) : "");

type Decide = (
  desk: ApprovalDesk,
  visitor: Visitor,
  request: WebRequest,
  form: Form & { readonly reason: string },
) => Promise<ServiceAnswer<object>>;

const decided =
  (did: keyof StepForm["keys"], decide: Decide): ApprovalAnswer =>
  async (desk, request) => {
    const reason = reasonIn(request);
    const visitor = await visitorOf(desk, request);
    if (visitor === "nobody") {
      const path = pathIn(request.params);
      const setCookies = [desk.cookies.clear, ...keepReason(desk, path, request.body["author"], reason)];
      return { ...paged(signedOutMeanwhilePage(path, reason)), setCookies };
    }
    if (isRefused(visitor)) return refusedPage(visitor);
    const at = stepIn(request);
    if ("refusals" in at) return refusedPage(at);
    const form = formIn(request);
    const again = (typed: Omit<Typed, "reason">): Promise<WebReply> =>
      showReviewed(desk, visitor, at, { reason, ...typed });
    if (!desk.cookies.isCsrf(visitor.token, request.body["csrf"])) return again({ flaw: "foreign" });
    if (form === undefined) return again({ flaw: "malformed" });
    const answer = await decide(desk, visitor, request, { ...form, reason });
    if (answer.kind === "refused")
      return again({ refused: answer, ...(answer.outcome === "unknown" ? { keys: { [did]: form.key } } : {}) });
    return { kind: "redirect", setCookies: [REASON_OVER], to: `${pathIn(request.params)}/decisions/${form.key}` };
  };

/** The same check as of a request without a page. */
const requestIn = <K extends "approve" | "deny">(
  operation: K,
  { params }: WebRequest,
  value: Readonly<Record<string, string>>,
): RequestAt<K> | RefusedAnswer =>
  requestOf(operation, { body: { text: JSON.stringify(value), value }, params, query: NO_QUERY });

const keyed = ({ caller }: Visitor, { key }: Form): Caller => ({ ...caller, key });

export const approveHere = decided("approve", async ({ service }, visitor, request, form) => {
  const { explanation, reason, words } = form;
  const asked = requestIn("approve", request, { explanation, reason, words });
  return "refusals" in asked ? asked : service.approve(keyed(visitor, form), asked);
});

export const denyHere = decided("deny", async ({ service }, visitor, request, form) => {
  const asked = requestIn("deny", request, { reason: form.reason });
  return "refusals" in asked ? asked : service.deny(keyed(visitor, form), asked);
});

/** What became of a key of one's own; of another's, or of another step, nothing is known here. */
export const showDecided: ApprovalAnswer = async (desk, request) => {
  const visitor = await visitorOf(desk, request);
  const path = pathIn(request.params);
  if (visitor === "nobody") return { kind: "redirect", to: `/sign-in?to=${encodeURIComponent(path)}` };
  if (isRefused(visitor)) return refusedPage(visitor);
  const at = stepIn(request);
  if ("refusals" in at) return refusedPage(at);
  const { service } = desk;
  const [answered, reviewed] = [
    await service.answered(visitor.caller, { key: request.params["key"] ?? "" }),
    await service.review(visitor.caller, at),
  ];
  if (answered.kind === "refused") return refusedPage(answered);
  if (reviewed.kind === "refused") return refusedPage(reviewed);
  const { record } = answered.value;
  const body = record === undefined ? undefined : bodyOf(record);
  const { of } = reviewed.value;
  const isOfStep =
    (body?.kind === "approve" || body?.kind === "deny") &&
    body.result.kind !== "refused" &&
    body.request.of.plan === of.plan &&
    body.request.of.index === of.step - 1;
  if (record === undefined || !isOfStep) return { kind: "redirect", to: approvalPath(of.plan, of.step) };
  return paged(
    decidedPage(reviewed.value, { by: record.actor.id, did: body.kind, id: record.auditId, seq: record.seq }),
  );
};
