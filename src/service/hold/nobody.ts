// What is said to whoever is proven to be nobody. Apart from callers.ts, because a door may know it before any ledger is
// opened, and then loads nothing of the kernel. keeps B2

import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";

const NEXT = "Set DEDALUS_TOKEN to a whole token, or act as the operator of dedalus.yaml: unset DEDALUS_TOKEN";

export const nobodyBecause = (because: string): Refusal => refuse("actor-unknown", { because, next: NEXT });
