// What a policy would have decided of the recorded plans and applies, of the environments that the caller sees.
//
// The policy comes as the text of its file, and is read as a configuration that named it would read it. keeps B3, P7-A3

import { parsePolicy } from "../../formats/policy-yaml.ts";
import type { Reader } from "../../kernel/decide/actors.ts";
import { type JudgedOtherwise, judgeOtherwise } from "../../kernel/judge-otherwise.ts";
import type { Sha256 } from "../../spine/model.ts";
import { type Policy, policyDigest } from "../../spine/plan/policy.ts";
import { isRefused, type RefusedAnswer, refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import type { OpenLedger } from "../hold/holding.ts";
import type { Seen } from "../hold/seen-ledger.ts";
import { sightOf } from "../hold/sight.ts";
import type { Watch } from "../progress.ts";
import { readBlobText } from "./registered.ts";
import { pagesIn } from "./replay-records.ts";

export type WhatIfRequest = {
  /** Those of one environment; of all that are seen without it. */
  readonly environment?: string;
  /** `file` is what problems name beside their place in the text; nothing is read there. */
  readonly policy: { readonly file: string; readonly text: string };
  /** Whoever is asked for, where a thread asks: they see no more than the caller does. */
  readonly reader?: Reader;
};

export type WhatIf = JudgedOtherwise & { readonly policy: Sha256 };

/** The policy that is asked about; or why it is none, or of no environment that is seen. */
export const policyAsked = (
  { desk }: Pick<Seen, "desk">,
  { environment, policy: { file, text } }: WhatIfRequest,
): Policy | RefusedAnswer => {
  const parsed = parsePolicy(text, file);
  if (parsed.kind === "bad") return refusedInput(parsed.problems);
  const at = environment === undefined ? undefined : environmentAt(environment, desk);
  return at !== undefined && "code" in at ? refusedInput([at]) : parsed.value;
};

export const judgeWhatIf = async (
  open: Pick<OpenLedger, "ledger"> & Pick<Seen, "desk" | "sees">,
  request: WhatIfRequest,
  watch: Watch,
): Promise<WhatIf | RefusedAnswer> => {
  const policy = policyAsked(open, request);
  if (isRefused(policy)) return policy;
  const { engine } = open.ledger;
  const { sees } = open;
  const { environment: named, reader } = request;
  const seesToo = reader === undefined ? sees : sightOf(reader);
  const isShown = (environment: string): boolean =>
    sees(environment) && seesToo(environment) && (named === undefined || environment === named);
  const pages = pagesIn(engine, Number.MAX_SAFE_INTEGER, watch);
  const judged = await judgeOtherwise(pages, (digest) => readBlobText(engine, digest), policy, isShown);
  return { ...judged, policy: policyDigest(policy) };
};
