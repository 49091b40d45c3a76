// A task, in the thread that was started for it: on a service of its own, as the operator at the ledger's files,
// because whoever asked was proven before.

import { isRefused } from "../answer.ts";
import type { Caller } from "../hold/callers.ts";
import { indexPath } from "../hold/held-terms.ts";
import { openService } from "../local-service.ts";
import type { Configuration, Ports } from "../ports.ts";
import type { Watch } from "../progress.ts";
import type { Service } from "../service.ts";
import type { ThreadEnd, ThreadTask, Walk } from "../thread-task.ts";
import { indexLedger } from "./fill-terms.ts";
import { writeStateApart } from "./saved-state-apart.ts";

const OPERATOR: Caller = { credential: { kind: "operator" }, door: "local" };
/** A thread is stopped from outside. */
const NEVER = new AbortController().signal;
/** Pieces that are on their way before somebody has to take one. */
const AHEAD = 16;

export const performTask = async (
  configuration: Configuration,
  ports: Ports,
  task: ThreadTask,
  end: ThreadEnd,
): Promise<void> => {
  if (task.kind === "save-state")
    return end.say({ bytes: await writeStateApart(configuration, ports, task.state), kind: "saved" });
  if (task.kind === "index")
    return indexLedger(configuration, ports, {
      note: ports.hears.note,
      path: indexPath(configuration, ports),
      stop: NEVER,
    });
  const service = openService(configuration, ports, "one-request");
  const watch: Watch = (progress) => end.say({ kind: "progress", progress });
  try {
    if (task.kind === "export") await sendExport(service, watch, end);
    else end.say({ answer: await answerWalk(service, task.walk, watch), kind: "answer" });
  } finally {
    await service.close();
  }
};

const answerWalk = (service: Service, walk: Walk, watch: Watch) => {
  switch (walk.kind) {
    case "as-shown":
      return service.explain(OPERATOR, { ...walk.request, words: "as-shown" }, watch);
    case "replay":
      return service.replay(OPERATOR, walk.request, watch);
    case "state-after":
      return service.stateAfter(OPERATOR, walk.request, watch);
    case "verify":
      return service.verify(OPERATOR, {}, watch);
    case "what-if":
      return service.whatIf(OPERATOR, walk.request, watch);
  }
};

const sendExport = async (service: Service, watch: Watch, { say, told }: ThreadEnd): Promise<void> => {
  const answer = await service.export(OPERATOR, {}, watch);
  if (isRefused(answer)) return say({ answer, kind: "exporting" });
  const { key, pieces } = answer.value;
  say({ answer: { ...answer, value: { key } }, kind: "exporting" });
  let sent = 0;
  for await (const piece of pieces) {
    say({ kind: "piece", piece });
    sent += 1;
    if (sent > AHEAD) await told();
  }
};
