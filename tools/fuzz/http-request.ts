// Requests over HTTP from a seed: mostly what the OpenAPI file describes, with something wrong somewhere, so that
// they come far before they are refused.

import type { Chance } from "./chance.ts";

export type FuzzedRequest = {
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly method: string;
  readonly path: string;
};

type Parameter = { readonly example?: unknown; readonly in: string; readonly name: string };
type Described = {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
};
export type OpenApi = { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> };

const NONSENSE: readonly [unknown, ...unknown[]] = [
  null,
  true,
  -1,
  0,
  1e308,
  2 ** 53,
  "",
  " ",
  "\u0000",
  "../../etc/passwd",
  "%00",
  "latest",
  "vm:",
  "'; DROP TABLE records; --",
  "x".repeat(5_000),
  "\u{1f600}",
  [],
  {},
  [[[[[]]]]],
  { __proto__: 1, constructor: 2 },
];

const damaged = (value: unknown, chance: Chance): unknown => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return chance.pick(NONSENSE);
  const entries = Object.entries(value);
  const which = chance.below(entries.length + 1);
  if (which === entries.length)
    return { ...value, [chance.pick(["extra", "__proto__", "reason", ""])]: chance.pick(NONSENSE) };
  return Object.fromEntries(entries.map(([name, one], at) => [name, at === which ? damaged(one, chance) : one]));
};

const garbled = (text: string, chance: Chance): string => {
  const at = chance.below(text.length + 1);
  return chance.pick([text.slice(0, at), `${text.slice(0, at)}"${text.slice(at)}`, `${text}${text}`, `[${text}]`]);
};

export const fuzzedRequest = ({ paths }: OpenApi, chance: Chance): FuzzedRequest => {
  const all = Object.entries(paths)
    .filter(([path]) => path !== "/v1/events")
    .flatMap(([path, item]) => Object.entries(item).map(([method, described]) => ({ described, method, path })));
  const chosen = all[chance.below(all.length)];
  if (chosen === undefined) throw new Error("nothing is described");
  const { described, method, path: template } = chosen;
  const { parameters = [], requestBody } = described;
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  let path = template;
  for (const { example, in: place, name } of parameters) {
    const given = String(chance.below(4) === 0 ? chance.pick(NONSENSE) : (example ?? "x"));
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(given));
    else if (place === "query" && chance.below(3) === 0) query.append(name, given);
    else if (place === "header" && (name === "Idempotency-Key" || chance.below(3) === 0))
      headers[name.toLowerCase()] = given.replaceAll(/[^\x20-\x7e]/g, "").slice(0, 200);
  }
  const example = requestBody?.content["application/json"]?.example;
  const value = example === undefined || chance.below(3) > 0 ? example : damaged(example, chance);
  const text = value === undefined ? undefined : JSON.stringify(value);
  const body = text === undefined || chance.below(4) > 0 ? text : garbled(text, chance);
  return {
    ...(body === undefined || method === "get" ? {} : { body }),
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    method: method.toUpperCase(),
    path: query.size === 0 ? path : `${path}?${query}`,
  };
};
