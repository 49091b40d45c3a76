// A command on the ledger's own files: opened in its mode, worked on, closed; answers of the service as outcomes.
//
// For acts that are an operator's at the files themselves (verify, export, move, unlock, re-anchor); everything else that
// can be asked goes through the service (at-service.ts).

import { now } from "../clock.ts";
import type { Readable } from "../kernel/decide/actors.ts";
import { stateOn } from "../kernel/read-state.ts";
import type { State } from "../kernel/state/state.ts";
import type { Ledger, OpenMode } from "../ledger/open.ts";
import type { Actor } from "../ledger/record/record.ts";
import { domainOf, executionOf, isRefused, type RefusedAnswer, refusedBy, refusedByKernel } from "../service/answer.ts";
import { isNamedByToken, proveReader } from "../service/hold/callers.ts";
import * as opening from "../service/hold/open-ledger.ts";
import type { Refusal } from "../spine/model.ts";
import type { RefusalCode } from "../spine/rules/refusals.ts";
import { callerGiven, exitOfAnswer, portsOf, refusedOutcome, watchOf } from "./at-service.ts";
import type { Arguments } from "./command.ts";
import type { Exit } from "./exit-codes.ts";
import { badInput } from "./failure.ts";
import { type Configured, readConfig } from "./find-config.ts";
import type { Io } from "./io.ts";
import type { Outcome } from "./outcome.ts";

export const ledgerFailed = (refusal: Refusal): Promise<Outcome> => refusedOutcome(refusedBy(refusal));
export const kernelRefused = (refusals: readonly Refusal[]): Promise<Outcome> =>
  refusedOutcome(refusedByKernel(refusals));

/** Of whoever tells one refusal in the middle of something else. */
export const exitOfRefusal = (code: RefusalCode): Exit =>
  exitOfAnswer({ domain: domainOf(code), outcome: executionOf(code) });

export const atLedger = async (
  given: Arguments,
  io: Io,
  mode: OpenMode,
  work: (ledger: Ledger, desk: opening.OpenDesk) => Promise<Outcome>,
): Promise<Outcome> => {
  const configured = readConfig(given, io);
  if (configured.kind === "bad") return badInput(configured.problems);
  const configuration = configured.value;
  const done: Outcome | RefusedAnswer = await opening.withLedger(
    { configuration, mode, ports: portsOf(io), watch: watchOf(io) },
    work,
  );
  return isRefused(done) ? refusedOutcome(done) : done;
};

/** Who reads, when they may. Without a token it is the operator, and nothing needs to be folded to know that. */
export const readerAt = async (
  ledger: Ledger,
  desk: opening.OpenDesk,
  readable: Readable,
): Promise<Actor | Refusal> => {
  const isNamed = isNamedByToken(callerGiven());
  const folded = isNamed ? await stateOn(ledger.engine, opening.savedStateAt(ledger, desk)) : undefined;
  return readerOn(folded?.state, desk, readable);
};

/** The same, for those who have folded the ledger already. */
export const readerOn = (state: State | undefined, { config }: Configured, readable: Readable): Actor | Refusal => {
  const proven = proveReader(callerGiven(), state, config.operator, now(), readable);
  return "code" in proven ? proven : proven.actor;
};
