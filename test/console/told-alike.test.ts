// What the console tells of a story is what the command line tells of it: the same records in the same order, the same
// stages, the same states. On a real `dedalus serve` of a simulated cluster, in a real browser, with commands beside.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { buildConsole } from "../../tools/console/build-console.ts";
import { freePort } from "../../tools/servers/free-port.ts";
import { ROOT } from "../../tools/sources.ts";
import { personAt, startBrowser } from "../boundary/approval/at-approval.ts";
import { applied, atCluster, type Cluster, planned } from "../live/cluster.ts";
import { startServe } from "../live/serve-process.ts";

type Told = Readonly<Record<string, unknown>>;
type RecordTold = {
  readonly actor: { readonly id: string; readonly kind: string };
  readonly correlationId: string;
  readonly environment?: string;
  readonly eventTime: string;
  readonly kind: string;
  readonly processTime: string;
  readonly seq: number;
};
type Event = Told & { readonly kind: string; readonly seq: number };

type Scene = { readonly cluster: Cluster; readonly origin: string; readonly page: Page; readonly token: string };
let scene: Scene;
let browser: Browser;
const over = Promise.withResolvers<void>();
let ended: Promise<void>;

/** An apply to its end, one that is refused, a plan that nobody went on with, and a freeze that is lifted again. */
const story = async (cluster: Cluster): Promise<void> => {
  const { dedalus } = cluster;
  const { id } = await planned(cluster, "start", 101);
  assert.equal((await applied(cluster, id)).applied?.[0]?.result.outcome, "succeeded");
  await dedalus("freeze", "--env", "home", "--reason", "look at <b>web-01</b> first");
  assert.notEqual((await dedalus("apply", id, "--step", "1", "--confirm", "0".repeat(64))).code, 0);
  await planned(cluster, "stop", 102);
  await dedalus("unfreeze", "--env", "home", "--reason", "looked at");
};

before(async () => {
  buildConsole(ROOT, join(ROOT, ".cache/console"));
  browser = await startBrowser();
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const ready = Promise.withResolvers<void>();
  ended = atCluster(async (cluster) => {
    await story(cluster);
    const { folder, value } = cluster;
    appendFileSync(join(folder, "dedalus.yaml"), `service: { listen: "127.0.0.1:${port}", url: "${origin}" }\n`);
    const { link } = await value<{ readonly link: string }>("invite", "ada", "--role", "auditor");
    const made = ["--name", "reader", "--role", "auditor", "--days", "7"];
    const { token } = await value<{ readonly token: string }>("token", "create", ...made);
    const serve = await startServe(folder);
    const { page } = await personAt(browser, origin, "ada", link);
    scene = { cluster, origin, page, token };
    ready.resolve();
    await over.promise;
    serve.child.kill("SIGTERM");
    await serve.ended();
  });
  ended.catch(ready.reject);
  await ready.promise;
});
after(async () => {
  over.resolve();
  await browser.close();
  await ended;
});

const recordsBy = async (...options: readonly string[]): Promise<readonly RecordTold[]> =>
  (await scene.cluster.value<{ readonly records: readonly RecordTold[] }>("ledger", "show", ...options)).records;

/** Every cell of every record of the table. */
const rowsOn = async (path: string): Promise<readonly (readonly string[])[]> => {
  const { origin, page } = scene;
  await page.goto(`${origin}/console/${path}`);
  await page.locator("tr[data-row]").first().waitFor();
  return page.evaluate(
    `[...document.querySelectorAll("tr[data-row]")].map((row) => [...row.cells].map((cell) => cell.querySelector("time")?.dateTime ?? cell.textContent))`,
  );
};

const rowOf = ({ actor, environment, eventTime, kind, processTime, seq }: RecordTold): readonly string[] => [
  String(seq),
  eventTime,
  processTime,
  kind,
  `${actor.id} ${actor.kind}`,
  environment ?? "none",
];

test("the ledger and an incident have the records of `ledger show`, in its order and with both times", async () => {
  const all = await recordsBy();
  const { correlationId } = all.find(({ kind }) => kind === "apply") ?? assert.fail("an apply");
  for (const [path, options] of [
    ["ledger", []],
    ["ledger?kind=plan", ["--kind", "plan"]],
    ["incident?vm=101&environment=home", ["--vm", "101", "--env", "home"]],
    ["incident?vm=web-01", ["--vm", "web-01"]],
    [`incident?correlation=${correlationId}`, ["--correlation", correlationId]],
    ["incident?from=2&to=6", ["--from", "2", "--to", "6"]],
  ] as const) {
    const [shown, told] = [await rowsOn(path), await recordsBy(...options)];
    assert.ok(told.length > 0 && (path === "ledger" || told.length < all.length), path);
    assert.deepEqual(
      shown.map((row) => row.slice(0, 6)),
      told.map(rowOf),
      path,
    );
  }
});

test("a command that a page shows is answered by this service wherever it is pasted", async (t) => {
  const { page, token } = scene;
  const [plan] = (await recordsBy("--kind", "plan")).map(({ seq }) => seq);
  await rowsOn("ledger?kind=plan");
  const foot = page.locator(".elsewhere code");
  const pasted = (await foot.allInnerTexts()).find((text) => text.startsWith("dedalus ")) ?? assert.fail("a command");
  // No configuration, no ledger and no server are known there.
  const elsewhere = mkdtempSync(join(tmpdir(), "dedalus-pasted-"));
  t.after(() => rmSync(elsewhere, { recursive: true }));
  const { PATH = "" } = process.env;
  const env = { DEDALUS_TOKEN: token, HOME: elsewhere, PATH: `${join(ROOT, "bin")}:${PATH}` };
  const run = promisify(execFile);
  const { stdout } = await run("bash", ["-c", `${pasted} --json`], { cwd: elsewhere, encoding: "utf8", env });
  const { records } = JSON.parse(stdout) as { readonly records: readonly RecordTold[] };
  assert.deepEqual([records[0]?.kind, records[0]?.seq], ["plan", plan]);
});

test("the incident of a VM has every record of its `history`, and stages with the very same records", async () => {
  const { cluster, page } = scene;
  const { events } = await cluster.value<{ readonly events: readonly Event[] }>("history", "101", "--env", "home");
  const shown = await rowsOn("incident?vm=101&environment=home");
  const seqs = events.map(({ seq }) => String(seq));
  assert.deepEqual(
    shown.map(([seq = ""]) => seq).filter((seq) => seqs.includes(seq)),
    seqs,
  );
  // What history leaves out is what many VMs are in.
  const others = shown.filter(([seq = ""]) => !seqs.includes(seq)).map((row) => row[3]);
  assert.ok(
    others.every((kind) => kind === "register" || kind === "plan"),
    others.join(),
  );
  const stages: readonly string[] = await page.evaluate(
    `[...document.querySelectorAll("section.flow li a")].map(({ textContent, nextSibling }) => textContent + (nextSibling?.textContent ?? "").trimEnd())`,
  );
  const expected = events
    .filter(({ kind }) => ["apply", "challenge", "dispatched", "outcome", "plan"].includes(kind))
    .map(({ kind, refusals, seq }) => `${kind} ${seq}${refusals === undefined ? "" : " (refused)"}`);
  // The observation that a plan stands on is one of several that history has.
  const [observed, acted] = [true, false].map((is) => stages.filter((stage) => stage.startsWith("observe") === is));
  assert.deepEqual(acted?.toSorted(), expected.toSorted());
  assert.ok(observed?.every((stage) => events.some(({ kind, seq }) => stage === `${kind} ${seq}`)));
  assert.ok(expected.some((one) => one.endsWith("(refused)")) && expected.some((one) => one.startsWith("outcome")));
});

const PARTS = {
  blocked: "Blocked VMs",
  freezes: "Freezes",
  last: "Last of each VM",
  observations: "Observations",
  open: "Open intents",
} as const;

/** Every value with the names that lead to it. */
const flat = (value: unknown, name = ""): readonly string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, one]) => flat(one, name === "" ? key : `${name}.${key}`))
    : [`${name} ${value}`];

test("the state after a record is that of `state --at`, member by member, also in the middle of an apply", async () => {
  const { cluster, origin, page } = scene;
  const all = await recordsBy();
  const place = (kind: string): number => all.find((record) => record.kind === kind)?.seq ?? assert.fail(kind);
  const seen = new Set<string>();
  for (const seq of [1, place("apply"), place("outcome"), place("freeze"), place("unfreeze"), all.length - 1]) {
    const told = await cluster.value<Told>("state", "--at", String(seq));
    await page.goto(`${origin}/console/then/${seq}`);
    await page.getByRole("heading", { name: PARTS.open }).waitFor();
    for (const [part, title] of Object.entries(PARTS)) {
      const shown: readonly (readonly string[])[] = await page.evaluate(
        `[...document.querySelectorAll('section[aria-label="${title}"] tbody tr')].map((row) => [...row.cells[1].querySelectorAll("li")].map((member) => member.textContent)).filter((members) => members.length > 0)`,
      );
      const expected = told[part] as readonly unknown[];
      const texts = (members: readonly (readonly string[])[]) =>
        members.map((one) => one.toSorted().join("\n")).toSorted();
      assert.deepEqual(texts(shown), texts(expected.map((one) => flat(one))), `${part} after record ${seq}`);
      if (expected.length > 0) seen.add(part);
    }
  }
  assert.deepEqual([...seen].toSorted(), ["freezes", "last", "observations", "open"]);
});
