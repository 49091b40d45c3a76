// The kernel with and without the console: the same story leaves the same records, whether pages are open beside it or
// there are none at all.

import assert from "node:assert/strict";
import type { LedgerRecord } from "../../../src/ledger/record/record.ts";
import { type AtApproval, atApproval, keyed } from "../../boundary/approval/at-approval.ts";
import { cannot, type Objection } from "../../cannot.ts";
import { OPERATOR, ok } from "../../service/serving.ts";
import { type BuiltConsole, builtConsole } from "../at-console.ts";
import { decide, once, pageRead, pathsOfPages, recorded, stage } from "./rule-stage.ts";

/** What may differ between two times that the same was done: names that are made, times, and what hashes those. */
const told = (record: LedgerRecord): string =>
  JSON.stringify(record)
    .replaceAll(/"[0-9A-HJKMNP-TV-Z]{26}"/g, '"id"')
    .replaceAll(/"[0-9a-f]{64}"/g, '"hash"')
    .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"time"')
    .replaceAll(/"token":"[a-z0-9]{10}"/g, '"token":"id"')
    .replaceAll(/"tookMs":\d+/g, '"tookMs":"time"');

type Beside = (at: AtApproval, person: Awaited<ReturnType<AtApproval["person"]>>, plan: string) => Promise<unknown>;

/** An agent asks, a person approves over HTTP, the agent applies, the environment is frozen and unfrozen. */
const storyWith = async (files: BuiltConsole | undefined, beside: Beside): Promise<readonly string[]> => {
  const ends: (() => Promise<void>)[] = [];
  try {
    const at = await atApproval({ after: (end) => void ends.push(end) }, stage().browser, files);
    const { origin, robo, served, service } = at;
    const finn = await at.person("finn", ["approver"]);
    const before = (await served.records()).length;
    const { plan } = await at.asked();
    const step = { plan, step: { number: 1 } };
    ok(await service.requestApproval(keyed(robo), step));
    await beside(at, finn, plan);
    const reply = await finn.context.request.post(`${origin}/v1/plans/${plan}/steps/1/approvals`, {
      data: { reason: "read and agreed" },
      headers: { "dedalus-csrf": await finn.csrf(), "idempotency-key": keyed(OPERATOR).key ?? "" },
    });
    assert.equal(reply.status(), 201, await reply.text());
    const { underway } = ok(await service.apply(keyed(robo), step)).value;
    await underway?.ended;
    ok(await service.freeze(keyed(OPERATOR), { environment: "home", reason: "a drill" }));
    ok(await service.unfreeze(keyed(OPERATOR), { environment: "home", reason: "over" }));
    return (await served.records()).slice(before).map(told);
  } finally {
    for (const end of ends.toReversed()) await end();
  }
};

const differing = (one: readonly string[], other: readonly string[]): readonly Objection[] =>
  one.length === other.length && one.every((line, at) => line === other[at]) ? [] : [{ rule: "P7-S2" }];

const allPages: Beside = async ({ origin }, { page }, plan) => {
  for (const path of Object.values(pathsOfPages(plan))) {
    await page.goto(`${origin}${path}`);
    await pageRead(page);
  }
};

const without = once(() => storyWith(undefined, async () => undefined));

cannot("P7-S2", "leave other records with the console than without it", {
  neighbour: async () => {
    const alone = await without();
    assert.deepEqual(
      alone.map((line) => (JSON.parse(line) as LedgerRecord).kind),
      ["observe", "plan", "request-approval", "approve", "apply", "dispatched", "outcome", "freeze", "unfreeze"],
    );
    const watched = await storyWith(builtConsole(), allPages);
    assert.deepEqual(watched, alone);
    return differing(watched, alone);
  },
  // Somebody pressed beside it: that is one record more, and it is theirs.
  offence: async () => {
    const pressed: Beside = async ({ origin }, { page }, plan) => {
      await page.goto(`${origin}/console/plans/${plan}/steps/1`);
      await decide(page, "Approve");
      await recorded(page).waitFor();
    };
    return differing(await storyWith(builtConsole(), pressed), await without());
  },
});
