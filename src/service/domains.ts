// Which domain a refusal belongs to: by its stage, but for the codes that are listed.
//
// A refusal of the ledger may be of any domain, so each of its codes says its own; the compiler asks for it. Not here:
// what a door makes of a domain, such as an exit code (cli/asking/at-service.ts).

import type { RefusalStage } from "../spine/model.ts";
import { REFUSALS } from "../spine/rules/refusal-table.ts";
import type { RefusalCode } from "../spine/rules/refusals.ts";

/**
 * input: what was asked cannot be, as it was said; validation: what is there does not hold (a ledger, a proof, a
 * certificate); kernel: the rules refuse it; transport: somebody could not be reached, or the reply was lost; internal:
 * a bug of Dedalus, of which no refusal speaks. Answers as JSON have one more, `interrupted`: a person ended it
 * (json/bug-json.ts).
 */
export type Domain = "input" | "internal" | "validation" | "kernel" | "transport";

const OF_STAGE: Readonly<Record<Exclude<RefusalStage, "ledger">, Domain>> = {
  input: "input",
  kernel: "kernel",
  plan: "kernel",
  safety: "kernel",
};

type CodeOf<S extends RefusalStage> = {
  [C in RefusalCode]: (typeof REFUSALS)[C]["stage"] extends S ? C : never;
}[RefusalCode];

const OF_LEDGER: Readonly<Record<CodeOf<"ledger">, Domain>> = {
  "anchor-absent": "validation",
  "anchor-empty": "validation",
  "anchor-holds": "kernel",
  "anchor-shortened": "validation",
  "anchor-unjoined": "validation",
  "anchor-unmounted": "validation",
  "anchor-unreadable": "validation",
  "anchor-unverified": "validation",
  "anchor-unwritable": "input",
  "copy-alive": "kernel",
  "copy-unfinished": "kernel",
  "export-unverified": "validation",
  "key-reused": "kernel",
  "key-unusable": "input",
  "ledger-absent": "input",
  "ledger-ahead": "kernel",
  "ledger-behind": "transport",
  "ledger-broken": "validation",
  "ledger-cut-short": "validation",
  "ledger-format": "kernel",
  "ledger-not-read-only": "kernel",
  "ledger-read-only": "kernel",
  "ledger-rewritten": "validation",
  "ledger-sealed": "kernel",
  "ledger-unreachable": "transport",
  "ledger-unsealed": "kernel",
  "ledger-untrusted": "validation",
  // An engine that is there and could not keep its promises is not used, whatever was asked.
  "ledger-unusable": "kernel",
  overloaded: "kernel",
  "proof-broken": "validation",
  "record-doubtful": "transport",
  "record-unwritten": "kernel",
  "secret-absent": "input",
  "target-occupied": "kernel",
  "walks-waiting": "kernel",
};

/** Codes of another domain than their stage's. */
const ELSEWHERE: { readonly [C in Exclude<RefusalCode, CodeOf<"ledger">>]?: Domain } = {
  // What was asked is right; the environment has nothing that could act.
  "adapter-unavailable": "kernel",
  "caller-limited": "transport",
  "contract-broken": "validation",
  "plan-altered": "validation",
  "plan-of-other-rules": "validation",
  "provider-unreachable": "transport",
  "provider-untrusted": "validation",
  "replay-differs": "validation",
  "reply-lost": "transport",
  "server-answer": "transport",
  "server-failed": "transport",
  "server-unreachable": "transport",
  "server-untrusted": "validation",
  "service-ending": "transport",
};

const isOfLedger = (code: RefusalCode): code is CodeOf<"ledger"> => Object.hasOwn(OF_LEDGER, code);

export const domainOf = (code: RefusalCode): Domain => {
  if (isOfLedger(code)) return OF_LEDGER[code];
  return ELSEWHERE[code] ?? OF_STAGE[REFUSALS[code].stage];
};
