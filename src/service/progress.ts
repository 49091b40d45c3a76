// What a caller who waits may be told meanwhile, as values. It decides nothing, and nobody has to listen.

import type { Hearing } from "./ports.ts";

export type ServiceProgress =
  | { readonly at: "opening" }
  /** The ledger is held against its anchor. */
  | { readonly at: "checking"; readonly records: number }
  | { readonly at: "observing"; readonly environment: string }
  | { readonly at: "observed"; readonly observed: number; readonly wanted: number }
  /** A call may leave from here on: what became of it, only the ledger can say. */
  | { readonly at: "claiming"; readonly step: number }
  | { readonly at: "planning" }
  | { readonly at: "reading"; readonly file: string }
  | { readonly at: "replaying"; readonly records: number }
  /** `of` is how many the anchor covers, where that is known. */
  | { readonly at: "verifying"; readonly of?: number; readonly records: number }
  | { readonly at: "examining"; readonly environment: string }
  | { readonly at: "exporting"; readonly of: number; readonly records: number }
  | { readonly at: "copying" | "reading-back"; readonly records: number };

export type Watch = (progress: ServiceProgress) => void;

/** Whoever fails to listen hears no more, and harms nobody: neither the request nor who else waits for the same. */
export const unfailing = (watch: Watch, note: Hearing["note"]): Watch => {
  let isHeard = true;
  return (progress) => {
    if (!isHeard) return;
    try {
      watch(progress);
    } catch (error) {
      isHeard = false;
      void note({ cause: "progress-unheard", facts: { said: String(error) } });
    }
  };
};
