// VMs as people refer to them: a number, a name, or a range of numbers; resolved against the VMs that are known here.
//
// A word that could mean two VMs means none: what it could mean is listed. One that means nothing is told with the
// nearest name, which is never taken for it. A range means the known VMs in it. Not here: which VMs are known
// (known-vms.ts).

import { isVmid, type Plan, type Refusal, type Vmid } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { nearest } from "../../spine/values/nearest.ts";

/** A number that is taken as it is, or a word that is resolved. */
export type VmRef = Vmid | string;

export type KnownVm = { readonly environment?: string; readonly name: string; readonly vmid: Vmid };

/** What a word is given for, as the request calls it. */
type Argument = "only" | "vm" | "vms";

export const vmidIn = (word: string): Vmid | undefined => {
  const number = /^[0-9]+$/.test(word) ? Number(word) : Number.NaN;
  return isVmid(number) ? number : undefined;
};

/** Exactly one VM. A vmid that came as a number is no word, and is judged by whoever acts on it. */
export const resolveVm = (ref: VmRef, known: readonly KnownVm[], argument: Argument = "vm"): Vmid | Refusal => {
  if (typeof ref !== "string") return ref;
  const found = meantBy(ref, known);
  const [first] = found;
  if (first === undefined) return unknownVm(ref, known, argument);
  return found.every(({ vmid }) => vmid === first.vmid) ? first.vmid : ambiguousVm(ref, found, argument);
};

/** Every VM that the words mean, each once, in the order of the words. */
export const resolveVms = (
  refs: readonly VmRef[],
  known: readonly KnownVm[],
  argument: Argument = "only",
): readonly Vmid[] | Refusal => {
  const vmids: Vmid[] = [];
  for (const ref of refs) {
    const range = typeof ref === "string" && meantBy(ref, known).length === 0 ? rangeIn(ref, known) : undefined;
    const one = range === undefined || range.length === 0 ? resolveVm(ref, known, argument) : undefined;
    if (typeof one === "object") return one;
    vmids.push(...(one === undefined ? (range ?? []) : [one]));
  }
  return [...new Set(vmids)];
};

/** A number that nobody registered is refused as such: it is no slip of the pen that a near name would mend. */
export const strangerIn = (refs: readonly VmRef[], known: readonly KnownVm[]): Refusal | undefined => {
  const vmid = refs
    .map((ref) => (typeof ref !== "string" || known.some(({ name }) => name === ref) ? undefined : vmidIn(ref)))
    .find((one) => one !== undefined && known.every((other) => other.vmid !== one));
  return vmid === undefined ? undefined : refuse("vm-not-desired", { cause: "unregistered", vmid });
};

/** The VMs that a plan answers for, with the names that its steps have. */
export const vmsOf = ({ answers }: Plan): readonly KnownVm[] =>
  answers.flatMap((answer) =>
    answer.vmid === undefined ? [] : [{ name: answer.kind === "step" ? answer.name : "", vmid: answer.vmid }],
  );

/** A name as it is written comes before one that differs in its letters' case. */
const meantBy = (word: string, known: readonly KnownVm[]): readonly KnownVm[] => {
  const vmid = vmidIn(word);
  const exact = known.filter((one) => one.vmid === vmid || one.name === word);
  return exact.length > 0 ? exact : known.filter(({ name }) => name.toLowerCase() === word.toLowerCase());
};

const rangeIn = (word: string, known: readonly KnownVm[]): readonly Vmid[] | undefined => {
  const [, from, to] = /^([0-9]+)-([0-9]+)$/.exec(word) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const within = known.map(({ vmid }) => vmid).filter((vmid) => vmid >= Number(from) && vmid <= Number(to));
  return within.sort((a, b) => a - b);
};

const ambiguousVm = (found: string, vms: readonly KnownVm[], argument: Argument): Refusal =>
  refuse("usage", { cause: "vm-ambiguous", facts: { argument, candidates: vms.map(labelOf), found } });

const labelOf = ({ environment, name, vmid }: KnownVm): string =>
  `${vmid} ${name}${environment === undefined ? "" : ` (${environment})`}`;

const unknownVm = (found: string, known: readonly KnownVm[], argument: Argument): Refusal => {
  const meant = nearest(found, [...known.map(({ name }) => name), ...known.map(({ vmid }) => String(vmid))]);
  return meant === undefined
    ? refuse("usage", { cause: "vm-unknown", facts: { argument, found } })
    : refuse("usage", { cause: "vm-unknown-meant", facts: { argument, found, meant } });
};
