// The mix of commands that the kernel is measured with, by virtual clock: one environment of four VMs, and again and
// again an observation of them, a plan of four steps, and for each step the challenge, the apply, its dispatch and its
// outcome.
//
// 18 commands a turn, after the start and the one desired file; every one is granted. The records are those of the real
// decider, so that whoever runs the commands again on the same state gets the same records.

import { ulids } from "../src/ids.ts";
import { START_GIVEN, startRequest } from "../src/kernel/command/program.ts";
import { configHash, type RecordedConfig } from "../src/kernel/command/recorded-config.ts";
import type { Command, Request } from "../src/kernel/command/request.ts";
import type { Result } from "../src/kernel/command/result.ts";
import { type CommandOptions, commandOf, KERNEL_ACTOR } from "../src/kernel/command-desk.ts";
import { LOCAL_ROLES } from "../src/kernel/decide/actors.ts";
import { shownBefore, stepRef } from "../src/kernel/decide/step-ref.ts";
import { evolve } from "../src/kernel/fold-versions.ts";
import { entriesIn, registrationOf } from "../src/kernel/state/registered-entry.ts";
import { INITIAL, type State } from "../src/kernel/state/state.ts";
import { decide } from "../src/kernel/versions.ts";
import type { Actor, Draft, Sealed, Ulid } from "../src/ledger/record/record.ts";
import { GENESIS } from "../src/ledger/record/record.ts";
import { seal } from "../src/ledger/record/seal.ts";
import type { DesiredVm, Instant, Observation, Plan, Sha256, VmState } from "../src/spine/model.ts";
import { isVmid } from "../src/spine/model.ts";
import { desiredStateOf } from "../src/spine/plan/desired-state.ts";
import { instantOf } from "../src/spine/values/instant.ts";
import { observe } from "../src/spine/values/observation.ts";
import { OWN_WORDS } from "../src/spine/words/own-words.ts";

export const VMS = 4;
export const COMMANDS_A_TURN = 2 + 4 * VMS;
export const ENVIRONMENT = "bench";
const FROM_MS = Date.UTC(2026, 10, 15);
/** A million commands stay within one day, so that nothing is forgotten and the state is as large as it gets. */
const MS_A_COMMAND = 50;

const config: RecordedConfig = {
  environments: {
    [ENVIRONMENT]: {
      adapter: "simulated",
      approval: "single-operator",
      live: true,
      maxObservationAgeMs: 60_000,
      numbers: "provider",
      section: { adapter: "simulated", approval: "single-operator" },
    },
  },
  ledger: { engine: "sqlite" },
  operator: "alice",
};
export const CONFIG_HASH = configHash(config);
export const OPERATOR: Actor = { id: "alice", kind: "person", roles: LOCAL_ROLES };

const vmidAt = (at: number) => {
  const vmid = 101 + at;
  if (!isVmid(vmid)) throw new RangeError(`${vmid} is no vmid`);
  return vmid;
};
const nameAt = (at: number): string => `web-0${at + 1}`;

const DESIRED: readonly DesiredVm[] = Array.from({ length: VMS }, (_, at) => ({
  kind: "desired",
  name: nameAt(at),
  target: "running",
  vmid: vmidAt(at),
}));

export const stateAt = (at: number, status: "running" | "stopped" = "stopped"): VmState => ({
  kind: "vm",
  name: nameAt(at),
  source: "live",
  status,
  vmid: vmidAt(at),
});

export const lookAt = (observedAt: Instant, vms: readonly VmState[]): Observation => ({
  complete: true,
  environment: ENVIRONMENT,
  gaps: [],
  observedAt,
  version: 1,
  vms,
});

export type Recorded = {
  readonly blobs: ReadonlyMap<Sha256, Uint8Array>;
  readonly command: Command;
  readonly draft: Draft;
  readonly sealed: Sealed;
  /** After the record. */
  readonly state: State;
};

const desired = desiredStateOf(ENVIRONMENT, DESIRED);

/** Without end; take as many as are wanted. Each is decided and folded when it is taken. */
export function* mix(msACommand = MS_A_COMMAND): Generator<Recorded, never> {
  let ms = FROM_MS;
  const ids = ulids(
    () => ms,
    (bytes) => new Uint8Array(bytes),
  );
  const instance = ids();
  let state = INITIAL;
  let floor: Instant | undefined;
  let head = { hash: GENESIS, size: 0 };
  let last: Recorded | undefined;

  const ask = (request: Request, asking: CommandOptions & { readonly by?: Actor } = {}): Recorded => {
    ms += msACommand;
    const { by = OPERATOR, ...rest } = asking;
    const desk = {
      actor: by,
      configHash: CONFIG_HASH,
      door: "local",
      ids,
      instance,
      now: () => instantOf(ms),
      words: OWN_WORDS.digest,
    } as const;
    const command = commandOf(desk, request, { environment: ENVIRONMENT, ...rest });
    const { blobs = new Map(), draft } = decide(state, command, floor);
    const sealed = seal(draft, { prev: head.hash, seq: head.size });
    const result = resultIn(sealed);
    if (result.kind === "refused") throw new Error(JSON.stringify(result));
    head = { hash: sealed.hash, size: head.size + 1 };
    floor = sealed.record.processTime;
    state = evolve(state, sealed.record);
    last = { blobs, command, draft, sealed, state };
    return last;
  };

  if ("kind" in desired) throw new Error(desired.code);
  yield ask(startRequest(config, "bench"), { by: KERNEL_ACTOR, given: START_GIVEN });
  const registered = entriesIn(desired);
  yield ask(registrationOf(desired), { given: { desired } });
  for (;;) {
    const observedAt = instantOf(ms);
    const observation = lookAt(
      observedAt,
      DESIRED.map((_, at) => stateAt(at)),
    );
    const { digest } = observe(observation);
    const observed = ask(
      { complete: true, gaps: 0, kind: "observe", observation: digest, observedAt, providerTime: observedAt, vms: VMS },
      { given: { observation } },
    );
    yield observed;
    const planned = ask(
      { kind: "plan", observation: idOf(observed), scope: "all" },
      { given: { observation, desired } },
    );
    yield planned;
    const plan = planIn(planned);
    for (let index = 0; index < VMS; index += 1) {
      const of = stepRef(idOf(planned), plan, index);
      if (of === undefined) throw new Error(`the plan has no step ${index}`);
      const challenge = ask({ kind: "challenge", of, registered: registered(of.step.vmid) });
      yield challenge;
      const challenged = resultIn(challenge.sealed);
      if (challenged.kind !== "challenged") throw new Error(challenged.kind);
      const { explanation } = challenged;
      const confirmation = { challenge: idOf(challenge), explanation };
      const applied = ask({ confirmation, kind: "apply", of: shownBefore(of) });
      yield applied;
      const intent = idOf(applied);
      const chain = { by: KERNEL_ACTOR, causationId: intent };
      yield ask({ intent, kind: "dispatched", reference: `UPID:pve1:0000${index}` }, chain);
      yield ask(
        { cause: "provider-done", intent, kind: "outcome", outcome: "succeeded", said: "the task ended: OK" },
        chain,
      );
    }
  }
}

export const idOf = ({ command }: Recorded): Ulid => command.id;

const resultIn = ({ record }: Sealed): Result => {
  const { result } = record.body as { readonly result?: Result };
  if (result === undefined) throw new Error("a kernel's record has a result");
  return result;
};

/** The plan that a recorded plan has as its blob. */
export const planIn = ({ blobs, sealed }: Recorded): Plan => {
  const result = resultIn(sealed);
  const bytes = result.kind === "planned" ? blobs.get(result.plan) : undefined;
  if (bytes === undefined) throw new Error("a recorded plan has its blob");
  return JSON.parse(new TextDecoder().decode(bytes)).plan;
};

export const taken = (records: number): readonly Recorded[] => {
  const source = mix();
  return Array.from({ length: records }, () => source.next().value);
};
