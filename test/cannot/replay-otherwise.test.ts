// What is decided again comes out as it was recorded, from the recorded times, configuration and people alone; a trail
// in which any of them is another one does not. A difference that replay finds is the objection.

import assert from "node:assert/strict";
import { mock } from "node:test";
import { configHash } from "../../src/kernel/command/recorded-config.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import type { LedgerRecord } from "../../src/ledger/record/record.ts";
import { policyDigest } from "../../src/spine/plan/policy.ts";
import type { RuleId } from "../../src/spine/rules/invariants.ts";
import type { Json } from "../../src/spine/values/canonical.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { later } from "../../src/spine/values/instant.ts";
import { cannot, type Objection, type Pair } from "../cannot.ts";
import { again, day } from "../kernel/day.ts";
import { ALICE, apply, approve, BOB, configOf, ENDS, looked, planned, type Story, story } from "../kernel/story.ts";
import { observationOf, state as vmState, wantStopped } from "../spine/world.ts";

type Trail = readonly LedgerRecord[];

const differences = async (rule: RuleId, told: Story, trail?: Trail): Promise<readonly Objection[]> =>
  (await again(told, trail)).kind === "equal" ? [] : [{ rule }];

/** The trail with every record of a kind told otherwise. */
const retold = ({ records }: Story, kind: string, tell: (record: LedgerRecord) => LedgerRecord): Trail =>
  records.map((record) => (record.kind === kind ? tell(record) : record));

const body = (record: LedgerRecord, change: LedgerRecord["body"]): LedgerRecord => ({
  ...record,
  body: { ...record.body, ...change },
});

/** A story whose records are told otherwise; told as it was, nothing is objected to. */
const toldAs = (rule: RuleId, tell: () => Story, otherwise: (told: Story) => Trail): Pair => ({
  neighbour: () => differences(rule, tell()),
  offence: () => {
    const told = tell();
    return differences(rule, told, otherwise(told));
  },
});

cannot(
  "G3",
  "replay to another decision unnoticed",
  toldAs("G3", day, (told) => retold(told, "challenge", (record) => body(record, { result: { kind: "done" } }))),
);

const LATE_MS = 5_000;
/** An observation that is recorded some seconds after it was made. */
const lateLook = (): Story => {
  const told = story();
  const observation = observationOf([vmState()], { observedAt: told.now() });
  told.pass(LATE_MS);
  looked(told, observation);
  const { eventTime, processTime } = told.records.at(-1) ?? assert.fail("the observation is recorded");
  assert.equal(later(eventTime, LATE_MS), processTime, "both times are recorded, apart");
  return told;
};

cannot(
  "G5",
  "take the time at which an observation was recorded for the time that it speaks of",
  toldAs("G5", lateLook, (told) => retold(told, "observe", (record) => ({ ...record, eventTime: record.processTime }))),
);

const DAY_MS = 24 * 60 * 60_000;

/** The last record stamped so much later. */
const lastMoved = ({ records }: Story, ms: number): Trail =>
  records.map((record) =>
    record === records.at(-1) ? { ...record, processTime: later(record.processTime, ms) } : record,
  );

cannot("G5", "decide again by another time than the recorded one", {
  // A clock that stands years away changes nothing.
  neighbour: async () => {
    const told = day();
    mock.timers.enable({ apis: ["Date"], now: Date.UTC(2046, 0, 1) });
    try {
      return await differences("G5", told);
    } finally {
      mock.timers.reset();
    }
  },
  // The same trail, its last record a day later: what was in time then would not be.
  offence: () => {
    const told = story();
    apply(told, planned(told).of);
    return differences("G5", told, lastMoved(told, DAY_MS));
  },
});

/** A clock that was set back: what is recorded is not earlier all the same. */
const setBack = (): Story => {
  const told = day();
  told.pass(-DAY_MS);
  told.ask({ kind: "freeze", reason: "the clock was set back" });
  return told;
};

cannot(
  "G5",
  "stamp a record earlier than the one before it",
  toldAs("G5", setBack, (told) => lastMoved(told, -DAY_MS)),
);

cannot(
  "G7",
  "decide again under another configuration than the recorded one",
  toldAs("G7", day, (told) =>
    retold(told, "start", (record) => ({
      ...record,
      body: JSON.parse(JSON.stringify(record.body).replaceAll('"single-operator"', '"four-eyes"')),
    })),
  ),
);

cannot(
  "G7",
  "name a configuration that the ledger does not hold",
  toldAs("G7", day, (told) => retold(told, "plan", (record) => ({ ...record, configHash: sha256("another") }))),
);

const RAISED = { tighten: [{ action: "vm.start", to: "high" }], version: 1 } as const;

/** A start that a policy made high: refused, approved, applied. */
const raised = (): Story => {
  const told = story("single-operator", true, RAISED);
  const { of } = planned(told);
  apply(told, of);
  approve(told, of, BOB);
  apply(told, of);
  return told;
};

/** The whole trail under a configuration without the policy, every record naming that one. */
const unruled = ({ records }: Story): Trail => {
  const config = configOf("single-operator");
  return records.map((record) => ({
    ...record,
    body: record.kind === "start" ? { ...record.body, request: { config, version: "1" } } : record.body,
    configHash: configHash(config),
  }));
};

cannot("G7", "decide again without the policy that was recorded", toldAs("G7", raised, unruled));

cannot(
  "G7",
  "tell that a plan stood on no policy",
  toldAs("G7", raised, (told) =>
    retold(told, "plan", (record) => {
      const { policy, ...rest } = record.body["result"] as { readonly [key: string]: Json };
      assert.equal(policy, policyDigest(RAISED));
      return body(record, { result: rest });
    }),
  ),
);

cannot(
  "G7",
  "tell that a step was applied without the approval that a policy asks for",
  toldAs("G7", raised, ({ records }) => records.filter(({ kind }) => kind !== "approve")),
);

/** A stop that needs one more person's approval, approved and applied. */
const agreed = (): Story => {
  const told = story();
  const { of } = planned(told, { vms: [vmState()], entries: [wantStopped("power-off")] });
  approve(told, of, BOB);
  apply(told, of);
  return told;
};

cannot(
  "G7",
  "decide again without a decision that a person made",
  toldAs("G7", agreed, ({ records }) => records.filter(({ kind }) => kind !== "approve")),
);

cannot(
  "G7",
  "put a decision into another person's mouth",
  toldAs("G7", agreed, (told) => retold(told, "approve", (record) => ({ ...record, actor: ALICE }))),
);

cannot(
  "P7-O3",
  "lose on which state a decision stood",
  toldAs("P7-O3", day, (told) =>
    retold(told, "apply", ({ body: { state: _, ...rest }, ...record }) => ({ ...record, body: rest })),
  ),
);

cannot(
  "P7-O3",
  "lose who asked",
  toldAs("P7-O3", day, (told) =>
    retold(told, "apply", (record) => ({ ...record, actor: { ...record.actor, id: "somebody else" } })),
  ),
);

cannot(
  "P7-O1",
  "leave out the record of a request that was refused",
  toldAs("P7-O1", day, ({ records }) => {
    const refused = records.find(({ body: { result } }) => (result as { readonly kind?: string }).kind === "refused");
    assert.ok(refused !== undefined);
    return records.filter((record) => record !== refused);
  }),
);

/** Whether an outcome counts, or came too late to. */
const lateness = (told: Story, said: string): readonly Objection[] => {
  const { auditId: intent } =
    told.records.findLast(({ kind }) => kind === "apply") ?? assert.fail("nothing was applied");
  const request = { ...ENDS.failed, intent, kind: "outcome", said } as const;
  const result = told.ask(request, { by: KERNEL_ACTOR });
  return result.kind === "ended" && !result.late ? [] : [{ rule: "G6" }];
};

cannot("G6", "change an outcome by delivering another one", {
  neighbour: () => lateness(agreed(), "the place said no"),
  offence: () => {
    const told = agreed();
    lateness(told, "the place said no");
    const before = told.state();
    const objections = lateness(told, "the place said no, again");
    return JSON.stringify(before.intents) === JSON.stringify(told.state().intents) ? objections : [];
  },
});
