// From what arrived to the request of an operation, or why it is none: parameters that are not known, values that
// do not fit, a body with a key too many. The request that comes out is what its type says.
//
// Not here: who asks (request-caller.ts), what becomes of it (the service). Keeps P7-F1, B7.

import { Compile, type Validator } from "typebox/compile";
import { isSome, misfitProblems } from "../../formats/json/json-position.ts";
import { type RefusedAnswer, refusedInput } from "../../service/answer.ts";
import { visible } from "../../spine/values/invisible.ts";
import type { HttpRoute } from "../contract/http-route.ts";
import { type RequestAt, ROUTED, ROUTES, type RoutedOperation } from "../contract/routes.ts";
import { bodySchema, REQUESTS } from "../contract/schemas.ts";
import { type RequestArrived, requestIn, wireName } from "../contract/travel.ts";
import { unfitRequest } from "./door-refusal.ts";
import { misfitsIn } from "./schema-misfits.ts";
import { BODY_NAME, type JsonBody } from "./strict-body.ts";

type Checks = { readonly body: Validator; readonly query: readonly string[]; readonly whole: Validator };

const FOUND_MAX = 100;
const shown = (text: string): string => visible(text.slice(0, FOUND_MAX));

/** What every route takes beside its own parameters. */
const EVERYWHERE: readonly string[] = ["at-least"];

const queryNames = (route: HttpRoute): readonly string[] =>
  Object.entries(route.parts)
    .filter(([, part]) => part.in === "query")
    .map(([field, part]) => wireName(field, part));

const CHECKS: ReadonlyMap<RoutedOperation, Checks> = new Map(
  ROUTED.map((one) => [
    one,
    {
      body: Compile(bodySchema(one)),
      query: [...queryNames(ROUTES[one]), ...EVERYWHERE],
      whole: Compile(REQUESTS[one]),
    },
  ]),
);

/** `own` are parameters that a route takes for itself, such as the size of a page. */
export const requestOf = <K extends RoutedOperation>(
  operation: K,
  arrived: Omit<RequestArrived, "body"> & { readonly body: JsonBody },
  own: readonly string[] = [],
): RequestAt<K> | RefusedAnswer => {
  const route: HttpRoute = ROUTES[operation];
  const checks = CHECKS.get(operation);
  if (checks === undefined) throw new Error(`no operation is called ${operation}`);
  const isKnown = (name: string): boolean => checks.query.includes(name) || own.includes(name);
  const stranger = arrived.query.size === 0 ? undefined : [...arrived.query.keys()].find((name) => !isKnown(name));
  if (stranger !== undefined) return unfitRequest({ cause: "parameter-unknown", facts: { name: shown(stranger) } });
  const { text, value } = arrived.body;
  // Whether it fits is soon told; what is wrong with it takes as long as it takes.
  const inBody = checks.body.Check(value) ? [] : misfitsIn(bodySchema(operation), value, checks.body.Errors(value));
  if (isSome(inBody)) return refusedInput(misfitProblems(text, BODY_NAME, inBody));
  const read = requestIn(route, { ...arrived, body: value });
  if (read.kind === "unfit") return wrong(read.name, read.found);
  const { request } = read;
  const [first] = checks.whole.Check(request)
    ? []
    : misfitsIn(REQUESTS[operation], request, checks.whole.Errors(request));
  // Of what its schemas take the type is a copy; a test holds the one against the other.
  if (first === undefined) return request as RequestAt<K>;
  const [field = ""] = first.field.split(/[.[]/);
  const name = wireName(field, route.parts[field] ?? { in: "body" });
  return first.refusal.code === "key-missing"
    ? unfitRequest({ cause: "parameter-missing", facts: { name } })
    : wrong(name, String(request[field]));
};

const wrong = (name: string, found: string): RefusedAnswer =>
  unfitRequest({ cause: "parameter-wrong", facts: { found: shown(found), name } });
