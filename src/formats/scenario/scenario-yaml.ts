// scenario.yaml: a simulated provider for the simulator, with its accounts and its fault script, read strictly and
// whole.
//
// The secrets in it are of a provider that does not exist. Not here: what the words do (simulator/), guests
// (scenario-guests.ts), faults (scenario-faults.ts).

import type { Instant } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { foundIn, plainly } from "../expectation.ts";
import { parseInstant } from "../fields.ts";
import type { Parsed } from "../problem.ts";
import {
  fieldsAt,
  itemsAt,
  parseYaml,
  plain,
  reportMissing,
  reportValue,
  type Spot,
  type YamlReader,
} from "../yaml/yaml-reader.ts";
import { integerAt, textAt, versionAt } from "../yaml/yaml-values.ts";
import { FATE_WORDS, faultAt, type ScenarioFault } from "./scenario-faults.ts";
import {
  ACL_PATH,
  booleanAt,
  countRule,
  LINE,
  NAME,
  NODE_NAME,
  RELEASE,
  ROLES,
  TOKEN,
  textsAt,
  USER,
  WHO,
} from "./scenario-fields.ts";
import { listedNodeAt, nodeAt, type ScenarioGuest, type ScenarioNode, scenarioGuestAt } from "./scenario-guests.ts";

export type ScenarioFile = {
  readonly seed: number;
  readonly pve: string;
  readonly cluster?: string;
  readonly start?: Instant;
  /** The node that answers. */
  readonly api: string;
  readonly nodes: readonly ScenarioNode[];
  readonly guests: readonly ScenarioGuest[];
  readonly users: readonly { readonly name: string; readonly password?: string }[];
  readonly tokens: readonly { readonly id: string; readonly secret: string; readonly privsep: boolean }[];
  readonly roles: readonly { readonly name: string; readonly privileges: readonly string[] }[];
  readonly acl: readonly {
    readonly path: string;
    readonly who: string;
    readonly role: string;
    readonly propagate: boolean;
  }[];
  readonly weather: Readonly<Record<string, number>>;
  readonly faults: readonly ScenarioFault[];
};

const REQUIRED = ["version", "seed", "pve", "nodes", "guests"];
const KEYS = [...REQUIRED, "cluster", "start", "api", "users", "tokens", "roles", "acl", "weather", "faults"];
const SEED = countRule(0, 2 ** 31 - 1);
const SHARE = countRule(0, 1000);

export const parseScenario = (text: string, file: string): Parsed<ScenarioFile> =>
  parseYaml(text, file, { objects: () => false, shows: foundIn }, readFile);

const listAt = <T>(
  reader: YamlReader,
  spot: Spot | undefined,
  read: (reader: YamlReader, item: Spot) => T | undefined,
): readonly T[] =>
  ((spot === undefined ? undefined : itemsAt(reader, spot)) ?? [])
    .map((item) => read(reader, item))
    .filter((value): value is Exclude<typeof value, undefined> => value !== undefined);

/** The same name twice would make one of the two a lie. */
const eachOnce = (
  reader: YamlReader,
  spot: Spot | undefined,
  names: readonly string[],
  what: "node" | "vmid",
): void => {
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (spot !== undefined && twice !== undefined) {
    reader.report(
      spot,
      what === "vmid"
        ? refuse("vmid-duplicate", { cause: "twice", facts: { number: twice } })
        : refuse("value-wrong", { cause: "node-twice", facts: { name: twice } }),
    );
  }
};

const userAt = (reader: YamlReader, spot: Spot) => {
  const fields = fieldsAt(reader, spot, ["name", "password"]);
  if (fields === undefined) return undefined;
  reportMissing(reader, spot, fields, ["name"]);
  const name = textAt(reader, fields.get("name"), USER);
  const password = textAt(reader, fields.get("password"), LINE);
  return name === undefined ? undefined : { name, ...present({ password }) };
};

const tokenAt = (reader: YamlReader, spot: Spot, users: ReadonlySet<string>) => {
  const fields = fieldsAt(reader, spot, ["id", "secret", "privsep"]);
  if (fields === undefined) return undefined;
  reportMissing(reader, spot, fields, ["id", "secret", "privsep"]);
  const id = textAt(reader, fields.get("id"), TOKEN);
  const idSpot = fields.get("id");
  if (id !== undefined && idSpot !== undefined && !users.has(id.split("!")[0] ?? "")) {
    reportValue(reader, idSpot, plainly("listed-user"));
  }
  const secret = textAt(reader, fields.get("secret"), NAME);
  const privsep = booleanAt(reader, fields.get("privsep"));
  return id === undefined || secret === undefined || privsep === undefined ? undefined : { id, privsep, secret };
};

const roleAt = (reader: YamlReader, spot: Spot) => {
  const fields = fieldsAt(reader, spot, ["name", "privileges"]);
  if (fields === undefined) return undefined;
  reportMissing(reader, spot, fields, ["name", "privileges"]);
  const name = textAt(reader, fields.get("name"), NAME);
  const privileges = textsAt(reader, fields.get("privileges"), NAME);
  return name === undefined || privileges === undefined ? undefined : { name, privileges };
};

const ACL_KEYS = ["path", "who", "role", "propagate"];

const aclAt = (reader: YamlReader, spot: Spot, roles: ReadonlySet<string>) => {
  const fields = fieldsAt(reader, spot, ACL_KEYS);
  if (fields === undefined) return undefined;
  reportMissing(reader, spot, fields, ACL_KEYS);
  const path = textAt(reader, fields.get("path"), ACL_PATH);
  const who = textAt(reader, fields.get("who"), WHO);
  const role = textAt(reader, fields.get("role"), NAME);
  const roleSpot = fields.get("role");
  if (role !== undefined && roleSpot !== undefined && !roles.has(role)) {
    reportValue(reader, roleSpot, { cause: "listed-role", facts: { roles: ROLES } });
  }
  const propagate = booleanAt(reader, fields.get("propagate"));
  if (path === undefined || who === undefined || role === undefined || propagate === undefined) return undefined;
  return { path, propagate, role, who };
};

const weatherAt = (reader: YamlReader, spot: Spot | undefined): Readonly<Record<string, number>> => {
  const fields = spot === undefined ? undefined : fieldsAt(reader, spot, FATE_WORDS);
  const pairs = [...(fields ?? [])].map(([name, value]) => [name, integerAt(reader, value, SHARE)] as const);
  return Object.fromEntries(pairs.filter((pair): pair is readonly [string, number] => pair[1] !== undefined));
};

const startAt = (reader: YamlReader, spot: Spot | undefined): Instant | undefined => {
  if (spot === undefined) return undefined;
  const value = plain(spot);
  const instant = typeof value === "string" ? parseInstant(value) : undefined;
  return instant ?? reportValue(reader, spot, plainly("quoted-time"));
};

const readFile = (reader: YamlReader, root: Spot): ScenarioFile | undefined => {
  const fields = fieldsAt(reader, root, KEYS);
  if (fields === undefined) return undefined;
  reportMissing(reader, root, fields, REQUIRED);
  versionAt(reader, fields.get("version"));
  const seed = integerAt(reader, fields.get("seed"), SEED);
  const pve = textAt(reader, fields.get("pve"), RELEASE);
  const cluster = textAt(reader, fields.get("cluster"), NODE_NAME);
  const start = startAt(reader, fields.get("start"));
  const nodes = listAt(reader, fields.get("nodes"), nodeAt);
  const names = new Set(nodes.map(({ name }) => name));
  const guests = listAt(reader, fields.get("guests"), (inner, item) => scenarioGuestAt(inner, item, names));
  eachOnce(
    reader,
    fields.get("nodes"),
    nodes.map(({ name }) => name),
    "node",
  );
  eachOnce(
    reader,
    fields.get("guests"),
    guests.map(({ vmid }) => `${vmid}`),
    "vmid",
  );
  const api = fields.has("api") ? listedNodeAt(reader, fields.get("api"), names) : nodes[0]?.name;
  const nodesSpot = fields.get("nodes");
  if (nodesSpot !== undefined && nodes.length === 0) {
    reader.report(nodesSpot, refuse("value-wrong", { cause: "no-node" }));
  }
  const roles = listAt(reader, fields.get("roles"), roleAt);
  const users = listAt(reader, fields.get("users"), userAt);
  const roleNames = new Set([...ROLES, ...roles.map(({ name }) => name)]);
  const userNames = new Set(users.map(({ name }) => name));
  const rest = {
    acl: listAt(reader, fields.get("acl"), (inner, item) => aclAt(inner, item, roleNames)),
    faults: listAt(reader, fields.get("faults"), (inner, item) => faultAt(inner, item, names)),
    roles,
    tokens: listAt(reader, fields.get("tokens"), (inner, item) => tokenAt(inner, item, userNames)),
    users,
    weather: weatherAt(reader, fields.get("weather")),
  };
  if (seed === undefined || pve === undefined || api === undefined) return undefined;
  return {
    api,
    guests,
    nodes,
    pve,
    seed,
    ...present({ cluster, start }),
    ...rest,
  };
};
