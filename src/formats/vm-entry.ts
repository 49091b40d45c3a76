// One entry of current.json as a VmState. An entry that does not fit is a doubt about its VM and becomes unknown, with
// the field and the reason; an entry whose vmid cannot be read is nobody's, and the caller makes it a gap. Keeps N1.
//
// There may be a million entries, so one that fits is returned as it is; nothing is copied or built for it.

import { isVmid, type VmState } from "../spine/model.ts";
import { BLOCKERS, DOUBTS, type Doubt, doubt } from "../spine/observed-codes.ts";
import { isActionKind } from "../spine/rules/actions.ts";
import { visible } from "../spine/values/invisible.ts";
import { nearest } from "../spine/values/nearest.ts";
import { foundIn } from "./expectation.ts";
import { fieldOf } from "./field-path.ts";
import { BYTES_MAX, CPUS_MAX, isBytes, isCpus, isName, isTag, isText, NAME_MAX, TEXT_MAX } from "./fields.ts";
import { isObject, type JsonObject } from "./json/json-shape.ts";
import { hasOnly, isStated, stated } from "./stated.ts";

/** What a field has to be, as the doubt that a misfit is; the field and what was found come along. */
type Unfit =
  | { readonly code: "entry-not-number" | "entry-not-text"; readonly max: number; readonly min: number }
  | { readonly code: "entry-not-word"; readonly words: readonly string[] }
  | { readonly code: "entry-malformed" };
type Check = { readonly fits: (value: unknown) => boolean; readonly unfit: Unfit };

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

/** A code with its facts; or `because` in the words of whoever wrote it. */
const isBlocker = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  const { actions, ...rest } = value;
  if (actions !== "all" && !isListOf(actions, isActionKind)) return false;
  return isWritten(rest) ? isEntryText(rest["because"]) : isStated(rest, BLOCKERS);
};
const isWritten = (value: JsonObject): boolean => hasOnly(value, ["actions", "because"]);

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

const numberTo = (max: number): Unfit => ({ code: "entry-not-number", max, min: 1 });
const textTo = (max: number): Unfit => ({ code: "entry-not-text", max, min: 1 });
const oneOf = (...words: readonly string[]): Unfit => ({ code: "entry-not-word", words });
const MALFORMED = { code: "entry-malformed" } as const;

const TEXT = { fits: isEntryText, unfit: textTo(TEXT_MAX) } as const satisfies Check;
const NAME = textTo(NAME_MAX);

const FIELDS = {
  because: {
    fits: (value) => (typeof value === "string" ? isEntryText(value) : isStated(value, DOUBTS)),
    unfit: MALFORMED,
  },
  blockers: { fits: (value) => isListOf(value, isBlocker), unfit: MALFORMED },
  boot: TEXT,
  // The seeds wrote null for a size that was not seen.
  cpus: { fits: (value) => value === null || isCpus(value), unfit: numberTo(CPUS_MAX) },
  identity: TEXT,
  kind: { fits: (value) => value === "vm" || value === "ct", unfit: oneOf("vm", "ct") },
  maxmem: { fits: (value) => value === null || isBytes(value), unfit: numberTo(BYTES_MAX) },
  // An empty name is allowed to an unknown VM only: misfitOf.
  name: { fits: (value) => value === "" || isEntryName(value), unfit: NAME },
  node: { fits: isEntryName, unfit: NAME },
  paused: { fits: (value) => value === true, unfit: oneOf("true") },
  pending: { fits: isPending, unfit: MALFORMED },
  resize: { fits: (value) => value === "hot" || value === "restart", unfit: oneOf("hot", "restart") },
  revision: TEXT,
  snapshots: { fits: isSnapshots, unfit: MALFORMED },
  source: TEXT,
  status: {
    fits: (value) => value === "running" || value === "stopped" || value === "unknown",
    unfit: oneOf("running", "stopped", "unknown"),
  },
  tags: { fits: (value) => isListOf(value, isEntryTag), unfit: MALFORMED },
  vmid: { fits: isVmid, unfit: MALFORMED },
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

const misfitOf = (entry: JsonObject): Doubt | undefined => {
  for (const key in entry) {
    const check = CHECKS.get(key);
    if (check === undefined) return unknownKey(key);
    if (!check.fits(entry[key])) return wrong(entry, key, check.unfit);
  }
  const { because, name, paused, status } = entry;
  if (status === undefined) return doubt("entry-key-missing", { facts: { key: "status" } });
  if (name === undefined) return doubt("entry-key-missing", { facts: { key: "name" } });
  if (name === "" && status !== "unknown") return wrong(entry, "name", NAME);
  if (paused !== undefined && status !== "running") return wrong(entry, "status", oneOf("running"));
  if (because !== undefined && status !== "unknown") return wrong(entry, "status", oneOf("unknown"));
  return undefined;
};

const wrong = (entry: JsonObject, field: string, unfit: Unfit): Doubt => {
  const facts = { field, ...foundIn(entry[field]) };
  switch (unfit.code) {
    case "entry-malformed":
      return doubt(unfit.code, { facts });
    case "entry-not-word":
      return doubt(unfit.code, { facts: { ...facts, words: unfit.words } });
    default:
      return doubt(unfit.code, { facts: { ...facts, max: unfit.max, min: unfit.min } });
  }
};

const KEY_MAX = 80;
const unknownKey = (name: string): Doubt => {
  const [key, meant] = [visible(fieldOf("", name).slice(0, KEY_MAX).toWellFormed()), nearest(name, KEYS)];
  return meant === undefined
    ? doubt("entry-key-unknown", { facts: { key } })
    : doubt("entry-key-misspelt", { facts: { key, meant } });
};

/** What a reader may take for granted is kept where it fits; everything else is not believed. */
const unfit = (entry: JsonObject, because: Doubt): VmState => ({
  because,
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
  (entry["status"] !== "unknown" || isObject(entry["because"])) &&
  (entry["blockers"] === undefined || !someWritten(entry["blockers"]));

const someWritten = (blockers: unknown): boolean =>
  Array.isArray(blockers) && blockers.some((one) => isObject(one) && isWritten(one));

/** For one that fits. */
const coded = (blocker: JsonObject): JsonObject =>
  isWritten(blocker) ? { actions: blocker["actions"], ...stated(String(blocker["because"])) } : blocker;

const completed = (entry: JsonObject): VmState => {
  const state: Record<string, unknown> = { kind: "vm", source: "replay" };
  for (const key in entry) if (entry[key] !== null) state[key] = entry[key];
  const { because, blockers } = state;
  if (typeof because === "string") state["because"] = stated(because);
  else if (state["status"] === "unknown") state["because"] ??= doubt("not-told");
  if (Array.isArray(blockers)) state["blockers"] = blockers.map(coded);
  return state as VmState;
};
