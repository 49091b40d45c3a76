// A failure as its maker says it: a cause out of a closed table, and the facts that the words of that cause name.
//
// The tables are the words themselves, so that no cause lacks its sentence and no sentence its facts. A refusal whose
// `because` is the same table, or a wider one, takes a failure as it is. Not here: which refusal it becomes.

import type { Fact, Facts } from "../model.ts";
import { filled, type NamesIn, namedIn } from "./template.ts";

export type CauseWords = Readonly<Record<string, string>>;

/** Any cause of the table, each with its own facts. */
export type FailureIn<T extends CauseWords> = {
  [K in keyof T & string]: {
    readonly cause: K;
    readonly facts: Facts & { readonly [Name in NamesIn<T[K]>]: Fact };
  };
}[keyof T & string];

type Any = { readonly cause: string; readonly facts: Facts };

/** The same cause with more facts, for words that name more than its maker knew. */
export const withFacts = <F extends Any, M extends Facts>(
  failure: F,
  more: M,
): F extends unknown ? { readonly cause: F["cause"]; readonly facts: F["facts"] & M } : never =>
  // The compiler does not follow one cause of a union through a spread.
  ({ cause: failure.cause, facts: { ...failure.facts, ...more } }) as ReturnType<typeof withFacts<F, M>>;

/** Every sentence of a table with the same words before it. */
export const after = <P extends string, T extends CauseWords>(
  prefix: P,
  table: T,
): { readonly [K in keyof T]: `${P}${T[K]}` } =>
  Object.fromEntries(Object.entries(table).map(([cause, text]) => [cause, `${prefix}${text}`])) as {
    readonly [K in keyof T]: `${P}${T[K]}`;
  };

/** A table whose causes stand beside those of another, told apart by what stands before them. */
export const under = <P extends string, T extends CauseWords>(prefix: P, table: T): Under<P, T> =>
  Object.fromEntries(Object.entries(table).map(([cause, text]) => [`${prefix}${cause}`, text])) as Under<P, T>;
type Under<P extends string, T> = { readonly [K in keyof T & string as `${P}${K}`]: T[K] };

/** A failure as one of such a table. */
export const failureUnder = <P extends string, F extends Any>(
  prefix: P,
  { cause, facts }: F,
): F extends unknown ? { readonly cause: `${P}${F["cause"]}`; readonly facts: F["facts"] } : never =>
  // As above: one cause of a union.
  ({ cause: `${prefix}${cause}`, facts }) as ReturnType<typeof failureUnder<P, F>>;

/** Of a table that the cause is of. */
export const failureText = <T extends CauseWords>(table: T, { cause, facts }: FailureIn<T>): string =>
  filled(table[cause] ?? "", facts);

const isFact = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** What was written down as JSON, when it is a failure of this table with every fact that its words name. */
export const isFailureIn = <T extends CauseWords>(table: T, value: unknown): value is FailureIn<T> => {
  if (typeof value !== "object" || value === null || !("cause" in value) || !("facts" in value)) return false;
  const { cause, facts } = value;
  if (typeof cause !== "string" || !Object.hasOwn(table, cause)) return false;
  if (typeof facts !== "object" || facts === null) return false;
  const told = new Map<string, unknown>(Object.entries(facts));
  return [...told.values()].every(isFact) && namedIn(table[cause] ?? "").every((name) => told.has(name));
};
