// A stage for a whole apply: a real sqlite ledger, the kernel over it, and a simulated provider on a virtual clock.
//
// Several processes may stand on one stage, each with its own engine, state and clock that never steps back.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Source } from "../../src/adapters/source.ts";
import { ulids } from "../../src/ids.ts";
import { type ApplyEnd, type ApplyGround, performApply } from "../../src/kernel/apply/perform-apply.ts";
import { START_GIVEN, startRequest } from "../../src/kernel/command/program.ts";
import { configHash } from "../../src/kernel/command/recorded-config.ts";
import type { Request, RequestOf, StepRef } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { resultOf } from "../../src/kernel/command/submission-result.ts";
import { type CommandDesk, commandOf, KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { LOCAL_ROLES } from "../../src/kernel/decide/actors.ts";
import type { EntryReader } from "../../src/kernel/decide/stands-on.ts";
import { stepRef } from "../../src/kernel/decide/step-ref.ts";
import { replay } from "../../src/kernel/replay-ledger.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { entriesIn, registrationOf } from "../../src/kernel/state/registered-entry.ts";
import { type OpenWriter, openWriterOn } from "../../src/kernel/writer.ts";
import type { Engine } from "../../src/ledger/engine.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import { recordOf } from "../../src/ledger/verify/chain-state.ts";
import { providerOf, type SimulatedProvider } from "../../src/simulator/ports/provider.ts";
import { worldActuator } from "../../src/simulator/ports/world-actuator.ts";
import { worldSource } from "../../src/simulator/ports/world-source.ts";
import type { Fault } from "../../src/simulator/world/faults.ts";
import type { GuestWords } from "../../src/simulator/world/make-guest.ts";
import type { DesiredVm, Sha256 } from "../../src/spine/model.ts";
import type { Policy } from "../../src/spine/plan/policy.ts";
import { instantOf } from "../../src/spine/values/instant.ts";
import { observe } from "../../src/spine/values/observation.ts";
import { OWN_WORDS } from "../../src/spine/words/own-words.ts";
import { engineAt, ledgers as ledgerLocation } from "../ledger/sqlite-files.ts";
import { lab } from "../simulator/lab.ts";
import { desiredFor, wantRunning } from "../spine/world.ts";
import { configOf } from "./story.ts";

export type Process = {
  readonly ask: (request: Request, more?: Parameters<typeof commandOf>[2]) => Promise<Result>;
  readonly desk: CommandDesk;
  readonly engine: Engine;
  readonly ground: ApplyGround;
  readonly writer: OpenWriter;
};
export type Stage = { readonly provider: SimulatedProvider; readonly process: () => Promise<Process> };

type Setting = {
  readonly faults?: readonly Fault[];
  readonly guests?: Parameters<typeof lab>[0];
  readonly policy?: Policy;
};
export type Words = Partial<GuestWords>;

export const stage = async (
  t: TestContext,
  { faults = [], guests = [{ name: "web-01", vmid: 101 }], policy }: Setting = {},
): Promise<Stage> => {
  const provider = providerOf(lab(guests, { faults }));
  const where = await ledgerLocation(t);
  const ids = ulids(() => provider.world().nowMs);
  const config = configOf("single-operator", true, policy);
  const process = async (): Promise<Process> => {
    const engine = await engineAt(t, where);
    const writer = await openWriterOn(engine);
    t.after(() => writer.close());
    const desk: CommandDesk = {
      actor: { id: "alice", kind: "person", roles: LOCAL_ROLES },
      configHash: configHash(config),
      words: OWN_WORDS.digest,
      door: "local",
      ids,
      instance: ids(),
      now: () => instantOf(provider.world().nowMs),
    };
    const asked = async (
      from: CommandDesk,
      request: Request,
      more: Parameters<typeof commandOf>[2] = {},
    ): Promise<Result> =>
      resultOf(await writer.submit(commandOf(from, request, { environment: "home", ...more }))) ??
      assert.fail("recorded");
    await asked({ ...desk, actor: KERNEL_ACTOR }, startRequest(config, "1"), { given: START_GIVEN });
    const registered: EntryReader = async (state, environment, vmid) => {
      const { digest } = get(state.desired, environment) ?? assert.fail("something is registered");
      const bytes = (await engine.blob(digest)) ?? assert.fail("what is registered is a blob");
      return entriesIn({ ...JSON.parse(new TextDecoder().decode(bytes)), digest })(vmid);
    };
    const ground: ApplyGround = {
      anchor: async () => undefined,
      actuator: worldActuator(provider, { user: "dedalus@pve!apply" }),
      desk,
      monotonicMs: () => provider.world().nowMs,
      displaced: () => undefined,
      edited: () => undefined,
      owns: async () => true,
      registered,
      // Aborts when the world's clock says so; the pump below moves that clock.
      signalIn: (ms) => signalAt(provider, provider.world().nowMs + ms),
      source: worldSource(provider, { environment: "home" }),
      writer,
    };
    return { ask: (request, more) => asked(desk, request, more), desk, engine, ground, writer };
  };
  return { provider, process };
};

const signalAt = (provider: SimulatedProvider, atMs: number): AbortSignal => {
  const stop = new AbortController();
  void provider.untilMs(atMs, stop.signal).then(() => stop.abort());
  return stop.signal;
};

/** Registers, observes and plans one step; the reference to it. */
export const plannedOn = async (
  { ask, engine, ground, writer }: Process,
  entry: DesiredVm = wantRunning(),
): Promise<StepRef> => {
  const desired = desiredFor([entry]);
  const remembered = async () => {
    const digest = get(writer.state().identities, "home");
    const bytes = digest === undefined ? undefined : await engine.blob(digest);
    return bytes === undefined ? {} : { identities: JSON.parse(new TextDecoder().decode(bytes)).identities };
  };
  await ask(registrationOf(desired, get(writer.state().desired, "home")), { given: { desired } });
  const { digest, observation } = observe(
    await ground.source.observe([{ vmid: entry.vmid }], new AbortController().signal),
  );
  const { complete, gaps, observedAt, vms } = observation;
  await ask(
    {
      complete,
      gaps: gaps.length,
      kind: "observe",
      observation: digest,
      ...(observedAt === undefined ? {} : { observedAt }),
      providerTime: ground.desk.now(),
      vms: vms.length,
    },
    { given: { observation, ...(await remembered()) } },
  );
  const observationId = lastId(await lineTexts(engine));
  const given = { observation, desired, ...(await remembered()) };
  const result = await ask({ kind: "plan", observation: observationId, scope: "all" }, { given });
  assert.ok(result.kind === "planned", JSON.stringify(result));
  const bytes = (await engine.blob(result.plan)) ?? assert.fail("the plan is a blob");
  const { plan } = JSON.parse(new TextDecoder().decode(bytes));
  assert.equal(writer.state().open.size, 0);
  return stepRef(lastId(await lineTexts(engine)), plan, 0) ?? assert.fail("the plan has a step");
};

export const lineTexts = async (engine: Engine): Promise<readonly string[]> => {
  const texts: string[] = [];
  for await (const line of engine.read(0, Number.MAX_SAFE_INTEGER)) texts.push(new TextDecoder().decode(line));
  return texts;
};
const lastId = (texts: readonly string[]): Ulid => JSON.parse(texts.at(-1) ?? "{}").auditId;

export const confirming = async (process: Process, of: StepRef): Promise<RequestOf<"apply">> => {
  const registered = await process.ground.registered(process.writer.state(), "home", of.step.vmid);
  const challenge = await process.ask({ kind: "challenge", of, registered });
  assert.ok(challenge.kind === "challenged", JSON.stringify(challenge));
  const id = lastId(await lineTexts(process.engine));
  return { confirmation: { challenge: id, explanation: challenge.explanation }, kind: "apply", of };
};

/** Performs, while the world's clock moves on to whatever is due next. */
export const performed = async (
  { provider: place }: Stage,
  process: Process,
  request: RequestOf<"apply">,
  more: Partial<
    Pick<
      ApplyGround,
      | "actuator"
      | "anchor"
      | "displaced"
      | "edited"
      | "ending"
      | "monotonicMs"
      | "onProgress"
      | "owns"
      | "plannedOn"
      | "registered"
    >
  > & {
    readonly source?: Source;
  } = {},
): Promise<ApplyEnd> => {
  const command = commandOf(process.desk, request, { environment: "home" });
  let ended: ApplyEnd | undefined;
  const running = performApply({ ...process.ground, ...more }, command).then((one) => {
    ended = one;
  });
  while (ended === undefined) {
    await new Promise((resume) => setImmediate(resume));
    const due = place.dueMs();
    if (ended === undefined && due !== undefined) place.advance(due);
  }
  await running;
  return ended;
};

export const KINDS = (texts: readonly string[]): readonly string[] => texts.map((text) => JSON.parse(text).kind);

/** Calls that the place took. */
export const calls = ({ provider: place }: Stage): number =>
  place.world().journal.filter(({ kind }) => kind === "call").length;

export const replayedEqual = async ({ engine }: Process): Promise<void> => {
  const records = (await lineTexts(engine)).map((text, seq) => recordOf(new TextEncoder().encode(text), seq));
  const decoder = new TextDecoder();
  const result = await replay([records], async (digest: Sha256) => {
    const bytes = await engine.blob(digest);
    return bytes === undefined ? undefined : decoder.decode(bytes);
  });
  assert.equal(result.kind, "equal", JSON.stringify(result));
};
