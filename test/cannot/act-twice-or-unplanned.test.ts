// B1, B3, B6, N1, N7, P7-E1, P7-E2, P7-E3, P7-F1, P7-F2, P7-F3 at the kernel: only what was planned on a live, fresh look,
// once, on a VM that nothing else is at work on.

import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { cannot } from "../cannot.ts";
import {
  ALICE,
  apply,
  ENDS,
  lastId,
  looked,
  planned,
  refusalsOf,
  type Setting,
  type Story,
  story,
} from "../kernel/story.ts";
import { coded, look, vmidOf, state as vmState, wantRunning, wishesFor } from "../spine/world.ts";

type Ref = ReturnType<typeof planned>["of"];
const applied = (
  change: (of: Ref, told: Story) => Ref = (of) => of,
  setting: Setting = {},
  live = true,
): readonly Refusal[] => {
  const told = story("single-operator", live);
  const { of } = planned(told, setting);
  return refusalsOf(apply(told, change(of, told)));
};

cannot("B1", "apply a plan that is not in the ledger", {
  neighbour: () => applied(),
  offence: () =>
    coded(
      "plan-unknown",
      applied((of, told) => ({ ...of, plan: told.instance })),
    ),
});
cannot("B1", "apply a step that was changed after it was planned", {
  neighbour: () => applied((of) => ({ ...of, step: { ...of.step } })),
  offence: () =>
    coded(
      "step-unknown",
      applied((of) => ({ ...of, step: { ...of.step, action: { kind: "vm.delete" } } })),
    ),
});
cannot("B1", "apply a step of another plan under this plan's name", {
  neighbour: () => applied(),
  offence: () =>
    coded(
      "step-unknown",
      applied((of, told) => ({
        ...planned(told, { vms: [vmState({ boot: "b", status: "stopped" })] }).of,
        plan: of.plan,
      })),
    ),
});
cannot("B1", "apply a plan that was canceled", {
  neighbour: () => applied(),
  offence: () =>
    coded(
      "plan-closed",
      applied((of, told) => {
        told.ask({ kind: "cancel", plan: of.plan, reason: "no longer wanted" });
        return of;
      }),
    ),
});

cannot("B3", "apply a plan in another environment", {
  neighbour: () => appliedIn("home"),
  offence: () => coded("plan-foreign", appliedIn("away")),
});
const appliedIn = (environment: string): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told);
  const challenge = told.ask({ kind: "challenge", of }, { environment });
  const explanation = challenge.kind === "challenged" ? challenge.explanation : sha256("");
  return refusalsOf(
    told.ask({ confirmation: { challenge: lastId(told), explanation }, kind: "apply", of }, { environment }),
  );
};
cannot("B3", "act in an environment that is not configured", {
  neighbour: () => refusalsOf(story().ask({ kind: "freeze", reason: "maintenance" }, { environment: "away" })),
  offence: () =>
    coded(
      "environment-unknown",
      refusalsOf(story().ask({ kind: "freeze", reason: "maintenance" }, { environment: "lab" })),
    ),
});

cannot("B6", "try a step a second time", {
  neighbour: () => applied(),
  offence: () =>
    coded(
      "step-consumed",
      applied((of, told) => {
        apply(told, of);
        told.ask(
          {
            cause: "call-refused",
            intent: lastId(told),
            kind: "outcome",
            outcome: "failed",
            said: "the place refused it",
          },
          { by: KERNEL_ACTOR },
        );
        return of;
      }),
    ),
});

cannot("N1", "apply a plan that stands on no live look", {
  neighbour: () => applied((of) => of, {}, true),
  offence: () =>
    coded(
      "plan-not-live",
      applied((of) => of, {}, false),
    ),
});
const aged =
  (ms: number) =>
  (of: Ref, told: Story): Ref => {
    told.pass(ms);
    return of;
  };
cannot("N1", "apply a step whose look is too old", {
  neighbour: () => applied(aged(60 * 60_000 - 1)),
  offence: () => coded("step-expired", applied(aged(60 * 60_000))),
});

type Planning = {
  readonly ageMs?: number;
  readonly look?: "known" | "none";
  readonly observedAt?: false;
  readonly other?: boolean;
};
const planning = ({ ageMs = 0, look: which = "known", other = false }: Planning): readonly Refusal[] => {
  const told = story();
  const wishes = wishesFor([wantRunning()]);
  told.ask(registrationOf(wishes), { given: { wishes } });
  const observation = look([vmState()], { observedAt: told.now() });
  const id = looked(told, observation);
  told.pass(ageMs);
  const given = {
    observation: other ? { ...observation, vms: [vmState({ status: "stopped" })] } : observation,
    wishes,
  };
  return refusalsOf(told.ask({ kind: "plan", look: which === "known" ? id : told.instance, scope: "all" }, { given }));
};
cannot("N1", "plan on a look that is older than the environment allows", {
  neighbour: () => planning({ ageMs: 60_000 }),
  offence: () => coded("look-stale", planning({ ageMs: 60_001 })),
});
cannot("N1", "plan on a look that is not in the ledger", {
  neighbour: () => planning({}),
  offence: () => coded("look-unknown", planning({ look: "none" })),
});
cannot("N7", "plan on another observation than the recorded one", {
  neighbour: () => planning({ other: false }),
  offence: () => coded("value-altered", planning({ other: true })),
});
cannot("P7-A1", "plan for an environment where nothing is registered", {
  neighbour: () => planning({}),
  offence: () => {
    const told = story();
    const observation = look([vmState()], { observedAt: told.now() });
    const id = looked(told, observation);
    return coded(
      "desired-unregistered",
      refusalsOf(told.ask({ kind: "plan", look: id, scope: "all" }, { given: { observation } })),
    );
  },
});
cannot("P7-A1", "request an action on a VM that is not registered", {
  neighbour: () => requested(101),
  offence: () => coded("vm-not-desired", requested(102)),
});
const requested = (vmid: number): readonly Refusal[] => {
  const told = story();
  const wishes = wishesFor([wantRunning()]);
  told.ask(registrationOf(wishes), { given: { wishes } });
  const observation = look([vmState(), vmState({ vmid: vmidOf(102) })], { observedAt: told.now() });
  const id = looked(told, observation);
  const request = { action: { kind: "vm.reboot" }, vmid: vmidOf(vmid) } as const;
  return refusalsOf(told.ask({ kind: "plan", look: id, request, scope: "all" }, { given: { observation, wishes } }));
};

cannot("P7-E3", "apply a step of a plan that was refused", {
  neighbour: () => applied(),
  offence: () =>
    coded(
      "plan-refused",
      applied((of) => of, {
        vms: [vmState({ status: "stopped" }), vmState({ status: "unknown", vmid: vmidOf(102) })],
        wishes: [wantRunning(), wantRunning({ vmid: vmidOf(102) })],
      }),
    ),
});

const startBoth = (between: (told: Story, first: ReturnType<typeof lastId>) => void): readonly Refusal[] => {
  const told = story();
  const first = planned(told, { by: ALICE });
  apply(told, first.of);
  between(told, lastId(told));
  return refusalsOf(apply(told, planned(told, { vms: [vmState({ boot: "b", status: "stopped" })] }).of));
};
const ended = (outcome: "failed" | "unknown") => (told: Story, intent: ReturnType<typeof lastId>) => {
  told.ask({ ...ENDS[outcome], intent, kind: "outcome" }, { by: KERNEL_ACTOR });
};
cannot("P7-E1", "try two actions on one VM at the same time", {
  neighbour: () => startBoth(ended("failed")),
  offence: () =>
    coded(
      "vm-busy",
      startBoth(() => undefined),
    ),
});
cannot("P7-E2", "act on a VM whose last outcome is unknown", {
  neighbour: () => startBoth(ended("failed")),
  offence: () => coded("vm-blocked", startBoth(ended("unknown"))),
});

cannot("P7-E2", "end an unknown outcome before its settle time, or one that there is not", {
  neighbour: () => reconciled(10 * 60_000 + 1, "its own"),
  offence: () => [
    ...coded("reconcile-early", reconciled(10 * 60_000, "its own")),
    ...coded("vm-not-blocked", reconciled(10 * 60_000 + 1, "another")),
  ],
});
const reconciled = (afterMs: number, which: "its own" | "another"): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told);
  apply(told, of);
  const intent = lastId(told);
  ended("unknown")(told, intent);
  told.pass(afterMs);
  const observation = look([vmState()], { observedAt: told.now() });
  const request = { intent: which === "another" ? told.instance : intent, kind: "reconcile" } as const;
  return refusalsOf(told.ask({ ...request, look: looked(told, observation) }, { given: { observation } }));
};

cannot("N1", "end an unknown outcome by a look that is not in the ledger or not a live one", {
  neighbour: () => reconciled(10 * 60_000 + 1, "its own"),
  offence: () => {
    const told = story();
    const { of } = planned(told);
    apply(told, of);
    const intent = lastId(told);
    ended("unknown")(told, intent);
    told.pass(10 * 60_000 + 1);
    const observation = look([vmState()], { observedAt: told.now() });
    return coded(
      "look-unknown",
      refusalsOf(told.ask({ intent, kind: "reconcile", look: told.instance }, { given: { observation } })),
    );
  },
});

cannot("P7-F2", "take a running apply for a crashed one", {
  neighbour: () => recovered(10 * 60_000 + 1),
  offence: () => coded("owner-alive", recovered(10 * 60_000)),
});
const recovered = (afterMs: number): readonly Refusal[] => {
  const told = story();
  apply(told, planned(told).of);
  const intent = lastId(told);
  told.pass(afterMs);
  return refusalsOf(
    told.ask({ ground: "past-settle-by", intent, kind: "recover" }, { by: KERNEL_ACTOR, instance: told.other }),
  );
};

cannot("P7-F3", "speak for an intent that is not there or is another process's", {
  neighbour: () => outcomeFrom("instance"),
  offence: () => coded("intent-unknown", outcomeFrom("other")),
});
const outcomeFrom = (which: "instance" | "other"): readonly Refusal[] => {
  const told = story();
  apply(told, planned(told).of);
  return refusalsOf(
    told.ask(
      { cause: "provider-done", intent: lastId(told), kind: "outcome", outcome: "succeeded", said: "done" },
      { by: KERNEL_ACTOR, instance: told[which] },
    ),
  );
};

const whileFrozen = (environment: string | undefined): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told);
  if (environment !== undefined) told.ask({ kind: "freeze", reason: "incident" }, { environment });
  return refusalsOf(apply(told, of));
};
cannot("P7-F1", "apply while the environment is frozen", {
  neighbour: () => whileFrozen("away"),
  offence: () => coded("frozen", whileFrozen("home")),
});
cannot("P7-F1", "lift a freeze that is not there", {
  neighbour: () => lifted("home"),
  offence: () => coded("freeze-absent", lifted("away")),
});
const lifted = (environment: string): readonly Refusal[] => {
  const told = story();
  told.ask({ kind: "freeze", reason: "incident" }, { environment: "home" });
  return refusalsOf(told.ask({ kind: "unfreeze", reason: "over" }, { environment }));
};
