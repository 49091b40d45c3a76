// What an examination says of the service that is configured, and of the files that it names.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Refusal } from "../../src/spine/model.ts";
import { certificate } from "../adapters/proxmox/certificate.ts";
import { withLedger } from "../cli/ledger-desk.ts";

type Check = { readonly check: string; readonly code: string; readonly refusals: readonly Refusal[] };

const examined = (service: string, prepare: (folder: string) => void = () => undefined): Promise<readonly Check[]> =>
  withLedger(1, async (dedalus, folder) => {
    writeFileSync(join(folder, "dedalus.yaml"), `service:\n${service}`, { flag: "a" });
    prepare(folder);
    return JSON.parse((await dedalus("doctor", "--json")).out).checks;
  });
const of = (checks: readonly Check[], name: string): Check =>
  checks.find(({ check }) => check === name) ?? assert.fail();

const TLS = "  tls: { certificate: service.pem, key: service.key }\n";

test("a service is told by how people come to it", async () => {
  assert.equal(of(await examined("  {}\n"), "service").code, "service-near");
  assert.equal(of(await examined("  url: https://dedalus.example\n"), "service").code, "service-invites");
  for (const url of [
    "https://192.0.2.7",
    "https://192.0.2.7:7400",
    "https://127.1",
    "http://127.0.0.1:7400",
    "http://[::1]:7400",
  ])
    assert.equal(of(await examined(`  url: "${url}"\n`), "service").code, "service-nameless", url);
  for (const url of ["http://localhost:7400", "https://dedalus:7400"])
    assert.equal(of(await examined(`  url: "${url}"\n`), "service").code, "service-invites", url);
  const oidc =
    "  oidc: { issuer: https://id.example, clientId: a, groups: { g: { roles: [observer], environments: all } } }\n";
  for (const url of ["https://dedalus.example", "https://192.0.2.7"])
    assert.equal(of(await examined(`  url: ${url}\n${oidc}`), "service").code, "service-signs-in");
});

test("whether browsers stay signed in over a restart is told where they sign in", async () => {
  const said = async (more: string) =>
    (await examined(more)).flatMap(({ check, code }) => (check === "sessions" ? [code] : []));
  const url = "  url: https://dedalus.example\n";
  assert.deepEqual(await said("  {}\n"), []);
  assert.deepEqual(await said(url), ["sessions-until-restart"]);
  assert.deepEqual(await said(`${url}  sealingKey: { file: seal }\n`), ["sessions-sealed"]);
});

test("a certificate and a key that nobody could serve with are named, and a pair that fits is not", async () => {
  const [own, other] = [certificate(), certificate()];
  const said = async (cert?: string, key?: string) => {
    const checks = await examined(TLS, (folder) => {
      if (cert !== undefined) writeFileSync(join(folder, "service.pem"), cert);
      if (key !== undefined) writeFileSync(join(folder, "service.key"), key, { mode: 0o600 });
    });
    return of(checks, "service").refusals.map(({ cause, code }) => `${code} ${cause}`);
  };
  assert.deepEqual(await said(), ["file-unreadable ENOENT"]);
  assert.deepEqual(await said(own.cert), ["file-unreadable ENOENT"]);
  assert.deepEqual(await said("junk", own.key), ["certificate-unusable malformed"]);
  assert.deepEqual(await said(own.cert, "junk"), ["certificate-unusable malformed"]);
  assert.deepEqual(await said(own.cert, other.key), ["certificate-unusable mismatch"]);
  assert.deepEqual(await said(own.cert, own.key), []);
});

test("a key of the service that others may read is no secret", async () => {
  const { cert, key } = certificate();
  const open = (mode: number) => (folder: string) => {
    writeFileSync(join(folder, "service.pem"), cert);
    writeFileSync(join(folder, "service.key"), key, { mode });
  };
  const codes = (checks: readonly Check[]) =>
    ["secrets", "service"].map((name) => of(checks, name).refusals.map(({ code }) => code));
  assert.deepEqual(codes(await examined(TLS, open(0o644))), [["secret-open"], []], "told once");
  assert.deepEqual(codes(await examined(TLS, open(0o600))), [[], []]);
});

test("a secret of the service that is not there is a fault, but for one that systemd brings", async () => {
  const said = async (file: string, prepare?: (folder: string) => void) => {
    const hook = `{ format: standard, url: "https://hooks.example", secret: { file: ${file} }, events: [outcome] }`;
    const checks = await examined(`  url: https://dedalus.example\n  webhooks:\n    - ${hook}\n`, prepare);
    return of(checks, "secrets").refusals.map(({ code }) => code);
  };
  assert.deepEqual(await said("hook"), ["secret-absent"]);
  assert.deepEqual(await said("hook", (folder) => writeFileSync(join(folder, "hook"), "x", { mode: 0o600 })), []);
  assert.deepEqual(await said("/run/credentials/dedalus.service/hook"), []);
});

/** An environment more, whose credential is `one secret`. */
const knownToProvider = (folder: string): void => {
  writeFileSync(join(folder, "home.token"), "one secret", { mode: 0o600 });
  const environment = `  away: { adapter: proxmox, url: https://pve.example, tls: { verify: system }, credentials: { observe: { file: home.token } }, approval: four-eyes, maxObservationAge: 5 min, desired: away.yaml }\n`;
  const file = join(folder, "dedalus.yaml");
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace("environments:\n", (line) => `${line}${environment}`),
  );
};
const sharedIn = (checks: readonly Check[]) => of(checks, "secrets").refusals.map(({ code, facts }) => [code, facts]);

test("a secret of the service that a provider knows too is named, though two files hold it", async () => {
  const shared = async (sealing: string) =>
    sharedIn(
      await examined("  sealingKey: { file: sealing.key }\n", (folder) => {
        writeFileSync(join(folder, "sealing.key"), sealing, { mode: 0o600 });
        knownToProvider(folder);
      }),
    );
  assert.deepEqual(await shared("one secret"), [["secret-shared", { environment: "away" }]]);
  assert.deepEqual(await shared("another secret"), []);
});

test("an address of the ledger that a provider knows too is named, though two files hold it", async () => {
  const shared = async (address: string) =>
    sharedIn(
      await examined("  {}\n", (folder) => {
        writeFileSync(join(folder, "ledger.address"), address, { mode: 0o600 });
        knownToProvider(folder);
        const file = join(folder, "dedalus.yaml");
        const text = readFileSync(file, "utf8");
        const written = "ledger: { engine: postgres, url: { file: ledger.address } }\n";
        assert.match(text, LEDGER_WRITTEN);
        writeFileSync(file, text.replace(LEDGER_WRITTEN, written));
      }),
    );
  assert.deepEqual(await shared("one secret"), [["secret-shared", { environment: "away" }]]);
  assert.deepEqual(await shared("postgres://dedalus@127.0.0.1:1/ledger"), []);
});
const LEDGER_WRITTEN = /^ledger:.*\n(?: .*\n)*/m;

test("a certificate and the anchor are not one file", async () => {
  await withLedger(1, async (dedalus, folder) => {
    const tls = "service:\n  tls: { certificate: anchor/checkpoints.txt, key: service.key }\n";
    writeFileSync(join(folder, "dedalus.yaml"), tls, { flag: "a" });
    const { code, out } = await dedalus("status", "--json");
    assert.deepEqual([code, JSON.parse(out).error.refusals[0].code], [2, "path-shared"]);
  });
});
