// The story of a team in an environment that needs four eyes: one person asks and applies, another approves, and an
// agent does neither for itself. Nothing of the program that serves it is imported; the OpenAPI file is all there is.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type DedalusClient, granted, newKey, refused } from "./dedalus-client.ts";
import { followIntent } from "./follow-intent.ts";

export type Team = {
  readonly agent: DedalusClient;
  readonly approver: DedalusClient;
  readonly operator: DedalusClient;
};

/** What somebody can compare with the ledger and with the provider. */
export type Told = {
  readonly agentIntent: string;
  readonly intent: string;
  readonly outcomeSeq: number;
  readonly proof: string;
  readonly refusedCodes: readonly (string | undefined)[];
};

const ENVIRONMENT = "home";
const [STOPPED, STARTED] = [102, 101];

const planFor = async (client: DedalusClient, kind: "vm.start" | "vm.stop", vmid: number) => {
  const request = { action: { kind }, vmid };
  const body = { environment: ENVIRONMENT, request, scope: [vmid] };
  const planned = granted(await client.POST("/v1/plans", { body, params: { header: newKey() } }));
  const [step] = planned.steps;
  assert.equal(step?.needed, 1);
  return { path: { plan: planned.id, step: "1" }, tier: step?.tier };
};

type StepPath = Awaited<ReturnType<typeof planFor>>["path"];

/** Asks for it, and the other person reads the explanation and approves that. */
const haveApproved = async (asking: DedalusClient, approver: DedalusClient, path: StepPath): Promise<string> => {
  const asked = granted(
    await asking.POST("/v1/plans/{plan}/steps/{step}/approval-requests", { params: { header: newKey(), path } }),
  );
  const read = granted(
    await approver.GET("/v1/plans/{plan}/steps/{step}/explanation", {
      params: { path, query: { "at-least": asked.seq } },
    }),
  );
  const { hash } = read.explanation;
  const body = { explanation: hash, reason: "agreed with the owner" };
  const approved = granted(
    await approver.POST("/v1/plans/{plan}/steps/{step}/approvals", { body, params: { header: newKey(), path } }),
  );
  assert.equal(approved.planId, path.plan);
  return hash;
};

/** A person plans, is not enough alone, has it approved, confirms what was read, and follows it to its end. */
const stopByTwo = async ({ approver, operator }: Team) => {
  const { path, tier } = await planFor(operator, "vm.stop", STOPPED);
  assert.equal(tier, "high");
  const own = refused(
    await operator.POST("/v1/plans/{plan}/steps/{step}/approvals", {
      body: { reason: "mine" },
      params: { header: newKey(), path },
    }),
  );
  assert.deepEqual([own.status, own.outcome, own.domain], [403, "not_executed", "kernel"]);
  const hash = await haveApproved(operator, approver, path);
  const shown = granted(
    await operator.POST("/v1/plans/{plan}/steps/{step}/challenges", { params: { header: newKey(), path } }),
  );
  assert.equal(shown.challenge?.hash, hash, "whoever applies confirms what the approver read");
  const applying = await operator.POST("/v1/plans/{plan}/steps/{step}/applies", {
    body: { confirmation: { explanation: hash } },
    params: { header: newKey(), path },
  });
  const { intent } = granted(applying);
  const { headers, status } = applying.response;
  assert.deepEqual([status, headers.get("location")], [202, `/v1/intents/${intent}`]);
  const outcome = await followIntent(operator, intent, Number(headers.get("dedalus-record")));
  const ended = granted(
    await operator.GET("/v1/intents/{intent}", { params: { path: { intent }, query: { "at-least": outcome.seq } } }),
  );
  assert.equal(ended.result?.outcome, "succeeded");
  return { intent, outcomeSeq: outcome.seq, refusedCode: own.refusals[0]?.code };
};

/** An agent is refused before a person approved; then it needs no confirmation. */
const startByAgent = async ({ agent, approver }: Team) => {
  const { path } = await planFor(agent, "vm.start", STARTED);
  const header = newKey();
  const early = refused(await agent.POST("/v1/plans/{plan}/steps/{step}/applies", { params: { header, path } }));
  assert.equal(early.status, 409);
  await haveApproved(agent, approver, path);
  const params = { header: { ...newKey(), Prefer: "wait=30" }, path };
  const applied = granted(await agent.POST("/v1/plans/{plan}/steps/{step}/applies", { params }));
  assert.equal(applied.result?.outcome, "succeeded");
  return { agentIntent: applied.intent, refusedCode: early.refusals[0]?.code };
};

/** The record as it was written hashes to the leaf that the proof is of. */
const readProof = async (client: DedalusClient, seq: number): Promise<string> => {
  const path = { seq };
  const line = granted(await client.GET("/v1/records/{seq}", { params: { path }, parseAs: "text" }));
  const { hash, proof } = granted(await client.GET("/v1/records/{seq}/proof", { params: { path } }));
  assert.equal(createHash("sha256").update("\0").update(line).digest("hex"), hash);
  return proof;
};

export const playFourEyes = async (team: Team): Promise<Told> => {
  const { refusedCode: ownCode, ...stop } = await stopByTwo(team);
  const { agentIntent, refusedCode: earlyCode } = await startByAgent(team);
  const proof = await readProof(team.operator, stop.outcomeSeq);
  return { ...stop, agentIntent, proof, refusedCodes: [ownCode, earlyCode] };
};
