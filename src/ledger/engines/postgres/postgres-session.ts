// One connection that comes back: queries run on it one after another, and each says how it went as a value.
//
// The difference that matters is between a query that was never sent, one that the server refused and undid, and one
// whose reply was lost. The connection is made when it is needed and made again after it was lost; the session is
// greeted each time, so that no connection is used whose settings were not looked at.

import { Client, DatabaseError, type QueryConfig } from "pg";
import type { ServerFailure } from "../../failure.ts";
import type { SaidFailure, Target } from "./postgres-target.ts";
import type { PostgresRow } from "./postgres-values.ts";

/** The server's process behind a connection; the start tells it from a later process of the same number. */
export type Backend = { readonly pid: number; readonly start: string };

export type Ran =
  | { readonly kind: "answered"; readonly rows: readonly PostgresRow[] }
  /** The server said no, and undid all of it. */
  | { readonly kind: "failed"; readonly failure: SaidFailure; readonly code: string; readonly constraint: string }
  /** Nothing was sent. */
  | { readonly kind: "unreached"; readonly failure: ServerFailure }
  /** It was sent, and no reply came. `code` is what the server said last, or empty. */
  | { readonly kind: "lost"; readonly backend: Backend; readonly failure: SaidFailure; readonly code: string };

export type Greeting =
  | { readonly kind: "fit"; readonly backend: Backend }
  | { readonly kind: "unfit"; readonly failure: ServerFailure };

export type PostgresSession = {
  readonly run: (query: QueryConfig) => Promise<Ran>;
  /** Connects when there is no connection; says why there is none. */
  readonly reach: () => Promise<ServerFailure | undefined>;
  /** Resolves after the queries that wait; later ones are not sent. */
  readonly close: () => Promise<void>;
};

type Live = { readonly kind: "live"; readonly backend: Backend; readonly client: Client };
type Unreached = Extract<Ran, { readonly kind: "unreached" }>;
const unreached = (failure: ServerFailure): Unreached => ({ failure, kind: "unreached" });

export const session = (
  { config, failure, name }: Target,
  greet: (client: Client) => Promise<Greeting>,
  answerMaxMs: number,
): PostgresSession => {
  let live: Live | undefined;
  let closed = false;
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(job: () => Promise<T>): Promise<T> => {
    const mine = turn.then(job);
    // A job that throws is a bug of ours and told to who asked; the next one has its turn all the same.
    turn = mine.catch(String);
    return mine;
  };

  const connected = async (): Promise<Live | Unreached> => {
    if (closed) return unreached({ cause: "closed", facts: { name } });
    if (live !== undefined) return live;
    const client = new Client(config);
    let gone = false;
    const forget = (): void => {
      gone = true;
      if (live?.client === client) live = undefined;
    };
    // Each loss is also the error of the query that waits; without a query there is nobody to tell. A connection that
    // ends without us is an error too (pg 8.23.1 lib/client.js).
    client.on("error", forget);
    try {
      await client.connect();
      const greeting = await within(client, () => greet(client));
      if (greeting.kind === "fit" && !gone) {
        live = { backend: greeting.backend, client, kind: "live" };
        return live;
      }
      leave(client);
      return unreached(greeting.kind === "unfit" ? greeting.failure : { cause: "connection-lost", facts: { name } });
    } catch (error) {
      leave(client);
      return unreached(failure(error));
    }
  };
  /** Ending a client in the middle of a query cuts its connection, so that the query fails. */
  const within = async <T>(client: Client, job: () => Promise<T>): Promise<T> => {
    const timer = setTimeout(leave, answerMaxMs, client);
    try {
      return await job();
    } finally {
      clearTimeout(timer);
    }
  };

  const once = async (query: QueryConfig): Promise<Ran> => {
    const connection = await connected();
    if (connection.kind === "unreached") return connection;
    const { backend, client } = connection;
    try {
      const { rows } = await within(client, () => client.query<PostgresRow>(query));
      return { kind: "answered", rows };
    } catch (error) {
      const code = error instanceof DatabaseError ? (error.code ?? "") : "";
      const constraint = error instanceof DatabaseError ? (error.constraint ?? "") : "";
      // A session that still answers has rolled back; one that does not may have died anywhere in between.
      if (code !== "" && (await within(client, () => answers(client))))
        return { code, constraint, failure: failure(error), kind: "failed" };
      if (live?.client === client) live = undefined;
      leave(client);
      return { backend, code, failure: failure(error), kind: "lost" };
    }
  };

  return {
    close: () =>
      inTurn(async () => {
        closed = true;
        if (live !== undefined) leave(live.client);
      }),
    reach: () =>
      inTurn(async () => {
        const connection = await connected();
        return connection.kind === "unreached" ? connection.failure : undefined;
      }),
    run: (query) => inTurn(() => once(query)),
  };
};

/** What was said, or the code of what was found where nobody said anything. */
export const saidIn = ({ cause, facts }: ServerFailure): string => String(facts["said"] ?? cause);

/** For reads: asking twice is harmless, and a loss that nobody waited on may only be noticed by the next query. */
export const runAgain = async ({ run }: PostgresSession, query: QueryConfig): Promise<Ran> => {
  const ran = await run(query);
  return ran.kind === "lost" ? run(query) : ran;
};

/** Not waited for: a server that stands still would never say goodbye. */
const leave = (client: Client): void => {
  void client.end();
};

const answers = (client: Client): Promise<boolean> =>
  client.query("SELECT 1").then(
    () => true,
    () => false,
  );
