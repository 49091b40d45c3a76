// The address of a page, both ways: one table of every page, what stands in its path and what may stand behind the
// question mark. Filters, searches and the record that is looked at live here, so that every view can be sent to
// somebody.
//
// What is not in the table is no page, and a filter that no page has is not ignored: it would show something else than
// was asked for.

export const ROOT = "/console";

export const PAGES = {
  approvals: { path: "/approvals", query: [] },
  fleet: { path: "/", query: ["by", "environment", "find", "show"] },
  rules: { path: "/rules", query: [] },
  start: { path: "/start", query: [] },
  step: { path: "/plans/{plan}/steps/{step}", query: [] },
  incident: { path: "/incident", query: ["vm", "environment", "correlation", "from", "to"] },
  ledger: { path: "/ledger", query: ["kind", "environment", "vm", "correlation", "from", "before"] },
  posture: { path: "/posture", query: [] },
  record: { path: "/ledger/{seq}", query: [] },
  after: { path: "/then/{seq}", query: [] },
  vm: { path: "/vms/{environment}/{vmid}", query: [] },
  verify: { path: "/verify", query: [] },
  plan: { path: "/plans/{plan}", query: ["beside", "find", "show"] },
  plans: { path: "/plans", query: [] },
} as const satisfies Readonly<Record<string, { readonly path: `/${string}`; readonly query: readonly string[] }>>;

export type PageName = keyof typeof PAGES;

type InPath<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | InPath<Rest> : never;

/** What a page is about: each part of its path, and those of its query that were given. */
export type Address<P extends PageName = PageName> = P extends PageName
  ? {
      readonly page: P;
      readonly parts: { readonly [K in InPath<(typeof PAGES)[P]["path"]>]: string };
      readonly query: { readonly [K in (typeof PAGES)[P]["query"][number]]?: string };
    }
  : never;

export type Strayed =
  | { readonly kind: "no-page"; readonly path: string }
  | { readonly kind: "no-filter"; readonly name: string; readonly path: string };

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{([a-z]+)\}/g, "(?<$1>[^/]+)")}$`);

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

export const addressAt = (pathname: string, search: string): Address | Strayed => {
  const path = pathname.slice(ROOT.length).replace(/(?<=.)\/$/, "") || "/";
  for (const [page, { path: template, query: known }] of Object.entries(PAGES)) {
    const found = patternOf(template).exec(path);
    if (found === null) continue;
    const parts = Object.entries(found.groups ?? {}).map(([name, text]) => [name, decoded(text)] as const);
    if (parts.some(([, text]) => text === undefined)) return { kind: "no-page", path: pathname };
    const given = [...new URLSearchParams(search)];
    const strange = given.find(([name], at) => !isOne(known, name) || given.findIndex(([one]) => one === name) !== at);
    if (strange !== undefined) return { kind: "no-filter", name: strange[0], path: pathname };
    return { page, parts: Object.fromEntries(parts), query: Object.fromEntries(given) } as Address;
  }
  return { kind: "no-page", path: pathname };
};

const isOne = (known: readonly string[], name: string): boolean => known.includes(name);

/** Empty filters are left out, and the rest stands in the order of the table: one view has one address. */
export const pathTo = ({ page, parts, query }: Address): string => {
  const { path, query: known } = PAGES[page];
  const told: Readonly<Record<string, string | undefined>> = query;
  const named: Readonly<Record<string, string>> = parts;
  const search = new URLSearchParams(
    known.flatMap((name: string): [string, string][] => {
      const text = told[name] ?? "";
      return text === "" ? [] : [[name, text]];
    }),
  ).toString();
  const filled = path.replaceAll(/\{([a-z]+)\}/g, (_, name: string) => encodeURIComponent(named[name] ?? ""));
  return `${ROOT}${filled}${search === "" ? "" : `?${search}`}`;
};
