// dedalus ledger verify: a ledger, an export or a proof, offline and without trust in what it reads.
//
// It runs with a broken contract too: checking evidence must not depend on the program being allowed to decide.
// For an export or a proof of somebody else's, the public key comes with --key, and no configuration is needed.

import type { Parsed } from "../../formats/problem.ts";
import { brokenJson, verifiedJson } from "../../service/json/ledger-json.ts";
import type { FileNamed, KeyOwner, Verified } from "../../service/ledger/held-against.ts";
import type { ProofHolds } from "../../service/ledger/verify-evidence.ts";
import { readText } from "../../service/named-file.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { becauseOf } from "../../spine/words/refusals/refusal-words.ts";
import { askService, portsOf, refusalOutcome, refusedOutcome } from "../asking/at-service.ts";
import { watchOf } from "../asking/watch.ts";
import type { Arguments, CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { pathIn } from "../files/files.ts";
import { readConfig } from "../files/find-config.ts";
import { findPlace } from "../files/find-server.ts";
import type { Outcome } from "../outcome.ts";
import type { Io } from "../process/io.ts";
import { counted } from "../views/counted.ts";
import { hashText } from "../views/text-style.ts";
import { auditLines, brokenLines } from "../views/view-audit.ts";
import { reAnchorLine } from "../views/view-re-anchored.ts";

export const run: CommandRun = async (given, io) => {
  const [folder, proof] = [given.text.get("export"), given.text.get("proof")];
  if (folder !== undefined && proof !== undefined)
    return badInput([refuse("usage", { cause: "not-together", facts: { argument: "--export", other: "--proof" } })]);
  const evidence = FROM_FILES.find((name) => given.text.has(name));
  if (evidence !== undefined && given.text.has("server"))
    return badInput([
      refuse("usage", { cause: "not-together", facts: { argument: "--server", other: `--${evidence}` } }),
    ]);
  if (folder !== undefined) return ofExport(folder, given, io);
  if (proof !== undefined) return ofProof(proof, given, io);
  return findPlace(given, io).kind === "local"
    ? ofLedger(given, io)
    : askService(
        given,
        io,
        ({ verify }) => verify,
        {},
        ({ value }) => shown(value),
      );
};

/** What is checked here, without trust in whoever sent it. */
const FROM_FILES = ["export", "proof", "anchor", "key"] as const;

const named = (io: Io, name: string): FileNamed => ({ name, path: pathIn(io.folder, name) });

const anchorIn = ({ text }: Arguments, io: Io): { readonly anchor?: FileNamed } => {
  const anchor = text.get("anchor");
  return anchor === undefined ? {} : { anchor: named(io, anchor) };
};

const ofLedger = async (given: Arguments, io: Io): Promise<Outcome> => {
  const configured = readConfig(given, io);
  if (configured.kind === "bad") return badInput(configured.problems);
  const key = given.text.get("key");
  const request = { ...anchorIn(given, io), ...present({ key }) };
  const { ledgerServiceOf } = await import("../../service/local-ledger.ts");
  const answer = await ledgerServiceOf(configured.value, portsOf(given, io)).verify(request, watchOf(io));
  return answer.kind === "refused" ? refusedOutcome(answer) : shown(answer.value);
};

/** Somebody else's evidence needs no configuration of ours, but one that is named must be readable. */
const ownerIn = (given: Arguments, io: Io): Parsed<KeyOwner> => {
  const key = given.text.get("key");
  const configured = key === undefined || given.text.has("config") ? readConfig(given, io) : undefined;
  if (configured?.kind === "bad") return configured;
  if (key !== undefined) return { kind: "ok", value: { key, kind: "given" } };
  if (configured === undefined) throw new Error("without a key the configuration is read");
  return { kind: "ok", value: { configuration: configured.value, kind: "own" } };
};

const ofExport = async (folder: string, given: Arguments, io: Io): Promise<Outcome> => {
  const owner = ownerIn(given, io);
  if (owner.kind === "bad") return badInput(owner.problems);
  const { verifyExportFolder } = await import("../../service/ledger/verify-evidence.ts");
  const request = { ...anchorIn(given, io), folder: named(io, folder), owner: owner.value };
  const answer = await verifyExportFolder(request, watchOf(io));
  return answer.kind === "refused" ? refusedOutcome(answer) : shown(answer.value);
};

const ofProof = async (name: string, given: Arguments, io: Io): Promise<Outcome> => {
  const owner = ownerIn(given, io);
  if (owner.kind === "bad") return badInput(owner.problems);
  const text = readText(io.folder, name);
  if (text.kind === "bad") return badInput(text.problems);
  const { verifyProof } = await import("../../service/ledger/verify-evidence.ts");
  const answer = verifyProof({ name, owner: owner.value, text: text.value });
  return answer.kind === "refused" ? refusedOutcome(answer) : proofShown(name, answer.value);
};

const proofShown = (name: string, { checkpoint, record }: ProofHolds): Outcome => ({
  exit: "done",
  json: { checkpoint, record },
  text: (style) => [
    `${name} holds: record ${record.seq} is in the ledger ${checkpoint.origin} of ${counted(checkpoint.size, "record")}`,
    `root ${hashText(checkpoint.root, style)}`,
  ],
});

const shown = async (verified: Verified): Promise<Outcome> => {
  const { audit, loss, name, reAnchored, refusal } = verified;
  if (refusal === undefined) {
    return {
      exit: "done",
      json: verifiedJson(verified),
      text: (style) => [...auditLines(name, audit, style), ...reAnchored.map((one) => reAnchorLine(one, style))],
    };
  }
  const failure = await refusalOutcome(refusal);
  const isLossAlone = audit.findingsCount === 0;
  const lost = loss === undefined ? [] : [{ because: becauseOf(loss), what: loss.code }];
  return {
    ...failure,
    json: { ...Object(failure.json), ...brokenJson(verified) },
    text: (style) => [
      ...failure.text(style),
      ...(isLossAlone ? [] : brokenLines(audit)),
      ...(isLossAlone ? [] : lost.map(({ because, what }) => `  also: ${what}: ${because}`)),
    ],
  };
};
