// accept-clock and accept-identity: an operator's recorded word where the world is not as the ledger remembers it.
//
// accept-clock: this machine's clock is right, and the last record is from the future; nothing else goes on until it is
// said. accept-identity: the VM that has this number now is the one that is meant; it is observed first, because only
// an identity that is seen can be accepted.

import { bodyOf } from "../../kernel/command/record-body.ts";
import type { Instant, Vmid } from "../../spine/model.ts";
import { msOf } from "../../spine/values/instant.ts";
import { refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import { readKnownVms } from "../read/known-vms.ts";
import { resolveVm, type VmRef } from "../read/vm-references.ts";
import { answerWith, type ServiceAct } from "./act.ts";
import { recordObservation, refusedUnanswered } from "./record-observation.ts";
import { answerRemembering } from "./remembered.ts";

export type ClockAccepted = {
  readonly accepted: Instant;
  /** How far the last record was ahead. */
  readonly aheadSeconds: number;
  readonly by: string;
  readonly head: Instant;
  readonly seq: number;
};

export const acceptClock: ServiceAct<{ readonly reason: string }, ClockAccepted> = {
  perform: async (session, { reason }) => {
    const asked = await session.answer({ kind: "accept-clock", reason, size: session.writer.state().size });
    return answerWith(session, asked, acceptClock.valueIn);
  },
  valueIn: async (_, record) => {
    const result = bodyOf(record)?.result;
    if (result?.kind !== "clock-accepted") throw new Error(`record ${record.seq} accepts no clock`);
    const { actor, processTime: accepted, seq } = record;
    const aheadSeconds = (msOf(result.head) - msOf(accepted)) / 1_000;
    return { accepted, aheadSeconds, by: actor.id, head: result.head, seq };
  },
};

export type IdentityRequest = {
  readonly environment?: string;
  readonly identity: string;
  readonly reason: string;
  readonly vmid: VmRef;
};
export type IdentityAccepted = {
  readonly by: string;
  readonly environment: string;
  readonly identity: string;
  readonly seq: number;
  readonly vmid: Vmid;
  readonly was: string;
};

export const acceptIdentity: ServiceAct<IdentityRequest, IdentityAccepted> = {
  perform: async (session, { environment, identity, reason, vmid: ref }) => {
    const at = environmentAt(environment, session.desk);
    if ("code" in at) return refusedInput([at]);
    const vmid = resolveVm(ref, await readKnownVms(session.ledger.engine, session.writer.state(), at.name));
    if (typeof vmid === "object") return refusedInput([vmid]);
    return session.inTurn(at.name, async () => {
      const seen = await recordObservation(session, at, { only: [vmid], purpose: "accept-identity" });
      if ("kind" in seen) return seen;
      const { observation } = seen.observed;
      const request = { identity, kind: "accept-identity", observation: seen.id, reason, vmid } as const;
      const asked = await answerRemembering(session, at.name, request, { observation });
      if (asked.kind === "refused") return refusedUnanswered(seen, asked);
      return answerWith(session, asked, acceptIdentity.valueIn);
    });
  },
  valueIn: async (_, record) => {
    const body = bodyOf(record);
    if (body?.kind !== "accept-identity" || body.result.kind !== "identity-accepted")
      throw new Error(`record ${record.seq} accepts no identity`);
    const { identity, vmid } = body.request;
    const { actor, environment = "", seq } = record;
    return { by: actor.id, environment, identity, seq, vmid, was: body.result.was };
  },
};
