// What the two engines say of themselves: where a ledger is, which files are its own, and whose address a text is.

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { LedgerLocation } from "../../src/ledger/engine.ts";
import type { EngineSurroundings } from "../../src/ledger/engines/descriptor.ts";
import { postgres } from "../../src/ledger/engines/postgres/descriptor.ts";
import { sqlite } from "../../src/ledger/engines/sqlite/descriptor.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { ledgers } from "./sqlite-files.ts";

const resolve = (path: string): string => `/at/${path}`;
const plain = (path: string): string => path;
const located = (found: LedgerLocation | Refusal | undefined): LedgerLocation =>
  found !== undefined && "open" in found ? found : assert.fail(JSON.stringify(found));
const refusal = refuse("ledger-unusable", { cause: "url-scheme" });
const given = (own: Partial<EngineSurroundings>): EngineSurroundings => ({
  resolve,
  secret: () => "postgres://user:word@127.0.0.1/ledger",
  trust: () => refusal,
  ...own,
});
const trust: EngineSurroundings["trust"] = () => ({ pem: "PEM", verify: "ca" });
const beside = (folder: string, paths: readonly { readonly path: string }[]): readonly string[] =>
  paths.map(({ path }) => path.slice(folder.length));

test("a plain text is a path; a secret or a text with a scheme is none", async () => {
  assert.equal(await located(sqlite.target({ isSecret: false, value: "a.db" }, resolve)).name(), "sqlite a.db");
  assert.equal(sqlite.target({ isSecret: true, value: "a.db" }, resolve), undefined);
  assert.equal(sqlite.target({ isSecret: false, value: "mysql://a.db" }, resolve), undefined);
  const url = "postgres://user:word@127.0.0.1/ledger";
  for (const isSecret of [true, false]) {
    const found = located(postgres.target({ isSecret, value: url }, resolve));
    assert.equal(await found.name(), "postgres 127.0.0.1/ledger");
    assert.deepEqual(found.claims(), []);
  }
  assert.equal(postgres.target({ isSecret: false, value: "a.db" }, resolve), undefined);
});

test("the files of a ledger in SQLite are listed with what they hold, the locks that are there too", async (t) => {
  const where = await ledgers(t);
  const [folder, settings] = [dirname(where), { path: where }];
  assert.ok(sqlite.embedded);
  for (const name of ["ledger.db-owner-1", "other.db-owner-2"]) writeFileSync(join(folder, name), "");
  const files = sqlite.embedded.files(settings, plain);
  const names = ["", "-wal", "-shm", "-read-only", "-owner-1"];
  assert.deepEqual(beside(where, files), names);
  assert.deepEqual(
    files.map(({ holds }) => holds),
    ["records", "records", "index", "mark", "mark"],
  );
  const claims = sqlite.embedded.claims(settings, plain);
  assert.deepEqual(beside(where, claims), [...names, "-journal", "-saved-state", "-owner-", "-saved-state."]);
  assert.deepEqual(
    claims.map(({ kind }) => kind),
    ["file", "file", "file", "file", "file", "file", "file", "begins", "begins"],
  );
  assert.equal(sqlite.embedded.savedState(settings, plain), `${where}-saved-state`);
  const [first] = sqlite.embedded.files({ path: join(folder, "none", "ledger.db") }, plain);
  assert.equal(first?.path, join(folder, "none", "ledger.db"), "a folder that is not there has no locks");
  assert.equal(postgres.embedded, undefined);
});

test("writing makes the folder of a ledger, reading does not, and a folder that cannot be made is told", async (t) => {
  const where = await ledgers(t);
  const folder = dirname(where);
  const at = (path: string): LedgerLocation => located(sqlite.at({ path }, given({ resolve: plain })));
  const deeper = at(join(folder, "made", "ledger.db"));
  const absent = await deeper.open("read");
  assert.ok(absent.kind === "refused" && absent.refusal.cause === "no-folder");
  assert.equal(existsSync(join(folder, "made")), false);
  const opened = await deeper.open("write");
  assert.ok(opened.kind === "open", JSON.stringify(opened));
  await opened.engine.close();
  writeFileSync(where, "");
  const below = await at(join(where, "ledger.db")).open("write");
  assert.ok(below.kind === "refused" && below.refusal.cause === "folder-unmade", JSON.stringify(below));
});

test("a server's address is a secret, its name has neither user nor password, and what is in the way is told", async () => {
  const url = { env: "LEDGER_URL" };
  assert.deepEqual(postgres.secrets({ url }), [url]);
  assert.deepEqual(sqlite.secrets({ path: "a.db" }), []);
  assert.equal(await located(postgres.at({ url }, given({}))).name(), "postgres 127.0.0.1/ledger");
  assert.equal(postgres.at({ url }, given({ secret: () => refusal })), refusal);
  const tls = { verify: "system" };
  assert.equal(postgres.at({ tls, url }, given({})), refusal);
  const trusting = located(postgres.at({ tls, url }, given({ trust })));
  assert.equal(await trusting.name(), "postgres 127.0.0.1/ledger");
  const other = located(postgres.at({ url }, given({ secret: () => "mysql://127.0.0.1/ledger" })));
  assert.equal(await other.name(), "postgres");
});

test("a remote server is reached by the trust that the configuration names, and without it not at all", async () => {
  const elsewhere = given({ secret: () => "postgres://user:word@db.invalid/ledger", trust });
  const cause = async (settings: Parameters<typeof postgres.at>[0]): Promise<string | undefined> => {
    const opened = await located(postgres.at(settings, elsewhere)).open("read");
    return opened.kind === "refused" ? opened.refusal.cause : "open";
  };
  const url = { env: "LEDGER_URL" };
  assert.equal(await cause({ url }), "connection-plain");
  assert.notEqual(await cause({ tls: { verify: "system" }, url }), "connection-plain");
});
