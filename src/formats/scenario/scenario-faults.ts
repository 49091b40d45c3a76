// The fault script of a scenario: when, and either what somebody else does (change) or what becomes of a call (fate).
//
// Which keys a change or a fate has depends on its kind, and a key of another kind is refused and says whose it is.

import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { fieldsAt, reportMissing, type Spot, type YamlReader } from "../yaml/yaml-reader.ts";
import { integerAt, textAt, variantAt, wordAt } from "../yaml/yaml-values.ts";
import { countRule, LINE, NAME, spanAt } from "./scenario-fields.ts";
import { GUEST_STATUSES, listedNodeAt, SCENARIO_VMID } from "./scenario-guests.ts";

export const FAULT_CALLS = [
  "observe",
  "any",
  "start",
  "stop",
  "shutdown",
  "reboot",
  "reset",
  "suspend",
  "resume",
  "snapshot",
  "rollback",
  "delete-snapshot",
  "configure",
  "destroy",
  "migrate",
  "clone",
] as const;

/** How an answer can be lost. */
export const LOSSES = ["reset", "silence", "html", "cut", "huge"] as const;

const CHANGES = {
  by: "kind",
  common: [],
  of: {
    "daemon-restarts": ["node"],
    disappears: ["vmid"],
    "monitor-answers": ["vmid"],
    "monitor-hangs": ["vmid"],
    moved: ["vmid", "node"],
    "node-cut": ["node"],
    "node-dies": ["node"],
    "node-joined": ["node"],
    "node-returns": ["node"],
    "quorum-lost": [],
    "quorum-returns": [],
    renamed: ["vmid", "name"],
    replaced: ["vmid"],
    "reports-resume": ["node"],
    "reports-stop": ["node"],
    "run-state": ["vmid", "state"],
    set: ["vmid", "key", "value"],
    starts: ["vmid"],
    stops: ["vmid"],
    unset: ["vmid", "key"],
  },
} as const;
export type ChangeWord = keyof (typeof CHANGES)["of"];
export const CHANGE_WORDS: readonly string[] = Object.keys(CHANGES.of);

const FATES = {
  by: "kind",
  common: [],
  of: {
    fails: ["text"],
    "half-done": [],
    late: ["by"],
    lies: [],
    "lost-reply": ["how"],
    slow: ["by"],
    unheard: ["how"],
    "verdict-lost": [],
    warns: [],
  },
} as const;
export type FateWord = keyof (typeof FATES)["of"];
export const FATE_WORDS: readonly string[] = Object.keys(FATES.of);

/** Every value that a change can carry; which are there follows from the kind. */
export type ScenarioChange = {
  readonly kind: ChangeWord;
  readonly vmid?: number;
  readonly node?: string;
  readonly name?: string;
  readonly state?: Exclude<(typeof GUEST_STATUSES)[number], "stopped">;
  readonly key?: string;
  readonly value?: string;
};
export type ScenarioFate = {
  readonly kind: FateWord;
  readonly byMs?: number;
  readonly how?: (typeof LOSSES)[number];
  readonly text?: string;
};
export type ScenarioMatch = {
  readonly call: (typeof FAULT_CALLS)[number];
  readonly vmid?: number;
  readonly nth: number;
  readonly times: number;
};
export type ScenarioFault =
  | { readonly kind: "timed"; readonly afterMs: number; readonly change: ScenarioChange }
  | {
      readonly kind: "triggered";
      readonly moment: "before" | "after";
      readonly on: ScenarioMatch;
      readonly change: ScenarioChange;
    }
  | { readonly kind: "fate"; readonly on: ScenarioMatch; readonly fate: ScenarioFate };

const STATES = GUEST_STATUSES.filter((status) => status !== "stopped");
const COUNT = countRule(1, 1_000_000);

const changeAt = (reader: YamlReader, spot: Spot, nodes: ReadonlySet<string>): ScenarioChange | undefined => {
  const variant = variantAt(reader, spot, CHANGES);
  if (variant?.word === undefined) return undefined;
  const { fields, word: kind } = variant;
  const key = textAt(reader, fields.get("key"), NAME);
  const name = textAt(reader, fields.get("name"), NAME);
  const node = listedNodeAt(reader, fields.get("node"), nodes);
  const state = wordAt(reader, fields.get("state"), STATES);
  const value = textAt(reader, fields.get("value"), LINE);
  const vmid = integerAt(reader, fields.get("vmid"), SCENARIO_VMID);
  return {
    ...present({ key }),
    kind,
    ...present({ name, node, state, value, vmid }),
  };
};

const fateAt = (reader: YamlReader, spot: Spot): ScenarioFate | undefined => {
  const variant = variantAt(reader, spot, FATES);
  if (variant?.word === undefined) return undefined;
  const { fields, word: kind } = variant;
  const byMs = spanAt(reader, fields.get("by"));
  const how = wordAt(reader, fields.get("how"), LOSSES);
  const text = textAt(reader, fields.get("text"), LINE);
  return {
    ...present({ byMs, how }),
    kind,
    ...present({ text }),
  };
};

const matchAt = (reader: YamlReader, spot: Spot): ScenarioMatch | undefined => {
  const fields = fieldsAt(reader, spot, ["call", "vmid", "nth", "times"]);
  if (fields === undefined) return undefined;
  reportMissing(reader, spot, fields, ["call"]);
  const call = wordAt(reader, fields.get("call"), FAULT_CALLS);
  const vmid = integerAt(reader, fields.get("vmid"), SCENARIO_VMID);
  const nth = integerAt(reader, fields.get("nth"), COUNT);
  const times = integerAt(reader, fields.get("times"), COUNT);
  if (call === undefined) return undefined;
  return { call, nth: nth ?? 1, times: times ?? 1, ...present({ vmid }) };
};

const WHEN = ["at", "before", "after", "on"] as const;

/** One of at, before, after with a change; or on with a fate. */
export const faultAt = (reader: YamlReader, spot: Spot, nodes: ReadonlySet<string>): ScenarioFault | undefined => {
  const fields = fieldsAt(reader, spot, [...WHEN, "change", "fate"]);
  if (fields === undefined) return undefined;
  const [when, ...more] = WHEN.filter((key) => fields.has(key));
  if (when === undefined || more.length > 0) {
    const count = when === undefined ? 0 : more.length + 1;
    reader.report(spot, refuse("value-wrong", { cause: "when-not-one", facts: { count, words: WHEN } }));
    return undefined;
  }
  const what = when === "on" ? "fate" : "change";
  const other = fields.get(what === "fate" ? "change" : "fate");
  if (other !== undefined) reader.report(other, refuse("key-unknown", { cause: "not-with", facts: { what, when } }));
  reportMissing(reader, spot, fields, [what]);
  const [whenSpot, whatSpot] = [fields.get(when), fields.get(what)];
  if (whenSpot === undefined || whatSpot === undefined) return undefined;
  if (when === "on") {
    const [fate, on] = [fateAt(reader, whatSpot), matchAt(reader, whenSpot)];
    return fate === undefined || on === undefined ? undefined : { fate, kind: "fate", on };
  }
  const change = changeAt(reader, whatSpot, nodes);
  if (when === "at") {
    const afterMs = spanAt(reader, whenSpot);
    return change === undefined || afterMs === undefined ? undefined : { afterMs, change, kind: "timed" };
  }
  const on = matchAt(reader, whenSpot);
  return change === undefined || on === undefined ? undefined : { change, kind: "triggered", moment: when, on };
};
