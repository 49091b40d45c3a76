// Reads that walk the whole ledger: in a thread of their own where there is one, so that nobody else waits for them.
// Each is loaded when it is asked for. Not here: who may ask (local-service.ts proves it), how they take turns
// (apart/walks.ts).

import type { Readable } from "../kernel/decide/actors.ts";
import type { Head } from "../ledger/engine.ts";
import { GENESIS } from "../ledger/record/record.ts";
import { isRefused, type OkAnswer, type RefusedAnswer, type ServiceAnswer } from "./answer.ts";
import type { Walks } from "./apart/walks.ts";
import type { ProvenCaller } from "./hold/callers.ts";
import type { OpenLedger, ReadMode } from "./hold/holding.ts";
import type { Seen } from "./hold/seen-ledger.ts";
import type { Watch } from "./progress.ts";
import type { ExportRequest } from "./read/export.ts";
import type { ReplayRequest } from "./read/replay-records.ts";
import type { WhatIfRequest } from "./read/weigh-policy.ts";
import type { Operation, Reads } from "./service.ts";
import type { Walk, WalkOf, WalkValues } from "./thread-task.ts";

/** Folded at most once for one request; desk and state have what the caller sees. */
export type ReadGround = OpenLedger & Seen & { readonly caller: ProvenCaller };

export type ReadOn<T> = Pick<OkAnswer<T | RefusedAnswer>, "head" | "value">;

export type ReadingOf = <R extends object, T extends object>(
  readable: Readable,
  mode: ReadMode,
  answer: (ground: ReadGround, request: R, watch: Watch) => Promise<ReadOn<T>>,
) => Operation<R, T>;

/** Of an answer that stands on no record. */
export const NO_LEDGER: Head = { hash: GENESIS, size: 0 };

/** What was answered in a thread, as what is read here is. */
const asRead = <T>(answer: ServiceAnswer<T>): ReadOn<T> =>
  answer.kind === "refused" ? { head: NO_LEDGER, value: answer } : answer;

export const walkingReadsOf = (
  reading: ReadingOf,
  walksApart: () => Promise<Walks> | undefined,
): Pick<Reads, "export" | "replay" | "stateAfter" | "whatIf"> => {
  const walkApart = <R extends object, K extends Walk["kind"]>(
    walkOf: (request: R) => WalkOf<K>,
    load: () => Promise<(open: OpenLedger, request: R, watch: Watch) => Promise<WalkValues[K] | RefusedAnswer>>,
  ): Operation<R, WalkValues[K]> =>
    reading("records", "read", async (open, request, watch) => {
      const apart = await walksApart();
      if (apart !== undefined) return asRead(await apart.walk<K>(walkOf(request), watch, open.caller.signal));
      return { head: await open.ledger.engine.head(), value: await (await load())(open, request, watch) };
    });

  return {
    export: reading("export", "read", async (open, request: ExportRequest, watch) => {
      // Whoever says which files it has is asked about each, and so it is sent from here.
      const apart = request.isKept === undefined ? await walksApart() : undefined;
      if (apart !== undefined) return asRead(await apart.export(watch, open.caller.signal));
      const { exportRecords } = await import("./read/export.ts");
      return { head: await open.ledger.engine.head(), value: await exportRecords(open, request, watch) };
    }),
    replay: walkApart(
      (request: ReplayRequest): WalkOf<"replay"> => ({ kind: "replay", request }),
      async () => (await import("./read/replay-records.ts")).replayLedger,
    ),
    stateAfter: walkApart(
      (request: { readonly at: number }): WalkOf<"state-after"> => ({ kind: "state-after", request }),
      async () => (await import("./read/replay-records.ts")).stateAfter,
    ),
    whatIf: reading("account", "read", async (open, request: WhatIfRequest, watch) => {
      const head = await open.ledger.engine.head();
      const { judgeWhatIf, policyAsked } = await import("./read/weigh-policy.ts");
      // A thread sees everything: what the caller does not see, or cannot be read, is refused before it has its turn.
      const asked = policyAsked(open, request);
      if (isRefused(asked)) return { head, value: asked };
      const apart = await walksApart();
      if (apart === undefined) return { head, value: await judgeWhatIf(open, request, watch) };
      const { actor, grants, signal } = open.caller;
      const reader = request.reader ?? { actor, grants };
      return asRead(await apart.walk({ kind: "what-if", request: { ...request, reader } }, watch, signal));
    }),
  };
};
