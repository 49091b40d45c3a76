// dedalus serve over TLS: what it shows to whoever connects, before and after it is told to read its certificate again.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "node:tls";
import { certificate } from "../adapters/proxmox/certificate.ts";
import { cannot } from "../cannot.ts";
import type { ServeProcess } from "../live/serve-process.ts";
import { soon, until } from "../service/bound.ts";
import { initAt } from "../service/serving.ts";
import { PROGRAM, serveAt } from "./served-folder.ts";

const TLS = "service:\n  listen: 127.0.0.1:7400\n  tls: { certificate: service.crt, key: service.key }\n";

/** The fingerprint of the certificate that a fresh connection is shown, held against the authority that is given. */
const shownAt = (url: string, ca: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ ca, host: hostname, port: Number(port), servername: "localhost" }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on("error", reject);
  });

const statusAt = (url: string, ca: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false, ca }, (reply) => resolve(reply.resume().statusCode)).on("error", reject);
  });

const told = (
  { log }: ServeProcess,
  event: string,
): readonly { readonly codes?: readonly string[]; readonly said?: string }[] =>
  log()
    .split("\n")
    .filter((line) => line.includes(`"event":"${event}"`))
    .map((line) => JSON.parse(line));

test("a hang-up has the certificate read again: a good one is shown from then on, a broken one never", async (t) => {
  const [first, second, third] = [certificate(), certificate(), certificate()];
  const served = await serveAt(t, { files: { "service.crt": first.cert, "service.key": first.key }, more: TLS });
  const { child, folder, url } = served;
  assert.match(url, /^https:/);
  assert.equal(await shownAt(url, first.cert), first.fingerprint);
  assert.equal(await statusAt(`${url}/healthz`, first.cert), 200);
  await assert.rejects(statusAt(`${url}/healthz`, second.cert), "whoever trusts another certificate does not connect");

  const hangUp = async (event: string, count: number, files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
    child.kill("SIGHUP");
    await until(`${event} in the log`, () => told(served, event).length === count);
  };
  await hangUp("certificate-reloaded", 1, { "service.crt": second.cert, "service.key": second.key });
  assert.equal(await shownAt(url, second.cert), second.fingerprint);

  await hangUp("certificate-unusable", 1, { "service.crt": "no certificate" });
  await hangUp("certificate-unusable", 2, { "service.crt": third.cert });
  await hangUp("certificate-unusable", 3, { "service.crt": "", "service.key": "" });
  rmSync(join(folder, "service.key"));
  await hangUp("certificate-unusable", 4, {});
  writeFileSync(join(folder, "service.key"), third.key, { mode: 0o644 });
  await hangUp("certificate-unusable", 5, { "service.crt": third.cert });
  rmSync(join(folder, "service.key"));
  assert.deepEqual(
    told(served, "certificate-unusable").map(({ codes }) => codes),
    [
      ["certificate-unusable"],
      ["certificate-unusable"],
      ["certificate-unusable"],
      ["file-unreadable"],
      ["secret-open"],
    ],
  );
  assert.equal(await shownAt(url, second.cert), second.fingerprint, "the one before stays");
  assert.equal(await statusAt(`${url}/healthz`, second.cert), 200);

  await hangUp("certificate-reloaded", 2, { "service.crt": third.cert, "service.key": third.key });
  assert.equal(await shownAt(url, third.cert), third.fingerprint);
  assert.ok(
    ![first, second, third].some(({ key }) => served.log().includes(key.split("\n")[1] ?? key)),
    "no key is told",
  );
  child.kill("SIGTERM");
  assert.equal(await served.ended(), 0);
});

/** What a start with this certificate is refused with, in a folder of its own. */
const refusedStart = async (cert: string, key: string, mode = 0o600, ...argv: readonly string[]) => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-serve-"));
  try {
    await initAt(folder);
    appendFileSync(join(folder, "dedalus.yaml"), TLS);
    writeFileSync(join(folder, "service.crt"), cert);
    writeFileSync(join(folder, "service.key"), key, { mode });
    const child = spawn(PROGRAM, ["serve", "--json", "--listen", "127.0.0.1:0", ...argv], { cwd: folder });
    const gone = once(child, "close");
    const [line] = await soon("what it says", once(child.stdout, "data"));
    child.kill("SIGKILL");
    await gone;
    const { error } = JSON.parse(String(line)) as {
      readonly error?: { readonly refusals: readonly { readonly cause?: string; readonly rule: string }[] };
    };
    return (error?.refusals ?? []).map(({ cause, rule }) => ({ cause, rule }));
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
};

cannot("B4", "serve with a certificate of another key", {
  neighbour: async () => {
    const { cert, key } = certificate();
    return refusedStart(cert, key);
  },
  offence: () => refusedStart(certificate().cert, certificate().key),
});

cannot("B5", "serve with a key that others can read", {
  neighbour: async () => {
    const { cert, key } = certificate();
    return refusedStart(cert, key);
  },
  offence: async () => {
    const { cert, key } = certificate();
    return refusedStart(cert, key, 0o644);
  },
});

test("a check of a certificate that is none is refused by its file, and needs no key", async () => {
  const check = (cert: string) => refusedStart(cert, "no key", 0o600, "--check");
  assert.deepEqual(await check("no certificate"), [{ cause: "malformed", rule: "B4" }]);
  assert.deepEqual(await check(certificate().cert), []);
});

test("what is no certificate at all is refused at the start, by its file", async () => {
  for (const [cert, key] of [
    ["no certificate", certificate().key],
    ["", certificate().key],
    ["", ""],
  ] as const)
    assert.deepEqual(await refusedStart(cert, key), [{ cause: "malformed", rule: "B4" }], cert);
});
