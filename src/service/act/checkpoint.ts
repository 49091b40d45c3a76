// checkpoint: who asked for it as a record, then size and root signed and appended to the anchor.
//
// The record comes first, so that the checkpoint covers it. The note is on the disk before success is said. It may be the
// only record of its process, so it brings the configuration with it.

import { configSnapshot } from "../../formats/dedalus/config-snapshot.ts";
import { bringing } from "../../kernel/command/program.ts";
import { rootOf } from "../../ledger/tree/merkle.ts";
import type { Sha256 } from "../../spine/model.ts";
import { appendToAnchor } from "../hold/open-ledger.ts";
import { signHead } from "../hold/session.ts";
import { answerWith, type ServiceAct } from "./act.ts";

export type CheckpointSigned = {
  readonly anchor: string;
  readonly key: string;
  /** What was signed; absent in a repeated answer, where the anchor has it. */
  readonly signed?: { readonly note: string; readonly root: Sha256; readonly size: number };
  readonly seq: number;
};

export const recordCheckpoint: ServiceAct<object, CheckpointSigned> = {
  brings: true,
  perform: async (session) => {
    const { desk, writer } = session;
    const { anchor } = desk.config;
    const config = configSnapshot(desk.config, desk.policies);
    const brings = bringing(config, desk.ports.version);
    const asked = await session.answer({ anchor, kind: "ledger.checkpoint", ...brings });
    const answer = await answerWith(session, asked, recordCheckpoint.valueIn);
    if (answer.kind === "refused" || answer.replayed) return answer;
    const { tree } = writer.chain();
    const [root, { size }] = [rootOf(tree), tree];
    const note = signHead(session);
    // The note is what was asked for.
    return appendToAnchor(desk, note) ?? { ...answer, value: { ...answer.value, signed: { note, root, size } } };
  },
  valueIn: async ({ desk }, { seq }) => ({ anchor: desk.config.anchor, key: desk.signer.vkey, seq }),
};
