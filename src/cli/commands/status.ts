// dedalus status: what policies tighten, open intents, blocked VMs, freezes, and what was last seen. It reads, and disturbs
// nothing.

import { now } from "../../clock.ts";
import { entries } from "../../kernel/state/persistent-map.ts";
import { recentEntries } from "../../kernel/state/recent.ts";
import { openIntents } from "../../kernel/state/recovery.ts";
import { EVERYWHERE, type IntentState, type State } from "../../kernel/state/state.ts";
import type { Instant, OutcomeKind } from "../../spine/model.ts";
import type { Policy } from "../../spine/plan/safety.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { outcomeText } from "../../spine/words/outcome-words.ts";
import { vmidOf } from "../arguments/vmids.ts";
import type { Run } from "../command.ts";
import { badInput } from "../failure.ts";
import { policyText } from "../views/view-policy.ts";
import { reAnchoredText } from "../views/view-re-anchored.ts";
import { viewing } from "./plans.ts";

export const run: Run = async (given, io) => {
  const word = given.text.get("vm");
  const vmid = word === undefined ? undefined : vmidOf(word);
  if (word !== undefined && vmid === undefined)
    return badInput([refuse("usage", { because: `--vm takes a vmid, and ${word} is none` })]);
  // What is known is told even while the anchor is lost, with a remark; nothing is signed here.
  return viewing(given, io, async (state, _, { policies }) => {
    const at = now();
    const environment = given.text.get("env");
    const value = statusOf(state, environment, vmid);
    const tightened = Array.from(policies, ([name, { tighten }]) => ({ environment: name, tighten })).filter(
      (one) => environment === undefined || one.environment === environment,
    );
    return {
      exit: "done",
      json: { at, policies: tightened, ...value },
      text: () => [...tightened.map(policyLine), ...statusLines(value, at)],
    };
  });
};

export const statusOf = (state: State, environment?: string, vmid?: number) => {
  const concerns = (intent: IntentState): boolean =>
    (vmid === undefined || intent.vmid === vmid) && (environment === undefined || intent.environment === environment);
  const looks = new Map<string, { readonly id: string; readonly observedAt?: Instant }>();
  for (const [id, look] of recentEntries(state.looks)) {
    const known = looks.get(look.environment);
    if (known === undefined || known.id < id)
      looks.set(look.environment, { id, ...(look.observedAt === undefined ? {} : { observedAt: look.observedAt }) });
  }
  return {
    blocked: Array.from(entries(state.blocked), ([, intent]) => intent)
      .filter(concerns)
      .sort(byVm)
      .map(told),
    freezes: Array.from(entries(state.freezes), ([where, freeze]) => ({
      ...freeze,
      where: where === EVERYWHERE ? "everything" : where,
    })),
    last: Array.from(recentEntries(state.intents), ([, intent]) => intent)
      .filter(concerns)
      .sort(byId)
      .slice(-LAST_MAX)
      .map(told),
    looks: Array.from(looks, ([where, look]) => ({ ...look, environment: where })).filter(
      (look) => environment === undefined || look.environment === environment,
    ),
    open: openIntents(state).filter(concerns),
    ...(state.reAnchored === undefined ? {} : { reAnchored: state.reAnchored }),
    records: state.size,
  };
};

/** An intent with how it ended, in words too. */
const told = (intent: IntentState): IntentState & { readonly because?: string; readonly outcome?: OutcomeKind } =>
  intent.end === undefined ? intent : { ...intent, because: outcomeText(intent.end), outcome: intent.end.outcome };

const policyLine = ({ environment, tighten }: { readonly environment: string } & Pick<Policy, "tighten">): string =>
  `policy of ${environment}: ${policyText({ tighten })}`;

const LAST_MAX = 10;
const byVm = (a: IntentState, b: IntentState): number => a.vmid - b.vmid;
const byId = (a: IntentState, b: IntentState): number => (a.id < b.id ? -1 : 1);

const statusLines = (
  { blocked, freezes, last, looks, open, reAnchored, records }: ReturnType<typeof statusOf>,
  at: Instant,
): readonly string[] => [
  ...freezes.map(({ by, reason, where }) => `FROZEN ${where} by ${by}: ${reason}`),
  ...open.map((intent) => {
    const late = at > intent.settleBy ? "; its time is over, the next command that writes will say so" : "";
    return `open     VM ${intent.vmid} ${intent.action} ${intent.name}, until ${intent.settleBy}${late}  intent ${intent.id}`;
  }),
  ...blocked.map(
    (intent) =>
      `BLOCKED  VM ${intent.vmid} ${intent.name}: outcome of ${intent.action} is unknown: ${intent.because}  (reconcile after ${intent.settleBy})`,
  ),
  ...last.map(
    (intent) =>
      `${(intent.outcome ?? "open").padEnd(8)} VM ${intent.vmid} ${intent.action} ${intent.name}: ${intent.because}`,
  ),
  ...looks.map(
    ({ environment, id, observedAt }) => `last look at ${environment}: ${observedAt ?? "at an unknown time"}  (${id})`,
  ),
  ...(reAnchored === undefined ? [] : [`ledger ${reAnchoredText(reAnchored)}`]),
  `${open.length} open, ${blocked.length} blocked, ${freezes.length} frozen; ${records} records`,
];
