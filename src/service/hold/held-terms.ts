// The index of a ledger as whoever reads has it: opened when it is first of use, and used only while it ends where the
// ledger has that very line. Where there is none, everything is found by walking. keeps N7

import type { Engine, Head } from "../../ledger/engine.ts";
import { recordHash } from "../../ledger/record/seal.ts";
import { openSeqIndex, type SeqIndex } from "../../ledger/terms/term-table.ts";
import { readLineAt } from "../../ledger/verify/line-at.ts";
import type { Configuration, Ports } from "../ports.ts";

/** Beside the saved state, among the names that are its own. */
export const indexPath = ({ config, home }: Configuration, { ledger }: Pick<Ports, "ledger">): string =>
  `${ledger.savedState(config.ledger, home)}.index`;

export type HeldIndex = {
  readonly close: () => void;
  /** One that fits the ledger, with what it covers; undefined where there is none. */
  readonly fitting: (engine: Engine) => Promise<FittingIndex | undefined>;
};
export type FittingIndex = Pick<SeqIndex, "related" | "seqs"> & { readonly covers: Head };

/** Whether a ledger holds the line that something ends with. */
export const coversPartOf = async (engine: Engine, { hash, size }: Head): Promise<boolean> => {
  if (size === 0) return true;
  const line = await readLineAt(engine, size - 1);
  return line !== undefined && recordHash(line) === hash;
};

export const holdIndex = (path: string): HeldIndex => {
  let index: SeqIndex | undefined;
  const close = (): void => {
    index?.close();
    index = undefined;
  };
  return {
    close,
    fitting: async (engine) => {
      index ??= openSeqIndex(path);
      if (index === undefined) return undefined;
      try {
        const covers = index.head();
        if (covers.size > 0 && (await coversPartOf(engine, covers))) return { ...index, covers };
      } catch (error) {
        if (!("code" in Object(error))) throw error;
      }
      // It was made anew, or is of another ledger: the next request opens it again.
      close();
      return undefined;
    },
  };
};
