// One entry of current.json as a VmState. An entry that does not fit is a doubt about its VM and becomes unknown, with
// the field and the reason; an entry whose vmid cannot be read is nobody's, and the caller makes it a gap. Keeps N1.
//
// There may be a million entries, so one that fits is returned as it is; nothing is copied or built for it.

import { isVmid, type VmState } from "../spine/model.ts";
import { isActionKind } from "../spine/rules/actions.ts";
import { fieldOf, visible } from "./field-path.ts";
import { BYTES_MAX, CPUS_MAX, isBytes, isCpus, isName, isTag, isText, nearest, shown } from "./fields.ts";
import { isObject, type JsonObject } from "./json/json-shape.ts";

/** `says` goes on after "is not". */
type Check = { readonly fits: (value: unknown) => boolean; readonly says: string };

const SPACE = 0x20;
const TILDE = 0x7e;
const SHORT_MAX = 255;

/** Printable ASCII of moderate length: what nearly every text is, and far cheaper to see than the full rule. */
const isPrintable = (text: string): boolean => {
  if (text.length > SHORT_MAX) return false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < SPACE || code > TILDE) return false;
  }
  return text.length > 0;
};
const isTrimmed = (text: string): boolean => text.charCodeAt(0) !== SPACE && text.charCodeAt(text.length - 1) !== SPACE;

const isEntryText = (value: unknown): boolean => typeof value === "string" && (isPrintable(value) || isText(value));
const isEntryName = (value: unknown): boolean =>
  typeof value === "string" && ((isPrintable(value) && isTrimmed(value)) || isName(value));
const isEntryTag = (value: unknown): boolean =>
  typeof value === "string" && ((isPrintable(value) && isTrimmed(value)) || isTag(value));

const isListOf = (value: unknown, fits: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(fits);
const hasOnly = (value: JsonObject, keys: readonly string[]): boolean =>
  Object.keys(value).every((key) => keys.includes(key));

const isHindrance = (value: unknown): boolean =>
  isObject(value) &&
  hasOnly(value, ["actions", "because"]) &&
  (value["actions"] === "all" || isListOf(value["actions"], isActionKind)) &&
  isEntryText(value["because"]);

const isPending = (value: unknown): boolean =>
  isObject(value) &&
  hasOnly(value, ["cpus", "maxmem"]) &&
  (value["cpus"] === undefined || isCpus(value["cpus"])) &&
  (value["maxmem"] === undefined || isBytes(value["maxmem"])) &&
  (value["cpus"] !== undefined || value["maxmem"] !== undefined);

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(isEntryName) && new Set(value).size === value.length;

const isSnapshots = (value: unknown): boolean => {
  if (!isObject(value) || !hasOnly(value, ["names", "parent", "withRam"])) return false;
  const { names, parent, withRam } = value;
  if (!isNames(names) || !(parent === undefined || isEntryName(parent))) return false;
  return withRam === undefined || isNames(withRam);
};

const TEXT = { fits: isEntryText, says: "a text of 1 to 1000 visible characters" } as const satisfies Check;
const CPUS = `a whole number from 1 to ${CPUS_MAX}`;
const BYTES = `a whole number of bytes from 1 to ${BYTES_MAX}`;

const FIELDS = {
  because: TEXT,
  boot: TEXT,
  // The seeds wrote null for a size that was not seen.
  cpus: { fits: (value) => value === null || isCpus(value), says: CPUS },
  hindrances: {
    fits: (value) => isListOf(value, isHindrance),
    says: "a list of { actions, because } with actions of the catalogue",
  },
  identity: TEXT,
  kind: { fits: (value) => value === "vm" || value === "ct", says: "vm or ct" },
  maxmem: { fits: (value) => value === null || isBytes(value), says: BYTES },
  // An empty name is allowed to an unknown VM only: misfitOf.
  name: {
    fits: (value) => value === "" || isEntryName(value),
    says: "a name: 1 to 255 visible characters, no blank at either end",
  },
  paused: { fits: (value) => value === true, says: "true, and is left out otherwise" },
  pending: { fits: isPending, says: `cpus or maxmem or both, cpus ${CPUS} and maxmem ${BYTES}` },
  resize: { fits: (value) => value === "hot" || value === "restart", says: "hot or restart" },
  revision: TEXT,
  snapshots: { fits: isSnapshots, says: "{ names, parent, withRam } with lists of names, each once" },
  source: TEXT,
  status: {
    fits: (value) => value === "running" || value === "stopped" || value === "unknown",
    says: "running, stopped or unknown",
  },
  tags: { fits: (value) => isListOf(value, isEntryTag), says: "a list of tags" },
  vmid: { fits: isVmid, says: "a vmid" },
} as const satisfies Record<keyof VmState, Check>;

const CHECKS: ReadonlyMap<string, Check> = new Map(Object.entries(FIELDS));
const KEYS = [...CHECKS.keys()];

/** The state; undefined when the entry has no readable vmid. */
export const readEntry = (entry: unknown): VmState | undefined => {
  if (!isObject(entry) || !isVmid(entry["vmid"])) return undefined;
  const because = misfitOf(entry);
  if (because !== undefined) return unfit(entry, because);
  return isWhole(entry) ? entry : completed(entry);
};

const misfitOf = (entry: JsonObject): string | undefined => {
  for (const key in entry) {
    const check = CHECKS.get(key);
    if (check === undefined) return unknownKey(key);
    if (!check.fits(entry[key])) return `${key}: ${visible(shown(entry[key]))} is not ${check.says}`;
  }
  const { because, name, paused, status } = entry;
  if (status === undefined) return "status is missing";
  if (name === undefined) return "name is missing";
  if (name === "" && status !== "unknown") return "name: only an unknown VM may have an empty name";
  if (paused !== undefined && status !== "running") return "paused: only a running VM can be paused";
  if (because !== undefined && status !== "unknown") return "because: only an unknown VM has one";
  return undefined;
};

const unknownKey = (key: string): string => {
  const meant = nearest(key, KEYS);
  return `${fieldOf("", key)} is not a key of a VM${meant === undefined ? "" : `; perhaps ${meant} was meant`}`;
};

/** What a reader may take for granted is kept where it fits; everything else is not believed. */
const unfit = (entry: JsonObject, because: string): VmState => ({
  because: `the entry does not fit: ${because}`,
  kind: entry["kind"] === "ct" ? "ct" : "vm",
  name: typeof entry["name"] === "string" && isEntryName(entry["name"]) ? entry["name"] : "",
  source: typeof entry["source"] === "string" && isEntryText(entry["source"]) ? entry["source"] : "replay",
  status: "unknown",
  vmid: entry["vmid"] as VmState["vmid"],
});

/** Only for an entry that fits: nothing in it has to be filled in or left out. */
const isWhole = (entry: JsonObject): entry is JsonObject & VmState =>
  entry["kind"] !== undefined &&
  entry["source"] !== undefined &&
  entry["cpus"] !== null &&
  entry["maxmem"] !== null &&
  (entry["status"] !== "unknown" || entry["because"] !== undefined);

const completed = (entry: JsonObject): VmState => {
  const state: Record<string, unknown> = { kind: "vm", source: "replay" };
  for (const key in entry) if (entry[key] !== null) state[key] = entry[key];
  if (state["status"] === "unknown") state["because"] ??= "the observation says unknown";
  return state as VmState;
};
