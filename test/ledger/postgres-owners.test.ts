// The locks by which processes at a ledger on PostgreSQL know who of them lives, on a real server.

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { ulids } from "../../src/ids.ts";
import type { OwnerLock, OwnerLocks } from "../../src/ledger/engine.ts";
import { openPostgres } from "../../src/ledger/engines/postgres/postgres.ts";
import { postgresOwners } from "../../src/ledger/engines/postgres/postgres-owners.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import { type CuttingProxy, cuttingProxy } from "./cutting-proxy.ts";
import { startPooler } from "./pooler.ts";
import { postgresDesk, sql } from "./postgres-desk.ts";

const nextId = ulids();

/** Asked until it is so; a test that waits in vain is ended by its runner. */
const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await pause(50);
};

const lockOf = async (locks: OwnerLocks, owner: Ulid): Promise<OwnerLock> => {
  const lock = await locks.hold(owner);
  assert.ok(!("code" in lock), JSON.stringify(lock));
  return lock;
};

const LOCKS = "SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1";
const END_HOLDERS = "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1";

suite("owners at PostgreSQL", () => {
  const { fresh, server } = postgresDesk();
  type Ground = {
    readonly asker: OwnerLocks;
    readonly isGone: (owner: Ulid) => Promise<boolean>;
    readonly locks: OwnerLocks;
    readonly owner: Ulid;
    readonly proxy: CuttingProxy;
    readonly where: string;
  };
  const atServer = async (work: (ground: Ground) => Promise<void>): Promise<void> => {
    const { remove, where } = await fresh();
    const proxy = await cuttingProxy(server().port);
    const [locks, asker] = [postgresOwners(proxy.url(where)), postgresOwners(where)];
    const isGone = async (owner: Ulid) => (await asker.gone([owner])).get(owner) === "owner-unlocked";
    try {
      await work({ asker, isGone, locks, owner: nextId(), proxy, where });
    } finally {
      await Promise.all([locks.close(), asker.close()]);
      await proxy.close();
      await remove();
    }
  };

  test("an owner that holds its lock is not gone, and one that has closed is", async () => {
    await atServer(async ({ isGone, locks, owner, where }) => {
      const lock = await lockOf(locks, owner);
      assert.equal(await lock.isHeld(), true);
      // A server proves nothing before it was up for a while: somebody who never held a lock is asked for until it
      // does.
      const nobody = nextId();
      await until(() => isGone(nobody));
      assert.equal(await isGone(owner), false);
      assert.equal(await (await lockOf(locks, owner)).isHeld(), true, "what is held is given again");
      assert.deepEqual(await sql(where, LOCKS), [{ count: 1 }]);
      await locks.close();
      await until(() => isGone(owner));
    });
  });

  for (const loss of ["its connection is cut", "the server ends its session", "the network goes between them"] as const)
    test(`an owner knows that it lost its lock when ${loss}, and takes it again by itself`, async () => {
      await atServer(async ({ isGone, locks, owner, proxy, where }) => {
        const lock = await lockOf(locks, owner);
        const nobody = nextId();
        await until(() => isGone(nobody));
        const happen = {
          "its connection is cut": async () => proxy.cut(),
          "the network goes between them": async () => proxy.lose(),
          "the server ends its session": () => sql(where, END_HOLDERS),
        } as const;
        await happen[loss]();
        await until(async () => !(await isGone(owner)));
        assert.equal(await lock.isHeld(), false);
        assert.equal(await lock.isHeld(), false, "nothing brings it back");
        const another = await lockOf(locks, owner);
        assert.equal(await another.isHeld(), true);
        assert.equal(await isGone(owner), false);
        assert.deepEqual(await sql(where, LOCKS), [{ count: 1 }], "it is held once");
      });
    });

  test("an owner that cannot reach its server does not hold its lock, and is gone for others", async () => {
    await atServer(async ({ isGone, locks, owner, proxy }) => {
      const lock = await lockOf(locks, owner);
      proxy.shut(true);
      proxy.cut();
      await until(() => isGone(owner));
      assert.equal(await lock.isHeld(), false);
      const refused = await locks.hold(owner);
      assert.equal("code" in refused && refused.code, "ledger-unreachable");
      proxy.shut(false);
      assert.equal(await (await lockOf(locks, owner)).isHeld(), true);
      assert.equal(await lock.isHeld(), false);
    });
  });

  test("a server that has just come up proves nobody gone; owners take their locks again", async () => {
    await atServer(async ({ isGone, locks, owner }) => {
      const lock = await lockOf(locks, owner);
      const nobody = nextId();
      await until(() => isGone(nobody));
      await server().restart();
      assert.equal(await isGone(nobody), false, "all locks are free then, also those of the living");
      await until(() => isGone(nobody));
      assert.equal(await isGone(owner), false);
      assert.equal(await lock.isHeld(), false);
    });
  });

  test("whoever cannot ask the server takes nobody for gone", async () => {
    await atServer(async ({ locks, owner, proxy }) => {
      proxy.shut(true);
      assert.equal((await locks.gone([owner])).size, 0);
    });
  });

  test("a pooler that gives each transaction another session is refused for writing, and one of whole sessions is not", async () => {
    const { remove, where } = await fresh();
    try {
      for (const mode of ["session", "transaction"] as const) {
        const pooler = await startPooler(where, mode);
        const opened = await openPostgres(pooler.url, { mode: "write" });
        if (opened.kind === "open") await opened.engine.close();
        assert.deepEqual(
          opened.kind === "refused" ? [opened.refusal.code, opened.refusal.cause] : [],
          mode === "transaction" ? ["ledger-unusable", "session-pooled"] : [],
        );
        await pooler.close();
      }
    } finally {
      await remove();
    }
  });
});
