// The nodes and guests of a scenario.

import { isVmid, VMID_MAX, type Vmid } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { plainly } from "../expectation.ts";
import { matcher } from "../fields.ts";
import { memoryAt } from "../memory-text.ts";
import {
  entriesAt,
  fieldsAt,
  itemsAt,
  plain,
  reportMissing,
  reportValue,
  type Spot,
  type YamlReader,
} from "../yaml/yaml-reader.ts";
import { integerAt, type TextRule, textAt, wordAt } from "../yaml/yaml-values.ts";
import { booleanAt, CPUS, LINE, NAME, NODE_NAME, SNAPSHOT_PATTERN, some, spanAt, textsAt } from "./scenario-fields.ts";

export type ScenarioNode = {
  readonly name: string;
  readonly member?: boolean;
  readonly up?: boolean;
  readonly reached?: boolean;
  readonly cpus?: number;
  readonly memory?: number;
};

export const GUEST_STATUSES = [
  "stopped",
  "running",
  "paused",
  "prelaunch",
  "suspended",
  "io-error",
  "internal-error",
] as const;
const HA_STATES = ["started", "stopped"] as const;

/** `ram` for one that holds the guest's memory too. */
export type ScenarioSnapshot = { readonly name: string; readonly ram?: boolean };

export type ScenarioGuest = {
  readonly vmid: Vmid;
  readonly kind?: "vm" | "ct";
  readonly node: string;
  readonly name?: string;
  readonly status?: (typeof GUEST_STATUSES)[number];
  readonly uptime?: number;
  readonly cores?: number;
  readonly memory?: number;
  readonly tags?: readonly string[];
  /** The whole configuration file, instead of the keys above. */
  readonly config?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly snapshots?: readonly ScenarioSnapshot[];
  readonly monitor?: "answers" | "silent";
  readonly deaf?: boolean;
  readonly ha?: (typeof HA_STATES)[number];
  readonly pool?: string;
};

const NODE_KEYS = ["name", "member", "up", "reached", "cpus", "memory"];
const GUEST_KEYS = [
  "vmid",
  "kind",
  "node",
  "name",
  "status",
  "uptime",
  "cores",
  "memory",
  "tags",
  "config",
  "settings",
  "snapshots",
  "monitor",
  "deaf",
  "ha",
  "pool",
];
const NOT_WITH_CONFIG = ["name", "cores", "memory", "tags", "settings", "snapshots"];
export const SCENARIO_VMID = {
  expected: { cause: "vmid", facts: { max: VMID_MAX, min: 100 } } as const,
  is: (value: unknown): value is Vmid => isVmid(value) && value >= 100,
};
const CONFIG = {
  expected: plainly("config-text"),
  is: (value: unknown): value is string => typeof value === "string" && value.length <= 100_000,
};

export const nodeAt = (reader: YamlReader, spot: Spot): ScenarioNode | undefined => {
  const fields = fieldsAt(reader, spot, NODE_KEYS);
  if (fields === undefined) return undefined;
  reportMissing(reader, spot, fields, ["name"]);
  const name = textAt(reader, fields.get("name"), NODE_NAME);
  const rest = some({
    cpus: integerAt(reader, fields.get("cpus"), CPUS),
    member: booleanAt(reader, fields.get("member")),
    memory: memoryAt(reader, fields.get("memory")),
    reached: booleanAt(reader, fields.get("reached")),
    up: booleanAt(reader, fields.get("up")),
  });
  return name === undefined ? undefined : { name, ...rest };
};

/** A node that is not written would be a place where nothing ever happens. */
export const listedNodeAt = (
  reader: YamlReader,
  spot: Spot | undefined,
  nodes: ReadonlySet<string>,
): string | undefined => {
  const node = textAt(reader, spot, NODE_NAME);
  if (node === undefined || spot === undefined || nodes.has(node)) return node;
  return reportValue(reader, spot, plainly("listed-node"));
};

/** Lines of the configuration: texts, or whole numbers that mean their digits. */
const settingsAt = (reader: YamlReader, spot: Spot | undefined): Readonly<Record<string, string>> | undefined => {
  const entries = spot === undefined ? undefined : entriesAt(reader, spot);
  if (entries === undefined) return undefined;
  const pairs = entries.flatMap(({ key, name, value }) => {
    if (!/^[a-z][a-z_0-9]{0,60}$/.test(name)) {
      reader.report(key, refuse("value-wrong", { cause: "settings-key" }));
      return [];
    }
    const given = plain(value);
    if (typeof given === "number" && Number.isSafeInteger(given)) return [[name, `${given}`] as const];
    const text = textAt(reader, value, LINE);
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(pairs);
};

const SNAPSHOT: TextRule = {
  expected: plainly("snapshot-name"),
  is: matcher(SNAPSHOT_PATTERN),
};

const snapshotAt = (reader: YamlReader, spot: Spot, kind: ScenarioGuest["kind"]): ScenarioSnapshot | undefined => {
  const fields = fieldsAt(reader, spot, ["name", "ram"]);
  if (fields === undefined) return undefined;
  reportMissing(reader, spot, fields, ["name"]);
  const name = textAt(reader, fields.get("name"), SNAPSHOT);
  const ram = booleanAt(reader, fields.get("ram"));
  const at = fields.get("ram");
  if (kind === "ct" && ram === true && at !== undefined) {
    reader.report(at, refuse("value-wrong", { cause: "ct-ram" }));
  }
  return name === undefined ? undefined : { name, ...present({ ram }) };
};

/** Oldest first: each is the parent of the next, and the last one of the present state. */
const savedStatesAt = (
  reader: YamlReader,
  spot: Spot | undefined,
  kind: ScenarioGuest["kind"],
): readonly ScenarioSnapshot[] | undefined => {
  const items = spot === undefined ? undefined : itemsAt(reader, spot);
  const read = items?.map((item) => snapshotAt(reader, item, kind)).filter((one) => one !== undefined);
  if (spot !== undefined && read !== undefined && new Set(read.map(({ name }) => name)).size < read.length) {
    reader.report(spot, refuse("value-wrong", { cause: "snapshot-twice" }));
  }
  return read;
};

const configAt = (reader: YamlReader, fields: ReadonlyMap<string, Spot>): string | undefined => {
  const config = textAt(reader, fields.get("config"), CONFIG);
  if (!fields.has("config")) return undefined;
  for (const name of NOT_WITH_CONFIG) {
    const other = fields.get(name);
    if (other !== undefined)
      reader.report(other, refuse("value-wrong", { cause: "said-by-config", facts: { key: name } }));
  }
  return config;
};

export const scenarioGuestAt = (
  reader: YamlReader,
  spot: Spot,
  nodes: ReadonlySet<string>,
): ScenarioGuest | undefined => {
  const fields = fieldsAt(reader, spot, GUEST_KEYS);
  if (fields === undefined) return undefined;
  reportMissing(reader, spot, fields, ["vmid", "node"]);
  const vmid = integerAt(reader, fields.get("vmid"), SCENARIO_VMID);
  const node = listedNodeAt(reader, fields.get("node"), nodes);
  const kind = wordAt(reader, fields.get("kind"), ["vm", "ct"] as const);
  const rest = some({
    config: configAt(reader, fields),
    cores: integerAt(reader, fields.get("cores"), CPUS),
    deaf: booleanAt(reader, fields.get("deaf")),
    ha: wordAt(reader, fields.get("ha"), HA_STATES),
    kind,
    memory: memoryAt(reader, fields.get("memory")),
    monitor: wordAt(reader, fields.get("monitor"), ["answers", "silent"] as const),
    name: textAt(reader, fields.get("name"), NAME),
    pool: textAt(reader, fields.get("pool"), NAME),
    settings: settingsAt(reader, fields.get("settings")),
    snapshots: savedStatesAt(reader, fields.get("snapshots"), kind),
    status: wordAt(reader, fields.get("status"), GUEST_STATUSES),
    tags: textsAt(reader, fields.get("tags"), NAME),
    uptime: spanAt(reader, fields.get("uptime")),
  });
  return vmid === undefined || node === undefined ? undefined : { node, vmid, ...rest };
};
