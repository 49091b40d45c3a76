// Planted bugs: broken deciders, folds and performers, handed to the scheduler in the place of the real ones. A
// simulation that does not find them proves nothing.
//
// Each names the check that must find it. Replay would find every broken decider too, because it decides with the real
// one; that is not what is asked here.

import type { Actuator, DurableIntent } from "../../src/adapters/actuator.ts";
import type { Source } from "../../src/adapters/source.ts";
import type { ApplyGround } from "../../src/kernel/apply/perform-apply.ts";
import { bodyOf } from "../../src/kernel/command/record-body.ts";
import type { Command } from "../../src/kernel/command/request.ts";
import type { Role } from "../../src/kernel/command/roles.ts";
import { environmentOf } from "../../src/kernel/decide/grounds.ts";
import { groundsUnder, policyNamed, policyOf } from "../../src/kernel/decide/stands-on.ts";
import { reconciled } from "../../src/kernel/evolve/fold-intents.ts";
import { EMPTY, entries, get, put } from "../../src/kernel/state/persistent-map.ts";
import { keep, recentEntries } from "../../src/kernel/state/recent.ts";
import type { Approval, PlanState, State, TokenState } from "../../src/kernel/state/state.ts";
import type { DesiredVm, Sha256 } from "../../src/spine/model.ts";
import { entryHash } from "../../src/spine/plan/desired-state.ts";
import type { Json } from "../../src/spine/values/canonical.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { instantOf, later } from "../../src/spine/values/instant.ts";
import { type Parts, REAL } from "../../tools/sim/parts.ts";
import { REGISTRATIONS } from "../../tools/sim/registrations.ts";
import type { Contest } from "../../tools/sim/rivals.ts";
import type { Wrong } from "../../tools/sim/walk/wrongs.ts";
import { mayLeave } from "../adapters/may-leave.ts";
import { ACCEPTS_THE_REQUESTER, COUNTS_TWICE } from "./planted-approvers.ts";
import { COUNTS_NO_APPLY, JUDGES_WITHOUT_POLICY, SENDS_AFTER_HOURS } from "./planted-limits.ts";
import { SENDS_UNLOCKED, TAKES_THE_UNLOCKED_EARLY } from "./planted-locks.ts";
import { deciding, folding, judging, type Planted, performing, sending, withPlans, writing } from "./planted-parts.ts";
import {
  TAKES_BACK_IN_VAIN,
  TRUSTS_ITS_OWN_FILE,
  TRUSTS_THE_CLAIM,
  TRUSTS_THE_CLAIMER,
  TRUSTS_THE_COUNT,
} from "./planted-taken-back.ts";

const skipsTheIntent: Parts["perform"] = async (ground, command) => {
  const { step } = command.request.of;
  const observation = await ground.source.observe([{ vmid: step.vmid }], ground.signalIn(30_000));
  const seen = observation.vms.find(({ vmid }) => vmid === step.vmid);
  const [sendBy, settleBy] = [later(command.at, 30_000), later(command.at, 600_000)];
  const intent = { environment: "home", id: command.id, seen, sendBy, settleBy, step } as DurableIntent;
  if (seen !== undefined) await ground.actuator.send(intent, ground.signalIn(30_000), mayLeave);
  await ground.writer.submit(command);
  return { at: "not-claimed", refusals: [] };
};

/** The observation after the call shows what was asked for, whatever is there. */
const believesThePlace = ({ actuator, source }: ApplyGround): Partial<ApplyGround> => {
  let isSent = false;
  const send: Actuator["send"] = (...given) => {
    isSent = true;
    return actuator.send(...given);
  };
  const observe: Source["observe"] = async (wanted, signal, details) => {
    const observation = await source.observe(wanted, signal, details);
    const status = (is: string): "running" | "stopped" => (is === "running" ? "stopped" : "running");
    return isSent
      ? { ...observation, vms: observation.vms.map((state) => ({ ...state, status: status(state.status) })) }
      : observation;
  };
  return { actuator: { ...actuator, send }, source: { observe } };
};

export const SKIPS_INTENT: Planted = {
  bug: "call before the intent is durable",
  check: "durable",
  parts: { ...REAL, perform: skipsTheIntent },
};
export const FORGETS_THE_ANCHOR = performing("call before the intent is anchored", "remembered", () => ({
  anchor: async () => undefined,
}));
export const RETRIES = sending("send again when the answer was lost", "once", (send) => async (...given) => {
  const sent = await send(...given);
  return sent.kind === "unknown" ? send(...given) : sent;
});
export const LOST_IS_FAILED = sending("take a lost answer for a failure", "true-failure", (send) => async (...args) => {
  const sent = await send(...args);
  return sent.kind === "unknown" ? { ...sent, kind: "failed" } : sent;
});
export const CALLS_LATE = performing("call after the deadline", "in-time", () => ({ monotonicMs: () => 0 }));
export const IGNORES_FREEZE = writing("call while it is frozen", "not-frozen", ({ state }) => ({
  refresh: async () => ({ ...state(), freezes: EMPTY }),
}));
export const REPLAYED_CLAIMS = writing("take an answer given before for a claim", "once", ({ submit }) => ({
  submit: async (command) => {
    const answer = await submit(command);
    return answer.kind === "recorded" ? { ...answer, replayed: false } : answer;
  },
}));
export const TAKES_FROM_THE_LIVING: Planted = {
  bug: "recover the intent of an owner that lives",
  check: "recovered",
  parts: { ...REAL, orphans: (state, at, instance) => REAL.orphans(state, at, instance, () => "owner-ended") },
};
/** Whatever is registered now, the entry that was planned on is brought, and is found to be registered. */
const judgesAsPlanned: Parts["decide"] = (state, command, floor) => {
  const { environment = "", request } = command;
  const desired = get(state.desired, environment);
  const entry = "of" in request ? entryWith(request.of.step.entry) : undefined;
  if (desired === undefined || entry === undefined) return REAL.decide(state, command, floor);
  const then = { ...desired, root: entryHash(entry), size: 1 };
  const registered = { entry, index: 0, proof: [] };
  const asked = { ...command, request: { ...request, registered } } as typeof command;
  const decided = REAL.decide({ ...state, desired: put(state.desired, environment, then) }, asked, floor);
  const body = { ...decided.draft.body, request: request as Json };
  return { ...decided, draft: { ...decided.draft, body } };
};
const entryWith = (hash: Sha256): DesiredVm | undefined =>
  REGISTRATIONS.flatMap(({ entries }) => entries)
    .filter((entry) => entry.kind === "desired")
    .find((entry) => entryHash(entry) === hash);

export const JUDGES_AS_PLANNED: Planted = {
  bug: "judge by what was registered when it was planned",
  check: "grounded",
  parts: { ...REAL, decide: judgesAsPlanned },
};
/** The plans of an environment as if they had been made under this configuration. */
const madeUnder = (state: State, configHash: Sha256 | undefined, environment: string): State =>
  withPlans(state, ({ policy: _, ...plan }) =>
    plan.environment === environment
      ? { ...plan, section: plan.section, ...groundsUnder(state, configHash, environment) }
      : plan,
  );
export const TRUSTS_ITS_FILE = writing("call whatever was configured since the claim", "still-grounded", (writer) => ({
  refresh: async () => {
    const state = await writer.refresh();
    return madeUnder(state, state.started, "home");
  },
}));
const GOES_ON_UNDER_ANY_FILE: Planted = {
  bug: "go on under any configuration",
  check: "grounded",
  parts: {
    ...REAL,
    decide: (state, command, floor) =>
      REAL.decide(madeUnder(state, command.configHash, command.environment ?? ""), command, floor),
  },
};

const unending = (state: State): State => ({
  ...state,
  challenges: [...recentEntries(state.challenges)].reduce(
    (challenges, [id, one]) => keep(challenges, id, { ...one, expiresAt: later(one.expiresAt, 86_400_000) }),
    state.challenges,
  ),
});

const withTokens = (state: State, change: (token: TokenState) => TokenState): State => ({
  ...state,
  subjects: [...entries(state.subjects)].reduce(
    (subjects, [id, token]) => put(subjects, id, change(token)),
    state.subjects,
  ),
});
const withApprovals = (plan: PlanState, change: (approval: Approval) => Approval): PlanState => ({
  ...plan,
  approvals: plan.approvals.map(change),
});
const withMode = (state: State, approval: "single-operator"): State => ({
  ...state,
  configs: [...entries(state.configs)].reduce((configs, [hash, config]) => {
    const environments = Object.entries(config.environments).map(([name, one]) => [name, { ...one, approval }]);
    return put(configs, hash, { ...config, environments: Object.fromEntries(environments) });
  }, state.configs),
});
/** As if no environment were a live one: its provider's clock is not asked for then. */
const lifeless = (state: State): State => ({
  ...state,
  configs: [...entries(state.configs)].reduce((configs, [hash, config]) => {
    const environments = Object.entries(config.environments).map(([name, one]) => [name, { ...one, live: false }]);
    return put(configs, hash, { ...config, environments: Object.fromEntries(environments) });
  }, state.configs),
});

export const FORGETS_MAKERS = judging("count the approval of a token that the applier made", "agreed", (state) => ({
  state: withTokens(state, (token) => ({ ...token, makers: [] })),
}));
export const FOREIGN_AGENTS = judging("let an agent apply another's plan", "agreed", (state, { actor, kind }) => {
  if (kind !== "apply" || actor.kind !== "agent") return {};
  const appliers = { id: actor.id, kind: "agent" } as const;
  const asOwn = (plan: PlanState): PlanState => ({
    ...withApprovals(plan, (approval) => ({ ...approval, appliers })),
    requester: { ...actor, door: plan.requester.door },
  });
  return { state: withPlans(state, asOwn) };
});
export const SAYS_NO_IN_VAIN = judging("grant a denial of what is claimed", "heeded", (state, { kind }) =>
  kind === "deny" || kind === "cancel"
    ? { state: { ...withPlans(state, (plan) => ({ ...plan, consumed: EMPTY })), open: EMPTY } }
    : {},
);
const FORGETS_DENIALS = judging("count what was agreed to before somebody denied the same", "agreed", (state) => ({
  state: { ...state, denials: EMPTY },
}));
/** Whoever names a subject and any token at all is taken for them. */
const believed = (state: State, { actor, token = "" }: Command): State => {
  const known = get(state.subjects, actor.id);
  const shown: TokenState = {
    expiresAt: instantOf(Date.UTC(2100, 0)),
    grants: [{ environments: "all", roles: actor.roles as readonly Role[] }],
    hash: sha256(token),
    id: actor.id,
    kind: actor.kind === "agent" ? "agent" : "person",
    makers: known?.makers ?? [],
    token,
  };
  return { ...state, subjects: put(state.subjects, actor.id, shown) };
};
export const BELIEVES_ITS_CLOCK: Planted = {
  bug: "take down what is seen by a clock that is ahead",
  check: "clocked",
  parts: {
    ...REAL,
    decide: (state, command, floor) =>
      REAL.decide(command.kind === "observe" ? lifeless(state) : state, command, floor),
  },
};
export const KEEPS_OVER_A_CLOCK = folding("keep what was counted on another clock", "clocked", (state, record) =>
  record.kind === "accept-clock" ? { ...state, size: record.seq + 1 } : REAL.evolve(state, record),
);
export const FORGETS_IDENTITIES: Planted = {
  bug: "plan for whatever VM has the number",
  check: "identified",
  parts: {
    ...REAL,
    decide: (state, command, floor) =>
      REAL.decide(command.kind === "plan" ? { ...state, identities: EMPTY } : state, command, floor),
  },
};

export const PLANTED: readonly Planted[] = [
  FORGETS_MAKERS,
  FOREIGN_AGENTS,
  SAYS_NO_IN_VAIN,
  TAKES_BACK_IN_VAIN,
  folding("keep the approvals of a token that was revoked", "agreed", (state, record) => {
    const after = REAL.evolve(state, record);
    return record.kind === "token" ? { ...after, plans: state.plans } : after;
  }),
  judging("take any token for a subject's own", "proven", (state, command) =>
    command.token === undefined ? {} : { state: believed(state, command) },
  ),
  judging("count an approval at the ledger's own files", "agreed", (state, { kind }) => ({
    state:
      kind === "approve"
        ? withMode(state, "single-operator")
        : withPlans(state, (plan) => withApprovals(plan, (approval) => ({ ...approval, door: "service" }))),
  })),
  judging("let a token live for ever", "proven", (state) => ({
    state: withTokens(state, (token) => ({ ...token, expiresAt: later(token.expiresAt, 400 * 86_400_000) })),
  })),
  SKIPS_INTENT,
  FORGETS_THE_ANCHOR,
  RETRIES,
  LOST_IS_FAILED,
  CALLS_LATE,
  IGNORES_FREEZE,
  REPLAYED_CLAIMS,
  TAKES_FROM_THE_LIVING,
  SENDS_UNLOCKED,
  TAKES_THE_UNLOCKED_EARLY,
  JUDGES_AS_PLANNED,
  TRUSTS_THE_CLAIM,
  TRUSTS_ITS_FILE,
  TRUSTS_THE_COUNT,
  TRUSTS_THE_CLAIMER,
  GOES_ON_UNDER_ANY_FILE,
  TRUSTS_ITS_OWN_FILE,
  deciding("close a plan by one that says nothing else", "kept", (plan) => ({ ...plan, content: plan.hash })),
  deciding("ignore a denial", "agreed", (plan) => ({ ...plan, denials: [] })),
  ACCEPTS_THE_REQUESTER,
  COUNTS_TWICE,
  deciding("apply a plan that was canceled or superseded", "agreed", ({ closed: _, ...plan }) => plan),
  JUDGES_WITHOUT_POLICY,
  COUNTS_NO_APPLY,
  SENDS_AFTER_HOURS,
  {
    bug: "apply under another policy than the plan stands on",
    check: "agreed",
    parts: {
      ...REAL,
      decide: (state, command, floor) => {
        const policy = policyNamed(policyOf(environmentOf(state, command)));
        const chain = ({ policy: _, ...plan }: PlanState): PlanState =>
          policy === undefined ? plan : { ...plan, policy };
        return REAL.decide(withPlans(state, chain), command, floor);
      },
    },
  },
  BELIEVES_ITS_CLOCK,
  KEEPS_OVER_A_CLOCK,
  FORGETS_IDENTITIES,
  deciding("take a step twice", "once", (plan) => ({ ...plan, consumed: EMPTY })),
  folding("forget to block after unknown", "blocks", (state, record) => ({
    ...REAL.evolve(state, record),
    blocked: EMPTY,
  })),
  folding("let a late outcome unblock", "blocks", (state, record) => {
    const after = REAL.evolve(state, record);
    const body = bodyOf(record);
    const isLate = body?.result.kind === "ended" && body.result.late;
    return isLate && body.kind === "outcome" ? reconciled(after, body.request.intent) : after;
  }),
  {
    bug: "take a confirmation for good",
    check: "agreed",
    parts: { ...REAL, decide: (state, command, floor) => REAL.decide(unending(state), command, floor) },
  },
  performing("believe the place without looking", "true-success", believesThePlace),
];

/** Those that two processes and one step can show, each with what must go wrong for it to show. */
type InTheSmall = Planted & { readonly contest?: Contest; readonly needs: Wrong | "nothing" };
export const IN_THE_SMALL: readonly InTheSmall[] = [
  { ...FORGETS_MAKERS, contest: "eyes", needs: "nothing" },
  { ...FOREIGN_AGENTS, contest: "agents", needs: "nothing" },
  { ...SAYS_NO_IN_VAIN, needs: "deny" },
  { ...FORGETS_DENIALS, contest: "agents", needs: "deny" },
  { ...SKIPS_INTENT, needs: "nothing" },
  { ...FORGETS_THE_ANCHOR, needs: "cut" },
  { ...REPLAYED_CLAIMS, needs: "nothing" },
  { ...RETRIES, needs: "lost" },
  { ...LOST_IS_FAILED, needs: "lost" },
  { ...CALLS_LATE, needs: "past" },
  { ...IGNORES_FREEZE, needs: "freeze" },
  { ...TAKES_FROM_THE_LIVING, needs: "crash" },
  { ...JUDGES_AS_PLANNED, needs: "register" },
  { ...TRUSTS_THE_CLAIM, needs: "register" },
  { ...TRUSTS_ITS_FILE, needs: "configure" },
  { ...TRUSTS_THE_COUNT, contest: "agents", needs: "revoke" },
  { ...TRUSTS_THE_CLAIMER, contest: "rivals", needs: "revoke" },
  { ...BELIEVES_ITS_CLOCK, contest: "planner", needs: "hasty" },
  { ...KEEPS_OVER_A_CLOCK, contest: "planner", needs: "hasty" },
  { ...FORGETS_IDENTITIES, contest: "planner", needs: "replaced" },
];
