// Days, hours and numbers of applies that a policy allows: judged on the instant that a decision is stamped with and on
// the applies that the ledger holds, so that it comes out the same for every instance and in every replay. keeps P7-A3
//
// Whoever plans or agrees is refused when the step cannot come to its apply before it ends; whoever applies, when it
// cannot be applied now; and the call leaves before the hours are over, or not at all. Applies are counted by line, in
// the environment of the policy: for everybody whom the line is for together, whatever became of them.
// Not here: refused actions and tiers (spine/plan/safety.ts).

import type { ActionKind, Instant, PlanStep, Refusal, Vmid } from "../../spine/model.ts";
import { type Hand, isAbout, isForAny, type Policy, type PolicyLine } from "../../spine/plan/policy.ts";
import { closesAt, opensAt, windowDays, windowHours } from "../../spine/plan/policy-window.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { later } from "../../spine/values/instant.ts";
import { present } from "../../spine/values/present.ts";
import type { RequestKind } from "../command/request.ts";
import { entries } from "../state/persistent-map.ts";
import { HOUR_MS } from "../state/spans.ts";
import type { PlanState, State } from "../state/state.ts";
import { timesIn } from "../state/times.ts";

/** Who a line of the policy may be for: whoever asked for the plan, and whoever is about to apply it. */
export const handsOn = (
  { requester }: Pick<PlanState, "requester">,
  { actor, kind }: { readonly actor: Hand; readonly kind: RequestKind },
): readonly Hand[] => (kind === "apply" || kind === "challenge" ? [requester, actor] : [requester]);

type Judged = {
  readonly at: Instant;
  readonly environment: string;
  readonly hands: readonly Hand[];
  readonly policy: Policy;
};

/** A step that would be applied, and until when; without an end it would be now. */
type Limited = { readonly action: ActionKind; readonly until?: Instant | undefined };

/** What is allowed of a line, and from when on where that is not now. */
type Limit = { readonly from: Instant; readonly refusal: (action: ActionKind, vmid?: Vmid) => Refusal };

/** One for each line that keeps any of these steps from being applied; with a VM where there is one step. */
export const limitRefusals = (
  state: State,
  judged: Judged,
  steps: readonly Limited[],
  vmid?: Vmid,
): readonly Refusal[] =>
  judged.policy.tighten.flatMap((line) => {
    const about = steps.filter(({ action }) => isAbout(line, action, judged.hands));
    if (about.length === 0) return [];
    return limitsOf(state, line, judged).flatMap(({ from, refusal }) => {
      const kept = about.find(({ until }) => until === undefined || from >= until);
      return kept === undefined ? [] : [refusal(kept.action, vmid)];
    });
  });

const limitsOf = (state: State, line: PolicyLine, judged: Judged): readonly Limit[] => [
  ...windowLimit(line, judged.at),
  ...rateLimit(state, line, judged),
];

const windowLimit = ({ for: whom, only }: PolicyLine, at: Instant): readonly Limit[] => {
  const from = only === undefined ? at : opensAt(only, at);
  if (only === undefined || from === at) return [];
  const window = { days: windowDays(only), hours: windowHours(only), opensAt: from };
  return [
    {
      from,
      refusal: (action, vmid) =>
        whom === undefined
          ? refuse("policy-window", { cause: "everybody", facts: { ...window, action }, ...present({ vmid }) })
          : refuse("policy-window", { cause: "whom", facts: { ...window, action, whom }, ...present({ vmid }) }),
    },
  ];
};

const rateLimit = (state: State, line: PolicyLine, { at, environment }: Judged): readonly Limit[] => {
  const { action: counted, for: whom, perHour } = line;
  if (perHour === undefined) return [];
  const applied = appliesOf(state, line, environment, at);
  const first = applied.at(-perHour);
  if (first === undefined) return [];
  const allowedAt = later(first, HOUR_MS);
  const rate = { allowedAt, applied: applied.length, perHour };
  return [
    {
      from: allowedAt,
      refusal: (_, vmid) => {
        const about = present({ vmid });
        if (counted === undefined)
          return whom === undefined
            ? refuse("policy-rate", { cause: "everybody", facts: rate, ...about })
            : refuse("policy-rate", { cause: "whom", facts: { ...rate, whom }, ...about });
        const facts = { ...rate, action: counted };
        return whom === undefined
          ? refuse("policy-rate", { cause: "everybody-action", facts, ...about })
          : refuse("policy-rate", { cause: "whom-action", facts: { ...facts, whom }, ...about });
      },
    },
  ];
};

/** When each of the last hour was decided that a line counts, oldest first. */
const appliesOf = (state: State, line: PolicyLine, environment: string, at: Instant): readonly Instant[] => {
  const since = later(at, -HOUR_MS);
  const times: Instant[] = [];
  for (const [, claims] of entries(state.claims)) {
    const isCounted =
      claims.environment === environment &&
      (line.action === undefined || line.action === claims.action) &&
      isForAny(line, claims.hands);
    if (isCounted) for (const time of timesIn(claims.at)) if (time > since) times.push(time);
  }
  return times.sort();
};

/** Until when the call of a step may leave at most; undefined where no hours are written for it. */
export const windowEnd = ({ tighten }: Policy, { action }: PlanStep, hands: readonly Hand[], at: Instant) =>
  tighten
    .filter((line) => line.only !== undefined && isAbout(line, action.kind, hands))
    .map(({ only = {} }) => closesAt(only, at))
    .reduce((first, end) => (first === undefined || (end !== undefined && end < first) ? end : first), undefined);
