// The floor: the process time that nothing is stamped before. It is that of the head, with one exception: an operator's
// accepted clock, the one record that may be stamped earlier than the record before it and begins the floor anew.
//
// Whoever walks a ledger and asserts that its times ascend asks here, so that all of them accept exactly that.
// Not here: whether a clock is accepted (kernel/decide/judge-clock.ts).

import type { Instant } from "../../spine/model.ts";
import { latest } from "../../spine/values/instant.ts";
import type { Draft } from "../record/record.ts";

/** The kind of the record by which an operator accepts the clock. */
const ACCEPTS_CLOCK = "accept-clock";

type Stamped = Pick<Draft, "body" | "kind" | "processTime">;

/** One that was refused accepts nothing, and is stamped like every other. */
const beginsAnew = ({ body, kind }: Stamped): boolean => {
  if (kind !== ACCEPTS_CLOCK) return false;
  const result = body["result"] as { readonly kind?: unknown } | undefined;
  return result?.kind === "clock-accepted";
};

/** When something is judged to happen, whether it is read or recorded: by the later of the clock and the floor. */
export const judgedAt = (clock: Instant, floor: Instant | undefined): Instant => latest(clock, floor);

export const isBehind = (record: Stamped, floor: Instant | undefined): boolean =>
  floor !== undefined && record.processTime < floor && !beginsAnew(record);

export const floorAfter = (record: Stamped, floor: Instant | undefined): Instant =>
  beginsAnew(record) ? record.processTime : latest(record.processTime, floor);
