// A name that the provider takes for no snapshot was written wrong on the command line: a usage error, with the grammar
// and the nearest name that would do. Which names those are is the provider's to say; here its blocker is read, and
// nothing is decided.

import type { Action, Plan, Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";

export const snapshotMisnamed = ({ answers, environment }: Plan, action: Action): Refusal | undefined => {
  if (action.kind !== "vm.snapshot.create") return undefined;
  const refusal = answers.find((one) => one.kind === "refusal" && one.code === "blocked-by-provider");
  if (refusal?.kind !== "refusal") return undefined;
  const { cause, facts, vmid } = refusal;
  const { snapshot: found } = action;
  const about = { action: action.kind, argument: "NAME", environment, found };
  const [max, min] = [Number(facts["max"]), Number(facts["min"])];
  if (cause === "snapshot-name-unfit") {
    const meant = nearestName(found, min, max);
    return refuse("usage", { cause: "snapshot-name", facts: { ...about, max, meant, min }, ...of(vmid) });
  }
  if (cause === "snapshot-name-reserved") {
    return refuse("usage", { cause: "snapshot-name-reserved", facts: { ...about, meant: `${found}-1` }, ...of(vmid) });
  }
  return undefined;
};

const of = (vmid: Refusal["vmid"]) => (vmid === undefined ? {} : { vmid });

/** What cannot be in a name becomes a dash. */
const nearestName = (found: string, min: number, max: number): string => {
  const plain = found.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/-+$/, "");
  const begun = /^[A-Za-z]/.test(plain) ? plain : `s-${plain.replace(/^-+/, "")}`;
  return begun.slice(0, max).padEnd(min, "1");
};
