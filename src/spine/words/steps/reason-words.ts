// The words of a step: what it comes from, what differs besides, and by which sign a VM is production.
//
// Templates alone; which of them is said is chosen in step-in-words.ts. Nothing is decided or recognised by them.

import type { Later, Protection, StepReason } from "../../model.ts";

export const REASON_WORDS = {
  reasons: {
    requested: "{action} was requested",
    "requested-sizes": "{action} was requested: {sizes}",
    "size-differs": "{sizes}",
    "status-differs": "{observedStatus}, desired {desiredStatus}",
  },
  later: {
    size: "{reason}; also {sizes}, in a later plan",
    status: "{reason}; also {observedStatus}, desired {desiredStatus}, in a later plan",
  },
  sizes: {
    cpus: "cpus {observedCpus}, desired {desiredCpus}",
    "cpus-not-seen": "cpus not seen, desired {desiredCpus}",
    "cpus-pending": "cpus {observedCpus} ({pendingCpus} pending), desired {desiredCpus}",
    "cpus-pending-not-seen": "cpus not seen ({pendingCpus} pending), desired {desiredCpus}",
    memory: "memory {observedMemory:bytes}, desired {desiredMemory:bytes}",
    "memory-not-seen": "memory not seen, desired {desiredMemory:bytes}",
    "memory-pending": "memory {observedMemory:bytes} ({pendingMemory:bytes} pending), desired {desiredMemory:bytes}",
    "memory-pending-not-seen": "memory not seen ({pendingMemory:bytes} pending), desired {desiredMemory:bytes}",
  },
  protections: {
    "desired-name": "its desired name begins with prod-",
    entry: "its desired entry says protected: true",
    "observed-name": "its observed name begins with prod-",
    tag: "it carries the tag prod",
  },
} as const satisfies {
  readonly later: Readonly<Record<Later, string>>;
  readonly protections: Readonly<Record<Protection, string>>;
  readonly reasons: Readonly<Record<StepReason | "requested-sizes", string>>;
  readonly sizes: Readonly<Record<string, string>>;
};
