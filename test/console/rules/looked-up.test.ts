// What a page finds when it looks up a press whose answer was lost: what was recorded, a refusal among it, or that
// nobody could look.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page, Route } from "playwright-core";
import { keyed } from "../../boundary/approval/at-approval.ts";
import { cannot, type Objection } from "../../cannot.ts";
import { ok } from "../../service/serving.ts";
import { approveButton, decide, once, stage } from "./rule-stage.ts";

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

/** What the page says of a press that never arrived, and whose key is then asked for and answered in this way. */
const saidOf = async (answer: (route: Route) => Promise<void>): Promise<string> => {
  const { newStep, open } = stage();
  const page = await open((await newStep()).path);
  await page.route("**/v1/keys/*", answer);
  try {
    return await through(
      page,
      (route) => route.abort("connectionreset"),
      async () => {
        await decide(page, "Approve");
        await page.getByText("Unknown.").waitFor();
        return actText(page);
      },
    );
  } finally {
    await page.unroute("**/v1/keys/*", answer);
  }
};

const saidWhereSomebodyLooked = once(() => saidOf((route) => route.continue()));

/** An objection where the page does not say that a record is missing. */
const leavesItOpen = (said: string): readonly Objection[] =>
  said.includes("so far no record has the key") ? [] : [{ rule: "P7-F1" }];

const UNLOOKED: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  "a service that has too much to do": (route) =>
    route.fulfill({ body: JSON.stringify({ title: "Overloaded" }), status: 503 }),
  "a service that has heard too much": (route) => route.fulfill({ body: "{}", status: 429 }),
  "no service": (route) => route.abort("connectionrefused"),
};

for (const [what, answer] of Object.entries(UNLOOKED))
  cannot("P7-F1", `say that no record has a key where ${what} was asked`, {
    neighbour: async () => leavesItOpen(await saidWhereSomebodyLooked()),
    offence: async () => {
      const said = await saidOf(answer);
      assert.match(said, /the service does not say whether a record has the key/);
      return leavesItOpen(said);
    },
  });

cannot("P7-F1", "say that no record has a key where somebody else signed in who cannot see it", {
  neighbour: async () => leavesItOpen(await saidWhereSomebodyLooked()),
  offence: async () => {
    const { came, newStep, open, page } = stage();
    const another = async (route: Route): Promise<void> => {
      const reply = await route.fetch();
      const session = Object(await reply.json());
      await route.fulfill({ json: { ...session, signedIn: { ...session.signedIn, name: "gwen" } }, response: reply });
    };
    await open((await newStep()).path);
    const { records } = await came(() =>
      through(
        page,
        async (route) => {
          await route.fetch();
          await page.route("**/console/session", another);
          await route.abort("connectionreset");
        },
        async () => {
          await decide(page, "Approve");
          await page.getByText("Unknown.").waitFor();
        },
      ),
    );
    const said = await actText(page);
    await page.unroute("**/console/session", another);
    assert.equal(records.length, 1);
    assert.match(said, /somebody else is signed in here by now, who cannot look up the key/);
    await page.getByRole("button", { name: "Look it up again" }).click();
    await page.getByText(`Recorded as record ${records[0]?.seq}`).waitFor();
    return leavesItOpen(said);
  },
});

test("an apply and what is shown before it go on where their answers were lost and their records are found", async () => {
  const { at, came, newStep, open } = stage();
  const { path, title } = await newStep("person");
  const page = await open(path);
  const show = page.getByRole("button", { name: "Show what I would confirm" });
  const calls = at.served.provider.counts.calls;
  await page.route("**/challenges", cutAnswer, { times: 1 });
  const { records } = await came(async () => {
    await show.click();
    await page.getByText("It was recorded as shown, and its answer was lost.").waitFor();
    await show.click();
    await page.getByText("It can be confirmed until").waitFor();
    await page.route("**/applies", cutAnswer, { times: 1 });
    await page.getByRole("button", { exact: true, name: title }).click();
    await page.getByText("succeeded").waitFor();
  });
  const kinds = records.map(({ kind }) => kind);
  assert.deepEqual(
    ["challenge", "apply"].map((kind) => kinds.filter((one) => one === kind).length),
    [2, 1],
  );
  assert.equal(at.served.provider.counts.calls, calls + 1);
});
