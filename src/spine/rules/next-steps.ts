// What to ask for after a refusal, as data: an operation, and what is known for its request. A door spells it: a
// command line as a command that can be pasted, another one as its own request.
//
// `refuse` asks for the facts that the table names. Not here: the sentence beside it (words/), how a door spells it
// (cli/spell.ts).

import type { Fact, Facts, Refusal } from "../model.ts";
import { ASKABLE, type Asked, type Field, type Fields, type Foreseen, type NextStep } from "./askable.ts";
import { NEXT_STEPS } from "./next-step-table.ts";
import type { RefusalCode } from "./refusals.ts";

/** The facts that the next steps of one cause are made of. */
export type FactsForNext<C extends RefusalCode, K> = C extends keyof typeof NEXT_STEPS
  ? FactsOf<StepsOf<(typeof NEXT_STEPS)[C], K>>
  : never;
type StepsOf<R, K> = R extends readonly Foreseen[] ? R[number] : K extends keyof R ? StepsOf<R[K], K> : never;
type FactsOf<S> = S extends { readonly from: infer F } ? F[keyof F] : never;

/**
 * What the asker was about, beside what the refusal itself says: whatever is missing there is taken from here. The
 * action and what belongs to it are of a plan that was made for this one action. `unable` is what would be refused to
 * this very asker, and no next step of theirs.
 */
export type Where = Readonly<
  Partial<
    Record<"action" | "cpus" | "environment" | "explanation" | "memory" | "plan" | "snapshot" | "step" | "vmid", Fact>
  >
> & { readonly unable?: readonly Asked[] };

const foreseenFor = ({ cause, code }: Pick<Refusal, "cause" | "code">): readonly Foreseen[] => {
  const rows: Readonly<
    Partial<Record<RefusalCode, readonly Foreseen[] | Readonly<Record<string, readonly Foreseen[]>>>>
  > = NEXT_STEPS;
  const row = rows[code] ?? [];
  return isSteps(row) ? row : (row[cause ?? ""] ?? []);
};
const isSteps = (row: object): row is readonly Foreseen[] => Array.isArray(row);

/** In order. A step that lacks what it needs, such as one from a record of another version, is left out. */
export const nextStepsOf = (refusal: Refusal, { unable = [], ...where }: Where = {}): readonly NextStep[] =>
  foreseenFor(refusal).flatMap(({ ask: foreseen, from }) => {
    if (unable.includes(foreseen)) return [];
    // Whoever asked for one action gets that again, and not a plan of everything.
    const asked: Asked = foreseen === "makePlan" && where.action !== undefined ? "planAction" : foreseen;
    const { about = [], needs, takes }: Fields = ASKABLE[asked];
    const facts: Facts = refusal.vmid === undefined ? refusal.facts : { ...refusal.facts, vmid: refusal.vmid };
    const asker: NextStep["with"] = where;
    const isAbout = (field: Field): boolean => needs.includes(field) || about.includes(field);
    const known = [...about, ...needs, ...takes].flatMap((field) => {
      const named = from[field];
      const value = named === undefined ? (isAbout(field) ? asker[field] : undefined) : facts[named];
      return value === undefined ? [] : [[field, value] as const];
    });
    const values: NextStep["with"] = Object.fromEntries(known);
    return needs.every((field) => Object.hasOwn(values, field)) ? [{ ask: asked, with: values }] : [];
  });

/** What is done with a plan that is there. */
const OF_THIS_PLAN: ReadonlySet<Asked> = new Set(["apply", "approve", "challenge", "explain", "requestApproval"]);

/**
 * Of several refusals of one step, those that lead nowhere because another one needs a new plan: nobody is asked to
 * approve what was denied or is over.
 */
export const leadingNowhere = (refusals: readonly Refusal[]): ReadonlySet<Refusal> => {
  const asks = (refusal: Refusal): readonly Asked[] => foreseenFor(refusal).map(({ ask }) => ask);
  if (!refusals.some((refusal) => asks(refusal).includes("makePlan"))) return new Set();
  return new Set(
    refusals.filter((refusal) => {
      const asked = asks(refusal);
      return asked.length > 0 && asked.every((one) => OF_THIS_PLAN.has(one));
    }),
  );
};
