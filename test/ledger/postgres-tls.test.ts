// A ledger on PostgreSQL elsewhere than on this machine is reached by verified TLS alone: the rule on urls, and the
// handshake with a real server that has a certificate.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { openPostgres } from "../../src/ledger/engines/postgres/postgres.ts";
import { type PostgresTrust, targetOf } from "../../src/ledger/engines/postgres/postgres-target.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { type PostgresServer, startPostgres } from "../../tools/servers/postgres.ts";
import { serverUser } from "../../tools/servers/unprivileged.ts";
import { cannot } from "../cannot.ts";

const SYSTEM: PostgresTrust = { verify: "system" };
const judged = (url: string, trust?: PostgresTrust): readonly Refusal[] => {
  const target = targetOf(url, trust);
  return target.kind === "refused" ? [target.refusal] : [];
};
const at = (host: string, query = ""): string => `postgres://user:word@${host}/ledger${query}`;

/** Whatever a host may look like that is not this machine. */
for (const host of [
  "db.example",
  "10.0.0.5",
  "127.0.0.1.example",
  "localhost.example",
  "[2001:db8::1]",
  "[::ffff:10.0.0.5]",
]) {
  cannot("B4", `reach a ledger on ${host} without TLS`, {
    neighbour: () => [
      ...judged(at(host), SYSTEM),
      ...judged(at(host, "?sslmode=verify-full")),
      ...judged(at("127.0.0.1")),
    ],
    offence: () => judged(at(host)),
  });
}
cannot("B4", "reach a ledger elsewhere that the query of its url names", {
  neighbour: () => judged(at("127.0.0.1", "?host=127.0.0.2")),
  offence: () => judged(at("127.0.0.1", "?host=db.example")),
});
cannot("B4", "turn off in the url what the configuration asks for", {
  neighbour: () => judged(at("127.0.0.1", "?sslmode=verify-full"), SYSTEM),
  offence: () => judged(at("127.0.0.1", "?sslmode=disable"), SYSTEM),
});
for (const query of [
  "?sslmode=no-verify",
  "?ssl=no-verify",
  "?uselibpqcompat=true&sslmode=require",
  "?%73slmode=no-verify",
]) {
  cannot("B4", `turn verification off by ${query}`, {
    neighbour: () => judged(at("db.example", "?sslmode=verify-full")),
    offence: () => judged(at("db.example", query)),
  });
}

test("this machine needs no TLS: its loopback addresses and its sockets", () => {
  for (const host of ["127.0.0.1", "127.8.9.10", "localhost", "[::1]", "%2Frun%2Fpostgresql"])
    assert.deepEqual(judged(at(host)), [], host);
  assert.deepEqual(judged("postgres:///ledger?host=/run/postgresql"), []);
});

test("what the driver is told says verified in so many words, whatever the url says beside it", () => {
  for (const [url, trust] of [
    [at("db.example", "?sslmode=require"), undefined],
    [at("db.example", "?ssl=true&application_name=x"), undefined],
    [at("db.example"), SYSTEM],
    [at("127.0.0.1", "?sslmode=prefer"), { pem: "PEM", verify: "ca" }],
  ] as const) {
    const target = targetOf(url, trust);
    assert.ok("config" in target, url);
    const { connectionString = "", ssl } = target.config;
    assert.equal((ssl as { readonly rejectUnauthorized?: boolean }).rejectUnauthorized, true);
    assert.doesNotMatch(connectionString, /ssl/);
    if (trust?.verify === "ca") assert.equal((ssl as { readonly ca?: string }).ca, trust.pem);
  }
});

suite("a real server with a certificate", () => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-tls-"));
  let server: PostgresServer;
  const openssl = (...argv: readonly string[]): void => {
    const { status, stderr } = spawnSync("openssl", argv, { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0, stderr);
  };
  /** An authority, and a certificate of it for a name. */
  const authority = (name: string): void => {
    openssl(
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-days",
      "2",
      "-subj",
      `/CN=${name}`,
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.pem`,
    );
  };
  const pem = (name: string): PostgresTrust => ({
    pem: readFileSync(join(folder, `${name}.pem`), "utf8"),
    verify: "ca",
  });
  before(async () => {
    authority("right");
    authority("wrong");
    writeFileSync(join(folder, "names"), "subjectAltName=IP:127.0.0.1\n");
    openssl(
      "req",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-subj",
      "/CN=ledger",
      "-keyout",
      "server.key",
      "-out",
      "server.csr",
    );
    openssl(
      "x509",
      "-req",
      "-in",
      "server.csr",
      "-CA",
      "right.pem",
      "-CAkey",
      "right.key",
      "-days",
      "2",
      "-extfile",
      "names",
      "-out",
      "server.pem",
    );
    chmodSync(folder, 0o755);
    const user = serverUser();
    for (const file of ["server.key", "server.pem"]) {
      chmodSync(join(folder, file), 0o600);
      if (user !== undefined) chownSync(join(folder, file), user.uid, user.gid);
    }
    server = await startPostgres({
      settings: {
        fsync: "on",
        ssl: "on",
        ssl_cert_file: join(folder, "server.pem"),
        ssl_key_file: join(folder, "server.key"),
      },
    });
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const opened = async (url: string, trust?: PostgresTrust): Promise<string> => {
    const result = await openPostgres(url, { mode: "write", ...(trust === undefined ? {} : { trust }) });
    if (result.kind === "refused") return result.refusal.code;
    await result.engine.close();
    return "open";
  };

  test("the right authority and the right name connect, encrypted; any other is refused", async () => {
    const { url } = server;
    assert.equal(await opened(url, pem("right")), "open");
    assert.equal(await opened(`${url}?sslmode=verify-full&sslrootcert=${join(folder, "right.pem")}`), "open");
    assert.equal(await opened(url, pem("wrong")), "ledger-untrusted", "an authority that did not sign it");
    assert.equal(await opened(url, SYSTEM), "ledger-untrusted", "the authorities of this machine did not either");
    assert.equal(await opened(url.replace("127.0.0.1", "localhost"), pem("right")), "ledger-untrusted", "another name");
    assert.equal(await opened(`${url}?sslmode=disable`, pem("right")), "ledger-untrusted");
    assert.equal(await opened(url), "open", "on this machine it may be plain");
  });

  test("a switch of Node's own turns nothing off", async () => {
    const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      assert.equal(await opened(server.url, pem("wrong")), "ledger-untrusted");
      assert.equal(await opened(`${server.url}?sslmode=verify-full`), "ledger-untrusted");
    } finally {
      if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
      else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
    }
  });
});

test("a server without TLS is not talked to plainly where TLS is asked for", async () => {
  const plain = await startPostgres({ settings: { fsync: "off" } });
  try {
    const result = await openPostgres(plain.url, { mode: "read", trust: SYSTEM });
    assert.equal(result.kind, "refused");
  } finally {
    await plain.stop();
  }
});
