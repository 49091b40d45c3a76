// The calls that change something, as values, and what the provider answers.
//
// `no` counts the calls of a world; `mark` names the caller's intent for the journal and is invisible to the provider.

import type { Vmid } from "../../spine/model.ts";
import type { Loss } from "./faults.ts";
import type { Edits } from "./guest-file.ts";
import type { Mark } from "./journal.ts";
import type { GuestKind } from "./settings.ts";

export type Verb =
  | "start"
  | "stop"
  | "shutdown"
  | "reboot"
  | "reset"
  | "suspend"
  | "resume"
  | "snapshot"
  | "rollback"
  | "delete-snapshot"
  | "configure"
  | "destroy"
  | "migrate"
  | "clone";

type Plain = "start" | "stop" | "resume" | "reset";
export type Work =
  | { readonly verb: Plain }
  | { readonly verb: "shutdown"; readonly timeoutMs?: number; readonly isForced?: boolean }
  | { readonly verb: "reboot"; readonly timeoutMs?: number }
  | { readonly verb: "suspend"; readonly isToDisk?: boolean }
  | {
      readonly verb: "snapshot";
      readonly snapshot: string;
      readonly description?: string;
      readonly withMemory?: boolean;
    }
  | { readonly verb: "rollback"; readonly snapshot: string; readonly thenStart?: boolean }
  | { readonly verb: "delete-snapshot"; readonly snapshot: string }
  | {
      readonly verb: "configure";
      readonly edits: Edits;
      readonly digest?: string;
      /** Keys whose waiting values are given up; a write of nothing else is a write too. */
      readonly reverts?: readonly string[];
      /** A task does it in the background; otherwise it is done when the answer comes. */
      readonly inTask: boolean;
    }
  | { readonly verb: "destroy"; readonly isPurge?: boolean }
  | { readonly verb: "migrate"; readonly target: string; readonly isOnline?: boolean }
  | { readonly verb: "clone"; readonly newid: Vmid; readonly name?: string };

export type SimulatedCall = {
  readonly vmid: Vmid;
  readonly kind: GuestKind;
  /** The node that the call names. */
  readonly node: string;
  /** user@realm, or user@realm!token. */
  readonly user: string;
  readonly mark?: Mark;
  readonly work: Work;
};

export type Answer =
  | { readonly kind: "task"; readonly upid: string }
  | { readonly kind: "done" }
  /** Said at once, and nothing happened. */
  | { readonly kind: "refused"; readonly status: 400 | 500; readonly text: string }
  /** The node that the call names did not take it. */
  | { readonly kind: "unreached"; readonly status: 595 | 596; readonly text: string }
  /** No answer comes, or none that can be read. */
  | { readonly kind: "lost"; readonly how: Loss };

/** The answer, and how long it is in coming. */
export type CallAnswered = { readonly answer: Answer; readonly delayMs: number };
