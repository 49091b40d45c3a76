// What a record says, in words: what was asked, by the fields that its kind has, and what it came to.
//
// Total: a ledger may hold what another version wrote, so that every field is read as if anything could be in it. A
// record without words is undefined here, and its reader sees it as it was written. Not here: lines (view-record.ts).

import { bodyOf } from "../../kernel/command/record-body.ts";
import type { RequestKind } from "../../kernel/command/request.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";
import type { OutcomeEnd, Refusal } from "../../spine/model.ts";
import { actionText } from "../../spine/rules/action-text.ts";
import { isOutcomeCause } from "../../spine/rules/outcome-causes.ts";
import { isRefusalCode } from "../../spine/rules/refusals.ts";
import { outcomeText } from "../../spine/words/steps/outcome-words.ts";
import { counted } from "./counted.ts";
import { hashText, type TextStyle } from "./text-style.ts";

type Fields = Readonly<Record<string, unknown>>;
type Part = string | undefined;
type Words = (request: Fields, result: Fields, configuration: string) => readonly Part[];

const fieldsOf = (value: unknown): Fields => Object(value) as Fields;
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

/** `name value`, where there is one. */
const named = (name: string, value: unknown): Part =>
  typeof value === "string" || typeof value === "number" ? `${name} ${value}`.trim() : undefined;
const count = (value: unknown, what: string): Part => (typeof value === "number" ? counted(value, what) : undefined);
const reason = ({ reason: said }: Fields): Part => (typeof said === "string" ? `"${said}"` : undefined);
const action = (kind: unknown, vmid: unknown): Part =>
  typeof kind === "string" && typeof vmid === "number" ? `${actionText(kind)} VM ${vmid}` : undefined;

const ofStep: Words = ({ of, ...request }) => {
  const { index, plan, step } = fieldsOf(of);
  const { action: asked, vmid } = fieldsOf(step);
  const where = typeof index === "number" ? named(`step ${index + 1} of plan`, plan) : undefined;
  return [action(fieldsOf(asked)["kind"], vmid), where, reason(request)];
};
const ofIntent: Words = ({ intent }) => [named("intent", intent)];
const withReason: Words = (request) => [reason(request)];
const observed: Words = ({ complete, gaps, vms }) => [
  count(vms, "VM"),
  complete === false ? "not complete" : undefined,
  gaps === 0 ? undefined : count(gaps, "gap"),
];

const WORDS: Readonly<Record<RequestKind, Words>> = {
  "accept-clock": withReason,
  "accept-identity": (request) => [named("VM", request["vmid"]), reason(request)],
  annotate: ({ about, text }) => [reason({ reason: text }), named("about", about)],
  apply: ofStep,
  approve: ofStep,
  cancel: (request) => [named("plan", request["plan"]), reason(request)],
  challenge: ofStep,
  deny: ofStep,
  dispatched: ({ intent, reference }) => [named("intent", intent), named("task", reference)],
  freeze: withReason,
  ingest: observed,
  invite: ({ expiresAt, subject }) => [named("for", subject), named("until", expiresAt)],
  "ledger.checkpoint": ({ anchor }) => [named("anchor", anchor)],
  "ledger.join": (request) => [count(request["size"], "record"), reason(request)],
  "ledger.re-anchor": withReason,
  "ledger.restore": (request) => [count(request["size"], "record"), reason(request)],
  "ledger.seal": (request) => [named("moved to", request["to"])],
  "ledger.unlock": withReason,
  "ledger.unseal": withReason,
  observe: observed,
  outcome: (request) =>
    isEnd(request) ? [`${request.outcome}: ${outcomeText(request)}`, named("intent", request["intent"])] : [],
  plan: ({ request }, { inSync, kind, plan, refusals, steps, verdict }) => {
    const { action: asked, vmid } = fieldsOf(request);
    return [
      action(fieldsOf(asked)["kind"], vmid),
      count(fieldsOf(steps)["size"], "step"),
      count(refusals, "refusal"),
      typeof inSync === "number" ? `${inSync} in sync` : undefined,
      named("verdict", verdict),
      kind === "unchanged" ? named("the same as plan", plan) : undefined,
    ];
  },
  reconcile: ofIntent,
  recover: ({ intent }) => [named("outcome unknown of intent", intent)],
  redeem: ({ by, subject }) => [named("by", subject), named("set a", fieldsOf(by)["kind"])],
  register: ({ vms }) => [count(vms, "VM")],
  "request-approval": ofStep,
  revoke: (request) => [named("approval", request["approval"]), named("of plan", request["plan"]), reason(request)],
  "sign-in": ({ by, session, subject }) => [
    named("as", subject),
    named("at", fieldsOf(by)["issuer"]),
    named("until", fieldsOf(session)["expiresAt"]),
  ],
  "sign-out": (request) => [named("of", request["subject"]), named("session", request["token"]), reason(request)],
  start: ({ rules, serves, version }, _, configuration) => [
    named("dedalus", version),
    serves === undefined ? undefined : "serves",
    named("rules", rules),
    version === undefined ? undefined : `configuration ${configuration}`,
  ],
  token: ({ act, subject, token }) => {
    const name = typeof subject === "string" ? subject : fieldsOf(subject)["id"];
    return [named(typeof act === "string" ? act : "", token), named("for", name)];
  },
  unfreeze: withReason,
};

/** A kind whose name would be taken for an action. */
const LABELS: Readonly<Record<string, string>> = { start: "program started" };
export const kindLabel = (kind: string): string => (Object.hasOwn(LABELS, kind) ? (LABELS[kind] ?? kind) : kind);

/** Undefined where there are no words for it. */
export const recordText = (record: LedgerRecord, style: TextStyle): string | undefined => {
  const body = bodyOf(record);
  if (body === undefined) return undefined;
  const told = WORDS[body.kind](fieldsOf(body.request), fieldsOf(body.result), hashText(record.configHash, style));
  const parts = told.filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(", ");
};

/** Why it was refused, none where it was not; undefined where this version does not know a reason of them. */
export const refusalsIn = (record: LedgerRecord): readonly Refusal[] | undefined => {
  const { kind, refusals } = fieldsOf(bodyOf(record)?.result);
  if (kind !== "refused") return [];
  return Array.isArray(refusals) && refusals.every(isKnown) ? refusals : undefined;
};

const isKnown = (value: unknown): value is Refusal =>
  isRefusalCode(fieldsOf(value)["code"]) && isObject(fieldsOf(value)["facts"]);
const isEnd = (value: Fields): value is Fields & OutcomeEnd => {
  const { cause, changed = [], facts = {}, refusal } = value;
  const isWhole = isOutcomeCause(cause) && Array.isArray(changed) && changed.every(isObject) && isObject(facts);
  return isWhole && (refusal === undefined || isKnown(refusal));
};
