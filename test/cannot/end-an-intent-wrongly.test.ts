// P7-E2: an unknown outcome ends by a recorded live observation of that environment, made and judged after the settle
// time. Each of these is missing alone.

import { startRequest } from "../../src/kernel/command/program.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import type { Instant, Observation, Refusal } from "../../src/spine/model.ts";
import { later } from "../../src/spine/values/instant.ts";
import { cannot } from "../cannot.ts";
import {
  type Ask,
  apply,
  configOf,
  lastId,
  looked,
  planned,
  ROBO,
  refusalsOf,
  type Story,
  story,
} from "../kernel/story.ts";
import { coded, observationOf, state as vmState } from "../spine/world.ts";

const SETTLE_MS = 10 * 60_000;
type Blocked = { readonly intent: Ulid; readonly settleBy: Instant; readonly told: Story };

const blocked = (): Blocked => {
  const told = story();
  const { of } = planned(told);
  apply(told, of);
  const settleBy = later(told.now(), SETTLE_MS);
  const intent = lastId(told);
  told.ask(
    { cause: "call-unanswered", intent, kind: "outcome", outcome: "unknown", said: "the reply was lost" },
    { by: KERNEL_ACTOR },
  );
  return { intent, settleBy, told };
};

type Twist = {
  /** Under what the observation is recorded, and under what the end is asked for. */
  readonly as?: Parameters<typeof looked>[2];
  readonly asked?: Ask;
  readonly given?: Observation;
  readonly passMs?: number;
  readonly seen?: (at: Blocked) => Observation;
};
const reconciled = ({ as = {}, asked = {}, given, passMs = SETTLE_MS + 1, seen }: Twist = {}): readonly Refusal[] => {
  const at = blocked();
  const { intent, told } = at;
  const dry = configOf("single-operator", false);
  told.ask(startRequest(dry, "1"), { by: KERNEL_ACTOR, config: dry });
  told.pass(passMs);
  const observation = seen?.(at) ?? observationOf([vmState()], { observedAt: told.now() });
  const id = looked(told, observation, as);
  return refusalsOf(
    told.ask(
      { intent, kind: "reconcile", observation: id },
      { given: { observation: given ?? observation }, ...asked },
    ),
  );
};
const rightly = (): readonly Refusal[] => reconciled();
const at = (ms: number) => (scene: Blocked) => observationOf([vmState()], { observedAt: later(scene.settleBy, ms) });

cannot("P7-E2", "end an unknown outcome by an observation of the settle time itself", {
  neighbour: () => reconciled({ as: { seen: { tookMs: 4 } }, passMs: SETTLE_MS + 5 }),
  offence: () => coded("reconcile-early", reconciled({ as: { seen: { tookMs: 5 } }, passMs: SETTLE_MS + 5 })),
});
cannot("P7-E2", "end an unknown outcome at the settle time, by an observation that claims to be later", {
  neighbour: () => reconciled({ passMs: SETTLE_MS + 1, seen: at(1) }),
  offence: () => coded("reconcile-early", reconciled({ passMs: SETTLE_MS, seen: at(1) })),
});
cannot("P7-E2", "end an unknown outcome by an observation that does not say when it was", {
  neighbour: rightly,
  offence: () =>
    coded(
      "reconcile-early",
      reconciled({
        seen: () => {
          const { observedAt: _, ...timeless } = observationOf([vmState()]);
          return timeless;
        },
      }),
    ),
});
/** Nothing can be told yet, and nothing could be told from this observation either: one cause, the first. */
const unclear = (): Observation => observationOf([vmState({ because: { code: "not-told" }, status: "unknown" })]);
cannot("P7-E2", "end an unknown outcome early by an unclear observation, and is told the one cause that stands first", {
  neighbour: rightly,
  offence: () => {
    const early = reconciled({ passMs: 1, seen: unclear });
    return early.length === 1 ? coded("reconcile-early", early) : [];
  },
});
cannot("P7-E2", "end an unknown outcome by an unclear observation, once its time has come", {
  neighbour: rightly,
  offence: () => coded("reconcile-unclear", reconciled({ seen: unclear })),
});
cannot("N1", "end an unknown outcome by an observation that is not a live one", {
  neighbour: rightly,
  offence: () => coded("observation-unknown", reconciled({ as: { config: configOf("single-operator", false) } })),
});
cannot("N1", "end an unknown outcome by an observation of another environment", {
  neighbour: rightly,
  offence: () =>
    coded(
      "observation-unknown",
      reconciled({ seen: ({ told }) => observationOf([vmState()], { environment: "away", observedAt: told.now() }) }),
    ),
});
cannot("P7-E2", "end an unknown outcome in another environment than its own", {
  neighbour: rightly,
  offence: () =>
    coded(
      "vm-not-blocked",
      reconciled({
        asked: { environment: "away" },
        seen: ({ told }) => observationOf([vmState()], { environment: "away", observedAt: told.now() }),
      }),
    ),
});
cannot("N7", "end an unknown outcome by another observation than the recorded one", {
  neighbour: rightly,
  offence: () => coded("value-altered", reconciled({ given: observationOf([]) })),
});
cannot("P7-E2", "end an unknown outcome while the provider has everything of the VM in its hands", {
  neighbour: () => reconciled({ seen: busyWith(["vm.start"]) }),
  offence: () => coded("reconcile-unclear", reconciled({ seen: busyWith("all") })),
});
const busyWith =
  (actions: "all" | readonly ["vm.start"]) =>
  ({ told }: Blocked): Observation =>
    observationOf([vmState({ blockers: [{ actions, code: "locked", facts: { lock: "backup" } }] })], {
      observedAt: told.now(),
    });
cannot("P7-E2", "end an unknown outcome by an observation that did not see the VM", {
  neighbour: () => reconciled({ seen: ({ told }) => observationOf([], { observedAt: told.now() }) }),
  offence: () =>
    coded(
      "reconcile-unclear",
      reconciled({ seen: ({ told }) => observationOf([], { complete: false, observedAt: told.now() }) }),
    ),
});

const dispatched = (which: "instance" | "other"): readonly Refusal[] => {
  const told = story();
  apply(told, planned(told).of);
  const asked = { intent: lastId(told), kind: "dispatched", reference: "task-1" } as const;
  return refusalsOf(told.ask(asked, { by: KERNEL_ACTOR, instance: told[which] }));
};
cannot("P7-F3", "name the task of another process's intent", {
  neighbour: () => dispatched("instance"),
  offence: () => coded("intent-unknown", dispatched("other")),
});

/** A plan of alice's or of robo's, canceled by the one who is named. */
const canceled = (twist: {
  readonly by?: typeof ROBO;
  readonly environment?: string;
  readonly owner?: typeof ROBO;
  readonly reason?: string;
  readonly twice?: boolean;
}): readonly Refusal[] => {
  const { by, environment = "home", owner, reason = "not needed", twice = false } = twist;
  const told = story();
  const { id } = planned(told, owner === undefined ? {} : { by: owner });
  const asking: Ask = { environment, ...(by === undefined ? {} : { by, door: "service" }) };
  if (twice) told.ask({ kind: "cancel", plan: id, reason }, asking);
  return refusalsOf(told.ask({ kind: "cancel", plan: id, reason }, asking));
};
cannot("P7-A1", "let an agent cancel the plan of somebody else", {
  neighbour: () => canceled({ by: ROBO, owner: ROBO }),
  offence: () => coded("role-missing", canceled({ by: ROBO })),
});
cannot("B3", "cancel a plan from another environment", {
  neighbour: () => canceled({ owner: ROBO }),
  offence: () => coded("plan-foreign", canceled({ environment: "away" })),
});
cannot("B1", "cancel a plan that is over", {
  neighbour: () => canceled({}),
  offence: () => coded("plan-closed", canceled({ twice: true })),
});
for (const [what, reason] of [
  ["without a reason", ""],
  ["for a reason that nobody can see", " \u200b"],
  ["for a reason that is a document", "x".repeat(1_001)],
] as const) {
  cannot("P7-A2", `cancel a plan ${what}`, {
    neighbour: () => canceled({ reason: "x".repeat(1_000) }),
    offence: () => coded("reason-missing", canceled({ reason })),
  });
}
