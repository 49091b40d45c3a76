// What the page of the posture stands on: who reads, how things stand, the terms of each environment, what the reader
// may do, what serves, and the tokens where they may be read.

import type { ProblemJson } from "../../boundary/contract/problem-json.ts";
import type { AnswerBodies, ReadyBody } from "../../boundary/contract/typed-answers.ts";
import { type ReadAnswer, read, readJson } from "../ask/get.ts";
import { type MovedOn, readTogether } from "../ask/read-together.ts";

export type PostureLoaded = Pick<AnswerBodies["environments"], "configured"> &
  Pick<AnswerBodies["allowances"], "allowances"> & {
    /** What serves, or why it is not ready to: a ledger that takes no records, an end that is near. */
    readonly ready: ProblemJson | ReadyBody;
    readonly status: AnswerBodies["status"];
    /** Why they may not be read, where that is so. */
    readonly tokens: AnswerBodies["tokens"]["tokens"] | ProblemJson;
    readonly whoami: AnswerBodies["whoami"];
  };

export const loadPosture = async (signal: AbortSignal): Promise<MovedOn | ReadAnswer<PostureLoaded>> => {
  // What serves is no matter of the ledger, and has no head.
  const ready = await readJson<ReadyBody>("/readyz", signal);
  const heard = await readTogether(() =>
    Promise.all([
      read("status", {}, signal),
      read("whoami", {}, signal),
      read("environments", {}, signal),
      read("allowances", {}, signal),
      read("tokens", {}, signal),
    ]),
  );
  if ("kind" in heard) return heard;
  const [status, whoami, environments, allowed, tokens] = heard;
  if (status.kind !== "read") return status;
  if (whoami.kind !== "read") return whoami;
  if (environments.kind !== "read") return environments;
  if (allowed.kind !== "read") return allowed;
  if (ready.kind !== "read" && ready.kind !== "refused") return ready;
  if (tokens.kind !== "read" && tokens.kind !== "refused") return tokens;
  const value: PostureLoaded = {
    allowances: allowed.value.allowances,
    configured: environments.value.configured,
    ready: ready.kind === "read" ? ready.value : ready.problem,
    status: status.value,
    tokens: tokens.kind === "read" ? tokens.value.tokens : tokens.problem,
    whoami: whoami.value,
  };
  return { ...status, value };
};
