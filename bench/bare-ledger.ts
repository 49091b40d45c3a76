// The ledger without a kernel: a decider that writes what it is given, and drafts as long as real records are.

import { ulids } from "../src/ids.ts";
import type { Engine } from "../src/ledger/engine.ts";
import type { Draft, Ulid } from "../src/ledger/record/record.ts";
import { openSequencer, type Sequencer } from "../src/ledger/write/sequencer.ts";
import type { Decided, Submission } from "../src/ledger/write/submission.ts";
import { sha256 } from "../src/spine/values/hash.ts";
import { instantOf } from "../src/spine/values/instant.ts";

const nextId = ulids();
const CONFIG = sha256("bench");
const INSTANCE = nextId();
const FROM_MS = Date.UTC(2026, 10, 15);

/** About 770 bytes as a line, like the kernel's record of a call that was sent. */
export const draftOf = (n: number, key: Ulid = nextId()): Draft => {
  const at = instantOf(FROM_MS + n);
  return {
    actor: { id: "dedalus", kind: "kernel", roles: ["approver", "auditor", "observer", "operator"] },
    auditId: nextId(),
    body: {
      door: "local",
      request: { intent: nextId(), reference: `UPID:pve${n % 7}:0000${n}` },
      result: { kind: "done" },
      state: { blocked: 0, freezes: 0, open: 3, size: n },
    },
    causationId: nextId(),
    configHash: CONFIG,
    correlationId: nextId(),
    environment: "bench",
    eventTime: at,
    idempotencyKey: key,
    instance: INSTANCE,
    kind: "dispatched",
    processTime: at,
  };
};

export type Bare = Sequencer<Decided, number>;

export const bareOn = (engine: Engine): Promise<Bare> =>
  openSequencer<Decided, number>(engine, { decide: (_, given) => given, evolve: (n) => n + 1, initial: 0 });

let submitted = 0;

/** Each is stamped later than the one before, whichever ledger they go to. */
export const bareSubmission = (): Submission<Decided> => {
  const key = nextId();
  const n = submitted;
  submitted += 1;
  return submissionOf({ draft: draftOf(n, key) });
};

/** What was decided elsewhere, to be written as it is. */
export const submissionOf = (command: Decided): Submission<Decided> => {
  const { actor, idempotencyKey: key } = command.draft;
  return { caller: actor.id, command, key, lane: "mutation" };
};
