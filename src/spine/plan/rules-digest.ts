// The digest of everything compiled in that decides.

import type { Sha256 } from "../model.ts";
import { ACTIONS } from "../rules/actions.ts";
import { RULES } from "../rules/invariants.ts";
import { REFUSALS } from "../rules/refusal-table.ts";
import { canonical } from "../values/canonical.ts";
import { sha256 } from "../values/hash.ts";
import { ROLLBACK_EFFECT } from "./rollback.ts";

let digest: Sha256 | undefined;

/** Change a sentence, a code or a tier, and every plan hash changes with it. */
export const rulesDigest = (): Sha256 => {
  digest ??= sha256(
    canonical({
      actions: ACTIONS,
      refusals: REFUSALS,
      rollback: ROLLBACK_EFFECT,
      rules: RULES,
    }),
  );
  return digest;
};
