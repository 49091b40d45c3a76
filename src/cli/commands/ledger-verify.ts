// dedalus ledger verify: a ledger, an export or a proof, offline and without trust in what it reads.
//
// It runs with a broken contract too: checking evidence must not depend on the program being allowed to decide.
// For an export or a proof of somebody else's, the public key comes with --key, and no configuration is needed.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Parsed, type Problem, problem } from "../../formats/problem.ts";
import { claimsReader } from "../../ledger/anchor/anchor-claim.ts";
import { type AnchorMisfit, type AnchorRead, readAnchor, type SignedNote } from "../../ledger/anchor/anchor-fit.ts";
import { type AnchorLoss, anchorLoss } from "../../ledger/anchor/anchor-loss.ts";
import type { Engine } from "../../ledger/engine.ts";
import { fileCause } from "../../ledger/files/file-cause.ts";
import { readRefusal, snapshotMisfit } from "../../ledger/open.ts";
import { parseVkey, readCheckpoint } from "../../ledger/tree/checkpoint.ts";
import { readProof } from "../../ledger/verify/proof-file.ts";
import type { AnchorPart } from "../../ledger/verify/standing.ts";
import { type Audit, type AuditFinding, auditExport, findingRefusal } from "../../ledger/verify/verify-ledger.ts";
import { auditLedger } from "../../ledger/verify/verify-whole.ts";
import { CHECKPOINT_FILE, LINES_FILE } from "../../ledger/write/export.ts";
import { knownIn } from "../../ledger/write/saved-state.ts";
import { readSigner } from "../../service/hold/open-ledger.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { withFacts } from "../../spine/words/failure.ts";
import { becauseOf } from "../../spine/words/refusal-words.ts";
import { ledgerPlace, snapshotFile } from "../../wire.ts";
import type { Arguments, Run } from "../command.ts";
import { badInput } from "../failure.ts";
import { pathIn, readText } from "../files.ts";
import { type Configured, readConfig } from "../find-config.ts";
import { type Io, progress } from "../io.ts";
import { ledgerFailed } from "../ledger-desk.ts";
import type { Outcome } from "../outcome.ts";
import { auditLines, brokenLines, findingText } from "../views/view-audit.ts";
import { type ReAnchor, reAnchorLine, reAnchors } from "../views/view-re-anchored.ts";

export const run: Run = async (given, io) => {
  const [folder, proof] = [given.text.get("export"), given.text.get("proof")];
  if (folder === undefined && proof === undefined) return ofLedger(given, io);
  if (folder !== undefined && proof !== undefined)
    return badInput([refuse("usage", { cause: "not-together", facts: { argument: "--export", other: "--proof" } })]);
  const configured = configuredFor(given, io);
  if (configured.kind === "bad") return badInput(configured.problems);
  const vkey = vkeyOf(given, configured.value);
  if (typeof vkey !== "string") return vkey;
  if (proof !== undefined) return verifyProof(io, proof, vkey);
  // A stranger's key has nothing to do with our own anchor.
  const own = given.text.has("key") ? undefined : configured.value;
  return withAnchor(given, io, own, vkey, ({ notes }) => verifyFolder(io, folder ?? "", vkey, covering(notes)));
};

const ofLedger = async (given: Arguments, io: Io): Promise<Outcome> => {
  const configured = readConfig(given, io);
  if (configured.kind === "bad") return badInput(configured.problems);
  const vkey = vkeyOf(given, configured.value);
  if (typeof vkey !== "string") return vkey;
  // Another copy of the anchor may be an older one; only the configured one must be all that it ever was.
  const isOwn = !given.text.has("anchor");
  return withAnchor(given, io, configured.value, vkey, (read) =>
    verifyLedger(io, configured.value, read, isOwn ? vkey : undefined),
  );
};

/** Somebody else's export needs no configuration of ours, unless one is named or the key is not given. */
const configuredFor = (given: Arguments, io: Io): Parsed<Configured | undefined> => {
  const isNeeded = !given.text.has("key") || given.text.has("config");
  return isNeeded ? readConfig(given, io) : { kind: "ok", value: undefined };
};

const withAnchor = async (
  { text }: Arguments,
  io: Io,
  own: Configured | undefined,
  vkey: string,
  work: (read: AnchorRead) => Promise<Outcome>,
): Promise<Outcome> => {
  const named = text.get("anchor");
  if (named !== undefined && !existsSync(pathIn(io.folder, named))) return absent(named);
  const path = named === undefined ? own && pathIn(own.home, own.config.anchor) : pathIn(io.folder, named);
  const read = path === undefined ? NO_ANCHOR : readAnchor(path, vkey);
  return read.kind === "bad" ? ledgerFailed(read.loss) : work(read);
};
const NO_ANCHOR: AnchorRead = { code: "anchor-absent", kind: "none", notes: [] };

const absent = (file: string): Outcome =>
  badInput([problem("file-unreadable", { column: 1, field: "", file, line: 1 }, { cause: "ENOENT" })]);

const vkeyOf = ({ text }: Arguments, configured: Configured | undefined): string | Outcome => {
  const given = text.get("key");
  if (given !== undefined) {
    const parsed = parseVkey(given);
    if (parsed.kind === "verifier") return given;
    return badInput([refuse("usage", parsed.failure)]);
  }
  const signer = configured === undefined ? undefined : readSigner(configured);
  if (signer === undefined) {
    const facts = { argument: "--key", command: "ledger verify", value: "NAME+ID+KEY" };
    return badInput([refuse("usage", { cause: "option-missing", facts })]);
  }
  return "kind" in signer ? ledgerFailed(signer) : signer.vkey;
};

const verifyLedger = async (
  io: Io,
  { config, home }: Configured,
  read: AnchorRead,
  ownKey: string | undefined,
): Promise<Outcome> => {
  const place = ledgerPlace(config.ledger, home);
  if ("kind" in place) return ledgerFailed(place);
  const opened = await place.open("read");
  if (opened.kind === "refused") return ledgerFailed(opened.refusal);
  const { engine } = opened;
  try {
    const notes = covering(read.notes);
    const size = notes.reduce((most, { checkpoint }) => Math.max(most, checkpoint.size), 0);
    const claims = claimsReader();
    const history = reAnchors();
    const onLine = (line: Uint8Array): void => {
      claims.take(line);
      history.take(line);
    };
    const walked = await auditLedger(engine, { ...optionsFor(io, notes, size), onLine });
    const { misfit, part } =
      ownKey === undefined ? NOTHING_SIGNED : await signedBy(snapshotFile(config.ledger, home), ownKey, engine);
    const audit = misfit === undefined ? walked : withMisfit(walked, misfit);
    const known = ownKey === undefined ? { begins: new Set<number>(), named: [] } : claims.claims();
    const loss = anchorLoss(read, { claims: known, isWhole: true, part, size: audit.records });
    const verified = audited(engine.name, audit, notes.length, history.all());
    return loss === undefined ? verified : unanchored(verified, audit, loss);
  } catch (error) {
    return ledgerFailed(readRefusal(error));
  } finally {
    await engine.close();
  }
};

/** The first note of an anchor covers no record, and proves nothing about one. */
const covering = (notes: readonly SignedNote[]): readonly SignedNote[] =>
  notes.filter(({ checkpoint }) => checkpoint.size > 0);

type Signed = { readonly misfit: AnchorMisfit | undefined; readonly part: AnchorPart | undefined };
const NOTHING_SIGNED: Signed = { misfit: undefined, part: undefined };

/** What a signed snapshot says was in the ledger and in the anchor. */
const signedBy = async (snapshot: string, vkey: string, engine: Engine): Promise<Signed> => {
  const found = await knownIn(snapshot, vkey, engine);
  const signed = found.kind === "none" ? found.signed : undefined;
  const known = found.kind === "none" ? signed : found.known;
  return { misfit: await snapshotMisfit(engine, signed), part: known?.anchor };
};

const withMisfit = (audit: Audit, { code, flaw, seq }: AnchorMisfit): Audit => {
  const what = code === "ledger-cut-short" ? "cut-short" : "checkpoint-differs";
  return { ...audit, findings: [...audit.findings, { ...flaw, seq, what }], findingsCount: audit.findingsCount + 1 };
};

/** The records may hold; what would show that some were cut off is not there. */
const unanchored = (verified: Outcome, audit: Audit, loss: AnchorLoss): Outcome => {
  const because = becauseOf(loss);
  const findings = [...audit.findings.map(spokenFinding), { because, what: loss.code }];
  const failure = audit.findingsCount === 0 ? ledgerFailed(loss) : verified;
  return {
    ...failure,
    json: { ...(failure.json as object), findings, findingsCount: audit.findingsCount + 1 },
    text: (paint) => [...failure.text(paint), ...(failure === verified ? [`  also: ${loss.code}: ${because}`] : [])],
  };
};

/** A checkpoint that cannot be read proves nothing; the cause is that of the problem with its file. */
const noteUnread = ({ cause, code, facts }: Problem, file: string): Refusal => {
  switch (code) {
    case "file-too-large": {
      const { bytes = 0, max = 0 } = facts;
      return refuse("export-unverified", { cause: "too-large", facts: { bytes, file, max } });
    }
    case "text-malformed":
      return refuse("export-unverified", { cause: "not-utf8", facts: { file } });
    default:
      return refuse("export-unverified", { cause: fileCause({ code: cause }), facts: { file } });
  }
};

const verifyFolder = async (io: Io, folder: string, vkey: string, notes: readonly SignedNote[]): Promise<Outcome> => {
  const path = pathIn(io.folder, folder);
  if (!existsSync(path)) return absent(folder);
  const note = readText(path, CHECKPOINT_FILE);
  const file = join(folder, CHECKPOINT_FILE);
  if (note.kind === "bad") return ledgerFailed(noteUnread(note.problems[0], file));
  if (!existsSync(join(path, LINES_FILE)))
    return ledgerFailed(
      findingRefusal({ cause: "file-missing", facts: { file: LINES_FILE }, seq: undefined, what: "cut-short" }, 1),
    );
  const signed = readCheckpoint(note.value, vkey);
  if (signed.kind === "bad") return ledgerFailed(refuse("export-unverified", withFacts(signed.failure, { file })));
  // An export covers what was there when it was made; what the anchor says of later sizes is not its business.
  const { checkpoint } = signed;
  const covered = notes.filter(
    ({ checkpoint: { root, size } }) =>
      size < checkpoint.size || (size === checkpoint.size && root !== checkpoint.root),
  );
  const all = [...covered, { checkpoint, note: note.value }];
  const audit = await auditExport(path, optionsFor(io, all, checkpoint.size));
  const tooLong = audit.findingsCount === 0 && audit.records > checkpoint.size;
  const facts = { covered: checkpoint.size, size: audit.records };
  const extra: AuditFinding = { cause: "past-checkpoint", facts, seq: checkpoint.size, what: "checkpoint-differs" };
  return audited(folder, tooLong ? { ...audit, findings: [extra], findingsCount: 1 } : audit, all.length);
};

const optionsFor = (io: Io, notes: readonly SignedNote[], size: number) => ({
  checkpoints: notes.map(({ checkpoint }) => checkpoint),
  onProgress: (records: number) => progress(io, bar(records, size)),
});

const BAR_WIDTH = 30;
const bar = (records: number, of: number): string => {
  if (of === 0) return `verifying: ${records} records`;
  const filled = Math.round(Math.min(1, records / of) * BAR_WIDTH);
  return `verifying [${"#".repeat(filled)}${".".repeat(BAR_WIDTH - filled)}] ${records} of ${of} records`;
};

/** With its words, as refusals have them. */
const spokenFinding = (finding: AuditFinding) => ({ ...finding, because: findingText(finding) });

const audited = (name: string, audit: Audit, checkpoints: number, reAnchored: readonly ReAnchor[] = []): Outcome => {
  const [first] = audit.findings;
  if (first === undefined) {
    const { blobs, checkpointsMet, head, records, root } = audit;
    return {
      exit: "done",
      json: { blobs, checkpoints: checkpointsMet, findings: [], head, reAnchored, records, root, verified: name },
      text: () => [...auditLines(name, audit), ...reAnchored.map(reAnchorLine)],
    };
  }
  const failure = ledgerFailed(findingRefusal(first, audit.findingsCount));
  return {
    ...failure,
    json: {
      ...(failure.json as object),
      checkpoints,
      findings: audit.findings.map(spokenFinding),
      findingsCount: audit.findingsCount,
    },
    text: (paint) => [...failure.text(paint), ...brokenLines(audit)],
  };
};

const verifyProof = (io: Io, file: string, vkey: string): Outcome => {
  const text = readText(io.folder, file);
  if (text.kind === "bad") return badInput(text.problems);
  const read = readProof(text.value, vkey);
  if (read.kind === "bad") return ledgerFailed(refuse("proof-broken", withFacts(read.failure, { file })));
  const { checkpoint, record } = read;
  return {
    exit: "done",
    json: { checkpoint, record },
    text: () => [
      `${file} holds: record ${record.seq} is in the ledger ${checkpoint.origin} of ${checkpoint.size} records`,
      `root ${checkpoint.root}`,
    ],
  };
};
