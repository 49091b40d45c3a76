// Acts on a ledger on PostgreSQL that are broken off: the server is gone in the middle of a backup, the process is
// killed there, or the answer to an unseal is lost. What is left is what there was, or the whole.

import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type CuttingProxy, cuttingProxy } from "../ledger/cutting-proxy.ts";
import { type Fault, faultProxy } from "../ledger/fault-proxy.ts";
import { postgresDesk } from "../ledger/postgres-desk.ts";
import { started } from "../live/process.ts";
import { codesIn, type Dedalus, moveTo, withLedger } from "./ledger-desk.ts";

const RECORDS = 40;
const BACKUP = ["ledger", "backup", "--to", "kept"];
const UNSEAL = ["ledger", "unseal", "--copy-gone", "--reason", "its disk died", "--json"];

suite("broken off on PostgreSQL", () => {
  const { fresh, server } = postgresDesk();
  const atPostgres = async (
    url: (where: string) => string,
    work: (dedalus: Dedalus, folder: string) => Promise<void>,
  ): Promise<void> => {
    const { remove, where } = await fresh();
    try {
      await withLedger(0, async (dedalus, folder) => {
        writeFileSync(join(folder, "url"), url(where), { mode: 0o600 });
        moveTo(folder, "  engine: postgres\n  url: { file: url }\n");
        assert.equal((await dedalus("freeze", "--reason", "the first")).code, 0);
        await work(dedalus, folder);
      });
    } finally {
      await remove();
    }
  };
  const atProxy = async (
    work: (dedalus: Dedalus, folder: string, proxy: CuttingProxy) => Promise<void>,
  ): Promise<void> => {
    const proxy = await cuttingProxy(server().port);
    try {
      await atPostgres(proxy.url, async (dedalus, folder) => {
        for (let made = 0; made < RECORDS; made += 1)
          assert.equal((await dedalus("freeze", "--reason", `reason ${made} ${"x".repeat(500)}`)).code, 0);
        await work(dedalus, folder, proxy);
      });
    } finally {
      await proxy.close();
    }
  };

  test("G1 a backup that loses its server anywhere is none, and the same command makes a whole one", async () => {
    await atProxy(async (dedalus, folder, proxy) => {
      const before = (await dedalus("ledger", "verify", "--json")).out;
      let broken = 0;
      for (let bytes = 2_000; ; bytes *= 2) {
        proxy.cutAfter(bytes);
        const { code } = await dedalus(...BACKUP);
        proxy.shut(false);
        proxy.cutAfter(Number.POSITIVE_INFINITY);
        if (code === 0) break;
        broken += 1;
        assert.equal(existsSync(join(folder, "kept")), false, `cut after ${bytes} bytes`);
      }
      assert.ok(broken >= 3, `it was cut ${broken} times`);
      assert.equal((await dedalus("ledger", "verify", "--export", "kept")).code, 0);
      assert.equal((await dedalus("ledger", "verify", "--json")).out, before, "the ledger is as it was");
    });
  });

  test("G1 a backup whose process is killed is none, or a whole one", async () => {
    await atProxy(async (dedalus, folder) => {
      for (const ms of [300, 600, 900, 1_200]) {
        const child = started(folder, BACKUP);
        await pause(ms);
        child.kill();
        await child.gone;
        const [whole, part] = [join(folder, "kept"), join(folder, "kept.part")];
        if (existsSync(part))
          assert.deepEqual(codesIn(await dedalus(...BACKUP, "--json")), ["file-exists"], "it is told");
        else if (existsSync(whole))
          assert.equal((await dedalus("ledger", "verify", "--export", "kept")).code, 0, `killed after ${ms} ms`);
        assert.equal(existsSync(part) && existsSync(whole), false, "what is not finished has not its name");
        for (const path of [whole, part]) rmSync(path, { force: true, recursive: true });
      }
      const { code, err } = await dedalus(...BACKUP);
      assert.equal(code, 0, err);
    });
  });

  for (const fault of ["request", "reply", "client"] as const satisfies readonly Fault[])
    test(`P7-F1 an unseal whose ${fault} is lost is recorded once, and everything is frozen`, async () => {
      const proxy = await faultProxy(server().port);
      try {
        await atPostgres(proxy.url, async (dedalus, folder) => {
          assert.equal((await dedalus("ledger", "move", "--to", "copy.db", "--yes")).code, 0);
          rmSync(join(folder, "copy.db"));
          proxy.loseNext(fault);
          const first = await dedalus(...UNSEAL);
          assert.equal(proxy.lost(), 1, "it was lost");
          const again = await dedalus(...UNSEAL);
          if (first.code === 0) assert.deepEqual(codesIn(again), ["ledger-unsealed"]);
          else assert.equal(again.code, 0, again.out);
          const { records } = JSON.parse((await dedalus("ledger", "show", "--kind", "ledger.unseal", "--json")).out);
          assert.equal(records.length, 1);
          assert.match((await dedalus("status")).out, /frozen/);
          assert.equal((await dedalus("ledger", "verify")).code, 0);
        });
      } finally {
        await proxy.close();
      }
    });
});
