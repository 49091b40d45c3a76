// What deciders judge by, as one value: the tables, and how plans are made, judged and explained. Every decider is
// given the rulebook of the version that decides, and reads none of it elsewhere: a version in which any of it is
// different has a rulebook of its own, beside the former ones (versions.ts).
//
// Not here: the deciders themselves, and who may ask (versions.ts, actors.ts).

import type { Instant } from "../../spine/model.ts";
import { explainAnswer } from "../../spine/plan/explain.ts";
import { plan } from "../../spine/plan/plan.ts";
import { safety } from "../../spine/plan/safety.ts";
import { SPINE_RULES, type SpineRules } from "../../spine/plan/spine-rules.ts";
import type { Command, RequestKind } from "../command/request.ts";
import type { Decision } from "../command/result.ts";
import type { State } from "../state/state.ts";
import { AGREEMENT, type AgreementTable, LIFE_MS, LOCAL_COUNTS } from "./agreement-table.ts";

export type Rulebook = SpineRules & {
  readonly agreement: AgreementTable;
  readonly explain: typeof explainAnswer;
  readonly lifeMs: typeof LIFE_MS;
  readonly localCounts: typeof LOCAL_COUNTS;
  readonly plan: typeof plan;
  readonly safety: typeof safety;
};

/** That of RULES_VERSION; also for whoever shows how something stands now, which is recorded nowhere. */
export const RULEBOOK: Rulebook = {
  ...SPINE_RULES,
  agreement: AGREEMENT,
  explain: explainAnswer,
  lifeMs: LIFE_MS,
  localCounts: LOCAL_COUNTS,
  plan,
  safety,
};

/** What decides one kind of command; `at` is the instant that everything is judged at. */
export type Decider<K extends RequestKind> = (
  state: State,
  command: Command<K>,
  at: Instant,
  rules: Rulebook,
) => Decision;
