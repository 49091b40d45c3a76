// A desired.yaml made from what is there, for a person to edit: what runs should run, what is stopped should be
// stopped.
//
// What cannot be wanted as it is (paused, unknown, a template) is commented out with its reason, and what could not be
// known is said. A test reads it back through the parser. It is a view: nothing plans from it before a person has
// registered it.

import type { Instant, VmState } from "../spine/model.ts";
import type { Gap } from "../spine/observed-codes.ts";
import { isProductionName, isProductionTag } from "../spine/plan/protection.ts";
import { visible } from "../spine/values/invisible.ts";
import { blockerText, doubtText, gapText } from "../spine/words/causes/observation-words.ts";
import { BYTE_UNITS } from "../spine/words/template.ts";

export type Drafted = {
  readonly environment: string;
  readonly gaps: readonly Gap[];
  readonly observedAt?: Instant;
  readonly unread: number;
  readonly vms: readonly VmState[];
};

export const desiredDraft = ({ environment, gaps, observedAt, unread, vms }: Drafted): string =>
  [
    `# What is in ${environment}${observedAt === undefined ? "" : ` at ${observedAt}`}, to edit. Nothing was recorded.`,
    "# It counts once it is registered; a plan registers it first where the configuration names it.",
    "# Remove what Dedalus should leave alone. Guests that the token to observe may not see are not listed.",
    ...(unread === 0 ? [] : [`# Not known: ${unread} listed guests could not be read.`]),
    ...gaps.map((gap) => `# Not known: ${visible(gapText(gap))}`),
    "version: 1",
    `environment: ${environment}`,
    "",
    ...(vms.some((vm) => leftOut(vm) === undefined) ? ["vms:"] : ["vms: []"]),
    ...vms.flatMap(entryLines),
    "",
  ].join("\n");

/** How many VMs have an entry, and how many are only mentioned. */
export const draftedIn = ({ unread, vms }: Pick<Drafted, "unread" | "vms">) => {
  const entries = vms.filter((vm) => leftOut(vm) === undefined).length;
  return { commented: vms.length - entries + unread, entries };
};

/** Why a VM cannot be wanted as it is; undefined when it can. */
const leftOut = ({ because, blockers = [], name, paused, status }: VmState): string | undefined => {
  if (status === "unknown") return because === undefined ? "unknown" : `unknown: ${doubtText(because)}`;
  if (blockers.some((blocker) => "code" in blocker && blocker.code === "template")) return "a template";
  if (paused === true) return "paused: it neither runs nor is stopped";
  return name === "" ? "its name could not be read" : undefined;
};

const entryLines = (vm: VmState): readonly string[] => {
  const why = leftOut(vm);
  const notes = [...productionNotes(vm), ...(why === undefined ? blockedNotes(vm) : [`left out: ${why}`])];
  const entry = [`- vmid: ${vm.vmid}`, ...fieldsOf(vm).map((line) => `  ${line}`)];
  return [
    "",
    ...notes.map((note) => `  # ${visible(note)}`),
    ...entry.map((line) => (why === undefined ? `  ${line}` : `  # ${line}`)),
  ];
};

const productionNotes = ({ name, tags = [] }: VmState): readonly string[] => [
  ...(isProductionName(name) ? ["production: its name begins with prod-, so it is protected"] : []),
  ...(tags.some(isProductionTag) ? ["production: it has the tag prod, so it is protected"] : []),
];

/** What keeps one action from it is told when that is planned. */
const blockedNotes = ({ blockers = [] }: VmState): readonly string[] =>
  blockers.filter(({ actions }) => actions === "all").map((blocker) => `at the moment: ${blockerText(blocker)}`);

const fieldsOf = (vm: VmState): readonly string[] => [
  `name: ${scalar(vm.name)}`,
  ...(vm.status === "running" ? ["target: running"] : []),
  ...(vm.status === "stopped"
    ? ["target: stopped", "stop: shutdown # not known: shutdown asks the guest, power-off cuts its power"]
    : []),
  ...(vm.status === "unknown" ? ["target: running # not known"] : []),
  vm.cpus === undefined ? "# cpus: not known" : `cpus: ${vm.cpus}${pendingNote(vm.pending?.cpus)}`,
  vm.maxmem === undefined
    ? "# memory: not known"
    : `memory: ${amount(vm.maxmem)}${pendingNote(vm.pending?.maxmem === undefined ? undefined : amount(vm.pending.maxmem))}`,
];

const pendingNote = (value: number | string | undefined): string =>
  value === undefined ? "" : ` # ${value} is configured and waits for a restart`;

/** A name with a hyphen is no word of YAML; whatever else it is, quoted it is a text. */
const scalar = (name: string): string =>
  /^[A-Za-z][A-Za-z0-9]*-[A-Za-z0-9-]*$/.test(name) ? name : JSON.stringify(name);

/** In the largest unit that is exact. */
const amount = (bytes: number): string => {
  const [unit, size] = BYTE_UNITS.find(([, one]) => bytes % one === 0) ?? ["", 1];
  return `${bytes / size} ${unit}`.trim();
};
