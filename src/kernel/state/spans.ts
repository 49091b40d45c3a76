// How long things last, where more than one part of the kernel must agree on it.

import type { ActionKind } from "../../spine/model.ts";

/** How long after the decision the call may leave, and how long the provider's verdict is waited for. */
export const SEND_MS = 30_000;
const MINUTE_MS = 60_000;
export const SETTLE_MS = (kind: ActionKind): number => (LONG.has(kind) ? 60 * MINUTE_MS : 10 * MINUTE_MS);
const LONG: ReadonlySet<ActionKind> = new Set([
  "vm.clone",
  "vm.delete",
  "vm.migrate",
  "vm.snapshot.create",
  "vm.snapshot.delete",
  "vm.snapshot.rollback",
]);

/** A token ends; the longest it can be given. */
export const TOKEN_DAYS_MAX = 365;
export const DAY_MS = 24 * 60 * MINUTE_MS;
export const HOUR_MS = 60 * MINUTE_MS;

/** How many sessions of one person may be open at once. */
export const SESSIONS_MAX = 8;
/** How long an invitation may be open. */
export const INVITATION_DAYS_MAX = 7;
