// A method of the API as a value: verb and path, who may call it, its parameters, and what it answers.
//
// Checks come in the order of the original: the path exists, the caller may, the node answers, the parameters fit.

import type { SimulatedProvider } from "../ports/provider.ts";
import type { World } from "../world/world.ts";
import type { Accounts, Need, Weigh, Who } from "./access.ts";
import type { Replied } from "./api-reply.ts";
import type { Dialect } from "./privileges.ts";
import type { Params, Schema } from "./schema.ts";

export type Method = "DELETE" | "GET" | "POST" | "PUT";

/** What does not change while the simulator runs. */
export type Setup = {
  readonly accounts: Accounts;
  readonly dialect: Dialect;
  readonly version: string;
  readonly seed: number;
  /** The node that answers. */
  readonly local: string;
  readonly fingerprint: string;
};

export type Context = {
  readonly setup: Setup;
  readonly provider: SimulatedProvider;
  readonly world: World;
  readonly who: Who;
  readonly params: Params;
  readonly weigh: Weigh;
};

export type Route = {
  readonly method: Method;
  /** Parts in braces are parameters. */
  readonly path: string;
  readonly schema: Schema;
  /** Absent when any user may. */
  readonly need?: (params: Params) => Need;
  readonly isOpen?: true; // without authentication
  readonly isLocal?: true; // answered here, whatever node its path names
  readonly answer: (context: Context) => Replied;
};

export type Matched = { readonly route: Route; readonly params: ReadonlyMap<string, string> };

const partsOf = (path: string): readonly string[] => path.split("/").filter((part) => part !== "");

export const matchRoute = (routes: readonly Route[], method: string, path: string): Matched | undefined => {
  const given = partsOf(path);
  for (const route of routes) {
    if (route.method !== method) continue;
    const wanted = partsOf(route.path);
    if (wanted.length !== given.length) continue;
    const params = new Map<string, string>();
    const isSame = wanted.every((part, at) => {
      const value = given[at] ?? "";
      if (!part.startsWith("{")) return part === value;
      params.set(part.slice(1, -1), value);
      return true;
    });
    if (isSame) return { params, route };
  }
  return undefined;
};

/** Who a task or a change belongs to, as the provider writes it. */
export const userOf = ({ token, user }: Who): string => token?.id ?? user;
/** Even a token of root is not root. */
export const isRoot = ({ token, user }: Who): boolean => user === "root@pam" && token === undefined;

export const textIn = (params: Params, name: string): string => params.get(name) ?? "";
export const numberIn = (params: Params, name: string): number | undefined => {
  const value = params.get(name);
  return value === undefined ? undefined : Number(value);
};
