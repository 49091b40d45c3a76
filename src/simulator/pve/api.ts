// One request in, one reply out: authentication, then the path, then rights, then the node, then the parameters.
//
// The order is that of the original: rights come before existence, so a 403 proves nothing about a guest. Not here:
// sockets and bodies (server.ts).

import type { IncomingHttpHeaders } from "node:http";
import type { SimulatedProvider } from "../ports/provider.ts";
import { unreached } from "../world/refused-call.ts";
import { accountsAfter, forbidden, isPermitted, type Weigh } from "./access.ts";
import { died, notImplemented, notPermitted, type Replied, soon, wrongParameters } from "./api-reply.ts";
import { type Context, isRoot, matchRoute, type Route, type Setup } from "./route.ts";
import { ACCESS_ROUTES, DENIED_MS } from "./routes-access.ts";
import { ACTION_ROUTES } from "./routes-action.ts";
import { CLUSTER_ROUTES } from "./routes-cluster.ts";
import { CONFIG_ROUTES } from "./routes-config.ts";
import { GUEST_ROUTES } from "./routes-guest.ts";
import { MIGRATE_ROUTES } from "./routes-migrate.ts";
import { NODE_ROUTES } from "./routes-node.ts";
import { TASK_ROUTES } from "./routes-tasks.ts";
import { type Params, wrongWith } from "./schema.ts";
import { signIn } from "./sign-in.ts";

const ROUTES: readonly Route[] = [
  ...ACCESS_ROUTES,
  ...CLUSTER_ROUTES,
  ...NODE_ROUTES,
  ...GUEST_ROUTES,
  ...ACTION_ROUTES,
  ...MIGRATE_ROUTES,
  ...CONFIG_ROUTES,
  ...TASK_ROUTES,
];

/** Every method that the simulator has, for documents and checks. */
export const METHODS: readonly string[] = ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted();

export type ApiRequest = {
  readonly method: string;
  /** Below /api2/json, decoded. */
  readonly path: string;
  readonly params: Params;
  readonly headers: IncomingHttpHeaders;
};

const PROXY_MS = 30_000;
const NOBODY = { user: "" };

export const answer = (
  setup: Setup,
  provider: SimulatedProvider,
  { headers, method, params, path }: ApiRequest,
): Replied => {
  const matched = matchRoute(ROUTES, method, path);
  const world = provider.world();
  const signed =
    matched?.route.isOpen === true
      ? ({ kind: "in", who: NOBODY } as const)
      : signIn({ accounts: setup.accounts, nowMs: world.nowMs, seed: setup.seed }, method, headers);
  if (signed.kind === "out")
    return { delayMs: DENIED_MS, reply: { kind: "empty", reason: signed.reason, status: 401 } };
  if (matched === undefined) return soon(notImplemented(`Method '${method} ${path}' not implemented`));

  const { route } = matched;
  const all = new Map([...params, ...matched.params]);
  const weigh: Weigh = {
    accounts: accountsAfter(setup.accounts, world.destroyed),
    dialect: setup.dialect,
    poolOf: (vmid) => world.guests.get(vmid)?.pool,
  };
  const need = route.need?.(all);
  if (need !== undefined && !isPermitted(weigh, signed.who, need)) return soon(notPermitted(forbidden(need)));

  const node = route.isLocal === true ? undefined : matched.params.get("node");
  const away = node === undefined || node === setup.local ? undefined : unreached(world, node);
  if (away !== undefined) {
    if (away.kind === "refused") return soon(died(away.text));
    const delayMs = away.status === 596 ? PROXY_MS : 0;
    return { delayMs, reply: { kind: "empty", reason: away.text, status: away.status } };
  }
  const errors = wrongWith(route.schema, all, isRoot(signed.who));
  if (errors !== undefined) return soon(wrongParameters(errors));
  const context: Context = { params: all, provider, setup, weigh, who: signed.who, world };
  return route.answer(context);
};
