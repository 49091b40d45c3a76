// What a process that lives long does in a thread of its own, so that nobody else waits for it: what reads the whole
// ledger, and what writes a saved state. Values alone go there and come back.
//
// A thread opens the ledger by itself and only reads it; the caller was proven before, on the state that the request
// met. Not here: what starts a thread (wire.ts), what is done in it (apart/perform-task.ts), who has to wait
// (apart/walks.ts).

import type { Checkpoint } from "../ledger/tree/checkpoint.ts";
import type { AnchorPart } from "../ledger/verify/chain-state.ts";
import type { ExportPiece } from "../ledger/write/export-parts.ts";
import type { Sha256 } from "../spine/model.ts";
import type { ServiceNote } from "../spine/words/remarks/note-words.ts";
import type { ServiceAnswer } from "./answer.ts";
import type { Verified } from "./ledger/held-against.ts";
import type { Configuration } from "./ports.ts";
import type { ServiceProgress } from "./progress.ts";
import type { AnswerExplained, StepRequest } from "./read/explain-recorded.ts";
import type { ReplayedEqual, ReplayRequest } from "./read/replay-records.ts";
import type { StateShown } from "./read/status.ts";
import type { WhatIf, WhatIfRequest } from "./read/weigh-policy.ts";

/** Each gives one answer. */
export type Walk =
  | { readonly kind: "as-shown"; readonly request: StepRequest }
  | { readonly kind: "replay"; readonly request: ReplayRequest }
  | { readonly kind: "state-after"; readonly request: { readonly at: number } }
  | { readonly kind: "verify" }
  | { readonly kind: "what-if"; readonly request: WhatIfRequest };
export type WalkValues = {
  readonly "as-shown": AnswerExplained;
  readonly replay: ReplayedEqual;
  readonly "state-after": StateShown;
  readonly verify: Verified;
  readonly "what-if": WhatIf;
};
export type WalkOf<K extends Walk["kind"]> = Extract<Walk, { readonly kind: K }>;

/** The state after so many records, of which the last has this hash; and what the writer knows of its anchor. */
export type StateToSave = {
  readonly anchor?: { readonly end: number; readonly found: AnchorPart };
  readonly hash: Sha256;
  readonly met: readonly Checkpoint[];
  readonly size: number;
};

export type ThreadTask =
  | { readonly kind: "walk"; readonly walk: Walk }
  | { readonly kind: "export" }
  /** Goes on until it is stopped, and says nothing. */
  | { readonly kind: "index" }
  | { readonly kind: "save-state"; readonly state: StateToSave };

/** What a thread says. An export waits for a word from time to time, so that what nobody takes does not pile up. */
export type ThreadSaid =
  | { readonly kind: "answer"; readonly answer: ServiceAnswer<WalkValues[Walk["kind"]]> }
  | { readonly kind: "exporting"; readonly answer: ServiceAnswer<{ readonly key: string }> }
  | { readonly kind: "note"; readonly note: ServiceNote }
  | { readonly kind: "piece"; readonly piece: ExportPiece }
  | { readonly kind: "progress"; readonly progress: ServiceProgress }
  | { readonly kind: "saved"; readonly bytes: number };

/** As a thread has it: what it says, and the next word that it is told. */
export type ThreadEnd = {
  readonly say: (said: ThreadSaid) => void;
  readonly told: () => Promise<void>;
};

/** As whoever started it has it. */
export type Thread = {
  /** What it says next; nothing when it is over or was stopped. What fails in it rises here. */
  readonly next: () => Promise<ThreadSaid | undefined>;
  readonly stop: () => Promise<void>;
  /** A word that it waits for. */
  readonly tell: () => void;
};

export type StartThread = (configuration: Configuration, task: ThreadTask) => Thread;
