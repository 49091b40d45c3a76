// Whether a pooler between us and the server gives each transaction another session, as PgBouncer does in transaction
// mode.
//
// Nothing of a session holds there: neither the settings by which a commit is durable, nor the lock that shows a
// process to live. Two connections are asked for the server's process behind them: neither may have the other's, nor
// another one while the other is busy. A pooler that gives whole sessions away passes.

import type { Refusal } from "../../../spine/model.ts";
import { serverRefusal } from "../../failure.ts";
import type { PostgresSession, Ran } from "./postgres-session.ts";
import { columnInteger } from "./postgres-values.ts";

const PROCESS = { text: "SELECT pg_backend_pid() AS pid" };
/** The sessions of a busy pooler change hands by chance; once more makes it unlikely that they never do. */
const ROUNDS = 2;

/** Why the server behind such a pooler is not written to; undefined where there is none. */
export const findPooler = async (
  name: string,
  one: PostgresSession,
  other: PostgresSession,
): Promise<Refusal | undefined> => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const refusal = await askBoth(name, one, other);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
};

const askBoth = async (name: string, one: PostgresSession, other: PostgresSession): Promise<Refusal | undefined> => {
  const before = await one.run(PROCESS);
  const begun = await other.run({ text: "BEGIN" });
  const beside = await other.run(PROCESS);
  // Where the other has the process of the first, that one is kept waiting; it is not asked again.
  const after = isSame(before, beside) ? before : await one.run(PROCESS);
  const ended = await other.run({ text: "ROLLBACK" });
  for (const ran of [before, begun, beside, after, ended])
    if (ran.kind !== "answered") return serverRefusal(ran.failure);
  return isSame(before, after) && !isSame(before, beside)
    ? undefined
    : serverRefusal({ cause: "session-pooled", facts: { name } });
};

const isSame = (one: Ran, other: Ran): boolean =>
  one.kind === "answered" && other.kind === "answered" && processIn(one) === processIn(other);

const processIn = ({ rows }: Extract<Ran, { readonly kind: "answered" }>): number =>
  columnInteger(rows[0] ?? {}, "pid");
