// Where the rules are tried in a real browser: one service, one person who may do everything, steps that wait, and what
// came of a deed: every request that left the browser, and every record.
//
// One stage for every file of this folder that runs in one process: to begin anew takes longer than most of the tests.

import assert from "node:assert/strict";
import type { BrowserContext, Page, Request } from "playwright-core";
import { type Address, PAGES, type PageName, pathTo } from "../../../src/console/page-address.ts";
import type { LedgerRecord } from "../../../src/ledger/record/record.ts";
import type { RuleId } from "../../../src/spine/rules/invariants.ts";
import { keyed } from "../../boundary/approval/at-approval.ts";
import type { Objection } from "../../cannot.ts";
import { until } from "../../service/bound.ts";
import { ok } from "../../service/serving.ts";
import { vmidOf } from "../../spine/world.ts";
import { registerVms, type SharedConsole, sharedConsole } from "../shared-console.ts";

export type Came = {
  readonly records: readonly LedgerRecord[];
  /** `POST /v1/…`, in the order in which they left; the event stream is not among them. */
  readonly sent: readonly string[];
};

export type WaitingStep = {
  readonly path: string;
  readonly plan: string;
  /** `Start web-01 (VM 101)`. */
  readonly title: string;
  readonly vmid: number;
};

export type RuleStage = SharedConsole & {
  /** What a deed came to, once nothing is under way any more. */
  readonly came: (deed: () => Promise<unknown>, context?: BrowserContext) => Promise<Came>;
  /** A step of a VM that nothing was asked for before, planned by the agent or by the person. */
  readonly newStep: (by?: "agent" | "person") => Promise<WaitingStep>;
  readonly open: (path: string, page?: Page) => Promise<Page>;
};

const FIRST_VMID = 101;
/** More than a table has in the page at once. */
const VMS = 260;
const EVENTS = "/v1/events";

export const isActing = (sent: string): boolean => !/^(?:GET|HEAD) /.test(sent);

/** An objection where nothing was sent but reads, and nothing recorded: what was done was no act. */
export const nothingCame = (rule: RuleId, { records, sent }: Came): readonly Objection[] =>
  records.length === 0 && !sent.some(isActing) ? [{ rule }] : [];

/** One press was one request and left one record, whose key the request had. */
export const assertOnePress = ({ records, sent }: Came): LedgerRecord => {
  assert.equal(sent.filter(isActing).length, 1, sent.join());
  const [record, ...others] = records;
  assert.deepEqual([record === undefined, others], [false, []]);
  return record ?? assert.fail("it is recorded");
};

/** Looked for more often than a locator does: most of the time here goes into it. */
const READ = `new Promise((resolve, reject) => {
  const look = (times) => {
    const isRead = document.querySelector("main h1") !== null && !document.body.innerText.includes("Loading…");
    if (isRead) resolve();
    else if (times === 0) reject(new Error("the page did not come"));
    else setTimeout(look, 10, times - 1);
  };
  look(1_000);
})`;

export const pageRead = (page: Page): Promise<void> => page.evaluate<void>(READ);

export const approveButton = (page: Page) => page.getByRole("button", { name: "Approve: " });
export const recorded = (page: Page) => page.getByText(/Recorded as record \d+/).last();

export const decide = async (page: Page, word: "Approve" | "Deny", reason = "read and agreed"): Promise<void> => {
  await page.getByLabel("Reason").fill(reason);
  await page.getByRole("button", { name: `${word}: ` }).click();
};

/** Once for every claim that is about the same deed. */
export const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let begun: Promise<T> | undefined;
  return () => {
    begun ??= work();
    return begun;
  };
};

const listening = (context: BrowserContext) => {
  const sent: string[] = [];
  const underWay = new Set<Request>();
  const leave = (request: Request): void => {
    const { pathname } = new URL(request.url());
    if (pathname === EVENTS) return;
    underWay.add(request);
    sent.push(`${request.method()} ${pathname}`);
  };
  const end = (request: Request): void => void underWay.delete(request);
  context.on("request", leave);
  context.on("requestfinished", end);
  context.on("requestfailed", end);
  return {
    isStill: () => underWay.size === 0,
    sent,
    stop: () => {
      context.off("request", leave);
      context.off("requestfinished", end);
      context.off("requestfailed", end);
    },
  };
};

/** A page does what it does after an answer within a few turns of its own loop. */
const turnOver = (page: Page): Promise<void> =>
  page.evaluate<void>(`(async () => {
    for (let turns = 5; turns > 0; turns -= 1) await new Promise((resume) => setTimeout(resume, 4));
  })()`);

export const cameIn =
  (own: BrowserContext, records: () => Promise<readonly LedgerRecord[]>): RuleStage["came"] =>
  async (deed, context = own) => {
    const before = (await records()).length;
    const heard = listening(context);
    try {
      await deed();
      for (let known = -1; known !== heard.sent.length; ) {
        known = heard.sent.length;
        await until("the end of every request", heard.isStill);
        await Promise.all(context.pages().map(turnOver));
      }
    } finally {
      heard.stop();
    }
    return { records: (await records()).slice(before), sent: heard.sent };
  };

/** Whatever stands in the path of a page; one that is not here fails by its name. */
const filled = (path: string, parts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from(path.matchAll(/\{([a-z]+)\}/g), ([, name = ""]) => [
      name,
      parts[name] ?? assert.fail(`no page is opened by ${name}`),
    ]),
  );

/** Pages that show something only where they are asked about something. */
const QUERIES: { readonly [P in PageName]?: Address<P>["query"] } = {
  incident: { environment: "home", vm: String(FIRST_VMID) },
};

/** The address of every page of the console, filled with what there is. */
export const pathsOfPages = (plan: string): Readonly<Record<PageName, string>> => {
  const parts = { environment: "home", plan, seq: "1", step: "1", vmid: "101" };
  const rows = Object.entries(PAGES).map(([page, { path }]) => {
    const address = { page, parts: filled(path, parts), query: QUERIES[page as PageName] ?? {} };
    return [page, pathTo(address as Address)];
  });
  return Object.fromEntries(rows) as Record<PageName, string>;
};

const setStage = async (console: SharedConsole): Promise<RuleStage> => {
  const { at, page, person } = console;
  const vms = Array.from({ length: VMS }, (_, number) => ({ vmid: FIRST_VMID + number }));
  await registerVms(at, vms);
  let vmid = FIRST_VMID - 1;
  const planned = async (by: "agent" | "person", of: number): Promise<string> => {
    const asked = { environment: "home", registeredOnly: true, scope: [vmidOf(of)] } as const;
    if (by === "agent") return ok(await at.service.makePlan(keyed(at.robo), asked)).value.id;
    const reply = await person.context.request.post(`${at.origin}/v1/plans`, {
      data: asked,
      headers: { "dedalus-csrf": await person.csrf(), "idempotency-key": keyed(at.robo).key ?? "" },
    });
    return ((await reply.json()) as { readonly id?: string }).id ?? assert.fail(await reply.text());
  };
  return {
    ...console,
    came: cameIn(person.context, at.served.records),
    newStep: async (by = "agent") => {
      vmid += 1;
      const plan = await planned(by, vmid);
      return { path: `/console/plans/${plan}/steps/1`, plan, title: `Start web-01 (VM ${vmid})`, vmid };
    },
    open: async (path, shown = page) => {
      await shown.goto(`${at.origin}${path}`);
      await pageRead(shown);
      return shown;
    },
  };
};

let set: RuleStage | undefined;
sharedConsole("finn", ["approver", "auditor", "operator"], async (console) => {
  set = await setStage(console);
});

export const stage = (): RuleStage => set ?? assert.fail("the stage is not set");
