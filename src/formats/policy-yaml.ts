// policy.yaml: what an operator adds to the rules of one environment, read strictly and whole.
//
// It has words for "refused" and for more agreement. Any word for less, and a tier below the action's own, is turned
// away here, though it would loosen nothing (spine/plan/safety.ts): whoever wrote it believes otherwise. keeps P7-A3
// Lines come back in the order of their actions: two files that say the same are one policy. Not here: reading the
// file.

import type { ActionKind } from "../spine/model.ts";
import type { Policy } from "../spine/plan/safety.ts";
import { ACTIONS, higherTier, isActionKind, rowOf } from "../spine/rules/actions.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { nearest } from "../spine/values/nearest.ts";
import { foundIn, plainly } from "./expectation.ts";
import type { Parsed } from "./problem.ts";
import {
  fieldsAt,
  itemsAt,
  parseYaml,
  plain,
  reportFound,
  reportMissing,
  reportType,
  type Spot,
  type YamlEntry,
  type YamlReader,
} from "./yaml/yaml-reader.ts";
import { versionAt, wordAt } from "./yaml/yaml-values.ts";

/** By environment: what the policy files that the configuration names say. */
export type Policies = ReadonlyMap<string, Policy>;

type Line = Policy["tighten"][number];

const FILE_KEYS = ["version", "tighten"];
const LINE_KEYS = ["action", "to"];
const LEVELS = ["refused", "low", "medium", "high", "irreversible"] as const satisfies readonly Line["to"][];
const ACTION_KINDS = Object.keys(ACTIONS) as readonly ActionKind[];

/** How people ask for less, or for a choice to be made for them. */
const LOOSENING =
  /allow|permit|grant|lower|loosen|relax|weaken|exempt|except|overrid|bypass|ignore|skip|auto|approve|clear|prefer|choose|rank/i;

const objects = (reader: YamlReader, { key, name }: YamlEntry): boolean => {
  if (!LOOSENING.test(name)) return false;
  reader.report(key, refuse("policy-loosens", { cause: "key" }));
  return true;
};

export const parsePolicy = (text: string, file: string): Parsed<Policy> =>
  parseYaml(text, file, { objects, shows: foundIn }, readPolicy);

const readPolicy = (reader: YamlReader, root: Spot): Policy | undefined => {
  const fields = fieldsAt(reader, root, FILE_KEYS);
  if (fields === undefined) return undefined;
  reportMissing(reader, root, fields, FILE_KEYS);
  const version = versionAt(reader, fields.get("version"));
  const list = fields.get("tighten");
  const items = list === undefined ? undefined : itemsAt(reader, list);
  if (items === undefined) return undefined;
  const firstAt = new Map<ActionKind, number>();
  const tighten = items
    .map((item) => lineAt(reader, item, firstAt))
    .filter((line) => line !== undefined)
    .sort((a, b) => (a.action < b.action ? -1 : 1));
  return version === undefined ? undefined : { tighten, version };
};

const lineAt = (reader: YamlReader, item: Spot, firstAt: Map<ActionKind, number>): Line | undefined => {
  const fields = fieldsAt(reader, item, LINE_KEYS);
  if (fields === undefined) return undefined;
  reportMissing(reader, item, fields, LINE_KEYS);
  const spot = fields.get("action");
  const action = actionAt(reader, spot);
  if (action !== undefined && spot !== undefined) {
    const first = firstAt.get(action);
    if (first === undefined) firstAt.set(action, spot.offset);
    else reader.report(spot, refuse("action-duplicate", { facts: { action, firstLine: reader.lineAt(first) } }));
  }
  const to = levelAt(reader, fields.get("to"), action);
  return action === undefined || to === undefined ? undefined : { action, to };
};

const actionAt = (reader: YamlReader, spot: Spot | undefined): ActionKind | undefined => {
  if (spot === undefined) return undefined;
  const value = plain(spot);
  if (isActionKind(value)) return value;
  if (typeof value !== "string") return reportType(reader, spot, plainly("action"));
  const meant = nearest(value, ACTION_KINDS);
  return reportFound(reader, spot, (found) =>
    meant === undefined
      ? refuse("action-unknown", { cause: "action", facts: { actions: ACTION_KINDS, ...found } })
      : refuse("action-unknown", { cause: "action-meant", facts: { ...found, meant } }),
  );
};

const levelAt = (
  reader: YamlReader,
  spot: Spot | undefined,
  action: ActionKind | undefined,
): Line["to"] | undefined => {
  if (spot === undefined) return undefined;
  const value = plain(spot);
  if (typeof value === "string" && (value === "read" || LOOSENING.test(value))) {
    return reportFound(reader, spot, (found) => refuse("policy-loosens", { cause: "level", facts: found }));
  }
  const to = wordAt(reader, spot, LEVELS);
  if (to === undefined || to === "refused" || action === undefined) return to;
  const { tier } = rowOf(action);
  if (higherTier(to, tier) === to) return to;
  reader.report(spot, refuse("policy-loosens", { cause: "lower", facts: { action, tier, to } }));
  return undefined;
};
