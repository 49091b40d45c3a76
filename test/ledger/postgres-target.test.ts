// What the driver is told for an address, to the letter, and what is kept out of every message. Pure: nothing is
// connected.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { defaults } from "pg";
import { type PostgresTrust, type Target, targetOf } from "../../src/ledger/engines/postgres/postgres-target.ts";

const SYSTEM: PostgresTrust = { verify: "system" };
const at = (host: string, query = ""): string => `postgres://user:word@${host}/ledger${query}`;
const target = (url: string, trust?: PostgresTrust): Target => {
  const judged = targetOf(url, trust);
  return judged.kind === "target" ? judged : assert.fail(JSON.stringify(judged.refusal));
};
const cause = (url: string, trust?: PostgresTrust): string | undefined => {
  const judged = targetOf(url, trust);
  return judged.kind === "target" ? "" : judged.refusal.cause;
};

const folder = mkdtempSync(join(tmpdir(), "dedalus-target-"));
const file = (name: string): string => join(folder, name);
before(() => {
  for (const name of ["cert", "key", "root"]) writeFileSync(file(name), `PEM of ${name}`);
});
after(() => rmSync(folder, { recursive: true }));

test("an address on this machine is told as it is, in plain, with a bound and a connection that is kept alive", () => {
  const { config, name } = target(at("127.0.0.1", "?application_name=x"));
  assert.deepEqual(config, {
    application_name: "dedalus ledger",
    connectionString: at("127.0.0.1", "?application_name=x"),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    ssl: false,
  });
  assert.equal(name, "postgres 127.0.0.1/ledger");
});

test("what an address says of TLS is read once and taken out; everything else of it stays", () => {
  for (const [query, stays] of [
    ["", ""],
    ["?ssl=1", ""],
    ["?sslmode=verify-full", ""],
    ["?uselibpqcompat=true&sslmode=verify-full", ""],
    ["?options=a=b&sslmode=verify-full", "?options=a=b"],
    ["?a=1&sslmode=verify-full&b=2", "?a=1&b=2"],
  ] as const) {
    const { config } = target(at("db.example", query), SYSTEM);
    assert.equal(config.connectionString, at("db.example", stays), query);
    assert.deepEqual({ ...(config.ssl as object) }, { rejectUnauthorized: true }, query);
    assert.equal(config.connectionTimeoutMillis, 10_000);
  }
});

test("certificates that an address names are kept, with the key that the driver hides", () => {
  const query = `?sslmode=verify-full&sslcert=${file("cert")}&sslkey=${file("key")}&sslrootcert=${file("root")}`;
  const own = { cert: "PEM of cert", key: "PEM of key", rejectUnauthorized: true };
  const plain = target(at("db.example", query)).config;
  assert.equal(plain.connectionString, at("db.example"));
  assert.deepEqual(toldOf(plain.ssl), { ...own, ca: "PEM of root" });
  const trusting = target(at("db.example", query), { pem: "PEM of ours", verify: "ca" }).config;
  assert.deepEqual(toldOf(trusting.ssl), { ...own, ca: "PEM of ours" });
});
/** The key too, which the driver hides from whoever copies the rest. */
const toldOf = (ssl: unknown): object => {
  const { key } = ssl as { readonly key?: unknown };
  return { ...(ssl as object), key };
};

test("a server whose name is not compared is as good as none; one whose name is compared is taken", () => {
  const root = `sslrootcert=${file("root")}`;
  for (const mode of ["require", "verify-ca"])
    assert.equal(cause(at("db.example", `?uselibpqcompat=true&sslmode=${mode}&${root}`)), "tls-off", mode);
  assert.equal(cause(at("db.example", `?uselibpqcompat=true&sslmode=verify-full&${root}`)), "");
});

test("an address whose words on TLS cannot be taken out is refused, and so is one that then leads elsewhere", () => {
  for (const query of ["?%73slmode=verify-full", "?%73sl=1", "?sslnegotiation=direct"])
    assert.equal(cause(at("db.example", query)), "tls-off", query);
  assert.equal(cause(at("db.example", "?sslmode=verify-full#&host=other.example")), "tls-off");
  assert.equal(cause(at("db.example", "?sslmode=verify-full#&host=db.example")), "");
});

test("an address that turns TLS off contradicts the configuration; one that turns it on again does not", () => {
  for (const query of ["?sslmode=disable", "?ssl=0"])
    assert.equal(cause(at("db.example", query), SYSTEM), "tls-contradicted", query);
  assert.equal(cause(at("db.example", "?ssl=0&sslmode=verify-full"), SYSTEM), "");
});

test("an address that is none is refused by what is wrong with it", () => {
  assert.equal(cause("mysql://user:word@127.0.0.1/ledger"), "url-scheme");
  assert.equal(cause("postgres://user:word@[broken/ledger"), "url-unreadable");
  assert.equal(cause("postgres://user:word@127.0.0.1/ledger"), "");
});

test("without a database and a user to take its name from, the name ends after the host", (t) => {
  const { user } = defaults;
  t.after(() => {
    defaults.user = user;
  });
  Object.assign(defaults, { user: undefined });
  assert.equal(target("postgres://127.0.0.1").name, "postgres 127.0.0.1/");
  assert.equal(target("postgres://me@127.0.0.1").name, "postgres 127.0.0.1/me");
});

const saidAt = (url: string, error: unknown): unknown => target(url).failure(error).facts["said"];

test("the password is hidden as it is and as the address spells it", () => {
  const url = "postgres://user:hunter%402@127.0.0.1/ledger";
  assert.equal(saidAt(url, new Error("hunter@2, hunter%402 and hunter@2 again")), "…, … and … again");
});

test("where there is no password, nothing is hidden", () => {
  for (const url of ["postgres://user@127.0.0.1/ledger", "postgres://user:@127.0.0.1/ledger"])
    assert.equal(saidAt(url, new Error("undefined or null")), "undefined or null", url);
});

test("every error is told by its text, with its code where it has one", () => {
  const coded = (code: unknown): Error => Object.assign(new Error("no"), { code });
  for (const [error, said] of [
    ["a text", "a text"],
    [new Error("no"), "no"],
    [coded("28P01"), "no (28P01)"],
    [coded(5), "no"],
    [new AggregateError([], "none at all"), "none at all"],
    [new AggregateError([coded("28P01")]), "no (28P01)"],
    [new AggregateError([new AggregateError([coded("28P01")]), "a text"]), "no (28P01); a text"],
  ] as const)
    assert.equal(saidAt(at("127.0.0.1"), error), said);
});

test("a connection that was cut is nobody to ask; one of several addresses is enough", () => {
  const { failure } = target(at("127.0.0.1"));
  const refused = Object.assign(new Error("no"), { code: "ECONNREFUSED" });
  for (const error of [
    new Error("Connection terminated"),
    new Error("Connection terminated unexpectedly"),
    new Error("timeout expired"),
    new AggregateError([new Error("no"), refused]),
  ])
    assert.equal(failure(error).cause, "unreachable", String(error));
  for (const error of ["Connection terminated", new Error("Connection"), new AggregateError([new Error("no")])])
    assert.equal(failure(error).cause, "server-said", String(error));
});
