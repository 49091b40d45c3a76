// policy.yaml: what an operator adds to the rules of one environment, read strictly and whole.
//
// It has words for "refused", for more agreement, for fewer hours and for fewer applies. Any word for less, and a tier
// below the action's own, is turned away here, though it would loosen nothing (spine/plan/safety.ts): whoever wrote it
// believes otherwise. keeps P7-A3
// Lines come back in the order of what they are about, and no two are about the same: two files that say the same are
// one policy. Not here: reading the file, days and hours (policy-window-yaml.ts).

import type { ActionKind, Refusal } from "../spine/model.ts";
import { PER_HOUR_MAX, type Policy, type PolicyLevel, type PolicyLine } from "../spine/plan/policy.ts";
import { ACTIONS, higherTier, isActionKind, rowOf } from "../spine/rules/actions.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { nearest } from "../spine/values/nearest.ts";
import { present } from "../spine/values/present.ts";
import { isSubject, RESERVED_SUBJECTS } from "../spine/values/subject.ts";
import { foundIn, plainly, wholeNumber } from "./expectation.ts";
import { windowAt } from "./policy-window-yaml.ts";
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
import { integerAt, textAt, versionAt, wordAt } from "./yaml/yaml-values.ts";

/** By environment: what the policy files that the configuration names say. */
export type Policies = ReadonlyMap<string, Policy>;

const FILE_KEYS = ["version", "tighten"];
const LINE_KEYS = ["action", "for", "only", "perHour", "to"];
/** A line asks for one of these at least. */
const EFFECTS = ["only", "perHour", "to"];
const LEVELS = ["refused", "low", "medium", "high", "irreversible"] as const satisfies readonly PolicyLevel[];
/** A kind is a word of the same grammar: `agent` and `person` are meant as kinds, and as names besides. */
const WHOM = { expected: { cause: "subject", facts: { reserved: RESERVED_SUBJECTS } }, is: isSubject } as const;
const RATE = {
  expected: wholeNumber(1, PER_HOUR_MAX),
  is: (value: unknown): value is number =>
    Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= PER_HOUR_MAX,
};
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
  const firstAt = new Map<string, number>();
  const tighten = items
    .map((item) => lineAt(reader, item, firstAt))
    .filter((line) => line !== undefined)
    .sort((a, b) => (aboutOf(a) < aboutOf(b) ? -1 : 1));
  return version === undefined ? undefined : { tighten, version };
};

/** What a line is about, as one text; what is about everything comes first. */
const aboutOf = ({ action, for: whom }: PolicyLine): string => `${action ?? ""} ${whom ?? ""}`;

const lineAt = (reader: YamlReader, item: Spot, firstAt: Map<string, number>): PolicyLine | undefined => {
  const fields = fieldsAt(reader, item, LINE_KEYS);
  if (fields === undefined) return undefined;
  const asks = EFFECTS.filter((key) => fields.has(key));
  // What becomes of an action is said of one action: a tier is held against that action's own.
  reportMissing(reader, item, fields, asks.length === 0 ? ["action", "to"] : asks.includes("to") ? ["action"] : []);
  const spot = fields.get("action");
  const action = actionAt(reader, spot);
  const whom = textAt(reader, fields.get("for"), WHOM);
  const only = windowAt(reader, fields.get("only"));
  const perHour = integerAt(reader, fields.get("perHour"), RATE);
  const to = levelAt(reader, fields.get("to"), action);
  const line: PolicyLine = { ...present({ action, for: whom, only, perHour, to }) };
  const isRead = LINE_KEYS.every((key) => fields.has(key) === Object.hasOwn(line, key));
  // Of what was not read it is not known what it is about.
  if (fields.has("action") === (action !== undefined) && fields.has("for") === (whom !== undefined)) {
    const first = firstAt.get(aboutOf(line));
    if (first === undefined) firstAt.set(aboutOf(line), (spot ?? item).offset);
    else reader.report(spot ?? item, duplicate(line, reader.lineAt(first)));
  }
  return isRead && asks.length > 0 ? line : undefined;
};

const duplicate = ({ action, for: whom }: PolicyLine, firstLine: number): Refusal => {
  if (action === undefined)
    return whom === undefined
      ? refuse("action-duplicate", { cause: "every", facts: { firstLine } })
      : refuse("action-duplicate", { cause: "every-whom", facts: { firstLine, whom } });
  return whom === undefined
    ? refuse("action-duplicate", { cause: "action", facts: { action, firstLine } })
    : refuse("action-duplicate", { cause: "action-whom", facts: { action, firstLine, whom } });
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
): PolicyLevel | undefined => {
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
