// Every mutant that is known to be equivalent, room by room.

import type { Equivalent } from "./equivalent.ts";
import { ADAPTERS } from "./equivalents/adapters.ts";
import { KERNEL } from "./equivalents/kernel.ts";
import { KERNEL_DECIDE } from "./equivalents/kernel-decide.ts";
import { KERNEL_STATE } from "./equivalents/kernel-state.ts";
import { LEDGER_ENGINES } from "./equivalents/ledger-engines.ts";
import { LEDGER_RECORD } from "./equivalents/ledger-record.ts";
import { LEDGER_WRITE } from "./equivalents/ledger-write.ts";
import { SPINE } from "./equivalents/spine.ts";

export const EQUIVALENTS: readonly Equivalent[] = [
  ...ADAPTERS,
  ...KERNEL,
  ...KERNEL_DECIDE,
  ...KERNEL_STATE,
  ...LEDGER_ENGINES,
  ...LEDGER_RECORD,
  ...LEDGER_WRITE,
  ...SPINE,
];
