// dedalus plans, and plan show: the recorded plans of the last day or two, and one of them with how its steps stand.

import { now } from "../../clock.ts";
import type { Readable } from "../../kernel/decide/actors.ts";
import { stateOn } from "../../kernel/read-state.ts";
import { recentEntries } from "../../kernel/state/recent.ts";
import type { PlanState, State } from "../../kernel/state/state.ts";
import type { Ledger } from "../../ledger/open.ts";
import type { Actor } from "../../ledger/record/record.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { readerOn } from "../callers.ts";
import type { Arguments, Run } from "../command.ts";
import { badInput } from "../failure.ts";
import { termsOf } from "../find-config.ts";
import type { Io } from "../io.ts";
import { atLedger, type Desk, snapshotAt } from "../ledger-desk.ts";
import type { Outcome } from "../outcome.ts";
import { entryHashes, recordedPlan } from "../recorded.ts";
import { kernelRefused } from "../session.ts";
import { planLines } from "../views/view-plan.ts";
import { planFileOf, standingLines, standingsOf } from "../views/view-standing.ts";

type Reading = (
  given: Arguments,
  io: Io,
  work: (state: State, ledger: Ledger, desk: Desk, actor: Actor) => Promise<Outcome>,
  readable?: Readable,
) => Promise<Outcome>;

/** A command that only reads: it folds the ledger and changes nothing, not even what it finds to be over. */
const readingAs =
  (mode: "read" | "view"): Reading =>
  (given, io, work, readable = "account") =>
    atLedger(given, io, mode, async (ledger, desk) => {
      const state = await stateOn(ledger.engine, snapshotAt(ledger, desk));
      const actor = readerOn(state, desk, readable);
      return "code" in actor ? kernelRefused([actor]) : work(state, ledger, desk, actor);
    });
export const reading = readingAs("read");
/** Of a ledger whose anchor is lost too; that is said on stderr. */
export const viewing = readingAs("view");

export const run: Run = (given, io) =>
  reading(given, io, async (state) => {
    const plans = Array.from(recentEntries(state.plans), ([, plan]) => plan).sort((a, b) => (a.id < b.id ? -1 : 1));
    return {
      exit: "done",
      json: {
        plans: plans.map(({ approvals, consumed, denials, ...plan }) => ({
          ...plan,
          applied: consumed.size,
          approvals,
          denials,
        })),
      },
      text: () => (plans.length === 0 ? ["no plan was made in the last day"] : plans.map((plan) => planLine(plan))),
    };
  });

const planLine = ({ closed, consumed, environment, id, requester, steps, verdict }: PlanState): string =>
  `${id}  ${environment}  ${closed ?? verdict}  ${consumed.size} of ${steps.size} steps tried  by ${requester.id}`;

export const show: Run = (given, io) =>
  reading(given, io, async (state, { engine }, desk, actor) => {
    const found = await recordedPlan(engine, state, given.positionals[0] ?? "");
    if ("code" in found) return kernelRefused([found]);
    const environment = desk.config.environments.get(found.planState.environment);
    if (environment === undefined) {
      const known = [...desk.config.environments.keys()];
      const facts = { environment: found.planState.environment, file: desk.file, known };
      return badInput([refuse("environment-unknown", { cause: "not-in-file", facts })]);
    }
    const file = planFileOf(found);
    const { environment: name } = found.planState;
    const terms = { ...termsOf(desk, name, environment), entryOf: await entryHashes(engine, state, name) };
    const standings = standingsOf(state, found, now(), terms, actor);
    return {
      exit: "done",
      json: { ...file, id: found.planState.id, standings },
      text: (paint) => [...planLines(file, paint), ...standingLines(found.planState.id, standings, paint)],
    };
  });
