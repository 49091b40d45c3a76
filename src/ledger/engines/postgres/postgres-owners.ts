// The locks of processes at a ledger on PostgreSQL: an advisory lock of a session for each, on a connection of its own.
//
// The server frees a lock when its connection ends, however that ends. This does not prove that the process has ended;
// so an owner asks right before a call leaves whether it held its lock all the time, and whoever finds a lock free
// waits until the time to send is over too (kernel/state/recovery.ts). A lock that was lost is taken again at once: a
// process that still waits for a verdict is not taken for gone. A server that came up a moment ago holds nobody's lock
// yet and proves nothing.

import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import type { OwnerLock, OwnerLocks } from "../../engine.ts";
import { type ServerFailure, serverRefusal } from "../../failure.ts";
import type { Ulid } from "../../record/record.ts";
import { type Backend, type Greeting, type PostgresSession, runAgain, session } from "./postgres-session.ts";
import { greetServer } from "./postgres-settings.ts";
import { type PostgresTrust, type Target, targetOf } from "./postgres-target.ts";
import { columnInteger, columnText, type PostgresRow } from "./postgres-values.ts";
import { endQuery } from "./postgres-writer.ts";

/** A call that waits for this answer is not sent by then. */
const ANSWER_MAX_MS = 10_000;
const RETAKE_MS = 500;
/** So long owners have to take their locks again after the server came up. */
const SERVER_UP_MIN_S = 5;

/** Nobody ends the connection of a process that lives, and that of a machine that is gone ends soon. */
const SESSION = `
  SET idle_session_timeout = 0;
  SET tcp_keepalives_idle = 5;
  SET tcp_keepalives_interval = 5;
  SET tcp_keepalives_count = 3`;

/** The lock's key, of which pg_locks shows two halves: https://www.postgresql.org/docs/current/view-pg-locks.html */
const keyOf = (instance: Ulid): string =>
  hash("sha256", `dedalus-owner:${instance}`, "buffer").readBigInt64BE().toString();

const IS_GRANTED = `
  locktype = 'advisory' AND granted AND objsubid = 1 AND ((classid::bigint << 32) | objid::bigint) = key
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

const HELD = `
  SELECT pg_backend_pid() AS pid,
    (SELECT extract(epoch FROM backend_start)::text FROM pg_stat_activity WHERE pid = pg_backend_pid()) AS start,
    EXISTS (SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND ${IS_GRANTED})::text AS held
  FROM (SELECT $1::bigint AS key) AS mine`;

const GONE = `
  SELECT owner FROM unnest($1::text[], $2::bigint[]) AS asked (owner, key)
  WHERE NOT EXISTS (SELECT FROM pg_locks WHERE ${IS_GRANTED})
    AND clock_timestamp() - pg_postmaster_start_time() > make_interval(secs => ${SERVER_UP_MIN_S})`;

export const postgresOwners = (url: string, trust?: PostgresTrust): OwnerLocks => {
  const target = targetOf(url, trust);
  if (target.kind === "refused") {
    return { ...UNREACHED, hold: () => Promise.resolve(target.refusal) };
  }
  let asking: PostgresSession | undefined;
  let lock: LockLine | undefined;
  return {
    close: async () => {
      await Promise.all([asking?.close(), lock?.close()]);
    },
    ended: () => [],
    gone: async (owners) => {
      asking ??= session(target, greetServer("read", target.name), ANSWER_MAX_MS);
      const ran = await runAgain(asking, { name: "gone", text: GONE, values: [owners, owners.map(keyOf)] });
      const free = new Set(ran.kind === "answered" ? ran.rows.map((row) => columnText(row, "owner")) : []);
      return new Map(owners.filter((owner) => free.has(owner)).map((owner) => [owner, "owner-unlocked"]));
    },
    hold: async (instance) => {
      lock ??= lockLine(target, keyOf(instance));
      const held = await lock.held();
      return "cause" in held ? serverRefusal(held) : ownerLock(lock, held);
    },
    remove: () => undefined,
  };
};

const UNREACHED = {
  close: () => Promise.resolve(),
  ended: () => [],
  gone: () => Promise.resolve(new Map()),
  remove: () => undefined,
} as const satisfies Omit<OwnerLocks, "hold">;

/** Held by one process of the server all the time: another one has taken it after it was free. */
const ownerLock = (lock: LockLine, first: Backend): OwnerLock => ({
  isHeld: async () => {
    const held = await lock.held();
    return !("cause" in held) && held.pid === first.pid && held.start === first.start;
  },
});

type LockLine = {
  /** The server's process that holds the lock for us now; it is taken where it is free. */
  readonly held: () => Promise<Backend | ServerFailure>;
  readonly close: () => Promise<void>;
};

const lockLine = (target: Target, key: string): LockLine => {
  let isClosed = false;
  let isRetaking = false;
  let last: Backend | undefined;
  const retake = async (): Promise<void> => {
    if (isRetaking) return;
    isRetaking = true;
    while (!isClosed && (await line.reach()) !== undefined) await pause(RETAKE_MS, undefined, { ref: false });
    isRetaking = false;
  };
  const greet = async (client: Client): Promise<Greeting> => {
    const greeted = await greetServer("write", target.name)(client);
    if (greeted.kind === "unfit") return greeted;
    await client.query(SESSION);
    // A server that does not know of our loss yet holds the lock for a connection that nobody has.
    if (last !== undefined) await client.query(endQuery(last));
    const { rows } = await client.query<PostgresRow>("SELECT pg_try_advisory_lock($1)::text AS taken", [key]);
    if (columnText(rows[0] ?? {}, "taken") !== "true")
      return { failure: { cause: "owner-lock-taken", facts: { name: target.name } }, kind: "unfit" };
    last = greeted.backend;
    client.once("end", () => void retake());
    return greeted;
  };
  const line = session(target, greet, ANSWER_MAX_MS);
  return {
    close: () => {
      isClosed = true;
      return line.close();
    },
    held: async () => {
      const ran = await runAgain(line, { name: "held", text: HELD, values: [key] });
      if (ran.kind !== "answered") return ran.failure;
      const row = ran.rows[0] ?? {};
      if (columnText(row, "held") !== "true") return { cause: "connection-lost", facts: { name: target.name } };
      return { pid: columnInteger(row, "pid"), start: columnText(row, "start") };
    },
  };
};
