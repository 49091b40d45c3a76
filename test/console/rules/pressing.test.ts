// Pressing a button of the console: never by default, one press is one request and one record, and nothing is sent
// again.

import assert from "node:assert/strict";
import type { Page, Route } from "playwright-core";
import { cannot, type Objection } from "../../cannot.ts";
import {
  approveButton as approve,
  type Came,
  decide,
  isActing,
  nothingCame,
  once,
  recorded,
  stage,
  type WaitingStep,
} from "./rule-stage.ts";
import { beginningOf, type PageWalked, walked } from "./walk.ts";

const pressedOn = async ({ path }: WaitingStep, press: (page: Page) => Promise<unknown>): Promise<Came> => {
  const { came, open } = stage();
  const page = await open(path);
  return came(() => press(page));
};

const approvedAnew = async (): Promise<Came> =>
  pressedOn(await stage().newStep(), async (page) => {
    await decide(page, "Approve");
    await recorded(page).waitFor();
  });
const approved = once(approvedAnew);

/** Presses what is there, disabled or not, as somebody would who does not read. */
const insist = async (page: Page): Promise<void> => {
  await approve(page).click({ force: true });
  await approve(page).dispatchEvent("click");
};

cannot("P7-A2", "agree on a page without a reason", {
  neighbour: async () => nothingCame("P7-A2", await approved()),
  offence: async () => nothingCame("P7-A2", await pressedOn(await stage().newStep(), insist)),
});

cannot("P7-A2", "agree on a page with a reason of blanks", {
  neighbour: async () => nothingCame("P7-A2", await approved()),
  offence: async () =>
    nothingCame(
      "P7-A2",
      await pressedOn(await stage().newStep(), async (page) => {
        await page.getByLabel("Reason").fill(" \n\t ");
        await insist(page);
      }),
    ),
});

/** An objection where nothing is chosen or typed, and no act has the focus. */
const isUndecided = ({ chosen, focus, typed }: PageWalked["begun"]): readonly Objection[] =>
  chosen === 0 && typed === "" && focus === "MAIN" ? [{ rule: "P7-A2" }] : [];

cannot("P7-A2", "begin on any page with something chosen or typed, or with the focus on an act", {
  neighbour: async () => {
    const page = await stage().open((await stage().newStep()).path);
    await page.getByLabel("Reason").fill("typed by a person");
    return isUndecided(await beginningOf(page));
  },
  offence: async () => {
    const { pages } = await walked();
    const undecided = pages.flatMap(({ begun }) => isUndecided(begun));
    return undecided.length === pages.length ? undecided : [];
  },
});

cannot("P7-A2", "apply what nobody was shown: the button is not there before it", {
  neighbour: async () => {
    const step = await stage().newStep("person");
    const page = await stage().open(step.path);
    await page.getByRole("button", { name: "Show what I would confirm" }).click();
    return nothingCame(
      "P7-A2",
      await stage().came(async () => {
        await page.getByRole("button", { exact: true, name: step.title }).click();
        await page.getByText("succeeded").waitFor();
      }),
    );
  },
  offence: async () => {
    const step = await stage().newStep("person");
    return nothingCame(
      "P7-A2",
      await pressedOn(step, async (page) => {
        await page.getByRole("button", { name: "Show what I would confirm" }).waitFor();
        assert.equal(await page.getByRole("button", { exact: true, name: step.title }).count(), 0);
      }),
    );
  },
});

/** Somebody presses, and then again in one of the ways that are no second decision. */
const again = async (more: (page: Page, step: WaitingStep) => Promise<unknown>): Promise<Came> => {
  const { came, newStep, open } = stage();
  const step = await newStep();
  const page = await open(step.path);
  await decide(page, "Approve");
  await recorded(page).waitFor();
  return came(() => more(page, step));
};

cannot("P7-E1", "act twice by a second press on the same page", {
  neighbour: async () => nothingCame("P7-E1", await approved()),
  offence: async () => nothingCame("P7-E1", await again(insist)),
});

/** Two decisions on two pages. */
const approvedTwice = once(async (): Promise<Came> => {
  const [one, two] = [await approvedAnew(), await approvedAnew()];
  return { records: [...one.records, ...two.records], sent: [...one.sent, ...two.sent] };
});

/** An objection where it was one request, and left one record. */
const isOne = ({ records, sent }: Came): readonly Objection[] =>
  sent.filter(isActing).length === 1 && records.length === 1 ? [{ rule: "P7-E1" }] : [];

cannot("P7-E1", "act twice by a double click: it is one request and one record", {
  neighbour: async () => isOne(await approvedTwice()),
  offence: async () =>
    isOne(
      await pressedOn(await stage().newStep(), async (page) => {
        await page.getByLabel("Reason").fill("pressed twice");
        await approve(page).dblclick();
        await recorded(page).waitFor();
      }),
    ),
});

cannot("P7-E1", "act twice by two presses in one turn of the page", {
  neighbour: async () => isOne(await approvedTwice()),
  offence: async () =>
    isOne(
      await pressedOn(await stage().newStep(), async (page) => {
        await page.getByLabel("Reason").fill("pressed twice");
        await approve(page).focus();
        await page.evaluate("[document.activeElement, document.activeElement].forEach((button) => button.click())");
        await page.getByText(/Recorded as record|Nothing was done/).waitFor();
      }),
    ),
});

cannot("P7-E1", "act twice by going back and pressing again: what was typed is gone, and has to be decided anew", {
  neighbour: async () => nothingCame("P7-E1", await approved()),
  offence: async () =>
    nothingCame(
      "P7-E1",
      await again(async (page, { path }) => {
        await page.getByRole("link", { name: "Fleet" }).click();
        await page.getByRole("heading", { name: "Fleet" }).waitFor();
        await page.goBack();
        await page.waitForURL(`**${path}`);
        await approve(page).waitFor();
        await insist(page);
      }),
    ),
});

/** One step is confirmed in two tabs, and another one, or the same, is applied in the second. */
const appliedInTwoTabs = async (second: "another step" | "the same step"): Promise<readonly Objection[]> => {
  const { at, came, newStep, open, person } = stage();
  const first = await newStep("person");
  const steps = [first, second === "the same step" ? first : await newStep("person")];
  const tabs = [await person.context.newPage(), await person.context.newPage()];
  const calls = at.served.provider.counts.calls;
  try {
    for (const [number, page] of tabs.entries()) {
      await open(steps[number]?.path ?? "", page);
      await page.getByRole("button", { name: "Show what I would confirm" }).dispatchEvent("click");
      await page.getByText("It can be confirmed until").waitFor();
    }
    const both = await came(async () => {
      // A tab behind another one is drawn once a second, and a click waits for it.
      const press = (page: Page, number: number): Promise<void> =>
        page.getByRole("button", { exact: true, name: steps[number]?.title ?? "" }).dispatchEvent("click");
      await Promise.all(tabs.map(press));
      for (const page of tabs)
        await page
          .getByText(/succeeded|Nothing was done/)
          .first()
          .waitFor();
    });
    const applies = both.records.filter(({ kind }) => kind === "apply");
    assert.deepEqual([both.sent.filter(isActing).length, applies.length], [2, 2], "each press left its record");
    assert.equal(new Set(applies.map(({ idempotencyKey }) => idempotencyKey)).size, 2, "and had a key of its own");
    return at.served.provider.counts.calls === calls + 1 ? [{ rule: "P7-E1" }] : [];
  } finally {
    for (const page of tabs) await page.close();
  }
};

cannot("P7-E1", "apply a step twice in two tabs: each press is recorded, and the provider is called once", {
  neighbour: () => appliedInTwoTabs("another step"),
  offence: () => appliedInTwoTabs("the same step"),
});

/** The answer to what is pressed never comes; the request does not even arrive. */
const lost = async (page: Page, work: () => Promise<unknown>): Promise<void> => {
  const cut = (route: Route): Promise<void> => route.abort("connectionreset");
  await page.route("**/approvals", cut);
  try {
    await work();
  } finally {
    await page.unroute("**/approvals", cut);
  }
};

const pressedInVain = async (): Promise<Page> => {
  const { newStep, open } = stage();
  const page = await open((await newStep()).path);
  await lost(page, async () => {
    await decide(page, "Approve");
    await page.getByText("Unknown.").waitFor();
  });
  return page;
};

cannot("P7-F3", "send again what was lost: not by looking it up, not when the network is back", {
  // Whoever wants it all the same decides anew in another tab, on the page as it is then.
  neighbour: async () => {
    const { came, open, person } = stage();
    const { pathname } = new URL((await pressedInVain()).url());
    const page = await open(pathname, await person.context.newPage());
    const decided = await came(async () => {
      await decide(page, "Approve");
      await recorded(page).waitFor();
    });
    await page.close();
    return nothingCame("P7-F3", decided);
  },
  offence: async () => {
    const page = await pressedInVain();
    return nothingCame(
      "P7-F3",
      await stage().came(async () => {
        await page.getByRole("button", { name: "Look it up again" }).click();
        await page.context().setOffline(true);
        await page.context().setOffline(false);
        await page.evaluate("dispatchEvent(new Event('online'))");
        await insist(page);
        await page.getByText("Unknown.").waitFor();
      }),
    );
  },
});
