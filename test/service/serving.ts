// A service to ask: a real sqlite ledger and anchor in a folder of its own, and a provider in memory that counts what
// reaches it and can be held up.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "../../src/formats/dedalus/dedalus-yaml.ts";
import type { Parsed } from "../../src/formats/problem.ts";
import { ulids } from "../../src/ids.ts";
import type { PerformerEnding } from "../../src/kernel/apply/perform-apply.ts";
import { DAY_MS } from "../../src/kernel/state/spans.ts";
import type { IntentState } from "../../src/kernel/state/state.ts";
import { readNotes } from "../../src/ledger/anchor/anchor.ts";
import type { Engine } from "../../src/ledger/engine.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { readRecord } from "../../src/ledger/record/read-record.ts";
import type { LedgerRecord } from "../../src/ledger/record/record.ts";
import type { OkAnswer, ServiceAnswer } from "../../src/service/answer.ts";
import type { Caller } from "../../src/service/hold/callers.ts";
import type { Life } from "../../src/service/hold/session.ts";
import type { CallerAtFiles, LedgerService } from "../../src/service/ledger-service.ts";
import { ledgerServiceOf } from "../../src/service/local-ledger.ts";
import { type LocalService, openService } from "../../src/service/local-service.ts";
import type { Configuration, Ports } from "../../src/service/ports.ts";
import { openReloadingService } from "../../src/service/reloading-service.ts";
import type { Service } from "../../src/service/service.ts";
import type { Vmid, VmState } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { instantOf } from "../../src/spine/values/instant.ts";
import { known, servicePorts } from "../../src/wire.ts";
import { runAt } from "../cli/desk.ts";
import { wantRunning } from "../spine/world.ts";
import { soon } from "./bound.ts";

const CONFIG = `version: 1
operator: alice
ledger: { engine: sqlite, path: ledger/dedalus.db }
anchor: anchor/checkpoints.txt
signingKey: keys/ledger.key
environments:
  home:
    adapter: proxmox
    url: https://pve.example:8006
    tls: { verify: system }
    credentials:
      observe: { file: secrets/observe }
      apply: { file: secrets/apply }
    approval: single-operator
    maxObservationAge: 60 s
    desired: desired.yaml
`;

/**
 * A gate that is open until it is closed; whoever comes to a closed one waits. A test that fails leaves none closed.
 */
export type Gate = { readonly close: () => () => void; readonly open: () => void; readonly pass: () => Promise<void> };

const gate = (): Gate => {
  let closed: PromiseWithResolvers<void> | undefined;
  const open = (): void => {
    closed?.resolve();
    closed = undefined;
  };
  return {
    close: () => {
      closed = Promise.withResolvers<void>();
      return open;
    },
    open,
    pass: async () => closed?.promise,
  };
};

export type Provider = {
  /** How often an adapter was made, the VMs were observed, and a call was sent. */
  readonly counts: { adapters: number; calls: number; observations: number };
  /** VMs that are not there any more. */
  readonly gone: Set<number>;
  readonly observing: Gate;
  /** How many observed at the same time, at most. */
  readonly most: () => number;
  readonly verdict: Gate;
};

/** Whoever ends a test: a test itself, or what stands for one. */
export type Ending = { readonly after: (work: () => Promise<void>) => void };

export type Serving = {
  /** Milliseconds that the service's clock is ahead. */
  readonly clock: { aheadMs: number };
  /** What the services are opened with. */
  readonly configuration: Configuration;
  readonly folder: string;
  /** Acts at the ledger's own files. */
  readonly ledger: LedgerService;
  /** The same on an engine that a test changes. */
  readonly ledgerOver: (change: (engine: Engine) => Engine) => LedgerService;
  readonly notes: () => number;
  readonly open: (life?: Life) => LocalService;
  /** A service on an engine that a test changes. */
  readonly openOver: (change: (engine: Engine) => Engine) => LocalService;
  /** A service that takes up what is `written` by itself. */
  /** A service of a process that is told to end. */
  readonly openEnding: (ending: PerformerEnding) => Service;
  readonly openReloading: () => LocalService;
  readonly provider: Provider;
  readonly recovered: IntentState[];
  readonly records: () => Promise<readonly LedgerRecord[]>;
  /** What is written in the configuration now, where that is not what the service was opened with. */
  readonly written: { -readonly [Key in keyof Configuration]?: Configuration[Key] } & {
    /** What is wrong with it, where it cannot be used. */
    problems?: Extract<Parsed<never>, { readonly kind: "bad" }>["problems"];
  };
};

export const OPERATOR: CallerAtFiles = { credential: { kind: "operator" }, door: "local" };
const nextId = ulids();
/** The operator, with a key of what is asked. */
export const keyed = (): Caller => ({ ...OPERATOR, key: nextId() });
export const bearerAtFiles = (token: string): CallerAtFiles => ({
  credential: { hash: sha256(token), kind: "token" },
  door: "local",
});
export const bearer = (token: string): Caller => ({
  credential: { hash: sha256(token), kind: "token" },
  door: "service",
});

export const ok = <T>(answer: ServiceAnswer<T>): OkAnswer<T> =>
  answer.kind === "ok" ? answer : assert.fail(JSON.stringify(answer.refusals));
export const codes = (answer: ServiceAnswer<unknown>): readonly string[] =>
  answer.kind === "ok" ? [] : answer.refusals.map(({ code }) => code);

/**
 * web-01 is registered, and stopped though it should run. `more` is written after the only environment; `change`
 * gives the services other ports.
 */
export const serving = async (
  t: Ending,
  more = "",
  change: (ports: Ports, folder: string) => Ports = (ports) => ports,
  approval: "four-eyes" | "single-operator" = "single-operator",
): Promise<Serving> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-service-"));
  const opened: Service[] = [];
  t.after(async () => {
    provider.observing.open();
    provider.verdict.open();
    for (const service of opened) await soon("the end of a service", service.close());
    rmSync(folder, { force: true, recursive: true });
  });
  await initAt(folder);
  const parsed = parseConfig(`${CONFIG.replace("single-operator", approval)}${more}`, "dedalus.yaml", known);
  assert.equal(parsed.kind, "ok");
  const configuration: Configuration = {
    config: parsed.value,
    file: "dedalus.yaml",
    home: folder,
    policies: new Map(),
  };
  const [clock, recovered] = [{ aheadMs: 0 }, [] as IntentState[]];
  const written: Serving["written"] = {};
  const now = () => instantOf(Date.now() + clock.aheadMs);
  const { adapter, provider } = memory(now);
  const ports: Ports = change(
    {
      ...servicePorts(),
      adapter,
      clock: { monotonicMs: () => performance.now() + clock.aheadMs, now },
      configured: () => {
        const { problems, ...value } = written;
        return problems === undefined
          ? { kind: "ok", value: { ...configuration, ...value } }
          : { kind: "bad", problems };
      },
      hears: {
        note: () => undefined,
        recovered: (intents) => void recovered.push(...intents),
      },
      version: "0.0.0",
    },
    folder,
  );
  const openAt = (at: Ports, life: Life): LocalService => {
    const service = openService(configuration, at, life);
    opened.push(service);
    return service;
  };
  const open = (life: Life = "long"): LocalService => openAt(ports, life);
  const first = open();
  const { name, vmid } = wantRunning();
  const text = `version: 1\nenvironment: home\nvms: [{ vmid: ${vmid}, name: ${name}, target: running }]\n`;
  writeFileSync(join(configuration.home, "desired.yaml"), text);
  ok(await first.register(OPERATOR, { environment: "home", desired: { file: "desired.yaml", text } }));
  await first.close();
  return {
    clock,
    configuration,
    folder,
    ledger: ledgerServiceOf(configuration, ports),
    ledgerOver: (change) => ledgerServiceOf(configuration, { ...ports, ledger: over(ports.ledger, change) }),
    notes: () => readNotes(join(folder, "anchor/checkpoints.txt")).notes.length,
    open,
    openOver: (change) => openAt({ ...ports, ledger: openedOver(ports.ledger, change) }, "long"),
    openEnding: (ending) => openAt({ ...ports, ending }, "long"),
    openReloading: () => {
      const service = openReloadingService(configuration, ports);
      opened.push(service);
      return service;
    },
    provider,
    records: () => recordsIn(folder),
    recovered,
    written,
  };
};

/** What `dedalus init` makes: a key, a ledger's folder, and files to write. */
const over = (ledger: Ports["ledger"], change: (engine: Engine) => Engine): Ports["ledger"] => ({
  ...ledger,
  location: (...given) => {
    const location = ledger.location(...given);
    if ("code" in location) return location;
    return {
      ...location,
      open: async (mode) => {
        const opened = await location.open(mode);
        return opened.kind === "open" ? { ...opened, engine: change(opened.engine) } : opened;
      },
    };
  },
});

const openedOver = (ledger: Ports["ledger"], change: (engine: Engine) => Engine): Ports["ledger"] => ({
  ...ledger,
  open: async (...given) => {
    const opened = await ledger.open(...given);
    if (opened.kind !== "open") return opened;
    return { ...opened, ledger: { ...opened.ledger, engine: change(opened.ledger.engine) } };
  },
});

export const initAt = async (folder: string): Promise<void> => {
  const { code } = await runAt(folder, ["init", ".", "--operator", "alice"]);
  assert.equal(code, 0);
  assert.ok(readFileSync(join(folder, "keys/ledger.key")).length > 0);
};

const recordsIn = async (folder: string): Promise<readonly LedgerRecord[]> => {
  const opened = await openSqlite(join(folder, "ledger/dedalus.db"), { mode: "read" });
  assert.equal(opened.kind, "open");
  const records: LedgerRecord[] = [];
  for await (const line of opened.engine.read(0, Number.MAX_SAFE_INTEGER)) {
    const read = readRecord(line);
    assert.equal(read.kind, "record");
    records.push(read.record);
  }
  await opened.engine.close();
  return records;
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resume) => signal.addEventListener("abort", () => resume(), { once: true }));

const memory = (now: () => ReturnType<typeof instantOf>) => {
  const counts = { adapters: 0, calls: 0, observations: 0 };
  const [observing, verdict] = [gate(), gate()];
  const [gone, running] = [new Set<number>(), new Set<number>()];
  let [present, most] = [0, 0];
  const stateOf = (vmid: Vmid): VmState => ({
    identity: `uuid of ${vmid}`,
    kind: "vm",
    name: "web-01",
    source: "live",
    status: running.has(vmid) ? "running" : "stopped",
    vmid,
  });
  const adapter: Ports["adapter"] = async (environment) => {
    counts.adapters += 1;
    return {
      actuator: {
        send: async ({ step }) => {
          counts.calls += 1;
          running.add(step.vmid);
          return { kind: "sent", reference: `task ${counts.calls}` };
        },
        verdict: async (_intent, _reference, signal) => {
          await Promise.race([verdict.pass(), aborted(signal)]);
          if (signal.aborted) return { diagnostics: [{ code: "verdict-timed-out" }], kind: "unknown" };
          return { diagnostics: [{ code: "task-done" }], kind: "done" };
        },
      },
      source: {
        observe: async (wanted) => {
          counts.observations += 1;
          present += 1;
          most = Math.max(most, present);
          await observing.pass();
          await new Promise((resume) => setTimeout(resume, 5));
          present -= 1;
          const at = now();
          const vms = wanted.filter(({ vmid }) => !gone.has(vmid)).map(({ vmid }) => stateOf(vmid));
          return { complete: true, environment, gaps: [], observedAt: at, providerTime: at, version: 1, vms };
        },
      },
    };
  };
  return { adapter, provider: { counts, gone, most: () => most, observing, verdict } };
};

/** Plans the one step, and reads its explanation: what apply needs. */
export const readyToApply = async (service: Service) => {
  const { value: plan } = ok(await service.makePlan(OPERATOR, { environment: "home", scope: "all" }));
  const step = { plan: plan.id, step: { number: 1 } };
  const { value: shown } = ok(await service.challenge(OPERATOR, step));
  const { hash } = shown.challenge ?? assert.fail("it is challenged");
  return { ...step, confirmation: { explanation: hash } };
};

/** An intent whose owner does not say how it ended, and whose time is over. */
export const leftOpen = async (at: Serving): Promise<string> => {
  const owner = at.open();
  const request = await readyToApply(owner);
  at.provider.verdict.close();
  const { intent } = ok(await owner.apply(OPERATOR, request)).value;
  const isSent = async (): Promise<boolean> => (await at.records()).some(({ kind }) => kind === "dispatched");
  while (!(await isSent())) await new Promise((resume) => setTimeout(resume, 5));
  at.clock.aheadMs = DAY_MS;
  return intent;
};
