// A blob by its digest: a desired state, an observation, a plan, a catalogue of words, exactly as it was recorded.
//
// It is shown to whoever may see a record that names it, and is to everybody else as if it were not there: what one
// environment stored is not had from another by knowing its digest. A record names a blob where the kernel wrote it:
// among its blobs, or as the words in which something that was granted was shown; what somebody typed names nothing.
// The words of this program are for everybody who is known: they hold nothing of any environment, and whoever reads
// an explanation holds them against their digest. keeps B3

import { START_WORDS } from "../../kernel/command/program.ts";
import type { Engine } from "../../ledger/engine.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";
import { readChainedPages } from "../../ledger/verify/chained.ts";
import type { Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import { type RefusedAnswer, refusedInput } from "../answer.ts";
import type { FittingIndex } from "../hold/held-terms.ts";
import type { OpenLedger } from "../hold/holding.ts";
import type { Sight } from "../hold/sight.ts";
import { readCandidates } from "./candidates.ts";
import { blobsNamedIn, blobTerm } from "./record-terms.ts";

export type BlobRequest = { readonly digest: string };
export type BlobShown = { readonly bytes: Uint8Array; readonly digest: Sha256 };

type BlobGround = Pick<OpenLedger, "index" | "ledger"> & { readonly sees: Sight };

export const showBlob = async (
  { index, ledger: { engine }, sees }: BlobGround,
  { digest }: BlobRequest,
): Promise<BlobShown | RefusedAnswer> => {
  const isSeen =
    isSha256(digest) &&
    (digest === START_WORDS || sees(undefined) || (await isNamedTo(sees, engine, await index(), digest)));
  const bytes = isSeen ? await engine.blob(digest) : undefined;
  if (!isSha256(digest) || bytes === undefined)
    return refusedInput([refuse("usage", { cause: "blob-unknown", facts: { digest } })]);
  return { bytes, digest };
};

const isNamedTo = async (
  sees: Sight,
  engine: Engine,
  index: FittingIndex | undefined,
  digest: Sha256,
): Promise<boolean> => {
  for await (const page of readNaming(engine, index, digest))
    for (const record of page) if (sees(record.environment) && blobsNamedIn(record).includes(digest)) return true;
  return false;
};

const PAGE = 512;

/** Those that may name it: by the index as far as it covers the ledger, and one by one from there on. */
async function* readNaming(
  engine: Engine,
  index: FittingIndex | undefined,
  digest: Sha256,
): AsyncGenerator<Iterable<LedgerRecord>> {
  if (index !== undefined) {
    const { covers, seqs } = index;
    const next = (from: number): readonly number[] => seqs(blobTerm(digest), from, covers.size, PAGE);
    for (let some = next(0); some.length > 0; some = next((some.at(-1) ?? 0) + 1))
      for await (const page of readCandidates(engine, some, covers)) yield page.map(({ record }) => record);
  }
  yield* readChainedPages(engine, Number.MAX_SAFE_INTEGER, index?.covers);
}
