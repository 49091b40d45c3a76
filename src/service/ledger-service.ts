// What an operator does to a ledger at its own files: back it up, restore it, move it, let a sealed one go on, take
// writes again, begin a new anchor, join it with one more instance; and what anybody does who has them: verify it, and
// examine the installation.
//
// Beside the service (service.ts) and not in it, because each needs the ledger in a state in which nothing is served
// from it: sealed, read-only, without its anchor, or not there at all. Each opens the ledger in a mode of its own, does
// one thing and closes it.
//
// What it promises:
// - Callers and answers are values, as the service's are; whoever asks is at the files, and is proven on the ledger's
//   state.
// - Each act is one record, granted or refused, that brings its configuration. A ledger that takes no record of a
//   refusal is asked nothing that would be refused: who asks is judged before it is touched.
// - Whatever was recorded, a refusal too, is in the anchor at the end; what could not be kept there is told `beside`.
// - No act has a key: whoever asks again is told how the ledger stands now. A copy that was broken off is finished.
// Not here: how (local-ledger.ts, ledger/).

import type { ServiceAnswer } from "./answer.ts";
import type { ExamineRequest, InstallationExamined } from "./examine/examine.ts";
import type { Caller } from "./hold/callers.ts";
import type { BackupRequest, LedgerBackedUp } from "./ledger/backup.ts";
import type { Verified } from "./ledger/held-against.ts";
import type { JoinRequest, LedgerJoined } from "./ledger/join.ts";
import type { LedgerMoved, MoveRequest } from "./ledger/move.ts";
import type { AnchorBegun } from "./ledger/re-anchor.ts";
import type { LedgerRestored, RestoreRequest } from "./ledger/restore.ts";
import type { LedgerUnlocked } from "./ledger/unlock.ts";
import type { LedgerUnsealed, UnsealRequest } from "./ledger/unseal.ts";
import type { VerifyRequest } from "./ledger/verify-configured.ts";
import type { Watch } from "./progress.ts";

/** Whoever stands at the ledger's own files; the credential says who that is. */
export type CallerAtFiles = Pick<Caller, "credential"> & { readonly door: "local" };

export type LedgerOperation<R, T> = (caller: CallerAtFiles, request: R, watch?: Watch) => Promise<ServiceAnswer<T>>;

type Because = { readonly reason: string };

export type LedgerService = {
  /** Online, and recorded nowhere: an export in a folder of its own, verified before it has its name. */
  readonly backup: LedgerOperation<BackupRequest, LedgerBackedUp>;
  /** What is wrong with the installation. It is never refused: that nobody is known by the credential is a finding. */
  readonly examine: (caller: CallerAtFiles, request: ExamineRequest, watch?: Watch) => Promise<InstallationExamined>;
  /**
   * One more instance at a ledger with records: verified, held against the anchor of another, and its own anchor
   * begins.
   */
  readonly join: LedgerOperation<JoinRequest, LedgerJoined>;
  /** To another location or engine, verified and with the same head; the source is sealed by a last record. */
  readonly move: LedgerOperation<MoveRequest, LedgerMoved>;
  /** After the anchor was lost: the whole ledger is verified and accepted, and a new anchor begins. */
  readonly reAnchor: LedgerOperation<Because, AnchorBegun>;
  /**
   * From a backup, where there is no ledger: what the anchor outlived is recorded as lost, and everything is frozen.
   */
  readonly restore: LedgerOperation<RestoreRequest, LedgerRestored>;
  /** Takes writes again after one failed. */
  readonly unlock: LedgerOperation<Because, LedgerUnlocked>;
  /** Lets a sealed ledger go on because its copy is gone for good; everything is frozen. */
  readonly unseal: LedgerOperation<UnsealRequest, LedgerUnsealed>;
  /** Whoever has the files may check them; another key or another copy of the anchor can be named. */
  readonly verify: (request: VerifyRequest, watch?: Watch) => Promise<ServiceAnswer<Verified>>;
};
