// A new anchor behind the record that says so: after the old one was lost, or with a ledger that is restored from a
// backup.
//
// What was there stays beside it, under a name that nothing else has: it is evidence, and a ledger that is restored
// twice comes to the same record twice. Not here: whether it may be (kernel), the file (ledger/anchor/begin-anew.ts).

import { dirname, resolve } from "node:path";
import { type AnchorPlace, locateAnchor } from "../../ledger/anchor/anchor-place.ts";
import { beginAnew, probeFolderOf } from "../../ledger/anchor/begin-anew.ts";
import { isThere } from "../../ledger/files/text-file.ts";
import { rootOf } from "../../ledger/tree/merkle.ts";
import type { ChainState } from "../../ledger/verify/chain-state.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { failureUnder, withFacts } from "../../spine/words/cause.ts";
import { anchorFailure, unwritableAnchor } from "../hold/anchor-file.ts";
import type { OpenDesk } from "../hold/open-ledger.ts";
import type { Configuration } from "../ports.ts";

/** The folder takes a new file; the old one is moved aside in it. */
export const probeNewAnchor = ({ config, home }: Configuration): Refusal | undefined => {
  const error = probeFolderOf(resolve(home, config.anchor));
  return error === undefined ? undefined : unwritableAnchor(dirname(config.anchor), error);
};

/** What stands at the anchor's path, for whoever is about to find it lost. */
export const locateConfiguredAnchor = ({ config, home }: Configuration): AnchorPlace =>
  locateAnchor(resolve(home, config.anchor));

/** `kept` is what was there, under its new name; `lost` what was found there before it was recorded. */
export const beginAnchor = (
  { config, home, ports, signer }: Pick<OpenDesk, "config" | "home" | "ports" | "signer">,
  { tree }: Pick<ChainState, "tree">,
  seq: number,
  lost: AnchorPlace,
): { readonly kept?: string } | Refusal => {
  const aside = freeName(home, `${config.anchor}.before-${seq}`);
  const paths = {
    lost,
    aside: resolve(home, aside),
    path: resolve(home, config.anchor),
    savedState: ports.ledger.savedState(config.ledger, home),
  };
  try {
    const begun = beginAnew(paths, signer.sign({ root: rootOf(tree), size: tree.size }));
    if (begun === "another") return refuse("anchor-holds", { facts: { name: config.anchor, size: tree.size } });
    return begun === "kept" ? { kept: aside } : {};
  } catch (error) {
    const failure = withFacts(anchorFailure(error), { name: config.anchor, seq });
    return refuse("anchor-unwritable", failureUnder("not-begun-", failure));
  }
};

const freeName = (home: string, wanted: string): string => {
  let name = wanted;
  for (let taken = 2; isThere(resolve(home, name)); taken += 1) name = `${wanted}-${taken}`;
  return name;
};
