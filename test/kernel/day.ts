// A day in the life of a ledger, for whoever replays one; and the replay of a story's records, as they are or edited.

import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { type Replayed, replay } from "../../src/kernel/replay-ledger.ts";
import type { LedgerRecord } from "../../src/ledger/record/record.ts";
import { state as vmState, wantStopped } from "../spine/world.ts";
import { ALICE, apply, approve, BOB, lastId, planned, ROBO, type Story, story } from "./story.ts";

/** Starts, stops, refusals, an unknown outcome, a freeze, an agent. */
export const day = (): Story => {
  const told = story();
  const first = planned(told);
  apply(told, first.of);
  told.ask(
    { cause: "provider-done", intent: lastId(told), kind: "outcome", outcome: "succeeded", said: "running" },
    { by: KERNEL_ACTOR },
  );
  const stop = planned(told, { vms: [vmState()], entries: [wantStopped("power-off")] });
  apply(told, stop.of);
  approve(told, stop.of, BOB);
  told.ask({ kind: "deny", of: stop.of, reason: "not today" }, { by: BOB });
  told.ask({ kind: "apply", of: stop.of });
  told.ask({ kind: "freeze", reason: "incident" });
  const agents = planned(told, { by: ROBO });
  told.ask({ kind: "request-approval", of: agents.of }, { by: ROBO, door: "service" });
  told.ask({ kind: "unfreeze", reason: "over" });
  approve(told, agents.of, ALICE);
  told.ask({ kind: "apply", of: agents.of }, { by: ROBO, door: "service" });
  const intent = lastId(told);
  told.ask({ intent, kind: "dispatched", reference: "task-1" }, { by: KERNEL_ACTOR });
  told.pass(11 * 60_000);
  told.ask({ ground: "past-settle-by", intent, kind: "recover" }, { by: KERNEL_ACTOR });
  told.ask(
    { cause: "provider-done", intent, kind: "outcome", outcome: "succeeded", said: "late" },
    { by: KERNEL_ACTOR },
  );
  told.pass(24 * 60 * 60_000);
  planned(told);
  return told;
};

export const again = (told: Story, records: readonly LedgerRecord[] = told.records): Promise<Replayed> =>
  replay([records], async (digest) => told.blobs.get(digest));
