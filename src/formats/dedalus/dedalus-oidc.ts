// How people sign in at the service: their OpenID provider, and which of its groups has which roles, where.
//
// Only roles of people are given here: programs have tokens. What a group may do is written out, never guessed. (P7-A2)

import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { plainly } from "../expectation.ts";
import { isEnvironmentName, isName } from "../fields.ts";
import { entriesAt, fieldsAt, itemsAt, plain, reportMissing, type Spot, type YamlReader } from "../yaml/yaml-reader.ts";
import { type TextRule, textAt, wordAt } from "../yaml/yaml-values.ts";
import { isEndpoint } from "./dedalus-fields.ts";
import { type SecretRef, secretAt, verifiedAt } from "./dedalus-guards.ts";

/** What a person can be; a program has a token instead. */
export const PERSON_ROLES = ["observer", "operator", "approver", "auditor"] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

export type GroupGrant = {
  readonly environments: "all" | readonly string[];
  /** As the provider names it. */
  readonly group: string;
  readonly roles: readonly PersonRole[];
};

export type OidcConfig = {
  readonly clientId: string;
  /** Absent for a public client, which proves itself by PKCE alone. */
  readonly clientSecret?: SecretRef;
  /** In the order of their names, each once. */
  readonly groups: readonly GroupGrant[];
  readonly groupsClaim: string;
  readonly issuer: string;
  readonly nameClaim: string;
};

const GROUPS_CLAIM_DEFAULT = "groups";
const NAME_CLAIM_DEFAULT = "preferred_username";

const KEYS = ["issuer", "clientId", "clientSecret", "groupsClaim", "nameClaim", "groups"];
const REQUIRED = ["issuer", "clientId", "groups"];
const NAME: TextRule = { expected: plainly("name"), is: isName };
const ENDPOINT: TextRule = { expected: plainly("endpoint"), is: isEndpoint };

export const oidcAt = (reader: YamlReader, spot: Spot, environments: readonly string[]): OidcConfig | undefined => {
  const fields = fieldsAt(reader, spot, KEYS);
  if (fields === undefined) return undefined;
  reportMissing(reader, spot, fields, REQUIRED);
  const clientId = textAt(reader, fields.get("clientId"), NAME);
  const clientSecret = secretAt(reader, fields.get("clientSecret"));
  const groups = groupsAt(reader, fields.get("groups"), environments);
  const groupsClaim = fields.has("groupsClaim")
    ? textAt(reader, fields.get("groupsClaim"), NAME)
    : GROUPS_CLAIM_DEFAULT;
  const issuer = verifiedAt(reader, fields.get("issuer"), ENDPOINT);
  const nameClaim = fields.has("nameClaim") ? textAt(reader, fields.get("nameClaim"), NAME) : NAME_CLAIM_DEFAULT;
  if (fields.has("clientSecret") && clientSecret === undefined) return undefined;
  if (clientId === undefined || groups === undefined || issuer === undefined) return undefined;
  if (groupsClaim === undefined || nameClaim === undefined) return undefined;
  return { clientId, ...present({ clientSecret }), groups, groupsClaim, issuer, nameClaim };
};

const groupsAt = (
  reader: YamlReader,
  spot: Spot | undefined,
  environments: readonly string[],
): readonly GroupGrant[] | undefined => {
  const entries = spot === undefined ? undefined : entriesAt(reader, spot);
  if (spot === undefined || entries === undefined) return undefined;
  if (entries.length === 0) reader.report(spot, refuse("value-wrong", { cause: "no-group" }));
  return entries
    .flatMap(({ key, name, value }) => {
      const group = textAt(reader, key, NAME) ?? name;
      const grant = grantAt(reader, value, environments);
      return grant === undefined ? [] : [{ ...grant, group }];
    })
    .sort((a, b) => (a.group < b.group ? -1 : 1));
};

const grantAt = (
  reader: YamlReader,
  spot: Spot,
  environments: readonly string[],
): Omit<GroupGrant, "group"> | undefined => {
  const fields = fieldsAt(reader, spot, ["roles", "environments"]);
  if (fields === undefined) return undefined;
  reportMissing(reader, spot, fields, ["roles", "environments"]);
  const roles = eachOnce(reader, fields.get("roles"), (item) => wordAt(reader, item, PERSON_ROLES));
  const where = fields.get("environments");
  const isAll = where !== undefined && plain(where) === "all";
  const named = isAll ? "all" : eachOnce(reader, where, (item) => environmentAt(reader, item, environments));
  return roles === undefined || named === undefined ? undefined : { environments: named, roles };
};

const ENVIRONMENT: TextRule = { expected: plainly("environment-name"), is: isEnvironmentName };
const environmentAt = (reader: YamlReader, spot: Spot, known: readonly string[]): string | undefined => {
  const environment = textAt(reader, spot, ENVIRONMENT);
  if (environment === undefined || known.includes(environment)) return environment;
  reader.report(spot, refuse("value-wrong", { cause: "group-environment", facts: { environment, known } }));
  return undefined;
};

/** The words of a list, sorted; one that is empty or says something twice is reported. */
export const eachOnce = <W extends string>(
  reader: YamlReader,
  spot: Spot | undefined,
  read: (item: Spot) => W | undefined,
): readonly W[] | undefined => {
  const items = spot === undefined ? undefined : itemsAt(reader, spot);
  if (spot === undefined || items === undefined) return undefined;
  if (items.length === 0) reader.report(spot, refuse("value-wrong", { cause: "list-empty" }));
  const words = new Set<W>();
  for (const item of items) {
    const word = read(item);
    if (word !== undefined && words.has(word))
      reader.report(item, refuse("value-wrong", { cause: "word-twice", facts: { word } }));
    if (word !== undefined) words.add(word);
  }
  return [...words].sort();
};
