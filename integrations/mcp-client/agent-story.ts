// What an agent does with the tools, from an observation to a proof: it plans, reads what it planned, is refused
// without an approval, asks for one, waits until a person has decided, applies once, and follows that to its end.
//
// It decides nothing about approvals: it reads how the step stands, and nothing else.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { Deciding, ToolCaller, ToolRefusal, ToolReply } from "./tool-caller.ts";

export type Wanted = {
  readonly environment: string;
  /** Left out where the VM is to be as operators registered it. */
  readonly action?: object;
  readonly vm: number;
};

/** What the agent tells whoever watches it, as it goes. */
export type Told =
  | { readonly told: "connected"; readonly revision: string | undefined; readonly tools: readonly string[] }
  | { readonly told: "planned"; readonly explanation: string; readonly plan: string; readonly step: number }
  | { readonly told: "refused"; readonly leaves: readonly string[]; readonly refusals: readonly ToolRefusal[] }
  | { readonly told: "page"; readonly url: string }
  | { readonly told: "asked"; readonly decide?: Deciding; readonly plan: string; readonly step: number }
  | { readonly told: "applied"; readonly intent: string; readonly again: string; readonly replayed: boolean }
  | { readonly told: "ended"; readonly outcome: string; readonly proof: string; readonly seq: number };

const POLL_MS = 100;
const WAIT_MAX_MS = 60_000;

const granted = (name: string, reply: ToolReply): Extract<ToolReply, { kind: "answer" }> => {
  if (reply.kind === "refused")
    assert.fail(`${name} was refused: ${reply.refusals.map(({ code }) => code).join(", ")}`);
  return reply;
};

const waitFor = async <T>(what: string, read: () => Promise<T | undefined>): Promise<T> => {
  const untilMs = performance.now() + WAIT_MAX_MS;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (performance.now() > untilMs) assert.fail(`${what} took too long`);
    await pause(POLL_MS);
  }
};

type Step = { readonly status: string; readonly step: number; readonly vmid: number };
type Planned = { readonly id: string; readonly steps: readonly Step[] };
type Explained = { readonly explanation: { readonly hash: string } };
type Applied = { readonly intent: string };
type Followed = { readonly result?: { readonly outcome: string } };
type Found = { readonly records: readonly { readonly body: object; readonly seq: number }[] };

export const playAgent = async (
  { call, revision, tools }: ToolCaller,
  { action, environment, vm }: Wanted,
  tell: (told: Told) => void,
): Promise<void> => {
  const ask = async <T>(name: string, given: object): Promise<T> =>
    Object(granted(name, await call(name, given)).answer);

  const names = await tools();
  tell({ revision: revision(), told: "connected", tools: names });

  await ask("observe", { environment });
  const planned =
    action === undefined
      ? await ask<Planned>("plan_desired", { environment, scope: [vm] })
      : await ask<Planned>("plan_action", { action, environment, vm });
  const { id: plan, steps } = planned;
  const { step } = steps.find(({ vmid }) => vmid === vm) ?? assert.fail("the plan has a step for the VM");
  const at = { plan, step: { number: step } };
  const { explanation } = await ask<Explained>("explain_step", at);
  tell({ explanation: explanation.hash, plan, step, told: "planned" });

  const early = await call("apply_step", at);
  if (early.kind === "answer") assert.fail("a step was applied that nobody approved");
  tell({ leaves: early.leaves, refusals: early.refusals, told: "refused" });

  const { decide } = granted("request_approval", await call("request_approval", at));
  tell({ ...(decide === undefined ? {} : { decide }), plan, step, told: "asked" });
  await waitFor("the approval", async () => {
    const shown = await ask<Planned>("plan_status", { plan });
    const { status } = shown.steps.find((one) => one.step === step) ?? assert.fail("the plan keeps its step");
    return status === "approved" ? status : undefined;
  });

  const { intent } = await ask<Applied>("apply_step", at);
  const repeated = granted("apply_step", await call("apply_step", at));
  tell({ again: String(repeated.answer["intent"]), intent, replayed: repeated.replayed, told: "applied" });

  const outcome = await waitFor(
    "the outcome",
    async () => (await ask<Followed>("intent_status", { intent })).result?.outcome,
  );
  const { records } = await ask<Found>("search_records", { environment, kind: "outcome" });
  const ended = records.find(({ body }) => JSON.stringify(body).includes(intent)) ?? assert.fail("it is recorded");
  const { proof } = await ask<{ readonly proof: string }>("prove_record", { seq: ended.seq });
  tell({ outcome, proof, seq: ended.seq, told: "ended" });
};
