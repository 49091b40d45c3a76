// A step as somebody was shown it: the explanation of then, and the catalogue in which it was read. Both come from the
// ledger, whatever the words and the rules of this program are. Keeps P7-A2.
//
// The last time that the step was challenged, approved or confirmed counts. The records up to it are folded, because an
// explanation speaks of its time: of a denial that had come by then, and of none since.

import { bodyOf } from "../../kernel/command/record-body.ts";
import type { RequestKind, StepRef } from "../../kernel/command/request.ts";
import { explanationUnder } from "../../kernel/decide/agree.ts";
import type { TierAgreement } from "../../kernel/decide/agreement-table.ts";
import { invitedParties } from "../../kernel/decide/invited-parties.ts";
import { handsOn } from "../../kernel/decide/policy-limits.ts";
import { policyOf } from "../../kernel/decide/stands-on.ts";
import { evolve } from "../../kernel/fold-versions.ts";
import { get } from "../../kernel/state/persistent-map.ts";
import { recall } from "../../kernel/state/recent.ts";
import { rulesUnder } from "../../kernel/state/rules-in-force.ts";
import { INITIAL, type State } from "../../kernel/state/state.ts";
import { VERSIONS } from "../../kernel/versions.ts";
import type { LedgerRecord, Ulid } from "../../ledger/record/record.ts";
import { readChainedPages } from "../../ledger/verify/chained.ts";
import { foldedAt } from "../../ledger/verify/damage.ts";
import type { Explanation, Instant, InvitedParty, Sha256 } from "../../spine/model.ts";
import { tierUnder } from "../../spine/plan/safety.ts";
import { present } from "../../spine/values/present.ts";
import { type Catalogue, wordsIn } from "../../spine/words/words-catalogue.ts";
import type { RefusedAnswer } from "../answer.ts";
import type { Reading } from "../hold/session.ts";
import type { StepExplained, StepRequest } from "./explain-recorded.ts";
import type { StepNamed } from "./recorded.ts";
import { readBlobText } from "./registered.ts";
import { refuseUnshown } from "./step-unshown.ts";

/** Who read it, when, and in which words. */
export type AsShown = {
  /** What its tier needed then. */
  readonly agreements: readonly TierAgreement[];
  readonly at: Instant;
  readonly by: string;
  /** The words themselves; views render with them. */
  readonly catalogue: Catalogue;
  /** Who had asked for it or approved it by then, and was invited. */
  readonly invited: readonly InvitedParty[];
  readonly record: { readonly id: Ulid; readonly kind: RequestKind; readonly seq: number };
  readonly words: Sha256;
};

type Showing = { readonly before: State; readonly of: StepRef; readonly record: LedgerRecord; readonly words: Sha256 };

export const explainAsShown = async (
  { head, ledger, sees }: Pick<Reading, "head" | "ledger" | "sees">,
  { plan, step }: StepRequest,
): Promise<StepExplained | RefusedAnswer> => {
  const { engine } = ledger;
  let last: Showing | undefined;
  let state: State = INITIAL;
  for await (const page of readChainedPages(engine, head.size)) {
    for (const record of page) {
      const before = state;
      if (sees(record.environment)) last = showingIn(before, record, plan, step) ?? last;
      state = foldedAt(record.seq, () => evolve(before, record));
    }
  }
  const read = last === undefined ? undefined : readIn(last);
  if (last === undefined || read === undefined) {
    return refuseUnshown(plan);
  }
  const { of, record, words } = last;
  const { actor, auditId: id, kind, processTime: at, seq } = record;
  const { agreements, explanation, invited } = read;
  const catalogue = wordsIn(await readBlobText(engine, words));
  return {
    explanation,
    of: { environment: record.environment ?? "", plan: of.plan, step: of.index + 1 },
    shown: undefined,
    ...present({ tier: agreements[0]?.tier }),
    asShown: {
      agreements,
      at,
      by: actor.id,
      catalogue,
      invited,
      record: { id, kind: kind as RequestKind, seq },
      words,
    },
  };
};

/** A record that names the words in which this step was shown, and was granted. */
const showingIn = (before: State, record: LedgerRecord, plan: string, step: StepNamed): Showing | undefined => {
  const body = bodyOf(record);
  if (body === undefined || body.result.kind === "refused") return undefined;
  if (body.kind !== "apply" && body.kind !== "approve" && body.kind !== "challenge") return undefined;
  const { of } = body.request;
  const { words } = body;
  if (words === undefined || of.plan !== plan || !isNamed(of, step)) return undefined;
  return { before, of, record, words };
};

const isNamed = ({ index, step }: StepRef, named: StepNamed): boolean =>
  "number" in named ? index === named.number - 1 : String(step.vmid) === named.vmid;

type Read = Pick<AsShown, "agreements" | "invited"> & { readonly explanation: Explanation };

/** Under the rules and the configuration by which it was shown. */
const readIn = ({ before, of, record }: Showing): Read | undefined => {
  const plan = recall(before.plans, of.plan);
  const version = VERSIONS[rulesUnder(before, record.configHash)];
  if (plan === undefined || version === undefined) return undefined;
  const { rulebook } = version;
  const environments = get(before.configs, record.configHash)?.environments ?? {};
  const environment = Object.hasOwn(environments, plan.environment) ? environments[plan.environment] : undefined;
  const hands = handsOn(plan, { actor: record.actor, kind: record.kind as RequestKind });
  const tier = tierUnder(of.step, policyOf(environment), rulebook.actions, hands);
  const mode = environment?.approval ?? "four-eyes";
  const { agent, person } = rulebook.agreement[mode];
  return {
    agreements: [{ agent: agent[tier], mode, person: person[tier], tier }],
    explanation: explanationUnder(rulebook, before, plan, of.step),
    invited: invitedParties(before, plan, of.step),
  };
};
