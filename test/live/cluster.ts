// A simulated cluster with a desk in front of it: the real commands, a real ledger, real HTTPS, and a world that tells
// afterwards what reached it.
//
// Its time is driven: each request costs some of it, so that a task has ended when it is asked for.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProcessIo } from "../../src/cli/run.ts";
import { parseScenario } from "../../src/formats/scenario/scenario-yaml.ts";
import type { Clock } from "../../src/simulator/pve/server.ts";
import { scenarioOf } from "../../src/simulator/scenario.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../src/simulator/start-simulator.ts";
import { atDesk, type Printed } from "../cli/desk.ts";

export const THREE_NODES = readFileSync(new URL("../../examples/three-nodes.yaml", import.meta.url), "utf8");
export const OBSERVE_TOKEN = "dedalus@pve!observe=11111111-1111-4111-8111-111111111111";
export const APPLY_TOKEN = "dedalus@pve!apply=22222222-2222-4222-8222-222222222222";

/** Every guest of three-nodes.yaml as it is there, but for web-01, which should run. */
export const WANTED = `version: 1
environment: home
vms:
  - { vmid: 101, name: web-01, target: running }
  - { vmid: 102, name: batch-01, target: running }
  - { vmid: 103, name: prod-db, target: running }
  - { vmid: 105, name: cache-01, target: running }
  - { vmid: 200, name: dns-01, target: running }
`;

/** A task that takes long is over when it is asked for. */
export const BRISK: Clock = { kind: "driven", requestMs: 15_000 };

export type Cluster = {
  readonly dedalus: (...argv: readonly string[]) => Promise<Printed>;
  /** What a command printed with --json, whatever its exit code. */
  readonly value: <T>(...argv: readonly string[]) => Promise<T>;
  readonly folder: string;
  readonly simulator: Simulator;
  /** The calls that could change something, in order. */
  readonly mutations: () => readonly string[];
};

type Refused = { readonly code: string; readonly text: { readonly detail: string } };

/** What the commands print with --json, as far as these tests read it. */
export type PlanValue = {
  readonly applicable: boolean;
  readonly because?: string;
  readonly id: string;
  readonly plan: { readonly answers: readonly { readonly kind: string; readonly vmid: number }[] };
  readonly steps: readonly { readonly status: string; readonly tier: string; readonly vmid: number }[];
  readonly verdict: { readonly kind: string };
};
export type AppliedValue = {
  readonly applied?: readonly {
    readonly result: {
      readonly cause: string;
      readonly changed?: readonly { readonly field: string; readonly now?: unknown; readonly was?: unknown }[];
      readonly diagnostics?: readonly { readonly code: string; readonly facts?: object; readonly said?: string }[];
      readonly outcome: string;
      readonly reference?: string;
    };
    readonly intent: string;
    readonly recorded: boolean;
  }[];
  readonly error?: { readonly outcome: string; readonly refusals: readonly Refused[] };
};
type IntentValue = { readonly end?: { readonly outcome: string }; readonly id: string; readonly vmid: number };
/** What explain prints. */
export type Explained = { readonly explanation: { readonly hash: string } };
export type StatusValue = {
  readonly blocked: readonly (IntentValue & { readonly settleBy: string })[];
  readonly last: readonly IntentValue[];
  readonly open: readonly IntentValue[];
  readonly size: number;
};

export type ClusterOptions = {
  /** What the person at the terminal answers; nobody is there when it is not said. */
  readonly answer?: (question: string) => string;
  readonly approval?: "single-operator" | "four-eyes";
  readonly clock?: Clock;
  /** What stands in for the terminal; it wins over `answer`. */
  readonly io?: Partial<ProcessIo>;
  /** The address of a PostgreSQL database for the ledger; a file of SQLite when it is not said. */
  readonly ledgerUrl?: string;
  readonly onRequest?: SimulatorOptions["onRequest"];
  readonly scenario?: string;
  readonly wanted?: string;
};

export const configText = (simulator: Pick<Simulator, "fingerprint" | "url">, options: ClusterOptions = {}): string =>
  `version: 1
operator: alice
ledger: ${options.ledgerUrl === undefined ? "{ engine: sqlite, path: ledger/dedalus.db }" : "{ engine: postgres, url: { file: secrets/ledger } }"}
anchor: anchor/checkpoints.txt
signingKey: keys/ledger.key
environments:
  home:
    adapter: proxmox
    url: ${simulator.url}
    tls: { verify: pinned, sha256: "${simulator.fingerprint}" }
    credentials:
      observe: { file: secrets/observe }
      apply: { file: secrets/apply }
    approval: ${options.approval ?? "single-operator"}
    maxObservationAge: 60 s
    desired: desired.yaml
`;

export const atCluster = async (
  work: (cluster: Cluster) => Promise<void>,
  options: ClusterOptions = {},
): Promise<void> => {
  const parsed = parseScenario(options.scenario ?? THREE_NODES, "scenario.yaml");
  assert.equal(parsed.kind, "ok", parsed.kind === "bad" ? JSON.stringify(parsed.problems) : "");
  const { answer, clock = BRISK, onRequest } = options;
  const simulator = await startSimulator({
    clock,
    ...(onRequest === undefined ? {} : { onRequest }),
    port: 0,
    scenario: scenarioOf(parsed.value, clock.kind === "follows" ? clock.nowMs() : Date.now()),
  });
  try {
    await atDesk(
      {},
      async (dedalus, folder) => {
        assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
        writeFileSync(join(folder, "dedalus.yaml"), configText(simulator, options));
        writeFileSync(join(folder, "desired.yaml"), options.wanted ?? WANTED);
        mkdirSync(join(folder, "secrets"));
        writeFileSync(join(folder, "secrets/observe"), OBSERVE_TOKEN, { mode: 0o600 });
        writeFileSync(join(folder, "secrets/apply"), APPLY_TOKEN, { mode: 0o600 });
        if (options.ledgerUrl !== undefined) {
          writeFileSync(join(folder, "secrets/ledger"), options.ledgerUrl, { mode: 0o600 });
        }
        const registered = await dedalus("register", "--env", "home", "desired.yaml");
        assert.equal(registered.code, 0, registered.err);
        const value = async <T>(...argv: readonly string[]): Promise<T> =>
          JSON.parse((await dedalus(...argv, "--json")).out);
        await work({ dedalus, folder, mutations: () => mutationsOf(simulator), simulator, value });
      },
      { ...(answer === undefined ? {} : { ask: async (question) => answer(question) }), ...options.io },
    );
  } finally {
    await simulator.stop();
  }
};

export const mutationsOf = (simulator: Pick<Simulator, "requests">): readonly string[] =>
  simulator.requests().flatMap(({ method, path }) => (method === "GET" ? [] : [`${method} ${path}`]));

/** The plan for one requested action; what follows are its own options. */
export const planned = async (
  { value }: Cluster,
  action: string,
  vmid: number,
  ...more: readonly string[]
): Promise<PlanValue> => value("plan", "--env", "home", "--action", action, "--vm", `${vmid}`, ...more);

type Challenged = { readonly challenge?: { readonly hash: string } };
const challengedIn = ({ value }: Cluster, plan: string): Promise<AppliedValue & Challenged> =>
  value("explain", plan, "--step", "1", "--challenge");

const wordsFor = (plan: string, hash: string): readonly string[] => ["apply", plan, "--step", "1", "--confirm", hash];

/** Reads the explanation of a step, and gives the words that apply it with what was read. */
export const applyWords = async (cluster: Cluster, plan: string): Promise<readonly string[]> => {
  const { challenge } = await challengedIn(cluster, plan);
  return wordsFor(plan, challenge?.hash ?? assert.fail("it is challenged"));
};

/** Reads the explanation of a step and applies it with its hash, as a script does, which ends where it is refused. */
export const applied = async (cluster: Cluster, plan: string, ...more: readonly string[]): Promise<AppliedValue> => {
  const shown = await challengedIn(cluster, plan);
  return shown.challenge === undefined ? shown : cluster.value(...wordsFor(plan, shown.challenge.hash), ...more);
};

/** The codes of what was refused, wherever in the value they are. */
export const codesIn = (value: unknown): readonly string[] =>
  Array.from(JSON.stringify(value).matchAll(/"code":"([a-z-]+)"/g), ([, code = ""]) => code);
