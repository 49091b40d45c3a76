// What is simulated, as arguments: the real decider, fold, performer and recovery. A test plants a bug by handing in a
// broken one; nothing is ever edited for that.

import { performApply } from "../../src/kernel/apply/perform-apply.ts";
import { evolve } from "../../src/kernel/fold-versions.ts";
import { orphans } from "../../src/kernel/state/recovery.ts";
import { decide } from "../../src/kernel/versions.ts";

export type Parts = {
  readonly decide: typeof decide;
  readonly evolve: typeof evolve;
  readonly orphans: typeof orphans;
  readonly perform: typeof performApply;
};

export const REAL: Parts = { decide, evolve, orphans, perform: performApply };
