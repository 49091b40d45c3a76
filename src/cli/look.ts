// One recorded look at an environment: what observe, plan and reconcile share.

import type { Detail, WantedVm } from "../adapters/source.ts";
import { monotonicMs } from "../clock.ts";
import type { EnvironmentConfig } from "../formats/dedalus/dedalus-environment.ts";
import { visible } from "../formats/field-path.ts";
import type { RequestOf } from "../kernel/command/request.ts";
import type { Ulid } from "../ledger/record/record.ts";
import type { Observed, Refusal, Vmid, Wishes } from "../spine/model.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { observe } from "../spine/values/observation.ts";
import { gapText } from "../spine/words/observation-words.ts";
import { type Adapter, adapterOf, type Listening } from "../wire.ts";
import { badInput, failed } from "./failure.ts";
import { type Io, progress } from "./io.ts";
import type { Outcome } from "./outcome.ts";
import { registeredIn } from "./recorded.ts";
import { askedRemembering } from "./remembered.ts";
import type { Session } from "./session.ts";

const LOOK_MAX_MS = 10 * 60_000;

export type Looked = {
  readonly adapter: Adapter;
  /** VMs that showed another identity than the remembered one. */
  readonly changed: readonly Vmid[];
  readonly id: Ulid;
  readonly observed: Observed;
  /** Why nothing at all was seen; undefined when the place answered. */
  readonly unanswered: string | undefined;
  readonly wishes: Wishes;
};

export const adapterAt = async (
  { desk }: Session,
  name: string,
  environment: EnvironmentConfig,
  io: Io,
  listening: Pick<Listening, "onUnanswered"> = {},
): Promise<Adapter | Refusal> =>
  adapterOf(name, environment, desk.home, {
    ...listening,
    onProgress: ({ observed, wanted }) => progress(io, `looking: ${observed} of ${wanted} VMs`),
  });

/**
 * Only registered VMs are looked at; `only` narrows that to the VMs of one action, of which the first must be registered.
 * The look is in the ledger when this resolves.
 */
export const looked = async (
  session: Session,
  at: { readonly name: string; readonly environment: EnvironmentConfig },
  io: Io,
  details: readonly Detail[],
  only?: readonly [Vmid, ...Vmid[]],
): Promise<Looked | Outcome> => {
  const { ask, ledger, writer } = session;
  const wishes = await registeredIn(ledger.engine, writer.state(), at.name);
  if (wishes === undefined) {
    return failed("refused", "kernel", [refuse("desired-unregistered", { facts: { environment: at.name } })]);
  }
  let unanswered: string | undefined;
  const onUnanswered: Listening["onUnanswered"] = (unseen) => {
    unanswered = gapText(unseen);
  };
  const adapter = await adapterAt(session, at.name, at.environment, io, { onUnanswered });
  if ("code" in adapter) return badInput([adapter]);
  progress(io, `looking at ${at.name}`);
  const wanted = wantedIn(wishes, only);
  const fromMs = monotonicMs();
  const look = await adapter.source.observe(wanted, AbortSignal.timeout(LOOK_MAX_MS), details);
  const tookMs = Math.max(0, Math.ceil(monotonicMs() - fromMs));
  const { providerTime, ...seen } = look;
  const observed = observe(seen);
  const { complete, gaps, observedAt, vms } = observed.observation;
  const request: RequestOf<"observe"> = {
    complete,
    gaps: gaps.length,
    kind: "observe",
    observation: observed.digest,
    ...(observedAt === undefined ? {} : { observedAt }),
    ...(providerTime === undefined ? {} : { providerTime }),
    tookMs,
    vms: vms.length,
  };
  const asked = await askedRemembering(session, at.name, (identities) =>
    ask(request, { environment: at.name, given: { identities, observation: observed.observation } }),
  );
  if (asked.kind === "refused") return asked.outcome;
  const changed = asked.result.kind === "observed" ? (asked.result.changed?.vmids ?? []) : [];
  return { adapter, changed, id: asked.record.auditId, observed, unanswered, wishes };
};

const wantedIn = ({ wishes }: Wishes, only: readonly [Vmid, ...Vmid[]] | undefined): readonly WantedVm[] => {
  if (only === undefined) return wishes;
  const entries = new Map(wishes.map((wish) => [wish.vmid, wish]));
  return entries.has(only[0]) ? only.map((vmid) => entries.get(vmid) ?? { vmid }) : [];
};

/**
 * What came of a look at a place that did not answer is told as it is, and the exit code tells a script that the place is
 * the matter: everything is unknown, whatever the VMs do.
 */
export const unlessUnanswered = (name: string, { unanswered }: Looked, outcome: Outcome): Outcome =>
  unanswered === undefined
    ? outcome
    : {
        exit: "unreachable",
        json: { ...Object(outcome.json), unanswered },
        text: (paint) => [...outcome.text(paint), `nothing was seen of ${name}: ${visible(unanswered)}`],
      };
