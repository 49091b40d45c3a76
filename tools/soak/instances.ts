// Three real `dedalus serve` and a local command line on one PostgreSQL, asked over HTTP for the same applies at the
// same time, while one or another is killed, cut off or ended by the server, and whoever asked leaves: no step is
// performed twice, no acknowledged record is lost, and all of them come to the same view.
//
// Each instance has a folder, a signing key and an anchor of its own, and a proxy between itself and the server. The
// command line shares the folder of the first. What the provider really did is read from the simulator. Keeps P7-F3,
// B6.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ulids } from "../../src/ids.ts";
import { bodyOf } from "../../src/kernel/command/record-body.ts";
import { openPostgres } from "../../src/ledger/engines/postgres/postgres.ts";
import { readRecord } from "../../src/ledger/record/read-record.ts";
import type { LedgerRecord } from "../../src/ledger/record/record.ts";
import { type CuttingProxy, cuttingProxy } from "../../test/ledger/cutting-proxy.ts";
import { sql } from "../../test/ledger/postgres-desk.ts";
import { atAnotherHome, joinWords } from "../../test/live/another-home.ts";
import { atCluster, type Cluster } from "../../test/live/cluster.ts";
import { started } from "../../test/live/process.ts";
import { type Chance, chanceFrom } from "../fuzz/chance.ts";
import { startPostgres } from "../servers/postgres.ts";
import { FIRST_VMID, scenarioFor, wantedFor } from "./apply-kill.ts";
import { type AcknowledgedRecord, type Instance, type InstanceAnswer, startInstance } from "./instance.ts";

export type InstancesTally = {
  readonly acknowledged: number;
  readonly calls: number;
  /** Outcomes that were recorded, by their cause. */
  readonly causes: ReadonlyMap<string, number>;
  readonly flaws: readonly string[];
  /** What was done to the instances, by kind. */
  readonly wrongs: ReadonlyMap<string, number>;
};

export type InstancesOptions = {
  readonly onRound?: () => void;
  readonly rounds: number;
  readonly seed: number;
  /** Waits at the end until what was left open can be recovered, and sees that it is. */
  readonly settles: boolean;
};

type Member = { readonly instance: Instance; readonly proxy: CuttingProxy };

const nextKey = ulids();
const DELAY_MS = 250;
const TRIES = 40;
const AGAIN_MS = 200;
const COMMAND_LINE_EVERY = 4;
/** The time to send, and a little more. */
const SETTLES_MS = 32_000;

export const runInstances = async ({ onRound, rounds, seed, settles }: InstancesOptions): Promise<InstancesTally> => {
  const chance = chanceFrom(seed);
  const server = await startPostgres();
  const where = await server.database("instances");
  const proxies = await Promise.all([1, 2, 3].map(() => cuttingProxy(server.port)));
  let tally: InstancesTally | undefined;
  const options = {
    clock: { kind: "driven", requestMs: 3_000 },
    ledgerUrl: where,
    scenario: scenarioFor(rounds),
    wanted: wantedFor(rounds),
  } as const;
  const withAll = async (homes: readonly Cluster[]): Promise<void> => {
    const token = await operatorToken(homes[0] ?? raise("there is a first"));
    const members = await Promise.all(
      homes.map(async ({ folder }, at): Promise<Member> => {
        const proxy = proxies[at] ?? raise("each has a proxy");
        writeFileSync(join(folder, "secrets/ledger"), proxy.url(where), { mode: 0o600 });
        return { instance: await startInstance(folder, token), proxy };
      }),
    );
    try {
      tally = await sprayAll({ chance, homes, members, onRound, restart: server.restart, rounds, settles, where });
    } finally {
      const errors = await Promise.all(members.map(({ instance }) => instance.stop()));
      if (tally !== undefined) tally = { ...tally, flaws: [...tally.flaws, ...errors.filter((text) => text !== "")] };
    }
  };
  try {
    await atCluster(async (first) => {
      const words = await joinWords(first);
      const joined = async (home: Cluster): Promise<Cluster> => {
        const { code, err } = await home.dedalus(...words);
        return code === 0 ? home : raise(err);
      };
      await atAnotherHome(first, async (second) =>
        atAnotherHome(first, async (third) => withAll([first, await joined(second), await joined(third)])),
      );
    }, options);
  } finally {
    await Promise.all(proxies.map(({ close }) => close()));
    await server.stop();
  }
  return tally ?? raise("nothing was tried");
};

/** By which everybody is asked: the ledger that they share knows it. */
export const operatorToken = async ({ value }: Cluster): Promise<string> => {
  const words = ["token", "create", "--name", "olga", "--role", "operator", "--expires", "1d"];
  const { token } = await value<{ readonly token?: string }>(...words);
  return token ?? raise("a token is shown once");
};

const raise = (why: string): never => {
  throw new Error(why);
};

type Ground = Pick<InstancesOptions, "rounds" | "settles"> & {
  readonly chance: Chance;
  readonly homes: readonly Cluster[];
  readonly members: readonly Member[];
  readonly onRound: (() => void) | undefined;
  /** Of the server. */
  readonly restart: () => Promise<void>;
  readonly where: string;
};

const sprayAll = async (ground: Ground): Promise<InstancesTally> => {
  const acknowledged: AcknowledgedRecord[] = [];
  const wrongs = new Map<string, number>();
  for (let round = 0; round < ground.rounds; round += 1) {
    acknowledged.push(...(await sprayOne(ground, round, wrongs)));
    ground.onRound?.();
  }
  if (ground.settles) await pause(SETTLES_MS);
  return judge(ground, acknowledged, wrongs);
};

/** Asked at one instance after another until one grants it: whoever is cut off says so, and the next is asked. */
const askAny = async (
  { chance, members }: Ground,
  request: Parameters<Instance["ask"]>[0],
): Promise<Extract<InstanceAnswer, { readonly kind: "ok" }>> => {
  let last: InstanceAnswer = { kind: "gone" };
  for (let tries = 0; tries < TRIES; tries += 1) {
    const member = members[chance.below(members.length)] ?? raise("there are members");
    last = await member.instance.ask(request);
    if (last.kind === "ok") return last;
    await pause(AGAIN_MS);
  }
  return raise(`nobody took ${JSON.stringify(request)}: ${JSON.stringify(last)}`);
};

const sprayOne = async (
  ground: Ground,
  round: number,
  wrongs: Map<string, number>,
): Promise<readonly AcknowledgedRecord[]> => {
  const { chance, homes, members } = ground;
  const vmid = FIRST_VMID + round;
  const planned = await askAny(ground, { kind: "plan", vmid });
  const plan = String(planned.value["id"]);
  const challenged = await askAny(ground, { kind: "challenge", plan });
  const explanation = hashIn(challenged.value);
  const key = nextKey();
  const asking = members.flatMap(({ instance }) => [
    instance.ask({ explanation, key, kind: "apply", plan }),
    instance.ask({ explanation, kind: "apply", plan }),
  ]);
  const [home] = homes;
  const local =
    round % COMMAND_LINE_EVERY === 0 && home !== undefined ? applyHere(home, plan, explanation) : Promise.resolve();
  await disturb(ground, wrongs);
  const answers = await Promise.all(asking);
  await local;
  for (const { proxy } of members) proxy.shut(false);
  if (!chance.oneIn(2)) await pause(chance.below(DELAY_MS));
  return [planned, challenged, ...answers].flatMap((answer) =>
    answer.kind === "ok" && answer.record !== undefined ? [answer.record] : [],
  );
};

/** The hash of what was shown. */
export const hashIn = ({ challenge }: Readonly<Record<string, unknown>>): string =>
  String((challenge as { readonly hash: string }).hash);

/** The operator at the first folder reads the same explanation, and confirms it. */
const applyHere = async ({ folder }: Cluster, plan: string, explanation: string): Promise<void> => {
  await started(folder, ["explain", plan, "--step", "1", "--challenge"]).gone;
  await started(folder, ["apply", plan, "--step", "1", "--confirm", explanation]).gone;
};

const TERMINATE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY random() LIMIT 2`;
const TERMINATE_LOCKS = `SELECT pg_terminate_backend(pid) FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 1 AND pid <> pg_backend_pid()`;

/** One thing goes wrong, a moment after everybody was asked. */
const disturb = async ({ chance, members, restart, where }: Ground, wrongs: Map<string, number>): Promise<void> => {
  const { instance, proxy } = members[chance.below(members.length)] ?? raise("there are members");
  const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
    cut: async () => proxy.cut(),
    kill: () => instance.kill(),
    leave: async () => instance.leave(),
    lose: async () => proxy.lose(),
    nothing: async () => undefined,
    restart,
    shut: async () => {
      proxy.shut(true);
      proxy.cut();
      await pause(chance.below(DELAY_MS));
      proxy.shut(false);
    },
    terminate: () => sql(where, TERMINATE),
    unlock: () => sql(where, TERMINATE_LOCKS),
  };
  const kind = chance.pick([
    "cut",
    "kill",
    "kill",
    "leave",
    "lose",
    "nothing",
    "restart",
    "shut",
    "terminate",
    "unlock",
  ]);
  await pause(chance.below(DELAY_MS));
  await kinds[kind]?.();
  wrongs.set(kind, (wrongs.get(kind) ?? 0) + 1);
};

const judge = async (
  ground: Ground,
  acknowledged: readonly AcknowledgedRecord[],
  wrongs: ReadonlyMap<string, number>,
): Promise<InstancesTally> => {
  const { homes, members, settles, where } = ground;
  const flaws: string[] = [];
  // Each records something, so that each has met what the others left.
  for (const { instance } of members) {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const answer = await instance.ask({ kind: "annotate", text: "at the end" });
      if (answer.kind === "ok") break;
      if (tries === TRIES - 1) flaws.push(`an instance does not go on: ${JSON.stringify(answer)}`);
      await pause(AGAIN_MS);
    }
  }
  flaws.push(...(await viewFlaws(ground)));
  const records = await readRecords(where);
  for (const { key, seq } of acknowledged)
    if (records[seq]?.idempotencyKey !== key) flaws.push(`record ${seq} was acknowledged and is not there`);
  for (const intent of members.flatMap(({ instance }) => instance.ends))
    if (outcomeOf(records, intent) === undefined) flaws.push(`the outcome of ${intent} is not there`);
  const calls = callsIn(homes);
  for (const [vm, count] of calls) if (count > 1) flaws.push(`VM ${vm} was started ${count} times`);
  if (settles) flaws.push(...openIn(records).map((id) => `${id} was left open`));
  for (const [at, home] of homes.entries())
    for (const command of [["ledger", "verify"], ["replay"]]) {
      const { code, err } = await home.dedalus(...command);
      if (code !== 0) flaws.push(`instance ${at + 1}, ${command.join(" ")}: ${err}`);
    }
  return { acknowledged: acknowledged.length, calls: calls.size, causes: causesIn(records), flaws, wrongs };
};

/** The same head, and the same of everything that status shows. */
const viewFlaws = async ({ members }: Ground): Promise<readonly string[]> => {
  for (let tries = 0; ; tries += 1) {
    const views = await Promise.all(members.map(({ instance }) => instance.ask({ kind: "status" })));
    const texts = views.map((view) =>
      view.kind === "ok" ? JSON.stringify([view.head, { ...view.value, at: "" }]) : view.kind,
    );
    if (new Set(texts).size === 1 && views[0]?.kind === "ok") return [];
    if (tries === TRIES) return [`the instances see ${texts.join(" and ")}`];
    await pause(AGAIN_MS);
  }
};

const readRecords = async (where: string): Promise<readonly LedgerRecord[]> => {
  const opened = await openPostgres(where, { mode: "read" });
  if (opened.kind === "refused") return raise(JSON.stringify(opened.refusal));
  const records: LedgerRecord[] = [];
  for await (const line of opened.engine.read(0, Number.MAX_SAFE_INTEGER)) {
    const read = readRecord(line);
    records.push(read.kind === "record" ? read.record : raise(JSON.stringify(read)));
  }
  await opened.engine.close();
  return records;
};

const outcomeOf = (records: readonly LedgerRecord[], intent: string): string | undefined =>
  records
    .map(bodyOf)
    .flatMap((body) => (body?.kind === "outcome" && body.request.intent === intent ? [body.request.cause] : []))[0];

const openIn = (records: readonly LedgerRecord[]): readonly string[] => {
  const open = new Set<string>();
  for (const record of records) {
    const body = bodyOf(record);
    if (body?.kind === "apply" && body.result.kind === "intended") open.add(record.auditId);
    if ((body?.kind === "outcome" || body?.kind === "recover") && body.result.kind === "ended")
      open.delete(body.request.intent);
  }
  return [...open];
};

const causesIn = (records: readonly LedgerRecord[]): ReadonlyMap<string, number> => {
  const causes = new Map<string, number>();
  for (const record of records) {
    const body = bodyOf(record);
    if (body?.result.kind !== "ended") continue;
    const cause = body.kind === "outcome" ? body.request.cause : body.kind === "recover" ? body.request.ground : "";
    causes.set(cause, (causes.get(cause) ?? 0) + 1);
  }
  return causes;
};

/** The calls that reached the provider, by VM. */
const callsIn = ([home]: readonly Cluster[]): ReadonlyMap<string, number> => {
  const calls = new Map<string, number>();
  for (const line of home?.mutations() ?? []) {
    const vm = /\/qemu\/(\d+)\//.exec(line)?.[1] ?? line;
    calls.set(vm, (calls.get(vm) ?? 0) + 1);
  }
  return calls;
};
