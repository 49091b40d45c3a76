// What a desired state loosens against the one before: something that protected a VM, or said which VM is meant, is
// gone.
//
// One table. Adding protection, naming an identity and adding or changing an entry tighten or intend something, and are
// not here. Who may register a loosening, and how, is not said here (service/act/desired-file.ts). Keeps N2, N8.

import type { DesiredEntry, DesiredState, LooseningKind, Vmid } from "../model.ts";
import { isProductionName } from "./protection.ts";

type Entry = Pick<DesiredEntry, "identity" | "name" | "protected">;

const LOOSENS: Readonly<Record<LooseningKind, (before: Entry, after: Entry | undefined) => boolean>> = {
  /** The VM is nobody's concern any more: whatever its entry protected is gone with it. */
  "entry-removed": (_, after) => after === undefined,
  "identity-removed": (before, after) =>
    after !== undefined && before.identity !== undefined && after.identity === undefined,
  /** Another VM is meant by the same number. */
  "identity-replaced": (before, after) =>
    after?.identity !== undefined && before.identity !== undefined && after.identity !== before.identity,
  "production-name-removed": (before, after) =>
    after !== undefined && isProductionName(before.name) && !isProductionName(after.name),
  "protection-removed": (before, after) => after !== undefined && before.protected === true && after.protected !== true,
};

export const LOOSENINGS = Object.keys(LOOSENS) as readonly LooseningKind[];

export type Loosening = { readonly kind: LooseningKind; readonly name: string; readonly vmid: Vmid };

/** Every one of them, by vmid; `name` is the former. */
export const looseningsIn = (
  before: Pick<DesiredState, "entries">,
  after: Pick<DesiredState, "entries">,
): readonly Loosening[] => {
  const now = new Map(after.entries.map((entry) => [entry.vmid, entry]));
  return before.entries.flatMap((was) =>
    LOOSENINGS.filter((kind) => LOOSENS[kind](was, now.get(was.vmid))).map((kind) => ({
      kind,
      name: was.name,
      vmid: was.vmid,
    })),
  );
};
