// A command's way to the ledger's own files: configuration, who asks, one act, and the answer as an outcome.
//
// For acts that need the ledger as nobody serves it (service/ledger-service.ts); everything else that can be asked goes
// through the service (at-service.ts).

import type { OkAnswer } from "../../service/answer.ts";
import type { LedgerOperation, LedgerService } from "../../service/ledger-service.ts";
import type { Arguments } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { type Configured, readConfig } from "../files/find-config.ts";
import { type Outcome, withBeside } from "../outcome.ts";
import type { Io } from "../process/io.ts";
import { portsOf, readCaller, refusedOutcome, showAnswer } from "./at-service.ts";
import { watchOf } from "./watch.ts";

/** One act, and how its value is shown. */
export const actOnLedger = async <R, T>(
  given: Arguments,
  io: Io,
  operation: (service: LedgerService) => LedgerOperation<R, T>,
  request: R,
  show: (answer: OkAnswer<T>, configured: Configured) => Outcome,
): Promise<Outcome> => {
  const configured = readConfig(given, io, false);
  if (configured.kind === "bad") return badInput(configured.problems);
  const { ledgerServiceOf } = await import("../../service/local-ledger.ts");
  const act = operation(ledgerServiceOf(configured.value, portsOf(given, io)));
  const answer = await act(readCaller(), request, watchOf(io));
  const outcome = await showAnswer(answer, io, (shown) => show(shown, configured.value));
  return withBeside(outcome, ...(await Promise.all((answer.beside ?? []).map((one) => refusedOutcome(one)))));
};
