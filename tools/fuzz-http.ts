// make fuzz, of the HTTP door: requests that are nearly what the OpenAPI file describes, at a real service, for a
// bounded time.
//
//   node tools/fuzz-http.ts --seconds 60 [--seed N]
//
// Exit code 1 when something was found: a bug, a refusal that is no problem, or a service that is gone.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chanceFrom } from "./fuzz/chance.ts";
import { objectionToReply, sendFuzzed } from "./fuzz/http-objections.ts";
import { fuzzedRequest, type OpenApi } from "./fuzz/http-request.ts";
import { ROOT } from "./sources.ts";

const { values } = parseArgs({ options: { seconds: { default: "60", type: "string" }, seed: { type: "string" } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const program = join(ROOT, "bin/dedalus");
const folder = mkdtempSync(join(tmpdir(), "dedalus-fuzz-"));
const dedalus = (...words: readonly string[]): string =>
  execFileSync(program, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

dedalus("init", ".", "--operator", "alice");
const made = JSON.parse(dedalus("token", "create", "--name", "olga", "--role", "operator", "--days", "1", "--json"));
const child = spawn(program, ["serve", "--listen", "127.0.0.1:0", "--json"], { cwd: folder });
child.stderr.resume();
const failures: string[] = [];
let sent = 0;
try {
  const [line] = await once(child.stdout, "data");
  const { url } = JSON.parse(String(line)) as { readonly url: string };
  const openapi: OpenApi = JSON.parse(readFileSync(join(ROOT, "schemas/openapi.json"), "utf8"));
  const untilMs = performance.now() + Number(values.seconds) * 1_000;
  for (; performance.now() < untilMs && failures.length === 0; sent += 1) {
    const request = fuzzedRequest(openapi, chanceFrom(seed + sent));
    const objection = objectionToReply(await sendFuzzed(url, made.token, request));
    if (objection !== undefined)
      failures.push(`seed ${seed}, request ${sent}: ${objection}: ${JSON.stringify(request)}`);
  }
  if ((await fetch(`${url}/healthz`)).status !== 200) failures.push("the service is gone");
} finally {
  child.kill("SIGTERM");
  rmSync(folder, { force: true, recursive: true });
}
process.stdout.write(
  `${[`seed ${seed}, ${sent} requests over HTTP, ${failures.length} found`, ...failures].join("\n")}\n`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
