// The digest of everything compiled in that decides.

import { ACTIONS, AGREEMENT } from "./actions.ts";
import { canonical } from "./canonical.ts";
import { sha256 } from "./hash.ts";
import { RULES } from "./invariants.ts";
import type { Sha256 } from "./model.ts";
import { REFUSALS } from "./refusals.ts";
import { ROLLBACK_EFFECT } from "./rollback.ts";

let digest: Sha256 | undefined;

/** Change a sentence, a code or a tier, and every plan hash changes with it. */
export const rulesDigest = (): Sha256 => {
  digest ??= sha256(
    canonical({
      actions: ACTIONS,
      agreement: AGREEMENT,
      refusals: REFUSALS,
      rollback: ROLLBACK_EFFECT,
      rules: RULES,
    }),
  );
  return digest;
};
