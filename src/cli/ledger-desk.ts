// Who reads, for doctor, which folds the ledger itself.

import { now } from "../clock.ts";
import type { Readable } from "../kernel/decide/actors.ts";
import type { State } from "../kernel/state/state.ts";
import type { Actor } from "../ledger/record/record.ts";
import { proveReader } from "../service/hold/callers.ts";
import type { Refusal } from "../spine/model.ts";
import { callerGiven } from "./at-service.ts";
import type { Configured } from "./find-config.ts";

export const readerOn = (state: State | undefined, { config }: Configured, readable: Readable): Actor | Refusal => {
  const proven = proveReader(callerGiven(), state, config.operator, now(), readable);
  return "code" in proven ? proven : proven.actor;
};
