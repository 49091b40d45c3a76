// What is decided again comes out as it was recorded, from the recorded times, configuration and people alone; a trail in
// which any of them is another one does not. A difference that replay finds is the objection.

import assert from "node:assert/strict";
import { mock } from "node:test";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import type { LedgerRecord } from "../../src/ledger/record.ts";
import { later } from "../../src/spine/instant.ts";
import type { RuleId } from "../../src/spine/invariants.ts";
import { cannot, type Objection } from "../cannot.ts";
import { again, day } from "../kernel/day.ts";
import { ALICE, apply, approve, BOB, looked, planned, type Story, story } from "../kernel/story.ts";
import { look, state as vmState, wantStopped } from "../spine/world.ts";

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

cannot("G3", "replay to another decision unnoticed", {
  neighbour: () => differences("G3", day()),
  offence: () => {
    const told = day();
    return differences(
      "G3",
      told,
      retold(told, "challenge", (record) => body(record, { result: { kind: "done" } })),
    );
  },
});

const LATE_MS = 5_000;
/** A look that is recorded some seconds after it was made. */
const lateLook = (): Story => {
  const told = story();
  const observation = look([vmState()], { observedAt: told.now() });
  told.pass(LATE_MS);
  looked(told, observation);
  return told;
};

cannot("G5", "take the time at which a look was recorded for the time that it speaks of", {
  neighbour: async () => {
    const told = lateLook();
    const [last] = told.records.slice(-1);
    const isApart = last !== undefined && later(last.eventTime, LATE_MS) === last.processTime;
    return [...(isApart ? [] : [{ rule: "G5" }]), ...(await differences("G5", told))];
  },
  offence: () => {
    const told = lateLook();
    return differences(
      "G5",
      told,
      retold(told, "observe", (record) => ({ ...record, eventTime: record.processTime })),
    );
  },
});

const DAY_MS = 24 * 60 * 60_000;

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
    const { of } = planned(told);
    apply(told, of);
    const [last] = told.records.slice(-1);
    return differences(
      "G5",
      told,
      told.records.map((record) =>
        record === last ? { ...record, processTime: later(record.processTime, DAY_MS) } : record,
      ),
    );
  },
});

cannot("G5", "stamp a record earlier than the one before it", {
  neighbour: async () => {
    const told = day();
    // A clock that was set back: what is recorded is not earlier all the same.
    told.pass(-DAY_MS);
    told.ask({ kind: "freeze", reason: "the clock was set back" });
    return differences("G5", told);
  },
  offence: () => {
    const told = day();
    told.ask({ kind: "freeze", reason: "the clock was set back" });
    const [last] = told.records.slice(-1);
    return differences(
      "G5",
      told,
      told.records.map((record) =>
        record === last ? { ...record, processTime: later(record.processTime, -DAY_MS) } : record,
      ),
    );
  },
});

cannot("G7", "decide again under another configuration than the recorded one", {
  neighbour: () => differences("G7", day()),
  offence: () => {
    const told = day();
    const fourEyes = JSON.parse(
      JSON.stringify(told.records[0]?.body).replaceAll('"single-operator"', '"four-eyes"'),
    ) as LedgerRecord["body"];
    return differences(
      "G7",
      told,
      retold(told, "start", (record) => ({ ...record, body: fourEyes })),
    );
  },
});

cannot("G7", "name a configuration that the ledger does not hold", {
  neighbour: () => differences("G7", day()),
  offence: () => {
    const told = day();
    const other = "0".repeat(64) as LedgerRecord["configHash"];
    return differences(
      "G7",
      told,
      retold(told, "plan", (record) => ({ ...record, configHash: other })),
    );
  },
});

/** A stop that needs one more person's approval, approved and applied. */
const agreed = (): Story => {
  const told = story();
  const { of } = planned(told, { vms: [vmState()], wishes: [wantStopped("power-off")] });
  approve(told, of, BOB);
  apply(told, of);
  return told;
};

cannot("G7", "decide again without a decision that a person made", {
  neighbour: () => differences("G7", agreed()),
  offence: () => {
    const told = agreed();
    return differences(
      "G7",
      told,
      told.records.filter(({ kind }) => kind !== "approve"),
    );
  },
});

cannot("G7", "put a decision into another person's mouth", {
  neighbour: () => differences("G7", agreed()),
  offence: () => {
    const told = agreed();
    return differences(
      "G7",
      told,
      retold(told, "approve", (record) => ({ ...record, actor: ALICE })),
    );
  },
});

cannot("P7-O3", "lose on which state a decision stood", {
  neighbour: () => differences("P7-O3", day()),
  offence: () => {
    const told = day();
    return differences(
      "P7-O3",
      told,
      retold(told, "apply", ({ body: { state: _, ...rest }, ...record }) => ({ ...record, body: rest })),
    );
  },
});

cannot("P7-O3", "lose who asked", {
  neighbour: () => differences("P7-O3", day()),
  offence: () => {
    const told = day();
    return differences(
      "P7-O3",
      told,
      retold(told, "apply", (record) => ({ ...record, actor: { ...record.actor, id: "somebody else" } })),
    );
  },
});

cannot("P7-O1", "leave out the record of a request that was refused", {
  neighbour: () => differences("P7-O1", day()),
  offence: () => {
    const told = day();
    const refused = told.records.find(({ body: { result } }) => (result as { kind?: string }).kind === "refused");
    return differences(
      "P7-O1",
      told,
      told.records.filter((record) => record !== refused),
    );
  },
});

/** Whether an outcome counts, or came too late to. */
const lateness = (told: Story, because: string): readonly Objection[] => {
  const { auditId: intent } =
    told.records.findLast(({ kind }) => kind === "apply") ?? assert.fail("nothing was applied");
  const request = { because, intent, kind: "outcome", outcome: "failed" } as const;
  const result = told.ask(request, { by: KERNEL_ACTOR });
  return result.kind === "settled" && !result.late ? [] : [{ rule: "G6" }];
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
