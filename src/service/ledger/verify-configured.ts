// verify: the configured ledger, read without trust in what is read, and held against its anchor, its key and its saved
// state.
//
// Whoever has the files may check them, so nobody is asked who they are: a ledger that must not be believed cannot say.
// A broken one is an answer: what was found is a value. Not here: what was handed on of a ledger (verify-evidence.ts).

import { claimsReader, keyDigest } from "../../ledger/anchor/anchor-claim.ts";
import type { AnchorMisfit, AnchorRead } from "../../ledger/anchor/anchor-fit.ts";
import { anchorLoss } from "../../ledger/anchor/anchor-loss.ts";
import type { Engine } from "../../ledger/engine.ts";
import { findSavedStateMisfit } from "../../ledger/open.ts";
import type { AnchorPart } from "../../ledger/verify/chain-state.ts";
import type { Audit } from "../../ledger/verify/verify-ledger.ts";
import { auditLedger } from "../../ledger/verify/verify-whole.ts";
import { readKnown } from "../../ledger/write/saved-state.ts";
import { present } from "../../spine/values/present.ts";
import { refusedBy, type ServiceAnswer, unreadable } from "../answer.ts";
import type { Configuration, Ports } from "../ports.ts";
import type { Watch } from "../progress.ts";
import {
  auditOptions,
  covering,
  type FileNamed,
  readNamedAnchor,
  readVkey,
  type Verified,
  verifiedOf,
} from "./held-against.ts";
import { reAnchors } from "./re-anchors.ts";

/** Another copy of the anchor may be an older one; only the configured one must be all that it ever was. */
export type VerifyRequest = { readonly anchor?: FileNamed; readonly key?: string };

export const verifyLedger = async (
  configuration: Configuration,
  ports: Pick<Ports, "ledger">,
  { anchor, key }: VerifyRequest,
  watch: Watch,
): Promise<ServiceAnswer<Verified>> => {
  const { config, home } = configuration;
  const owned = readVkey(key === undefined ? { configuration, kind: "own" } : { key, kind: "given" });
  if ("kind" in owned) return owned;
  const { vkey } = owned;
  const read = readNamedAnchor(anchor, configuration, vkey);
  if (read.kind === "refused") return read;
  const location = ports.ledger.location(config.ledger, home);
  if ("code" in location) return refusedBy(location);
  const opened = await location.open("read");
  if (opened.kind === "refused") return refusedBy(opened.refusal);
  const { engine } = opened;
  const own = anchor === undefined ? { savedState: ports.ledger.savedState(config.ledger, home) } : undefined;
  try {
    const value = await audit(engine, read, { own, vkey }, watch);
    return { head: value.audit.head, kind: "ok", replayed: false, value };
  } catch (error) {
    return unreadable(error);
  } finally {
    await engine.close();
  }
};

type Own = { readonly savedState: string; readonly vkey: string };

const audit = async (
  engine: Engine,
  read: AnchorRead,
  { own, vkey }: { readonly own: Pick<Own, "savedState"> | undefined; readonly vkey: string },
  watch: Watch,
): Promise<Verified> => {
  const notes = covering(read.notes);
  const size = notes.reduce((most, { checkpoint }) => Math.max(most, checkpoint.size), 0);
  const [claims, history] = [claimsReader(), reAnchors()];
  const onLine = (line: Uint8Array): void => {
    claims.take(line);
    history.take(line);
  };
  const walked = await auditLedger(engine, { ...auditOptions(notes, size, watch), onLine });
  const { misfit, part } = own === undefined ? NOTHING_SIGNED : await signedBy({ ...own, vkey }, engine);
  const found = misfit === undefined ? walked : withMisfit(walked, misfit);
  const known = own === undefined ? { begins: new Set<number>(), named: [] } : claims.claims();
  const loss = anchorLoss(read, { claims: known, isWhole: true, key: keyDigest(vkey), part, size: found.records });
  return verifiedOf({
    audit: found,
    checkpoints: notes.length,
    ...present({ loss }),
    name: engine.name,
    reAnchored: history.all(),
  });
};

type Signed = { readonly misfit: AnchorMisfit | undefined; readonly part: AnchorPart | undefined };
const NOTHING_SIGNED: Signed = { misfit: undefined, part: undefined };

/** What a signed saved state says was in the ledger and in the anchor. */
const signedBy = async ({ savedState, vkey }: Own, engine: Engine): Promise<Signed> => {
  const found = await readKnown(savedState, vkey, engine);
  const signed = found.kind === "none" ? found.signed : undefined;
  const known = found.kind === "none" ? signed : found.known;
  return { misfit: await findSavedStateMisfit(engine, signed), part: known?.anchor };
};

const withMisfit = (walked: Audit, { code, flaw, seq }: AnchorMisfit): Audit => {
  const what = code === "ledger-cut-short" ? "cut-short" : "checkpoint-differs";
  return { ...walked, findings: [...walked.findings, { ...flaw, seq, what }], findingsCount: walked.findingsCount + 1 };
};
