// hostile(): a pair for cannot(), of an agent that tries something. The offence is refused under its code, the ledger
// has of it what is stated and nothing else, and nothing reached a provider; its neighbour goes through.

import assert from "node:assert/strict";
import { bodyOf } from "../../src/kernel/command/record-body.ts";
import { truthOf } from "../../src/simulator/world/journal.ts";
import type { Replied } from "../boundary/at-door.ts";
import { type Agent, type RpcError, rpcIn, type Told } from "../boundary/mcp/agents.ts";
import type { Objection, Pair } from "../cannot.ts";
import { atStep, type Stage, tool } from "./stage.ts";

type Refused = Objection & { readonly code: string };
type Refusals = {
  readonly refusals?: readonly Refused[];
  readonly refused?: { readonly refusals: readonly Refused[] };
};

/**
 * What the protocol's own package refuses, and names no rule for: there is no such thing, what was sealed for somebody
 * is not theirs, or nobody could understand it.
 */
const PROTOCOL: Readonly<Record<string, string>> = {
  "-32601": "P7-S3",
  "-32602": "P7-S3",
  invalid_request_state: "B2",
};
const protocolRefused = ({ code, data }: RpcError): Refused => {
  const named = String(data?.["reason"] ?? code);
  return { code: named, rule: PROTOCOL[named] ?? "P7-F1" };
};

/** What an answer refuses: a problem over HTTP, a result of a tool, or an error of the protocol. */
export const refusedIn = (replied: Replied): readonly Refused[] => {
  if ((replied.headers.get("content-type") ?? "").startsWith("application/problem+json"))
    return replied.problem.refusals;
  const { error, result } = rpcIn(replied) ?? {};
  if (error !== undefined) {
    const { refusals, refused } = Object(error.data) as Refusals;
    return refusals ?? refused?.refusals ?? [protocolRefused(error)];
  }
  if (replied.status >= 400) assert.fail(`${replied.status} without a problem: ${replied.text}`);
  return (result as Told | undefined)?.structuredContent?.refused?.refusals ?? [];
};

/** What the ledger got since, as `door kind result`. */
export const recordedSince = async ({ served }: Stage, size: number): Promise<readonly string[]> =>
  (await served.records()).slice(size).map((record) => {
    const { door, kind, result } = bodyOf(record) ?? assert.fail(record.kind);
    return `${door} ${kind} ${result.kind}`;
  });

type Case<G> = {
  /** Of the first refusal. */
  readonly code: string;
  /** What is there before; the offence and its neighbour each have their own. */
  readonly given?: (at: Stage) => Promise<G>;
  readonly neighbour: (at: Stage, given: G) => Promise<Replied>;
  /** What came back, or what of it refuses. */
  readonly offence: (at: Stage, given: G) => Promise<Replied | readonly Refused[]>;
  /** What the ledger has of the offence: nothing, where it is not said. */
  readonly records?: readonly string[];
};

const SETTLED_WITHIN_MS = 2_000;

/**
 * What the case before applied may still be on its way to its end; a case that leaves an intent open is not waited
 * for.
 */
const untilSettled = async ({ served }: Stage): Promise<void> => {
  const giveUpMs = Date.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const bodies = (await served.records()).map(bodyOf);
    const claimed = bodies.filter((body) => body?.result.kind === "intended").length;
    const ended = bodies.filter((body) => body?.kind === "outcome" || body?.kind === "recover").length;
    if (claimed <= ended || Date.now() > giveUpMs) return;
    await new Promise((resume) => setTimeout(resume, 10));
  }
};

export const hostile = <G = undefined>(stage: () => Stage, one: Case<G>): Pair => {
  const given = (at: Stage): Promise<G> => one.given?.(at) ?? Promise.resolve(undefined as G);
  return {
    neighbour: async () => refusedIn(await one.neighbour(stage(), await given(stage()))),
    offence: async () => {
      const at = stage();
      const before = await given(at);
      await untilSettled(at);
      const [calls, size] = [at.calls(), (await at.served.records()).length];
      const replied = await one.offence(at, before);
      const refused = "headers" in replied ? refusedIn(replied) : replied;
      assert.equal(refused[0]?.code, one.code, JSON.stringify(refused));
      assert.deepEqual(await recordedSince(at, size), one.records ?? []);
      assert.equal(at.calls(), calls, "something reached a provider");
      return refused;
    },
  };
};

const ENDED_WITHIN_MS = 20_000;

/** Applies, and sees that the provider was called once for it and did it. */
export const applied = async (at: Stage, agent: Agent, plan: string): Promise<Replied> => {
  const calls = at.calls();
  const replied = await tool(agent, "apply_step", atStep(plan));
  const { structuredContent } = rpcIn(replied).result as Told;
  if (structuredContent.refused !== undefined) return replied;
  const { intent } = structuredContent.answer ?? assert.fail("it has an answer");
  await untilEnded(agent, intent);
  assert.equal(at.calls(), calls + 1);
  assert.equal(truthOf(at.provider.home.world().journal, intent), "all");
  return replied;
};

export const untilEnded = async (agent: Agent, intent: string): Promise<void> => {
  const giveUpMs = Date.now() + ENDED_WITHIN_MS;
  for (;;) {
    const { structuredContent } = await agent.call("intent_status", { intent });
    if ("end" in Object(structuredContent.answer)) return;
    assert.ok(Date.now() < giveUpMs, "the intent ended in time");
    await new Promise((resume) => setTimeout(resume, 10));
  }
};
