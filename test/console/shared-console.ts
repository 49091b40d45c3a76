// One service, one browser and one signed-in person for a whole file of tests: most of them only read, and to begin
// anew for each would take longer than all of them.

import { after, before } from "node:test";
import type { Browser, Page } from "playwright-core";
import { type AtApproval, type Person, startBrowser } from "../boundary/approval/at-approval.ts";
import { OPERATOR, ok } from "../service/serving.ts";
import { atConsole, builtConsole } from "./at-console.ts";

export type SharedConsole = {
  readonly at: AtApproval;
  readonly browser: Browser;
  readonly page: Page;
  readonly person: Person;
};

/** What is ready once the tests of the file run; `prepare` comes after the person has signed in. */
export const sharedConsole = (
  name: string,
  roles: Parameters<AtApproval["person"]>[1],
  prepare: (shared: SharedConsole) => Promise<void> = async () => undefined,
): (() => SharedConsole) => {
  const endings: (() => Promise<void>)[] = [];
  let shared: SharedConsole | undefined;
  before(async () => {
    const browser = await startBrowser();
    endings.push(() => browser.close());
    const at = await atConsole({ after: (work) => void endings.push(work) }, browser, builtConsole());
    const person = await at.person(name, roles);
    shared = { at, browser, page: person.page, person };
    await prepare(shared);
  });
  after(async () => {
    for (const end of endings.toReversed()) await end();
  });
  return () => {
    if (shared === undefined) throw new Error("the service has not begun");
    return shared;
  };
};

/** Registers VMs that should run; the provider names each of them web-01. */
export const registerVms = async (
  { service }: AtApproval,
  vms: readonly { readonly name?: string; readonly vmid: number }[],
): Promise<void> => {
  const lines = vms.map(({ name = "web-01", vmid }) => `  - { vmid: ${vmid}, name: ${name}, target: running }\n`);
  const text = `version: 1\nenvironment: home\nvms:\n${lines.join("")}`;
  const desired = { file: "desired.yaml", text };
  ok(await service.register(OPERATOR, { desired, environment: "home", loosens: "whatever" }));
};

/** Both themes and widths on one page: nobody has to sign in again for another look. */
export const LOOKS = [
  { colorScheme: "light", width: 1000 },
  { colorScheme: "dark", width: 320 },
] as const;

export const lookAs = async (page: Page, { colorScheme, width }: (typeof LOOKS)[number]): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ height: 900, width });
};
