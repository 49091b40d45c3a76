// dedalus ledger copy: moves the ledger to another engine; the source is sealed, and the copy goes on.
//
// What is where after a crash is told in src/ledger/copy.ts; running the command again finishes it.

import { copyLedger } from "../ledger/copy.ts";
import { engineRefusal } from "../ledger/open.ts";
import type { Refusal } from "../spine/model.ts";
import { refuse } from "../spine/refusals.ts";
import { type LedgerPlace, openEngine, secretPlace } from "../wire.ts";
import type { Arguments, Run } from "./command.ts";
import { badInput } from "./failure.ts";
import { pathIn } from "./files.ts";
import { type Io, progress } from "./io.ts";
import { actingFor, anchorFailed, atLedger, ledgerFailed } from "./ledger-desk.ts";

const WAYS = ["to", "to-env", "to-file"] as const;

const targetOf = ({ text }: Arguments, io: Io): LedgerPlace | Refusal => {
  const [way, second] = WAYS.filter((name) => text.has(name));
  if (way === undefined || second !== undefined) {
    const because = `the target is said in one way: ${WAYS.map((name) => `--${name}`).join(", ")}`;
    return refuse("usage", { because });
  }
  const value = text.get(way) ?? "";
  if (way === "to-env") return secretPlace({ env: value }, io.folder);
  if (way === "to-file") return secretPlace({ file: value }, io.folder);
  return /^[a-z]+:\/\//.test(value)
    ? { engine: "postgres", url: value }
    : { engine: "sqlite", path: pathIn(io.folder, value) };
};

export const run: Run = async (given, io) => {
  const place = targetOf(given, io);
  if ("kind" in place) return place.code === "usage" ? badInput([place]) : ledgerFailed(place);
  return atLedger(given, io, "copy", async ({ engine: source, notes }, desk) => {
    const opened = await openEngine(place, "write");
    if (opened.kind === "refused") return ledgerFailed(engineRefusal(opened.because));
    const { engine: target } = opened;
    try {
      const copied = await copyLedger({
        acting: actingFor(desk),
        onProgress: (what, records) => progress(io, `${what}: ${records} records`),
        source,
        target,
      });
      if (copied.kind === "refused") return ledgerFailed(refuse(copied.code, { because: copied.because }));
      const { root, seal, size } = copied;
      const isSigned = notes.some(({ checkpoint }) => checkpoint.size === size);
      const unanchored = isSigned ? undefined : anchorFailed(desk, desk.signer.sign({ root, size }));
      if (unanchored !== undefined) return unanchored;
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
  });
};
