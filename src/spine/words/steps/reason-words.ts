// The words of a step: what it comes from, what differs besides, and by which sign a VM is production.
//
// Templates alone; which of them is said is chosen in step-in-words.ts. Nothing is decided or recognised by them.

import type { Later, Protection, StepReason } from "../../model.ts";

export const REASON_WORDS = {
  reasons: {
    requested: "{action} was requested",
    "requested-sizes": "{action} was requested: {sizes}",
    "size-differs": "{sizes}",
    "status-differs": "{observedStatus}, desired {wantedStatus}",
  },
  later: {
    size: "{reason}; also {sizes}, in a later plan",
    status: "{reason}; also {observedStatus}, desired {wantedStatus}, in a later plan",
  },
  sizes: {
    cpus: "cpus {observedCpus}, desired {wantedCpus}",
    "cpus-not-seen": "cpus not seen, desired {wantedCpus}",
    "cpus-pending": "cpus {observedCpus} ({pendingCpus} pending), desired {wantedCpus}",
    "cpus-pending-not-seen": "cpus not seen ({pendingCpus} pending), desired {wantedCpus}",
    memory: "memory {observedMemory:bytes}, desired {wantedMemory:bytes}",
    "memory-not-seen": "memory not seen, desired {wantedMemory:bytes}",
    "memory-pending": "memory {observedMemory:bytes} ({pendingMemory:bytes} pending), desired {wantedMemory:bytes}",
    "memory-pending-not-seen": "memory not seen ({pendingMemory:bytes} pending), desired {wantedMemory:bytes}",
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
