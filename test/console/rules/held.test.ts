// What is pressed and not settled is held by the tab: reading the page again, going back and loading it anew neither
// forget it nor open its button.

import assert from "node:assert/strict";
import type { Page, Route } from "playwright-core";
import { cannot, type Objection } from "../../cannot.ts";
import { approveButton, type Came, decide, isActing, nothingCame, pageRead, recorded, stage } from "./rule-stage.ts";

/** The request never arrives. */
const cut = (route: Route): Promise<void> => route.abort("connectionreset");

type Deed = (page: Page) => Promise<unknown>;

/** Pressed with its answer lost, then what somebody does to the page, then pressed as if nothing had been. */
const pressedAfter = async (deed: Deed): Promise<Came> => {
  const { came, newStep, open } = stage();
  const page = await open((await newStep()).path);
  await page.route("**/approvals", cut);
  await decide(page, "Approve", "typed once");
  await page.getByText("Unknown.").waitFor();
  await page.unroute("**/approvals", cut);
  return came(async () => {
    await deed(page);
    await pageRead(page);
    await approveButton(page).waitFor();
    await page.getByLabel("Reason").fill("pressed again");
    await approveButton(page).click({ force: true });
    await approveButton(page).dispatchEvent("click");
    await page.getByText(/Unknown\.|Recorded as record/).waitFor();
  });
};

const readAgain: Deed = (page) => page.getByRole("button", { exact: true, name: "Refresh" }).first().click();
const awayAndBack: Deed = async (page) => {
  await page.getByRole("link", { name: "Fleet" }).click();
  await page.getByRole("heading", { name: "Fleet" }).waitFor();
  await page.goBack();
};

const DEEDS: Readonly<Record<string, Deed>> = {
  "going away and back": awayAndBack,
  "loading the page anew": (page) => page.reload(),
  "reading the page again": readAgain,
};

for (const [what, deed] of Object.entries(DEEDS))
  cannot("P7-E1", `open the button of a press that is not settled by ${what}`, {
    // Another step is another act.
    neighbour: async () => {
      const { newStep } = stage();
      const { path } = await newStep();
      return nothingCame(
        "P7-E1",
        await pressedAfter(async (page) => {
          await page.goto(`${stage().at.origin}${path}`);
        }),
      );
    },
    offence: async () => nothingCame("P7-E1", await pressedAfter(deed)),
  });

/** An objection where it was one request, and left one record. */
const isOnce = ({ records, sent }: Came): readonly Objection[] =>
  sent.filter(isActing).length === 1 && records.length === 1 ? [{ rule: "P7-E1" }] : [];

cannot("P7-E1", "act twice by pressing, reading again before the answer and pressing again", {
  neighbour: async () => {
    const { came, newStep, open } = stage();
    const steps = [await newStep(), await newStep()];
    return isOnce(
      await came(async () => {
        for (const { path } of steps) {
          const page = await open(path);
          await decide(page, "Approve");
          await recorded(page).waitFor();
        }
      }),
    );
  },
  offence: async () => {
    const { came, newStep, open } = stage();
    const page = await open((await newStep()).path);
    const held = Promise.withResolvers<void>();
    const slow = async (route: Route): Promise<void> => {
      await held.promise;
      await route.continue();
    };
    await page.route("**/approvals", slow);
    const pressed = await came(async () => {
      await decide(page, "Approve", "typed once");
      await page.getByText("Sent. Waiting for the answer…").waitFor();
      await readAgain(page);
      await page.getByText("Sent. Waiting for the answer…").waitFor();
      assert.equal(await page.getByLabel("Reason").inputValue(), "typed once", "what was typed stays");
      await approveButton(page).dispatchEvent("click");
      held.resolve();
      await recorded(page).waitFor();
    });
    await page.unroute("**/approvals", slow);
    return isOnce(pressed);
  },
});

/** A page that cannot be drawn, in a tab of its own. */
const failedAfter = async (deed: Deed): Promise<string> => {
  const { newStep, open, person } = stage();
  const page = await open((await newStep()).path, await person.context.newPage());
  try {
    await deed(page);
    await page.route("**/review", async (route) => {
      const reply = await route.fetch();
      await route.fulfill({ json: { ...Object(await reply.json()), requester: undefined }, response: reply });
    });
    await readAgain(page);
    await page.getByText("This page has failed.").waitFor();
    return await page.getByRole("alert").innerText();
  } finally {
    await page.close();
  }
};

/** An objection where the page does not say that nothing was sent. */
const leavesItOpen = (said: string): readonly Objection[] =>
  said.includes("nothing was sent") ? [] : [{ rule: "P7-E2" }];

cannot("P7-E2", "say that nothing was sent on a page that failed after a press", {
  neighbour: async () => leavesItOpen(await failedAfter(async () => undefined)),
  offence: async () => {
    const keys: string[] = [];
    const said = await failedAfter(async (page) => {
      page.on("request", (request) => keys.push(...[request.headers()["idempotency-key"] ?? []].flat()));
      await decide(page, "Approve");
      await recorded(page).waitFor();
    });
    assert.equal(keys.length, 1);
    assert.ok(said.includes(keys[0] ?? "no key"), said);
    return leavesItOpen(said);
  },
});
