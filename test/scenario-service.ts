// A scenario asked through a service: what is wanted is registered, a provider is observed, and the plan that the
// service recorded answers. One ledger for each story. At the ledger each question is a process of its own; elsewhere
// (scenario-door.ts) one process serves them all.
//
// The provider is a simulated cluster behind the real adapter. A scene that no provider can show is observed by the
// replay adapter instead (scenario-world.ts says why). Requests are asked one by one, as the service takes them, and
// their plans are shown as one.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { explanationLines, planLines } from "../src/cli/views/view-plan.ts";
import { parseConfig } from "../src/formats/dedalus/dedalus-yaml.ts";
import { parseScenario } from "../src/formats/scenario/scenario-yaml.ts";
import type { PlanMade, PlanRequest } from "../src/service/act/make-plan.ts";
import { openService } from "../src/service/local-service.ts";
import { agreementsIn } from "../src/service/read/plan-tiers.ts";
import type { Service } from "../src/service/service.ts";
import { scenarioOf } from "../src/simulator/scenario.ts";
import { type Simulator, startSimulator } from "../src/simulator/start-simulator.ts";
import type { DesiredEntry, DesiredVm, PlanFile, Refusal, Verdict } from "../src/spine/model.ts";
import { explain } from "../src/spine/plan/explain.ts";
import type { ServiceNote } from "../src/spine/words/remarks/note-words.ts";
import { known, servicePorts } from "../src/wire.ts";
import { desiredTextOf } from "./desired-text.ts";
import { APPLY_TOKEN, OBSERVE_TOKEN, THREE_NODES } from "./live/cluster.ts";
import type { Block } from "./scenario-file.ts";
import type { Query, Scene } from "./scenario-language.ts";
import { type Asking, answered, currentText, OF_FILES, scenesOf } from "./scenario-runner.ts";
import { type NotLive, simulatedWorldOf, whyNotLive } from "./scenario-world.ts";
import { initAt, OPERATOR, ok } from "./service/serving.ts";
import { ENVIRONMENT, planFileOf, wantRunning } from "./spine/world.ts";

/** The questions of a story that are asked on a replayed observation, by their number from 1, and why. */
export const replayedIn = (blocks: readonly Block[]): readonly { readonly at: number; readonly why: NotLive }[] =>
  scenesOf(blocks).flatMap(({ scene }, index) => {
    const why = whyNotLive(scene);
    return why === undefined ? [] : [{ at: index + 1, why }];
  });

/** Asks a service that has this configuration. */
export type AskConfigured = (
  config: string,
  ask: (service: Service) => Promise<readonly string[]>,
) => Promise<readonly string[]>;

export const throughService = async (blocks: readonly Block[]): Promise<readonly Block[]> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-scenario-"));
  try {
    await initAt(folder);
    return await askedIn(folder, blocks, (config, ask) => askedAt(folder, config, ask));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** `folder` has been initialised, and is where the service reads what a question leaves there. */
export const askedIn = (folder: string, blocks: readonly Block[], at: AskConfigured): Promise<readonly Block[]> => {
  mkdirSync(join(folder, "secrets"));
  writeFileSync(join(folder, "secrets/apply"), APPLY_TOKEN, { mode: 0o600 });
  writeFileSync(join(folder, "secrets/observe"), OBSERVE_TOKEN, { mode: 0o600 });
  const [live, replayed] = [liveAt(at), replayedAt(folder, at)];
  return answered(blocks, (scene, query) =>
    whyNotLive(scene) === undefined ? live(scene, query) : replayed(scene, query),
  );
};

const configOf = (section: string): string => `version: 1
operator: alice
ledger: { engine: sqlite, path: ledger/dedalus.db }
anchor: anchor/checkpoints.txt
signingKey: keys/ledger.key
environments:
  ${ENVIRONMENT}: { ${section}, approval: single-operator, maxObservationAge: 60 s, desired: desired.yaml }
`;

const replayedAt =
  (folder: string, at: AskConfigured): Asking =>
  (scene, query) => {
    writeFileSync(join(folder, "current.json"), currentText(scene));
    const config = configOf("adapter: replay, path: current.json");
    return at(config, (service) => answerOf(service, scene, query, "replayed"));
  };

const SECRETS = "credentials: { observe: { file: secrets/observe }, apply: { file: secrets/apply } }";

const liveAt =
  (at: AskConfigured): Asking =>
  async (scene, query) => {
    const { fingerprint, stop, url } = await simulatorOf(scene);
    try {
      const tls = `tls: { verify: pinned, sha256: "${fingerprint}" }`;
      const config = configOf(`adapter: proxmox, url: "${url}", ${tls}, ${SECRETS}`);
      return await at(config, (service) => answerOf(service, scene, query, "live"));
    } finally {
      await stop();
    }
  };

const simulatorOf = (scene: Scene): Promise<Simulator> => {
  const parsed = parseScenario(THREE_NODES, "scenario.yaml");
  assert.equal(parsed.kind, "ok");
  const scenario = { ...scenarioOf(parsed.value), world: simulatedWorldOf(scene, Date.now()) };
  return startSimulator({ clock: { kind: "follows", nowMs: Date.now }, port: 0, scenario });
};

const askedAt = async <T>(folder: string, config: string, ask: (service: Service) => Promise<T>): Promise<T> => {
  const parsed = parseConfig(config, "dedalus.yaml", known);
  assert.equal(parsed.kind, "ok", JSON.stringify(parsed));
  const hears = { note: ({ cause }: ServiceNote) => assert.fail(cause), recovered: () => undefined };
  const value = { config: parsed.value, file: "dedalus.yaml", home: folder, policies: new Map() };
  const service = openService(
    value,
    { ...servicePorts(), configured: () => ({ kind: "ok", value }), hears, version: "0.0.0" },
    "one-request",
  );
  try {
    return await ask(service);
  } finally {
    assert.deepEqual(await service.close(), []);
  }
};

/** Whether what was observed may carry an apply. */
type Observed = "live" | "replayed";

const answerOf = async (
  service: Service,
  scene: Scene,
  query: Query,
  observed: Observed,
): Promise<readonly string[]> => {
  const desired = { file: "desired.yaml", text: desiredTextOf([...scene.desired.values()].map(entryFor)) };
  ok(await service.register(OPERATOR, { environment: ENVIRONMENT, desired }));
  const plans: PlanMade[] = [];
  for (const request of requestsOf(scene)) {
    const answer = await service.makePlan(OPERATOR, request);
    if (answer.kind === "refused") return answer.refusals.map(({ code, rule }) => `refused ${rule} ${code}`);
    plans.push(answer.value);
  }
  if (query.kind === "explain") return explained(service, plans, query);
  return planLines(
    together(
      plans.map((plan) => fileOf(plan, observed)),
      scene,
    ),
    OF_FILES,
  );
};

/** A request is of a VM that is registered, and not of what its entry wants. */
const entryFor = (entry: DesiredEntry): DesiredVm =>
  entry.kind === "desired" ? entry : wantRunning({ name: entry.name, vmid: entry.vmid });

/** A story requests actions, or says what is wanted: the service plans either. */
const requestsOf = ({ scope, desired }: Scene): readonly PlanRequest[] => {
  const requests = [...desired.values()].filter((entry) => entry.kind === "request");
  if (requests.length === 0) return [{ environment: ENVIRONMENT, registeredOnly: true, scope }];
  assert.deepEqual([requests.length, scope], [desired.size, "all"], "a story requests for all, or wants for all");
  return requests.map(({ action, vmid }) => ({
    environment: ENVIRONMENT,
    registeredOnly: true,
    request: { action, vmid },
    scope: [vmid],
  }));
};

/** A scenario tells how the story is answered; whether that can be applied depends on who observed. */
const fileOf = ({ applicable, plan, verdict }: PlanMade, observed: Observed): PlanFile => {
  assert.equal(applicable, observed === "live" && verdict.kind !== "refused");
  return planFileOf({ plan, verdict });
};

const together = (files: readonly PlanFile[], { scope }: Scene): PlanFile => {
  const [first, ...others] = files;
  assert.ok(first !== undefined, "something is asked");
  if (others.length === 0) return first;
  const answers = files.flatMap(({ plan }) => plan.answers).toSorted((a, b) => (a.vmid ?? 0) - (b.vmid ?? 0));
  const plan = { ...first.plan, answers, scope };
  return { ...first, plan, verdict: strictest(files.map(({ verdict }) => verdict)) };
};

const strictest = (verdicts: readonly Verdict[]): Verdict => {
  const [first, ...others] = verdicts.flatMap((one): readonly Refusal[] =>
    one.kind === "refused" ? one.refusals : [],
  );
  if (first !== undefined) return { kind: "refused", refusals: [first, ...others] };
  const kind = verdicts.some((one) => one.kind === "needs-approval") ? "needs-approval" : "clear";
  return { kind, tiers: verdicts.flatMap((one) => (one.kind === "refused" ? [] : one.tiers)) };
};

/** The service explains steps; of a VM without one the plan it answered with is all there is. */
const explained = async (
  service: Service,
  plans: readonly PlanMade[],
  { vmid }: Extract<Query, { readonly kind: "explain" }>,
): Promise<readonly string[]> => {
  const made = plans.find(({ plan }) => plan.answers.some((answer) => answer.vmid === vmid));
  assert.ok(made !== undefined, `the service has no answer for VM ${vmid}`);
  const isStep = made.plan.answers.some((answer) => answer.kind === "step" && answer.vmid === vmid);
  const step = { plan: made.id, step: { vmid: String(vmid) } };
  const explanation = isStep
    ? ok(await service.explain(OPERATOR, step)).value.explanation
    : explain(made.plan, made.verdict, vmid);
  assert.ok(explanation !== undefined, `the plan has no answer for VM ${vmid}`);
  return explanationLines(
    explanation,
    { agreements: agreementsIn(made.verdict, explanation.step?.hash), invited: [] },
    OF_FILES,
  );
};
