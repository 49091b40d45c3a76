// A real `dedalus serve` on a sqlite ledger and a simulated cluster, with callers that write, read and apply, killed
// again and again: nothing that was acknowledged is lost, no step is performed twice, and memory stays where it was.
//
// A reply that got lost is asked for again under its key after the restart, as a careful caller does. Memory is that of
// the process right before each kill: the middle third of its lives against the last. Keeps G1, B6, P7-F2, P7-F3.

import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ulids } from "../../src/ids.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { readRecord } from "../../src/ledger/record/read-record.ts";
import { atCluster, type Cluster } from "../../test/live/cluster.ts";
import { startServe } from "../../test/live/serve-process.ts";
import { FIRST_VMID, scenarioFor, wantedFor } from "./apply-kill.ts";

export type ServeSoak = {
  readonly acknowledged: number;
  readonly applied: number;
  readonly flaws: readonly string[];
  readonly kills: number;
  /** Megabytes before each kill. */
  readonly memory: readonly number[];
  readonly reads: number;
};

const VMS = 400;
const WRITERS = 3;
const READERS = 2;
const LISTEN = ["--listen", "127.0.0.1:0"];

const megabytesOf = ({ pid }: ChildProcess): number => {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1_024;
};

type Replied = { readonly body: unknown; readonly status: number };
type Client = {
  readonly get: (path: string) => Promise<Replied | undefined>;
  /** Undefined where no reply came. */
  readonly post: (path: string, key: string, body: object) => Promise<Replied | undefined>;
};

const clientOf = (urlNow: () => string, token: string): Client => {
  const ask = async (method: string, path: string, more: RequestInit): Promise<Replied | undefined> => {
    try {
      const reply = await fetch(`${urlNow()}${path}`, {
        ...more,
        headers: { authorization: `Bearer ${token}`, ...more.headers },
        method,
        signal: AbortSignal.timeout(30_000),
      });
      return { body: JSON.parse(await reply.text()), status: reply.status };
    } catch {
      return undefined;
    }
  };
  return {
    get: (path) => ask("GET", path, {}),
    post: (path, key, body) =>
      ask("POST", path, {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", "idempotency-key": key, prefer: "wait=20" },
      }),
  };
};

export const serveSoak = async (
  seconds: number,
  killEverySeconds: number,
  onKill: () => void = () => undefined,
): Promise<ServeSoak> => {
  let told: ServeSoak | undefined;
  await atCluster(
    async (cluster) => {
      told = await soakAt(cluster, seconds, killEverySeconds, onKill);
    },
    { scenario: scenarioFor(VMS), wanted: wantedFor(VMS) },
  );
  if (told === undefined) throw new Error("a soak tells what it saw");
  return told;
};

const soakAt = async (
  cluster: Cluster,
  seconds: number,
  killEverySeconds: number,
  onKill: () => void,
): Promise<ServeSoak> => {
  const newKey = ulids();
  const { token } = await cluster.value<{ readonly token: string }>(
    "token",
    "create",
    "--name",
    "olga",
    "--role",
    "operator",
    "--days",
    "1",
  );
  const flaws: string[] = [];
  const acknowledged = new Map<string, { readonly seq: number; readonly text: string }>();
  const memory: number[] = [];
  let [applied, isOver, kills, reads] = [0, false, 0, 0];
  let served = await startServe(cluster.folder, ...LISTEN);
  const client = clientOf(() => served.url, token);
  /** Under one key until there is a reply, whoever has to give it. */
  const insist = async (path: string, body: object): Promise<Replied | undefined> => {
    const key = newKey();
    while (!isOver) {
      const reply = await client.post(path, key, body);
      if (reply !== undefined && reply.status !== 503 && reply.status !== 429) return reply;
      await pause(200);
    }
    return undefined;
  };
  const write = async (writer: number): Promise<void> => {
    for (let nth = 0; !isOver; nth += 1) {
      const text = `remark ${nth} of writer ${writer}`;
      const reply = await insist("/v1/annotations", { text });
      if (reply === undefined) continue;
      const { seq } = Object(reply.body) as { readonly seq?: number };
      if (reply.status !== 201 || seq === undefined) flaws.push(`a remark was answered with ${reply.status}`);
      else acknowledged.set(text, { seq, text });
    }
  };
  const read = async (): Promise<void> => {
    while (!isOver) {
      const reply = await client.get(reads % 2 === 0 ? "/v1/plans" : "/v1/status");
      if (reply !== undefined && reply.status !== 200) flaws.push(`a read was answered with ${reply.status}`);
      if (reply === undefined) await pause(100);
      else reads += 1;
    }
  };
  const apply = async (): Promise<void> => {
    for (let vmid = FIRST_VMID; !isOver && vmid < FIRST_VMID + VMS; vmid += 1) {
      const plan = await insist("/v1/plans", { environment: "home", scope: [vmid] });
      const { id } = Object(plan?.body) as { readonly id?: string };
      if (plan === undefined || id === undefined) continue;
      const shown = await insist(`/v1/plans/${id}/steps/1/challenges`, {});
      const { challenge } = Object(shown?.body) as { readonly challenge?: { readonly hash: string } };
      if (challenge === undefined) continue;
      const reply = await insist(`/v1/plans/${id}/steps/1/applies`, { confirmation: { explanation: challenge.hash } });
      if (reply !== undefined && reply.status < 300) applied += 1;
    }
  };
  const work = [
    ...Array.from({ length: WRITERS }, (_, writer) => write(writer)),
    ...Array.from({ length: READERS }, read),
    apply(),
  ];
  const endMs = performance.now() + seconds * 1_000;
  while (performance.now() < endMs) {
    await pause(Math.min(killEverySeconds * 1_000, endMs - performance.now()));
    memory.push(megabytesOf(served.child));
    served.child.kill("SIGKILL");
    await served.ended();
    kills += 1;
    onKill();
    served = await startServe(cluster.folder, ...LISTEN);
  }
  isOver = true;
  await Promise.all(work);
  served.child.kill("SIGKILL");
  await served.ended();
  flaws.push(...(await lost(cluster, acknowledged)), ...twice(cluster));
  return { acknowledged: acknowledged.size, applied, flaws, kills, memory, reads };
};

/** What was acknowledged and is not on record as it was said; and whatever a verification finds. */
const lost = async (
  { folder, value }: Cluster,
  acknowledged: ReadonlyMap<string, { readonly seq: number; readonly text: string }>,
): Promise<readonly string[]> => {
  const opened = await openSqlite(join(folder, "ledger/dedalus.db"), { mode: "read" });
  if (opened.kind !== "open") return [`the ledger cannot be opened: ${opened.refusal.code}`];
  const texts = new Map<string, number[]>();
  for await (const line of opened.engine.read(0, Number.MAX_SAFE_INTEGER)) {
    const { record } = Object(readRecord(line));
    if (record?.kind !== "annotate") continue;
    const { text } = record.body.request;
    texts.set(text, [...(texts.get(text) ?? []), record.seq]);
  }
  await opened.engine.close();
  const verified = await value<{ readonly error?: unknown }>("ledger", "verify");
  return [
    ...(verified.error === undefined ? [] : [`the ledger does not verify: ${JSON.stringify(verified.error)}`]),
    ...Array.from(acknowledged.values()).flatMap(({ seq, text }) => {
      const found = texts.get(text) ?? [];
      return found.length === 1 && found[0] === seq
        ? []
        : [`${text} was acknowledged as ${seq}, and is at ${found.join()}`];
    }),
  ];
};

const twice = ({ mutations }: Cluster): readonly string[] =>
  Array.from(Map.groupBy(mutations(), (call) => call))
    .filter(([, calls]) => calls.length > 1)
    .map(([call, calls]) => `${call} reached the cluster ${calls.length} times`);

/** How the last third of the lives compares with the middle third, by their mean; 1 where they are the same. */
export const growthOf = (memory: readonly number[]): number => {
  const third = Math.floor(memory.length / 3);
  const mean = (some: readonly number[]): number => some.reduce((sum, one) => sum + one, 0) / some.length;
  return mean(memory.slice(-third)) / mean(memory.slice(third, memory.length - third));
};
