// Long pages in a browser: a fleet of ten thousand VMs to an empty one, scrolling through it to scrolling through a
// hundred, and a plan of a thousand steps to fetching and parsing its bytes.
//
// What the service would answer comes from memory, so that what is measured is the browser: how fast a service makes it
// is measured elsewhere. The two of a ratio go in turns; a round's ratio is of its own two runs.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CDPSession, chromium, type Page } from "playwright-core";
import { type ConsoleFiles, fileFor } from "../src/boundary/console/console-files.ts";
import { sha256 } from "../src/spine/values/hash.ts";
import { buildConsole } from "../tools/console/build-console.ts";
import { CHROMIUM_ARGUMENTS, findChromium } from "../tools/servers/chromium.ts";
import { ROOT } from "../tools/sources.ts";
import { median } from "./race.ts";
import type { Row } from "./row.ts";

const ROUNDS = 9;
const WHEELS = 60;
const WHEEL_PX = 300;
const VMS = 10_000;
const FEW = 100;
const STEPS = 1_000;
const AT = "2026-01-01T00:00:00.000Z";
const HASH = sha256("bench");
const ID = "01KA4QJ5V8R3W2T6Y7Z8N9M0P1";

const COUNTS = { awaitingRestart: 0, differ: 0, inSync: 0, missing: 0, refused: 0 };

/** Every third VM has a step, every third a refusal: none is cheaper than what is really shown. */
const vmOf = (vmid: number): object => {
  const name = `web-${vmid}`;
  const seen = { cpus: 2, maxmem: 2 ** 31, name, onNode: `pve${vmid % 9}` };
  const of = { cpus: 2, lastObserved: seen, memory: 2 ** 31, name, observationId: ID, target: "running", vmid };
  if (vmid % 3 === 0) return { ...of, judged: "in-sync", vmStatus: "running" };
  const facts = { desiredStatus: "running", observedStatus: "stopped" };
  if (vmid % 3 === 1) {
    const mends = { action: "vm.start", applies: "now", detail: `${name}: stopped, desired running`, facts };
    return {
      ...of,
      judged: "step",
      mends: { ...mends, power: "starts", stepReason: "status-differs" },
      vmStatus: "stopped",
    };
  }
  const text = {
    detail: `it is named other, and the desired entry says ${name}`,
    next: "Make the names agree.",
    summary: "VM has another name",
  };
  const refusal = { code: "name-mismatch", facts: {}, rule: "N8", stage: "plan", text, vmid };
  return { ...of, judged: "refusal", refusals: [refusal], vmStatus: "running" };
};

const fleetOf = (vms: number): string =>
  JSON.stringify({
    at: AT,
    fleet: [
      {
        adapter: "proxmox",
        approvalMode: "four-eyes",
        counts: COUNTS,
        environment: "home",
        frozenNow: false,
        live: true,
        numbers: "provider",
        observationsUsed: [{ ageSeconds: 1, at: AT, complete: true, id: ID, observationDigest: HASH, unseen: [] }],
        registeredVms: Array.from({ length: vms }, (_, at) => vmOf(at + 1)),
        tightened: false,
      },
    ],
  });

const planOf = (steps: number): string => {
  const agreement = {
    agent: { approvals: 1, confirmation: false, ownCounts: false, typedName: false },
    mode: "four-eyes",
    person: { approvals: 0, confirmation: true, ownCounts: false, typedName: false },
    tier: "low",
  };
  const answers = Array.from({ length: steps }, (_, at) => ({
    action: { kind: "vm.start" },
    applies: "now",
    basis: HASH,
    entry: HASH,
    facts: { desiredStatus: "running", observedStatus: "stopped" },
    hash: HASH,
    kind: "step",
    name: `web-${at + 1}`,
    power: "starts",
    protected: false,
    reason: "status-differs",
    undo: "reversible",
    vmid: at + 1,
  }));
  return JSON.stringify({
    applicable: true,
    counts: { ...COUNTS, differ: steps },
    id: ID,
    observedAt: AT,
    plan: {
      answers,
      environment: "home",
      hash: HASH,
      observation: { complete: true, gaps: [] },
      scope: "all",
      standsOn: { desired: HASH, environment: HASH, observation: HASH, policy: HASH, rules: 1 },
      version: 1,
    },
    requester: { door: "service", id: "robo", kind: "agent" },
    status: "awaiting-approval",
    steps: answers.map(({ vmid }) => ({
      agreements: [agreement],
      approvedBy: [],
      endsAt: AT,
      invited: [],
      needed: 1,
      objections: [],
      status: "awaiting-approval",
      step: vmid,
      tier: "low",
      uncounted: [],
      vmid,
    })),
    verdict: { kind: "needs-approval", tiers: [] },
    version: 1,
  });
};

type Serving = { fleet: string };

const serve = (files: ConsoleFiles, serving: Serving): Server => {
  const contract = sha256(readFileSync(join(ROOT, "schemas/openapi.json"), "utf8"));
  const session = JSON.stringify({ contract, signedIn: { atMs: 0, csrf: "", name: "bench" } });
  const plan = planOf(STEPS);
  const answers: Readonly<Record<string, () => string>> = {
    "/console/session": () => session,
    "/v1/allowances": () => '{"allowances":[]}',
    "/v1/fleet": () => serving.fleet,
    [`/v1/plans/${ID}`]: () => plan,
  };
  return createServer((request, reply) => {
    const { pathname } = new URL(request.url ?? "", "http://here");
    const answer = answers[pathname];
    if (answer !== undefined)
      return void reply.writeHead(200, { "content-type": "application/json", etag: `"1-${HASH}"` }).end(answer());
    if (pathname === "/v1/events")
      return void reply.writeHead(200, { "content-type": "text/event-stream" }).write("\n");
    const sent = fileFor(files, pathname.replace("/console/", ""), undefined);
    return void reply.writeHead(sent === undefined ? 404 : 200, sent?.headers).end(sent?.body);
  });
};

/** From the navigation to the frame in which the count of VMs is seen. */
const usableMs = async (page: Page, address: string, vms: number): Promise<number> => {
  await page.goto(address, { waitUntil: "commit" });
  await page.getByText(`${vms} of ${vms} VMs`).waitFor();
  return page.evaluate("new Promise((seen) => requestAnimationFrame(() => setTimeout(() => seen(performance.now()))))");
};

const taskSeconds = async (session: CDPSession): Promise<number> => {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
};

/** The main thread's time for the same turns of a wheel, down and up again. */
const scrolled = async (page: Page, session: CDPSession): Promise<number> => {
  await page.mouse.move(400, 400);
  const from = await taskSeconds(session);
  for (let wheel = 0; wheel < WHEELS; wheel += 1) {
    await page.mouse.wheel(0, Math.floor(wheel / 10) % 2 === 0 ? WHEEL_PX : -WHEEL_PX);
    await page.evaluate("new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)))");
  }
  return (await taskSeconds(session)) - from;
};

/** In the page: reading it again until its rows are seen, and the same bytes fetched and parsed. */
const planRatio = (page: Page): Promise<number> =>
  page.evaluate(`(async () => {
    const frame = () => new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)));
    const bare = async () => {
      const from = performance.now();
      JSON.parse(await (await fetch("/v1/plans/${ID}", { cache: "no-store" })).text());
      return performance.now() - from;
    };
    const shown = async () => {
      const from = performance.now();
      [...document.querySelectorAll("button")].find((one) => one.textContent === "Refresh").click();
      await new Promise((seen) => {
        let gone = false;
        const watch = new MutationObserver(() => {
          const rows = document.querySelectorAll("[data-row]").length;
          if (rows === 0) gone = true;
          if (gone && rows > 0) { watch.disconnect(); seen(); }
        });
        watch.observe(document.body, { childList: true, subtree: true });
      });
      return performance.now() - from;
    };
    const ratios = [];
    for (let round = 0; round < ${ROUNDS + 2}; round += 1) {
      const one = await bare();
      await frame();
      ratios.push((await shown()) / one);
      await frame();
    }
    return ratios.slice(2).sort((a, b) => a - b)[${Math.floor(ROUNDS / 2)}];
  })()`);

export const consolePageRows = async (): Promise<readonly Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-bench-console-"));
  buildConsole(ROOT, folder);
  const files = new Map(readdirSync(folder).map((name) => [name, { bytes: readFileSync(join(folder, name)) }]));
  const fleets = new Map([0, FEW, VMS].map((vms) => [vms, fleetOf(vms)]));
  const serving: Serving = { fleet: "" };
  const server = serve(files, serving).listen(0, "127.0.0.1");
  const browser = await chromium.launch({ args: [...CHROMIUM_ARGUMENTS], executablePath: findChromium() });
  try {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/console`;
    const opened = async (vms: number): Promise<number> => {
      serving.fleet = fleets.get(vms) ?? "";
      return usableMs(page, `${root}/`, vms);
    };
    const openings: number[] = [];
    const scrolls: number[] = [];
    await opened(VMS);
    for (let round = 0; round < ROUNDS; round += 1) {
      const empty = await opened(0);
      openings.push((await opened(VMS)) / empty);
      const long = await scrolled(page, session);
      await opened(FEW);
      scrolls.push(long / (await scrolled(page, session)));
    }
    await page.goto(`${root}/plans/${ID}`);
    await page.getByRole("row", { name: "web-1" }).first().waitFor();
    const statistic = `median of ${ROUNDS} rounds`;
    const count = VMS.toLocaleString("en");
    return [
      { goal: 3, measure: `a fleet of ${count} VMs in a browser, to an empty one`, statistic, value: median(openings) },
      { goal: 1.5, measure: `scrolling in it, to ${FEW} VMs (main thread)`, statistic, value: median(scrolls) },
      {
        goal: 3,
        measure: `a plan of ${STEPS.toLocaleString("en")} steps in a browser, to fetching and parsing it`,
        statistic,
        value: await planRatio(page),
      },
    ];
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { force: true, recursive: true });
  }
};
