// The server that tests start: it ends with its process however that ends, and says why when it does not start.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startPostgres } from "../../tools/servers/postgres.ts";
import { sql } from "./postgres-desk.ts";

const TOOL = import.meta.resolve("../../tools/servers/postgres.ts");

/** Nothing here needs a disk that remembers. */
const FAST = { fsync: "off" };

/** Root runs the server as another user, who must be able to pass through. */
const openFolder = async (t: TestContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "dedalus-parent-"));
  t.after(() => rm(folder, { recursive: true }));
  await chmod(folder, 0o711);
  return folder;
};

test("servers: PostgreSQL and its folder go when the process that started it is killed", async (t) => {
  const code = `
    const { startPostgres } = await import(${JSON.stringify(TOOL)});
    const { folder, url } = await startPostgres({ settings: ${JSON.stringify(FAST)} });
    console.log(JSON.stringify({ folder, url }));
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { folder, url } = JSON.parse(String(line)) as { readonly folder: string; readonly url: string };
  assert.deepEqual(await sql(url, "SELECT 1 AS one"), [{ one: 1 }]);
  child.kill("SIGKILL");
  for (let waited = 0; existsSync(folder) && waited < 10_000; waited += 50) await pause(50);
  assert.equal(existsSync(folder), false);
  await assert.rejects(sql(url, "SELECT 1"));
});

test("servers: a killed PostgreSQL starts again from its folder, says why when it cannot, and a stopped one is gone", async (t) => {
  const parent = await openFolder(t);
  const first = await startPostgres({ parent, settings: FAST });
  t.after(() => first.stop());
  await sql(first.url, "CREATE TABLE kept AS SELECT 7 AS seven");
  await first.kill();
  await assert.rejects(sql(first.url, "SELECT 1"));
  const wrong = startPostgres({ folder: first.folder, settings: { ...FAST, no_such_setting: "1" } });
  await assert.rejects(wrong, /did not start.*\n.*no_such_setting/);
  const second = await startPostgres({ folder: first.folder, settings: FAST });
  t.after(() => second.stop());
  assert.deepEqual(await sql(second.url, "SELECT seven FROM kept"), [{ seven: 7 }]);
  await second.stop();
  assert.equal(existsSync(first.folder), true);
  await first.stop();
  assert.deepEqual(await readdir(parent), []);
});
