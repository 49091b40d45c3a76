// An apply: 202 with the intent once it is durable. Whoever says `Prefer: wait=N` is answered with the outcome when
// it comes within that time, and with the intent otherwise.
//
// Whoever leaves ends nothing: the step goes on, and is found by its intent or by its key. keeps P7-F2

import type { Applying, StepApplied } from "../../service/act/perform-step.ts";
import type { DoorGiven } from "./door-given.ts";
import { pauseUntil } from "./pause.ts";
import { sendRefused } from "./reply-answer.ts";
import { type Serve, sendAnswer } from "./serve-operation.ts";

const WAIT_MAX_S = 30;

/** Seconds; nothing where it is not asked for, or not understood, which is how preferences are (RFC 7240). */
const waitIn = (prefer: string | undefined): number => {
  const [, seconds] = /(?:^|[,;\s])wait=([0-9]{1,9})(?:$|[,;\s])/i.exec(prefer ?? "") ?? [];
  return Math.min(WAIT_MAX_S, Number(seconds ?? 0));
};

const endWithin = async (
  { applied, underway }: Applying,
  seconds: number,
  left: AbortSignal | undefined,
): Promise<StepApplied | undefined> => {
  if (applied !== undefined || underway === undefined || seconds === 0) return applied;
  const stop = new AbortController();
  const signal = left === undefined ? stop.signal : AbortSignal.any([left, stop.signal]);
  // What fails there is told to whoever runs the service; here nobody knows more than the intent.
  const ended = underway.ended.then(
    (end) => end,
    () => undefined,
  );
  try {
    return await Promise.race([ended, pauseUntil(seconds * 1_000, signal)]);
  } finally {
    stop.abort();
  }
};

export const serveApply =
  (given: DoorGiven): Serve<"apply"> =>
  async ({ caller, request: asked }, request, reply) => {
    const answer = await given.service.apply(caller, asked);
    if (answer.kind === "refused") return sendRefused(reply, answer);
    const seconds = waitIn(request.headers["prefer"]?.toString());
    const applied = await endWithin(answer.value, seconds, caller.signal);
    reply.header("location", `/v1/intents/${answer.value.intent}`);
    if (seconds > 0) reply.header("preference-applied", `wait=${seconds}`);
    const value = applied === undefined ? answer.value : { ...answer.value, applied };
    return sendAnswer("apply", { ...answer, value }, request, reply, given, applied === undefined ? 202 : 200);
  };
