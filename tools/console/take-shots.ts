// make console-shots: a picture of every page of the console, in both themes, of what `make up` brings up once somebody
// has approved and applied a step there; into docs/images.
//
// The cluster is the same each time; ids, times and hashes are not. A page without a row here does not compile.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CDPSession, chromium, type Page } from "playwright-core";
import { type Address, type PageName, pathTo } from "../../src/console/page-address.ts";
import { CHROMIUM_ARGUMENTS, findChromium } from "../servers/chromium.ts";
import { ROOT } from "../sources.ts";
import { bringUp, signInAs } from "./bring-up.ts";

const IMAGES = join(ROOT, "docs/images");
const SIZE = { height: 800, width: 1_200 };
/** As high as the page, between these: the beginning of a long one says enough. */
const HEIGHTS = [480, 1_200] as const;
/** In hundredths. Less than half of what the same pictures take without loss, and no letter looks another. */
const QUALITY = 80;

/** What the story left: the plan of everything, the step that waits, the record of the step that was applied. */
type Story = { readonly plan: string; readonly seq: string; readonly waiting: string };

/** What each page is opened with, and what is seen once it is there. */
const SHOTS: { readonly [P in PageName]: (story: Story) => readonly [Omit<Address<P>, "page">, seen: string] } = {
  after: ({ seq }) => [{ parts: { seq }, query: {} }, "Last of each VM"],
  approvals: () => [{ parts: {}, query: {} }, "1 waiting"],
  fleet: () => [{ parts: {}, query: {} }, "batch-01"],
  incident: () => [{ parts: {}, query: { environment: "home", vm: "101" } }, "Stages"],
  ledger: () => [{ parts: {}, query: {} }, "Records 0"],
  plan: ({ plan }) => [{ parts: { plan }, query: {} }, "Answers"],
  plans: ({ plan }) => [{ parts: {}, query: {} }, plan],
  posture: () => [{ parts: {}, query: {} }, "Who you are"],
  record: ({ seq }) => [{ parts: { seq }, query: {} }, "As it was written"],
  rules: () => [{ parts: {}, query: {} }, "N1"],
  start: () => [{ parts: {}, query: {} }, "Begin a configuration"],
  step: ({ waiting }) => [{ parts: { plan: waiting, step: "1" }, query: {} }, "Your decision"],
  verify: () => [{ parts: {}, query: {} }, "Public key of the ledger"],
  vm: () => [{ parts: { environment: "home", vmid: "101" }, query: {} }, "Desired beside observed"],
};

const readAt = async <T>(page: Page, path: string): Promise<T> =>
  (await page.request.get(new URL(path, page.url()).href)).json();

type Waiting = { readonly waiting: readonly { readonly planId: string; readonly vmid: number }[] };
type Plans = { readonly plans: readonly { readonly by: string; readonly id: string }[] };
type Events = { readonly events: readonly { readonly kind: string; readonly seq: number }[] };

/** Somebody asks for a plan of everything, approves what an agent asked for, and applies it. */
const play = async (page: Page, url: string): Promise<Story> => {
  const recorded = page.getByText(/Recorded as record \d+/);
  await page.getByRole("button", { name: "Plan home" }).click();
  await recorded.waitFor();
  const { waiting } = await readAt<Waiting>(page, "/v1/status");
  const [first, second] = [101, 103].map((vmid) => waiting.find((one) => one.vmid === vmid)?.planId ?? "");
  const step = pathTo({ page: "step", parts: { plan: first ?? "", step: "1" }, query: {} });
  await page.goto(new URL(step, url).href);
  await page.getByLabel("Reason").fill("web-01 serves again from today");
  await page.getByRole("button", { name: "Approve: Start web-01 (VM 101)" }).click();
  await recorded.waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Show what I would confirm" }).click();
  await page.getByText("It can be confirmed until").waitFor();
  await page.getByRole("button", { exact: true, name: "Start web-01 (VM 101)" }).click();
  await page.getByText("succeeded").waitFor();
  const { plans } = await readAt<Plans>(page, "/v1/plans");
  const { events } = await readAt<Events>(page, "/v1/environments/home/vms/101/history");
  const plan = plans.findLast(({ by }) => by === "olga")?.id;
  const applied = events.findLast(({ kind }) => kind === "apply")?.seq;
  if (plan === undefined || applied === undefined || second === undefined) throw new Error("the story went otherwise");
  return { plan, seq: String(applied), waiting: second };
};

const take = async (page: Page, camera: CDPSession, url: string, name: PageName, story: Story): Promise<number> => {
  const [at, seen] = SHOTS[name](story);
  await page.setViewportSize(SIZE);
  await page.goto(new URL(pathTo({ ...at, page: name } as Address), url).href);
  await page.getByText(seen).first().waitFor();
  await page.evaluate("document.fonts.ready.then(() => undefined)");
  const [low, high] = HEIGHTS;
  const height = await page.evaluate<number>('document.querySelector("footer").getBoundingClientRect().bottom');
  await page.setViewportSize({ ...SIZE, height: Math.min(high, Math.max(low, Math.ceil(height))) });
  let bytes = 0;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { data } = await camera.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
    const picture = Buffer.from(data, "base64");
    writeFileSync(join(IMAGES, `console-${name}-${colorScheme}.webp`), picture);
    bytes += picture.length;
  }
  return bytes;
};

const folder = mkdtempSync(join(tmpdir(), "dedalus-shots-"));
const up = await bringUp(join(folder, "up"));
const browser = await chromium.launch({ args: [...CHROMIUM_ARGUMENTS], executablePath: findChromium() });
try {
  const page = await (await browser.newContext({ viewport: SIZE })).newPage();
  await signInAs(page, up.url, "olga");
  const story = await play(page, up.url);
  const camera = await page.context().newCDPSession(page);
  mkdirSync(IMAGES, { recursive: true });
  for (const name of readdirSync(IMAGES).filter((one) => one.startsWith("console-"))) rmSync(join(IMAGES, name));
  const names = Object.keys(SHOTS) as readonly PageName[];
  let bytes = 0;
  for (const name of names) bytes += await take(page, camera, up.url, name, story);
  process.stdout.write(`${names.length} pages in two themes, ${Math.round(bytes / 1_024)} KiB, in docs/images\n`);
} finally {
  await browser.close();
  await up.stop();
  rmSync(folder, { force: true, recursive: true });
}
