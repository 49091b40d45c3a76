// dedalus serve, as a process: it says where it listens, serves, and ends without leaving anything in doubt.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { freePort } from "../../tools/servers/free-port.ts";
import { soon, until } from "../service/bound.ts";
import { codes, initAt, keyed, ok, readyToApply, serving } from "../service/serving.ts";
import { PROGRAM, serveAt } from "./served-folder.ts";

test("it says where it listens, is ready, logs a line for each request, and ends with 0", async (t) => {
  const served = await serveAt(t);
  const ready = await fetch(`${served.url}/readyz`);
  assert.equal(ready.status, 200);
  assert.equal(((await ready.json()) as { readonly engine: string }).engine, "sqlite");
  assert.equal((await fetch(`${served.url}/v1/plans`)).status, 401);
  const described = (await (await fetch(`${served.url}/openapi.json`)).json()) as { readonly openapi: string };
  assert.match(described.openapi, /^3\.1/);
  await until("the log", () => served.log().includes("authentication-failed"));
  for (const line of served.log().trimEnd().split("\n")) assert.equal(typeof JSON.parse(line).event, "string");
  served.child.kill("SIGTERM");
  assert.equal(await served.ended(), 0);
});

test("a port that is taken is named with the key that names another, and the service there goes on", async (t) => {
  const served = await serveAt(t);
  const words = ["serve", "--json", "--listen", served.url.replace("http://", "")];
  const { status, stdout } = spawnSync(PROGRAM, words, { cwd: served.folder, encoding: "utf8" });
  const [refusal] = JSON.parse(stdout).error.refusals;
  assert.deepEqual([status, refusal.code, refusal.cause], [2, "port-unusable", "service-taken"]);
  assert.match(refusal.text.next, /service\.listen/);
  assert.equal((await fetch(`${served.url}/readyz`)).status, 200);
});

test("a receiver whose secret is not there is logged when the service starts, and one that has its own is not", async (t) => {
  const hook = (n: number) =>
    `    - { format: standard, url: "https://hooks.example/${n}", secret: { file: hook-${n} }, events: [outcome] }\n`;
  const served = await serveAt(t, {
    files: { "hook-1": `whsec_${Buffer.alloc(32).toString("base64")}` },
    more: `service:\n  url: http://localhost:7400\n  webhooks:\n${hook(1)}${hook(2)}`,
  });
  const halted = () =>
    served
      .log()
      .split("\n")
      .filter((line) => line.includes("webhook-halted"))
      .map((line) => JSON.parse(line))
      .map(({ cause, receiver }) => [cause, receiver]);
  await until("the log", () => halted().length > 0);
  assert.deepEqual(halted(), [["secret-absent", "standard-2"]]);
});

test("whether it is ready is asked by the same command, and nobody who listens is not reached", async (t) => {
  const served = await serveAt(t);
  const check = async () => {
    const words = ["serve", "--check", "--json", "--listen", served.url.replace("http://", "")];
    const child = spawn(PROGRAM, words, { cwd: served.folder });
    const [[line], [code]] = await soon("the check", Promise.all([once(child.stdout, "data"), once(child, "exit")]));
    return [JSON.parse(String(line)).kind, code];
  };
  assert.deepEqual(await check(), ["ready", 0]);
  served.child.kill("SIGTERM");
  assert.equal(await served.ended(), 0);
  assert.deepEqual(await check(), ["unreachable", 8]);
});

test("a hang-up ends nothing, and an interrupt does", async (t) => {
  const served = await serveAt(t);
  served.child.kill("SIGHUP");
  assert.equal((await fetch(`${served.url}/healthz`)).status, 200);
  served.child.kill("SIGINT");
  assert.equal(await served.ended(), 0);
});

test("where it would listen beyond this machine without TLS it does not start", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-serve-"));
  t.after(() => rmSync(folder, { force: true, recursive: true }));
  await initAt(folder);
  const child = spawn(PROGRAM, ["serve", "--listen", "0.0.0.0:7400", "--json"], { cwd: folder });
  let out = "";
  child.stdout.on("data", (data) => {
    out += data;
  });
  child.stderr.on("data", (data) => {
    out += data;
  });
  const [code] = await soon("the end", once(child, "exit"));
  assert.equal(code, 2);
  assert.match(out, /"tls-off"/);
});

test("told to end, a step that was not sent ends as failed, and no call is made", async (t) => {
  const served = await serving(t);
  const [begun, over] = [new AbortController(), new AbortController()];
  const service = served.openEnding({ begun: begun.signal, over: over.signal });
  const request = await readyToApply(service);
  const release = served.provider.observing.close();
  const { value } = ok(await service.apply(keyed(), request));
  begun.abort();
  release();
  const { file } = await soon("the outcome", value.underway?.ended ?? assert.fail("it is performed here"));
  assert.deepEqual([file.outcome, file.cause], ["failed", "performer-ending"]);
  assert.equal(served.provider.counts.calls, 0);
  await service.close();
  assert.deepEqual(codes(await service.plans(keyed(), {})), ["service-ending"]);
});

test("what was sent is waited for, and recorded as unknown when that takes too long", async (t) => {
  const served = await serving(t);
  const [begun, over] = [new AbortController(), new AbortController()];
  const service = served.openEnding({ begun: begun.signal, over: over.signal });
  const request = await readyToApply(service);
  served.provider.verdict.close();
  const { value } = ok(await service.apply(keyed(), request));
  await until("the call", () => served.provider.counts.calls === 1);
  begun.abort();
  over.abort();
  const { file, recorded } = await soon("the outcome", value.underway?.ended ?? assert.fail("it is performed here"));
  assert.deepEqual([file.outcome, recorded], ["unknown", true]);
});

test("its start rules at the service door, and people find the page to sign in at", async (t) => {
  const port = await freePort();
  const served = await serveAt(t, {
    listen: `127.0.0.1:${port}`,
    more: `service:\n  listen: 127.0.0.1:${port}\n  url: http://127.0.0.1:${port}\n`,
  });
  const page = await fetch(`${served.url}/sign-in`);
  assert.deepEqual([page.status, page.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
  assert.match(await page.text(), /Sign in with a passkey/);
  served.child.kill("SIGTERM");
  assert.equal(await served.ended(), 0);
  const show = spawnSync(PROGRAM, ["ledger", "show", "--kind", "start", "--json"], { cwd: served.folder });
  const { records } = JSON.parse(String(show.stdout)) as {
    readonly records: readonly { readonly body: { readonly request: object } }[];
  };
  assert.deepEqual(
    records.map(({ body }) => Object.hasOwn(body.request, "serves")),
    [true],
  );
});
