// What is said of a ledger itself, as a door prints it: whether it holds, and what was begun again, restored and
// unlocked.

import type { AuditFinding } from "../../ledger/verify/verify-ledger.ts";
import type { Refusal } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import { failureText } from "../../spine/words/cause.ts";
import { FLAW_WORDS } from "../../spine/words/causes/flaw-words.ts";
import { inWords } from "../../spine/words/refusals/refusal-words.ts";
import type { Verified } from "../ledger/held-against.ts";
import type { LedgerJoined } from "../ledger/join.ts";
import type { AnchorBegun } from "../ledger/re-anchor.ts";
import type { LedgerRestored } from "../ledger/restore.ts";
import type { LedgerUnlocked } from "../ledger/unlock.ts";
import type { LedgerUnsealed } from "../ledger/unseal.ts";
import type { CheckpointList } from "../read/checkpoints.ts";

const findingJson = (finding: AuditFinding) => {
  const { cause, facts, seq, what } = finding;
  return { cause, detail: failureText(FLAW_WORDS, finding), facts, ...present({ seq }), what };
};

const lossJson = (loss: Refusal) => {
  const { cause, code, facts } = loss;
  return { ...present({ cause }), detail: inWords(loss).because, facts, what: code };
};

export const checkpointsJson = ({ count, from, key, newest, page }: CheckpointList) => ({
  anchoredCount: count,
  firstNote: from,
  key,
  ...present({ newestCheckpoint: newest }),
  signedCheckpoints: page,
});

/** One that holds. */
export const verifiedJson = ({ audit, name, reAnchored }: Verified) => {
  const { blobs, checkpointsMet, head, records, root } = audit;
  return {
    blobs,
    checkpoints: checkpointsMet,
    findings: [],
    findingsCount: 0,
    head,
    reAnchors: reAnchored,
    root,
    size: records,
    verified: name,
  };
};

/** One that does not: beside the error, everything that was found. */
export const brokenJson = ({ audit, checkpoints, loss, name }: Verified) => ({
  ...(audit.findingsCount === 0 ? {} : { checkpoints }),
  findings: [...audit.findings.map(findingJson), ...(loss === undefined ? [] : [lossJson(loss)])],
  findingsCount: audit.findingsCount + (loss === undefined ? 0 : 1),
  verified: name,
});

export const reAnchoredJson = ({ kept, loss: _, ...begun }: AnchorBegun) => ({
  ...begun,
  ...present({ keptAs: kept }),
});

export const joinedJson = ({ covered, ...joined }: LedgerJoined) => ({ ...joined, checkpointCovered: covered });

export const restoredJson = ({ anchored, blocked, kept, ...rest }: LedgerRestored) => ({
  ...rest,
  ...present({ anchorCovered: anchored, keptAs: kept }),
  blockedVms: blocked,
  frozen: true,
});

export const unlockedJson = ({ name, reason, seq, why }: LedgerUnlocked) => ({ name, readOnly: why, reason, seq });

export const unsealedJson = ({ copy, name, seal, seq }: LedgerUnsealed) => ({ copy, frozen: true, name, seal, seq });
