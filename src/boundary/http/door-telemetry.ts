// What the door tells whoever runs it: what it turned away, and what failed. Codes; never a token, a body or a
// query.
//
// Whoever listens decides nothing and holds nothing up. Not here: logs and metrics, and that of every request
// (boundary/telemetry).

import type { RefusedAnswer } from "../../service/answer.ts";
import type { Caller } from "../../service/hold/callers.ts";

export type DoorEvent =
  /** A credential that proves nobody. It is told here, and never recorded. */
  | { readonly kind: "sign-in-failed"; readonly code: string; readonly route: string }
  | { readonly kind: "limited"; readonly cause: string; readonly route: string }
  /** What reached no route: broken, too slow, for somebody else. */
  | { readonly kind: "turned-away"; readonly cause: string }
  | { readonly kind: "stream-cut"; readonly cause: "refused" | "slow" | "token-ended"; readonly route: string };

export type DoorTelemetry = {
  /** Something that is nobody's refusal: a bug. */
  readonly failed: (error: unknown, correlationId: string) => void;
  readonly happened: (event: DoorEvent) => void;
  /**
   * What /metrics answers, where there is one: numbers by environment, so that whoever reads the account may
   * scrape.
   */
  readonly metrics?: (caller: Caller) => Promise<{ readonly text: string; readonly type: string } | RefusedAnswer>;
  /** Does the work in the trace that a message brings, where somebody traces. */
  readonly follow?: <T>(traceparent: string, work: () => Promise<T>) => Promise<T>;
};
