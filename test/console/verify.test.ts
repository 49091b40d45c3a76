// Verification in a real browser, by its worker, against a service whose bytes are altered on their way.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import type { Page } from "playwright-core";
import { vkeyOf } from "../../src/ledger/tree/checkpoint.ts";
import { picture } from "../boundary/approval/at-approval.ts";
import { OPERATOR, ok } from "../service/serving.ts";
import { sharedConsole } from "./shared-console.ts";

const shared = sharedConsole("ada", ["auditor"], async ({ at: { asked, service } }) => {
  await asked();
  ok(await service.checkpoint(OPERATOR, {}));
});
afterEach(() => shared().person.context.unrouteAll());

const keyOf = async (): Promise<string> => ok(await shared().at.service.checkpoints(OPERATOR, {})).value.key;

type Change = (text: string) => string;

/** Answers below a path with their text changed on its way; the pages ask through the same door as the worker. */
const alter = (page: Page, path: string, change: Change): Promise<unknown> =>
  page.context().route(`**${path}`, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ body: change(await reply.text()), response: reply });
  });

const verified = async (page: Page, origin: string, key: string, expected: RegExp): Promise<void> => {
  await page.goto(`${origin}/console/verify`);
  await page.getByLabel("Public key of the ledger").fill(key);
  await page.getByRole("button", { name: "Verify" }).click();
  await page.getByText(expected).first().waitFor();
};

test("a ledger is consistent by itself, proven under a key that was pasted, and not under another", async () => {
  const { at, page } = shared();
  const { origin } = at;
  const key = await keyOf();
  await verified(page, origin, "", /^Consistent; origin not proven\./);
  await verified(page, origin, key, /^Proven\./);
  const [name = "", id = "", ...rest] = key.split("+");
  await verified(page, origin, [`${name}x`, id, ...rest].join("+"), /^This key cannot be used:/);
  // Another key of another name, as its maker would hand it on.
  const other = "dedalus/other+ed3f6a2b+AQ==";
  await verified(page, origin, other, /^This key cannot be used:/);
});

const DAMAGE: readonly (readonly [what: string, path: string, change: Change, expected: RegExp])[] = [
  [
    "a field of a record",
    "/v1/records?*",
    (text) => text.replace('"door":"local"', '"door":"lokal"'),
    /^Record 1: its prev is/,
  ],
  [
    "a form that no record has",
    "/v1/records?*",
    (text) => text.replace('"seq":2,"v":1}', '"seq":2, "v":1}'),
    /^Record 2: it leaves the canonical form at byte/,
  ],
  [
    "a record that is not there",
    "/v1/records?*",
    (text) => text.replace(/,\{"actor":(?:(?!\},\{"actor").)*"seq":2,"v":1\}/, ""),
    /^Record 2: its seq is 3 where 2 belongs/,
  ],
  [
    "an answer that was cut",
    "/v1/records?*",
    (text) => text.slice(0, -40),
    /^The answer was cut off before record \d+\.$/,
  ],
  ["an empty answer", "/v1/records?from=0&to=*", () => '{"records":[]}', /^The service gave no record 0, though/],
  [
    "a root that nobody signed",
    "/v1/checkpoints*",
    (text) => text.replaceAll(/\\n(\d+)\\n[A-Za-z0-9+/]{43}=\\n/g, (_, size) => `\\n${size}\\n${"A".repeat(43)}=\\n`),
    /^Checkpoint \d+ proves nothing: the signature of .* is not valid/,
  ],
];

for (const [what, path, change, expected] of DAMAGE)
  test(`what was altered on its way is named, and what follows is unproven: ${what}`, async () => {
    const { at, page } = shared();
    const { origin } = at;
    const key = await keyOf();
    await verified(page, origin, key, /^Proven\./);
    await alter(page, path, change);
    await verified(page, origin, key, /^The ledger does not hold\./);
    await page.getByRole("listitem").filter({ hasText: expected }).first().waitFor();
    await page
      .getByText(/unproven\.$/)
      .first()
      .waitFor();
    assert.equal(await page.getByText("Proven.", { exact: true }).count(), 0);
    await picture(page, `console-verify-${what.replaceAll(" ", "-")}`);
  });

test("the verifier is told of every key and press while it verifies, and of none before or after", async () => {
  const { at, page } = shared();
  await page.goto(`${at.origin}/console/verify`);
  await page.evaluate(`(() => {
    window.told_ = [];
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (said) {
      window.told_.push(typeof said === "string" ? said : "asked");
      return postMessage.call(this, said);
    };
  })()`);
  const told = (): Promise<readonly string[]> => page.evaluate("window.told_");
  const field = page.getByLabel("Public key of the ledger");
  await field.press("a");
  await field.fill("");
  assert.deepEqual(await told(), []);
  // The first page of records is held back until somebody has typed.
  const { promise: typed, resolve } = Promise.withResolvers<void>();
  await page.context().route("**/v1/records?*", async (route) => {
    await typed;
    return route.continue();
  });
  await page.getByRole("button", { name: "Verify" }).click();
  await field.press("a");
  await page.getByRole("heading", { level: 1 }).click();
  assert.deepEqual(await told(), ["asked", "somebody-acts", "somebody-acts"]);
  resolve();
  await page.getByText(/^Consistent; origin not proven\./).waitFor();
  await field.press("a");
  assert.equal((await told()).length, 3);
});

test("a service without a checkpoint proves nothing, and neither does one that signs with another key", async () => {
  const { at, page } = shared();
  const key = await keyOf();
  const other = vkeyOf({ name: "another", publicKey: Buffer.alloc(32, 7) });
  await verified(page, at.origin, other, /^Not proven\./);
  assert.equal(await page.getByText("The ledger does not hold.").count(), 0);
  const withheld =
    (anchoredCount: number): Change =>
    (text) =>
      JSON.stringify({ ...JSON.parse(text), anchoredCount, firstNote: 0, signedCheckpoints: [] });
  await alter(page, "/v1/checkpoints*", withheld(0));
  await verified(page, at.origin, key, /^Consistent; nothing proven\./);
  await page.context().unrouteAll();
  await alter(page, "/v1/checkpoints*", withheld(3));
  await verified(page, at.origin, key, /^The ledger does not hold\./);
  await page.getByText("The service says that it has 3 checkpoints, and gave 0 of them.").waitFor();
});

test("a service that shows a shorter ledger than its checkpoints cover is found", async () => {
  const { at, page } = shared();
  const { origin } = at;
  const key = await keyOf();
  await page.context().route("**/v1/records?*", async (route) => {
    const reply = await route.fetch();
    const url = new URL(route.request().url());
    if (Number(url.searchParams.get("to")) > 3) {
      url.searchParams.set("to", "3");
      return route.fulfill({ response: await route.fetch({ url: url.href }) });
    }
    const whole = await route.fetch({ url: `${url.origin}/v1/records?from=3&to=4` });
    const [, hash] = /"prev":"([0-9a-f]{64})"/.exec(await whole.text()) ?? [];
    return route.fulfill({ headers: { ...reply.headers(), etag: `"3-${hash}"` }, response: reply });
  });
  await verified(page, origin, key, /^The ledger does not hold\./);
  await page
    .getByText(/a signed checkpoint covers \d+ records, and the ledger has 3/)
    .first()
    .waitFor();
});

test("whoever does not see the whole ledger is refused in the kernel's words, and nothing is said of it", async () => {
  const { origin, person } = shared().at;
  const { page } = await person("finn", ["observer"]);
  await verified(page, origin, "", /^Nothing was done\.$/);
  for (const said of ["Proven.", "Consistent;", "does not hold"]) assert.equal(await page.getByText(said).count(), 0);
});

test("a verification can be stopped, and one that gets no answer says so", async () => {
  const { at, page } = shared();
  const { origin } = at;
  await page
    .context()
    .route("**/v1/records?from=0&to=*", (route) =>
      route.request().url().includes("to=0") ? route.continue() : undefined,
    );
  await verified(page, origin, "", /^Reading the checkpoints…$/);
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("Reading the checkpoints…").waitFor({ state: "detached" });
  await page.context().unrouteAll();
  await page.context().route("**/v1/checkpoints*", (route) => route.abort());
  await page.getByRole("button", { name: "Verify" }).click();
  await page.getByText("No answer from the service.").waitFor();
});
