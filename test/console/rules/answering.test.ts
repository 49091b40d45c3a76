// What the kernel answers to a press: its own words and nothing else, the same for the same, and a record of every one.

import assert from "node:assert/strict";
import type { Page, Route } from "playwright-core";
import type { ProblemJson } from "../../../src/boundary/contract/problem-json.ts";
import type { LedgerRecord } from "../../../src/ledger/record/record.ts";
import { keyed } from "../../boundary/approval/at-approval.ts";
import { cannot, type Objection } from "../../cannot.ts";
import { OPERATOR, ok } from "../../service/serving.ts";
import {
  approveButton as approve,
  assertOnePress,
  type Came,
  decide,
  once,
  recorded,
  stage,
  type WaitingStep,
} from "./rule-stage.ts";

/** Every sentence of a problem that the page does not have as it is. */
const unsaid = (problem: ProblemJson, shown: string): readonly Objection[] =>
  problem.refusals
    .flatMap(({ code, rule, text }) => [text.summary, text.detail, text.why ?? "", text.next, `(${rule}, ${code})`])
    .filter((sentence) => !shown.includes(sentence))
    .map((sentence) => ({ rule: "P7-E3", sentence }));

/** The same act, asked for over HTTP by the same person. */
const refusedOverHttp = async ({ plan }: WaitingStep): Promise<ProblemJson> => {
  const { at, person } = stage();
  const reply = await person.context.request.post(`${at.origin}/v1/plans/${plan}/steps/1/approvals`, {
    data: { reason: "read and agreed" },
    headers: { "dedalus-csrf": await person.csrf(), "idempotency-key": keyed(OPERATOR).key ?? "" },
  });
  const problem = (await reply.json()) as ProblemJson;
  assert.ok(problem.refusals?.length > 0, JSON.stringify(problem));
  return problem;
};

/** Refused after the press, because something came between: on a page that is read later the button is closed. */
type Refused = { readonly came: Came; readonly shown: string; readonly step: WaitingStep };

const pressedInVain = async (step: WaitingStep, page: Page): Promise<Refused> => {
  const pressed = await stage().came(async () => {
    await approve(page).click();
    await page.getByText("Nothing was done.").waitFor();
  });
  return { came: pressed, shown: await page.getByRole("alert").innerText(), step };
};

const refusedAtPress = once(async (): Promise<Refused> => {
  const { at, newStep, open } = stage();
  const step = await newStep();
  const page = await open(step.path);
  await page.getByLabel("Reason").fill("read and agreed");
  ok(await at.service.cancel(keyed(at.robo), { plan: step.plan, reason: "came between" }));
  return pressedInVain(step, page);
});

/** The same words from somebody between: they are no refusal of the kernel's, and it has no record of them. */
const refusedBetween = async (): Promise<Refused> => {
  const { newStep, open } = stage();
  const problem = await refusedOverHttp((await refusedAtPress()).step);
  const step = await newStep();
  const page = await open(step.path);
  await page.getByLabel("Reason").fill("read and agreed");
  const { status } = problem;
  const answer = { body: JSON.stringify(problem), contentType: "application/problem+json", status };
  await page.route("**/approvals", (route) => route.fulfill(answer), { times: 1 });
  return pressedInVain(step, page);
};

cannot("P7-E3", "put a refusal into other words than the kernel's, or leave any of them out", {
  neighbour: async () => {
    const { shown, step } = await refusedAtPress();
    const problem = await refusedOverHttp(step);
    const page = await stage().open(step.path);
    assert.equal(await approve(page).isDisabled(), true);
    return [...unsaid(problem, shown), ...unsaid(problem, await page.locator("main").innerText())];
  },
  offence: async () => {
    const { shown, step } = await refusedAtPress();
    return unsaid(await refusedOverHttp(step), shown.replaceAll(/[Pp]lan/g, "request"));
  },
});

cannot("P7-D2", "refuse one request in two ways on the same state", {
  neighbour: async () => {
    const { open } = stage();
    const { step } = await refusedAtPress();
    const [one, two] = [
      await (await open(step.path)).locator("main").innerText(),
      await (await open(step.path)).locator("main").innerText(),
    ];
    return one === two ? [] : [{ rule: "P7-D2" }];
  },
  // The state is another one: what is said of it may be.
  offence: async () => {
    const { at, open } = stage();
    const { step } = await refusedAtPress();
    const one = await (await open(step.path)).locator("main").innerText();
    ok(await at.service.freeze(OPERATOR, { environment: "home", reason: "another state" }));
    const two = await (await open(step.path)).locator("main").innerText();
    ok(await at.service.unfreeze(OPERATOR, { environment: "home", reason: "over" }));
    return one === two ? [] : [{ rule: "P7-D2" }];
  },
});

/** What a record lacks of who, when, what, on which state, with which outcome. */
const lackingIn = (rule: "P7-O1" | "P7-O3", record: Partial<LedgerRecord>): readonly Objection[] => {
  const { request, result, state } = Object(record.body);
  const parts = { ...record, request, result, state };
  const needed = [
    "actor",
    "configHash",
    "correlationId",
    "idempotencyKey",
    "kind",
    "processTime",
    "request",
    "result",
    "state",
  ] as const;
  return needed.filter((name) => parts[name] === undefined).map((lacking) => ({ lacking, rule }));
};

const pressedOn = async (path: string, press: (page: Page) => Promise<unknown>): Promise<Came> => {
  const { came, open } = stage();
  const page = await open(path);
  return came(async () => {
    await press(page);
    await recorded(page).waitFor();
  });
};

const brake = (name: string): Promise<Came> =>
  pressedOn("/console/posture", async (page) => {
    await page.getByLabel("Reason, for everything").fill("a drill");
    await page.getByRole("button", { exact: true, name }).click();
  });

/** Every act that a page has by one press, pressed once; what is frozen is unfrozen after it. */
const ACTS: Readonly<Record<string, () => Promise<Came>>> = {
  annotate: () =>
    pressedOn("/console/ledger/1", async (page) => {
      await page.getByLabel(/remark/i).fill("seen in the console");
      await page.getByRole("button", { name: "Record a remark about record 1" }).click();
    }),
  approve: async () => pressedOn((await stage().newStep()).path, (page) => decide(page, "Approve")),
  challenge: async () =>
    pressedOn((await stage().newStep("person")).path, (page) =>
      page.getByRole("button", { name: "Show what I would confirm" }).click(),
    ),
  deny: async () => pressedOn((await stage().newStep()).path, (page) => decide(page, "Deny", "not today")),
  freeze: () => brake("Freeze everything"),
  observe: () => pressedOn("/console/", (page) => page.getByRole("button", { name: "Observe home" }).click()),
  unfreeze: () => brake("Unfreeze everything"),
};

for (const [kind, act] of Object.entries(ACTS)) {
  const recordOf = once(async (): Promise<LedgerRecord> => {
    const record = assertOnePress(await act());
    assert.deepEqual([record.kind, record.actor.id, record.actor.kind], [kind, "finn", "person"]);
    assert.equal(Object(record.body).door, "service");
    return record;
  });
  cannot(
    "P7-O3",
    `${kind} on a page without a record of who asked for what, when, on which state, and what it came to`,
    {
      neighbour: async () => lackingIn("P7-O3", await recordOf()),
      offence: async () => {
        const { actor: _, ...nobody } = await recordOf();
        return lackingIn("P7-O3", nobody);
      },
    },
  );
}

cannot("P7-O1", "refuse a press without a record of it", {
  neighbour: async () => {
    const { came } = await refusedAtPress();
    const record = assertOnePress(came);
    assert.equal(Object(Object(record.body).result).kind, "refused");
    return lackingIn("P7-O1", record);
  },
  offence: async () => lackingIn("P7-O1", (await refusedBetween()).came.records[0] ?? {}),
});

/** A refusal without its rule, on the page or in the record. */
const unnamed = ({ came, shown }: Refused): readonly Objection[] => {
  const rules: readonly string[] = (Object(Object(came.records[0]?.body).result).refusals ?? []).map(
    ({ code, rule }: { readonly code: string; readonly rule: string }) => `(${rule}, ${code})`,
  );
  return rules.length > 0 && rules.every((named) => shown.includes(named)) ? [] : [{ rule: "P7-O2" }];
};

cannot("P7-O2", "refuse a press without naming the rule, on the page as in the record", {
  neighbour: async () => unnamed(await refusedAtPress()),
  offence: async () => {
    const refused = await refusedAtPress();
    return unnamed({ ...refused, shown: refused.shown.replaceAll(/\([^()]*\)/g, "") });
  },
});

/** The service says of every act what it would answer, but for one. */
const offered = async (path: string, button: string, act: string): Promise<readonly Objection[]> => {
  const { open, page } = stage();
  const forget = async (route: Route): Promise<void> => {
    const reply = await route.fetch();
    const { allowances } = (await reply.json()) as { readonly allowances: readonly { readonly act: string }[] };
    await route.fulfill({ json: { allowances: allowances.filter((one) => one.act !== act) }, response: reply });
  };
  await page.route("**/v1/allowances*", forget);
  try {
    await open(path);
    for (const typed of [page.getByLabel("Reason, for home"), page.getByLabel("A remark about record")])
      if ((await typed.count()) > 0) await typed.fill("a drill");
    const shown = page.locator(".act", { has: page.getByRole("button", { exact: true, name: button }) });
    const isSaid = (await shown.innerText()).includes("The service did not say whether you may do this.");
    return isSaid && (await shown.getByRole("button").isDisabled()) ? [{ rule: "P7-F1" }] : [];
  } finally {
    await page.unroute("**/v1/allowances*", forget);
  }
};

for (const [path, button, act, other] of [
  ["/console/", "Observe home", "observe", "plan"],
  ["/console/", "Plan home", "plan", "observe"],
  ["/console/posture", "Freeze home", "freeze", "unfreeze"],
  ["/console/ledger/0", "Record a remark about record 0", "annotate", "freeze"],
] as const)
  cannot("P7-F1", `offer “${button}” where the service did not say whether it may be done`, {
    neighbour: () => offered(path, button, other),
    offence: () => offered(path, button, act),
  });
