// dedalus ledger copy: moves the ledger to another engine; the source is sealed, and the copy goes on.
//
// Who asks is judged by the kernel before anything is written anywhere, and a person says yes to the seal. What is where
// after a crash is told in src/ledger/write/copy.ts; running the command again finishes it. A copy that is lost: ledger-unseal.ts.

import { sealAt, sealRefused } from "../../kernel/seal-ledger.ts";
import { get } from "../../kernel/state/persistent-map.ts";
import { rootOf } from "../../ledger/tree/merkle.ts";
import { type Copying, copyLedger } from "../../ledger/write/copy.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { sha256 } from "../../spine/values/hash.ts";
import { type LedgerPlace, targetLocation } from "../../wire.ts";
import type { Arguments, Run } from "../command.ts";
import { badInput } from "../failure.ts";
import { type Io, progress, progressEnd } from "../io.ts";
import { type Acting, actingAt, refusedUnrecorded } from "../ledger-act.ts";
import { kernelRefused, ledgerFailed } from "../ledger-desk.ts";
import type { Outcome } from "../outcome.ts";

const WAYS = ["to", "to-env", "to-file"] as const;

const targetOf = ({ text }: Arguments, io: Io): LedgerPlace | Refusal => {
  const [way, second] = WAYS.filter((name) => text.has(name));
  if (way === undefined || second !== undefined) {
    return refuse("usage", { cause: "one-of", facts: { arguments: WAYS.map((name) => `--${name}`) } });
  }
  const value = text.get(way) ?? "";
  if (way === "to-env") return targetLocation({ env: value }, io.folder);
  if (way === "to-file") return targetLocation({ file: value }, io.folder);
  return targetLocation(value, io.folder);
};

export const run: Run = async (given, io) => {
  const location = targetOf(given, io);
  if ("code" in location) return location.code === "usage" ? badInput([location]) : ledgerFailed(location);
  return actingAt(given, io, "copy", async (acting) => {
    const refusals = await judged(acting, location);
    if (refusals.length > 0) return kernelRefused(refusals);
    // A seal that stands was said yes to; what is left is to finish its copy.
    const unconfirmed = acting.ledger.seal === undefined ? await unconfirmedIn(acting, location, given, io) : undefined;
    if (unconfirmed !== undefined) return kernelRefused([unconfirmed]);
    return copiedTo(acting, location, io);
  });
};

/** A sealed ledger takes no record of a refusal; every other does. */
const judged = async (acting: Acting, location: LedgerPlace): Promise<readonly Refusal[]> => {
  const { brings, kernel: desk, ledger, writer } = acting;
  const { tree } = writer.chain();
  const asked = {
    copy: sha256(desk.ids()),
    kind: "ledger.seal",
    root: rootOf(tree),
    to: await location.name(),
    ...brings,
  } as const;
  return ledger.seal === undefined
    ? sealRefused({ desk, engine: ledger.engine, writer }, asked)
    : refusedUnrecorded(acting, { ...asked, size: tree.size });
};

const unconfirmedIn = async (
  { desk, ledger, writer }: Acting,
  location: LedgerPlace,
  given: Arguments,
  io: Io,
): Promise<Refusal | undefined> => {
  if (given.flags.has("yes")) return undefined;
  const [from, to] = [ledger.engine.name, await location.name()];
  progressEnd(io);
  for (const line of [
    `The ledger moves from ${from} (${writer.state().size} records) to ${to}.`,
    `  ${from} is sealed by a last record and takes no more writes; ${to} goes on.`,
    `  Afterwards the ledger section of ${desk.file} must name ${to}.`,
  ])
    io.err(`${line}\n`);
  const answer = await io.ask(`Seal ${from}? Type yes: `);
  if (answer?.trim().toLowerCase() === "yes") return undefined;
  return refuse("seal-unconfirmed", { cause: answer === undefined ? "no-terminal" : "declined" });
};

const copiedTo = async (acting: Acting, location: LedgerPlace, io: Io): Promise<Outcome> => {
  const { brings, desk, kernel, ledger, writer } = acting;
  const { engine: source } = ledger;
  const opened = await location.open("write");
  if (opened.kind === "refused") return ledgerFailed(opened.refusal);
  const { engine: target } = opened;
  const sealed: Copying["sealAt"] = async (chain, sealing) => {
    const ground = { desk: kernel, engine: source, writer };
    const acted = await sealAt(ground, chain, { kind: "ledger.seal", ...sealing, ...brings });
    if (acted.kind === "recorded") io.deeds.record();
    return acted;
  };
  try {
    const copied = await copyLedger({
      isVoid: (copy) => get(writer.state().voided, copy) !== undefined,
      nextId: kernel.ids,
      onProgress: (what, records) => progress(io, `${what}: ${records} records`),
      sealAt: sealed,
      source,
      target,
    });
    if (copied.kind === "refused") return ledgerFailed(copied.refusal);
    const { root, seal, size } = copied;
    return {
      exit: "done",
      json: { from: source.name, root, seal: seal.seq, size, to: target.name },
      text: () => [
        `copied ${size} records from ${source.name} to ${target.name}, and read them back`,
        `root ${root}, signed in ${desk.config.anchor}`,
        `record ${seal.seq} seals ${source.name}: it takes no writes any more`,
        `Next: name the copy in the ledger section of ${desk.file}.`,
      ],
    };
  } finally {
    await target.close();
  }
};
