// Answers that are lost: cut, slow, somebody else's, or of a service that does not know itself. The page says that it
// is not known, looks up what was recorded, and sends nothing again.
//
// Not here: a service that is killed (killed.test.ts).

import assert from "node:assert/strict";
import type { Route } from "playwright-core";
import { bugProblem } from "../../../src/boundary/contract/problem-json.ts";
import { cannot, type Objection } from "../../cannot.ts";
import { approveButton, decide, nothingCame, once, stage } from "./rule-stage.ts";

/** What a page says of a press whose answer somebody changes on its way. */
const pressedThrough = async (change: (route: Route) => Promise<void>) => {
  const { came, newStep, open } = stage();
  const page = await open((await newStep()).path);
  await page.route("**/approvals", change);
  try {
    const pressed = await came(async () => {
      await decide(page, "Approve");
      await page.getByText(/Recorded as record|Unknown\.|not known/).waitFor();
    });
    return { ...pressed, said: await page.locator(".act").first().innerText() };
  } finally {
    await page.unroute("**/approvals", change);
  }
};

const heardAsItIs = once(() => pressedThrough((route) => route.continue()));

/** An objection where the page says that it does not know. */
const isUnknown = (rule: "P7-E2" | "P7-F1", said: string): readonly Objection[] =>
  /Unknown\.|Whether it was done is not known\./.test(said) && !/Recorded as record|succeeded/.test(said)
    ? [{ rule }]
    : [];

const PROBLEM = bugProblem("01JD2Y8ZC4QW7X9M5T3V6B1K0R");

const UNHEARD: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  "a page of somebody between": (route) =>
    route.fulfill({ body: "<h1>Welcome</h1>", contentType: "text/html", status: 200 }),
  "an answer that names no record": (route) =>
    route.fulfill({ body: "{}", contentType: "application/json", status: 201 }),
  "an error of somebody between": (route) =>
    route.fulfill({ body: "<h1>Bad gateway</h1>", contentType: "text/html", status: 502 }),
  "a problem of which the service does not know what came of it": (route) =>
    route.fulfill({ body: JSON.stringify(PROBLEM), contentType: "application/problem+json", status: 500 }),
  "an ended session that somebody between tells of": (route) =>
    route.fulfill({ body: "<h1>Sign in</h1>", contentType: "text/html", status: 401 }),
  "half an answer": (route) =>
    route.fulfill({
      body: '{"kind":"app',
      contentType: "application/json",
      headers: { "dedalus-record": "12" },
      status: 201,
    }),
  "nothing at all": (route) => route.abort("timedout"),
};

for (const [what, change] of Object.entries(UNHEARD))
  cannot("P7-F1", `take ${what} for the outcome of a press`, {
    neighbour: async () => {
      const { said } = await heardAsItIs();
      assert.match(said, /Recorded as record \d+/);
      return isUnknown("P7-F1", said);
    },
    offence: async () => {
      const { records, said } = await pressedThrough(change);
      assert.deepEqual(records, []);
      assert.equal(await approveButton(stage().page).isDisabled(), true, "nothing else is sent until it is known");
      return isUnknown("P7-F1", said);
    },
  });

cannot("P7-E2", "say what became of a press before it is known, however slow the answer is", {
  // It arrived, and its answer was cut: the record is found by its key.
  neighbour: async () => {
    const { records, said } = await pressedThrough(async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    });
    assert.ok(said.includes(`Recorded as record ${records[0]?.seq}`), said);
    return isUnknown("P7-E2", said);
  },
  offence: async () => {
    const { newStep, open } = stage();
    const page = await open((await newStep()).path);
    const held = Promise.withResolvers<void>();
    const slow = async (route: Route): Promise<void> => {
      await held.promise;
      await route.abort("connectionreset");
    };
    await page.route("**/approvals", slow);
    await decide(page, "Approve");
    await page.getByText("Sent. Waiting for the answer…").waitFor();
    assert.equal(await approveButton(page).isDisabled(), true);
    const waiting = await page.locator(".act").first().innerText();
    assert.doesNotMatch(waiting, /Recorded as record|Unknown/);
    held.resolve();
    await page.getByText("Unknown.").waitFor();
    await page.unroute("**/approvals", slow);
    return isUnknown("P7-E2", await page.locator(".act").first().innerText());
  },
});

cannot("P7-E2", "say that nothing was sent where a session ended while the answer was on its way", {
  neighbour: async () => isUnknown("P7-E2", (await heardAsItIs()).said),
  offence: async () => {
    const { page, person } = stage();
    const kept = await person.context.cookies();
    const { records, said } = await pressedThrough(async (route) => {
      await route.fetch();
      await person.context.clearCookies();
      await route.abort("connectionreset");
    });
    await person.context.addCookies(kept);
    assert.equal(records.length, 1);
    assert.doesNotMatch(said, /Nothing was sent\./);
    assert.equal(await approveButton(page).isDisabled(), true);
    await page.getByRole("button", { name: "Look it up again" }).click();
    await page.getByText(`Recorded as record ${records[0]?.seq}`).waitFor();
    return isUnknown("P7-E2", said);
  },
});

/** The service is another version by the time that somebody presses. */
const pressedWithContract = async (contract: string | undefined) => {
  const { came, newStep, open } = stage();
  const page = await open((await newStep()).path);
  const replace = async (route: Route): Promise<void> => {
    const reply = await route.fetch();
    const session = Object(await reply.json());
    await route.fulfill({ json: { ...session, contract: contract ?? session.contract }, response: reply });
  };
  await page.route("**/console/session", replace);
  try {
    const pressed = await came(async () => {
      await decide(page, "Approve", "typed for long");
      await page.getByText(/Recorded as record|Nothing was sent\./).waitFor();
    });
    assert.equal(await page.getByLabel("Reason").inputValue(), "typed for long");
    return { pressed, said: await page.locator(".act").first().innerText() };
  } finally {
    await page.unroute("**/console/session", replace);
  }
};

cannot("P7-F1", "act from a page that was built for another contract than the service's", {
  neighbour: async () => nothingCame("P7-F1", (await pressedWithContract(undefined)).pressed),
  offence: async () => {
    const { pressed, said } = await pressedWithContract("0".repeat(64));
    assert.match(said, /The service is another version by now\. Nothing was sent\./);
    return nothingCame("P7-F1", pressed);
  },
});
