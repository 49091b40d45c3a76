// checkpoint: who asked for it as a record, then size and root signed and appended to the anchor.
//
// The record comes first, so that the checkpoint covers it. The note is on the disk before success is said. It may be
// the only record of its process, so it brings the configuration with it.

import { configToRecord } from "../../formats/dedalus/config-to-record.ts";
import { bringing } from "../../kernel/command/program.ts";
import { checkpointHead, isInAnchor, type SignedHead } from "../hold/checkpoint-head.ts";
import { answerWith, type ServiceAct } from "./act.ts";

export type CheckpointSigned = {
  readonly anchor: string;
  readonly by: string;
  readonly key: string;
  /** What was signed; absent in a repeated answer, where the anchor has it. */
  readonly signed?: SignedHead;
  readonly seq: number;
};

export const recordCheckpoint: ServiceAct<object, CheckpointSigned> = {
  brings: true,
  perform: async (session) => {
    const { desk } = session;
    const { anchor } = desk.config;
    const config = configToRecord(desk.config, desk.policies);
    const brings = bringing(config, desk.ports.version);
    const asked = await session.answer({ anchor, kind: "ledger.checkpoint", ...brings });
    const answer = await answerWith(session, asked, recordCheckpoint.valueIn);
    if (answer.kind === "refused" || answer.replayed) return answer;
    const signed = checkpointHead(session);
    // The note is what was asked for.
    return "kind" in signed ? signed : { ...answer, value: { ...answer.value, signed } };
  },
  // The record may stand, and its note not: then it is signed now.
  mend: (session, { seq }) => {
    const signed = isInAnchor(session.desk, seq) ? undefined : checkpointHead(session);
    return signed !== undefined && "kind" in signed ? signed : undefined;
  },
  valueIn: async ({ desk }, { actor, seq }) => ({
    anchor: desk.config.anchor,
    by: actor.id,
    key: desk.signer.vkey,
    seq,
  }),
};
