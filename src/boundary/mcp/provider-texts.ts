// Which texts of a result are a provider's own: names, tags, locks, errors, whatever it or the system said. Each stays
// in its field, and the result says which fields those are; a sentence names the field, and never repeats it.
//
// Written for whoever reads it, such a text is an instruction to an agent as soon as it stands in a sentence of ours.
// A fact that no table here knows is ours: a test holds the tables against every code that an adapter can tell.
// keeps P7-F1. Not here: how a text is made visible and bounded (tool-result.ts).

import { DIAGNOSTICS } from "../../spine/diagnostic-codes.ts";
import type { Explanation, Fact, Facts, Refusal } from "../../spine/model.ts";
import { BLOCKERS, DOUBTS, GAPS } from "../../spine/observed-codes.ts";

/** Facts that are a provider's words wherever they stand. */
const QUOTED: ReadonlySet<string> = new Set(["observed", "observedName", "rememberedIdentity", "said"]);

/** Facts that are, where an adapter told them; elsewhere the same names are ours. */
export const STATED_FACTS: ReadonlySet<string> = new Set([
  ...["entry", "expected", "field", "found", "key", "lastReport", "lock", "meant", "node", "path", "shown", "state"],
  ...["task", "tasks", "words"],
]);

/** Of what an adapter told: a code of its tables, or a refusal that was made of one. */
const STATED: ReadonlySet<unknown> = new Set([
  ...[BLOCKERS, DOUBTS, GAPS, DIAGNOSTICS].flatMap((table) => Object.keys(table)),
  ...["blocked-by-provider", "reconcile-unclear", "vm-unknown"],
]);

type Holder = { readonly facts?: Facts; readonly said?: string };

/** An explanation has the facts of its answer, without the code of it. */
const isStated = (holder: object): boolean =>
  ("code" in holder && STATED.has(holder.code)) || ("answer" in holder && "rules" in holder);

const isQuoted = (name: string, holder: object): boolean =>
  QUOTED.has(name) || (STATED_FACTS.has(name) && isStated(holder));

const inPlaceOf = (name: string, fact: Fact): Fact => (typeof fact === "number" ? fact : `{${name}}`);

/** The same for a sentence: in the place of what a provider said stands the name of its field. */
export const namingFields = <T extends Holder>(holder: T): T => {
  const { facts, said } = holder;
  return {
    ...holder,
    ...(facts === undefined
      ? {}
      : {
          facts: Object.fromEntries(
            Object.entries(facts).map(([name, fact]) => [name, isQuoted(name, holder) ? inPlaceOf(name, fact) : fact]),
          ),
        }),
    ...(said === undefined ? {} : { said: "{said}" }),
  };
};

export const namingFieldsOf = (explanation: Explanation): Explanation => ({
  ...namingFields(explanation),
  rules: explanation.rules.map((one) => (one.held ? one : { ...one, refusal: namingFields<Refusal>(one.refusal) })),
});

/** What of a VM as it was observed is no text of its provider: words of closed tables. */
const OURS: ReadonlySet<string> = new Set(["actions", "code", "detail", "kind", "resize", "status"]);
/** Everything below is a provider's. */
const OBSERVED: ReadonlySet<string> = new Set([
  ...["because", "blockers", "diagnostic", "diagnostics", "gaps", "unanswered"],
]);
const MEMBERS: ReadonlySet<string> = new Set(["identity", "reference", "revision", "said", "tags"]);

type Place = { readonly isObserved: boolean; readonly path: string };

const collect = (value: unknown, { isObserved, path }: Place, found: Set<string>): void => {
  if (typeof value === "string") {
    if (isObserved) found.add(path);
  } else if (Array.isArray(value)) {
    for (const one of value) collect(one, { isObserved, path: `${path}[]` }, found);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      if (name === "facts") collectFacts(one, value, `${path}.facts`, found);
      else collect(one, placeOf(name, { isObserved, path }), found);
    }
  }
};

const placeOf = (name: string, { isObserved, path }: Place): Place => ({
  isObserved:
    !OURS.has(name) &&
    (isObserved || OBSERVED.has(name) || MEMBERS.has(name) || (name === "vms" && path.endsWith(".observation"))),
  path: path === "" ? name : `${path}.${name}`,
});

const collectFacts = (facts: unknown, holder: object, path: string, found: Set<string>): void => {
  for (const [name, fact] of Object.entries(Object(facts)))
    if (typeof fact !== "number" && isQuoted(name, holder)) found.add(`${path}.${name}`);
};

/** The fields of a result that have a provider's texts, in order; of a list all that are in it as one. */
export const providerFields = (result: object): readonly string[] => {
  const found = new Set<string>();
  collect(result, { isObserved: false, path: "" }, found);
  return [...found].sort();
};
