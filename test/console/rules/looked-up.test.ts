// What a page finds when it looks up a press whose answer was lost: what was recorded, a refusal among it, or that
// nobody could look.

import assert from "node:assert/strict";
import type { Page, Route } from "playwright-core";
import { keyed } from "../../boundary/approval/at-approval.ts";
import { cannot, type Objection } from "../../cannot.ts";
import { ok } from "../../service/serving.ts";
import { approveButton, decide, stage } from "./rule-stage.ts";

/** It arrives, and its answer is cut. */
const cutAnswer = async (route: Route): Promise<void> => {
  await route.fetch();
  await route.abort("connectionreset");
};

const through = async <T>(page: Page, change: (route: Route) => Promise<void>, work: () => Promise<T>): Promise<T> => {
  await page.route("**/approvals", change);
  try {
    return await work();
  } finally {
    await page.unroute("**/approvals", change);
  }
};

const actText = (page: Page): Promise<string> => page.locator(".act").first().innerText();

/** Approved, and the answer lost; `before` comes between reading the page and the press. */
const approvedUnheard = async (before: (plan: string) => Promise<unknown>) => {
  const { came, newStep, open } = stage();
  const { path, plan } = await newStep();
  const page = await open(path);
  await page.getByLabel("Reason").fill("read and agreed");
  await before(plan);
  return through(page, cutAnswer, async () => {
    const { records, sent } = await came(async () => {
      await decide(page, "Approve");
      await page.getByText(/Recorded as record \d+|The refusal is record \d+/).waitFor();
    });
    const isShut = await approveButton(page).isDisabled();
    return { isShut, records, said: await actText(page), sent };
  });
};

cannot("P7-E2", "say of a press that was refused that it is recorded, because its answer was lost", {
  neighbour: async () => {
    const { isShut, said } = await approvedUnheard(async () => undefined);
    assert.equal(isShut, true);
    return /Recorded as record \d+/.test(said) ? [] : [{ rule: "P7-E2" }];
  },
  offence: async () => {
    const { isShut, records, said } = await approvedUnheard(async (plan) => {
      const { at } = stage();
      ok(await at.service.cancel(keyed(at.robo), { plan, reason: "came between" }));
    });
    const record = records.at(-1);
    const [refusal] = Object(Object(record?.body).result).refusals;
    const words = [`(${refusal.rule}, ${refusal.code})`, "Nothing was done.", `The refusal is record ${record?.seq}.`];
    assert.deepEqual(
      words.filter((one) => !said.includes(one)),
      [],
      said,
    );
    assert.equal(isShut, false, "it is known that nothing was done");
    return said.includes("Recorded as record") ? [] : [{ rule: "P7-E2" } satisfies Objection];
  },
});
