// The contract of HTTP: every operation has a route, every field of a request a place, a schema and a way back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type HttpRoute, pathsOf } from "../../src/boundary/contract/http-route.ts";
import { ROUTED, ROUTES, type RoutedOperation } from "../../src/boundary/contract/routes.ts";
import { bodySchema, REQUESTS } from "../../src/boundary/contract/schemas.ts";
import { httpStatusOf, STATUSES } from "../../src/boundary/contract/statuses.ts";
import { type RequestArrived, requestIn, requestWritten, wireName } from "../../src/boundary/contract/travel.ts";
import { ANSWER_NAMES } from "../../src/service/json/answer-names.ts";
import { REFUSAL_CODES, refuse } from "../../src/spine/rules/refusals.ts";
import { serving } from "../service/serving.ts";

const routeOf = (operation: RoutedOperation): HttpRoute => ROUTES[operation];
const partsOf = (operation: RoutedOperation) => Object.entries(routeOf(operation).parts);

/** Of whoever runs the process, and of its door for somebody whom it has proven: nobody asks for these at a door. */
const UNROUTED: readonly string[] = [
  "begin",
  "close",
  "findInvitation",
  "findPasskey",
  "posture",
  "recall",
  "redeem",
  "signIn",
];

test("every operation of the service has a route, but for those of whoever runs it, and no other has", async (t) => {
  const operations = Object.keys((await serving(t)).open());
  assert.deepEqual(operations.filter((name) => !UNROUTED.includes(name)).sort(), ROUTED.toSorted());
});

test("no two operations share a method and a path", () => {
  const all = ROUTED.flatMap((one) => pathsOf(routeOf(one)).map((path) => `${routeOf(one).method} ${path}`));
  assert.equal(new Set(all.map((one) => one.replaceAll(/\{[a-z]+\}/g, "{}"))).size, all.length);
});

test("what stands in braces is a part that travels in the path, and the other way round", () => {
  for (const operation of ROUTED) {
    const { isScoped, path } = routeOf(operation);
    const braces = Array.from(path.matchAll(/\{([a-z]+)\}/g), ([, name]) => name);
    const placed = partsOf(operation)
      .filter(([, part]) => part.in === "path")
      .map(([field, part]) => wireName(field, part));
    assert.deepEqual([...(isScoped === true ? ["environment"] : []), ...braces].sort(), placed.sort(), operation);
  }
});

test("a GET has no body and a POST no query, so that a key stands for the whole request", () => {
  for (const operation of ROUTED) {
    const places = new Set(partsOf(operation).map(([, part]) => part.in));
    assert.ok(!places.has(routeOf(operation).method === "GET" ? "body" : "query"), operation);
  }
});

test("the schema of a request has the fields that its route has places for", () => {
  for (const operation of ROUTED) {
    const sent = partsOf(operation).filter(([, part]) => part.in !== "nowhere");
    assert.deepEqual(
      Object.keys(REQUESTS[operation].properties).sort(),
      sent.map(([field]) => field).sort(),
      operation,
    );
    const inBody = sent.filter(([, part]) => part.in === "body").map(([field]) => field);
    assert.deepEqual(Object.keys(bodySchema(operation).properties).sort(), inBody.sort(), operation);
  }
});

test("every answer of a route is an answer with a schema, or a stream of lines", () => {
  for (const operation of ROUTED) {
    const { answer } = routeOf(operation);
    assert.ok(answer === "blob" || answer === "ndjson" || ANSWER_NAMES.includes(answer), operation);
  }
});

const arrived = (route: HttpRoute, path: string, body: RequestArrived["body"] = {}): RequestArrived => {
  const { pathname, searchParams } = new URL(path, "http://127.0.0.1");
  for (const template of pathsOf(route)) {
    const names = Array.from(template.matchAll(/\{([a-z]+)\}/g), ([, name = ""]) => name);
    const found = new RegExp(`^${template.replaceAll(/\{[a-z]+\}/g, "([^/]*)")}$`).exec(pathname);
    if (found === null) continue;
    const params = Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? "")]));
    const query = new Map(Array.from(new Set(searchParams.keys()), (name) => [name, searchParams.getAll(name)]));
    return { body, params, query };
  }
  throw new Error(`${path} is no path of the route`);
};

const SAMPLES: readonly (readonly [RoutedOperation, Readonly<Record<string, unknown>>])[] = [
  ["acceptIdentity", { environment: "home", identity: "uuid/1", reason: "rebuilt", vmid: "web-01" }],
  ["approve", { explanation: "ab", plan: "01J", reason: "agreed", step: { number: 2 } }],
  ["apply", { confirmation: { explanation: "ab" }, plan: "latest", step: { vmid: "a/b?c#d" } }],
  ["drift", {}],
  ["drift", { environment: "home" }],
  ["history", { vm: "wéb 01" }],
  ["makePlan", { environment: "home", scope: ["101", 102] }],
  ["prove", { seq: 0 }],
  ["records", { correlationId: "X", from: 3, kind: "plan", to: 9, vmid: "web-01" }],
  ["revokeToken", { id: "abc" }],
  ["status", { vmid: "101" }],
  ["vms", { vms: ["101", "web-01,x"] }],
  ["vms", {}],
];

test("a request comes back as it was written", () => {
  for (const [operation, request] of SAMPLES) {
    const route = routeOf(operation);
    const { body, path } = requestWritten(route, request);
    assert.deepEqual(requestIn(route, arrived(route, path, body)), { kind: "read", request }, operation);
  }
});

test("what is not given is what is meant by its absence", () => {
  assert.equal(requestWritten(ROUTES.prepareApply, {}).path, "/v1/plans/latest/preparation");
  assert.deepEqual(requestIn(ROUTES.records, arrived(ROUTES.records, "/v1/records")), {
    kind: "read",
    request: { from: 0 },
  });
});

test("what is no number, no step, or given twice is named", () => {
  const unfit = (path: string, operation: RoutedOperation) =>
    requestIn(routeOf(operation), arrived(routeOf(operation), path));
  for (const from of ["-1", "1e3", "01", "+1", "9007199254740993", "x", ""])
    assert.deepEqual(unfit(`/v1/records?from=${encodeURIComponent(from)}`, "records"), {
      found: from,
      kind: "unfit",
      name: "from",
    });
  assert.equal(unfit("/v1/records?kind=plan&kind=apply", "records").kind, "unfit");
  assert.equal(unfit("/v1/plans/latest/steps/vm:/explanation", "explain").kind, "unfit");
});

test("every refusal has a status of the 4xx or 5xx", () => {
  assert.deepEqual(Object.keys(STATUSES).sort(), [...REFUSAL_CODES].sort());
  for (const row of Object.values(STATUSES))
    for (const status of typeof row === "number" ? [row] : Object.values(row)) assert.ok(status >= 400 && status < 600);
  assert.equal(httpStatusOf(refuse("usage", { cause: "record-unknown", facts: { seq: 9, size: 1 } })), 404);
  assert.equal(httpStatusOf(refuse("usage", { cause: "no-step", facts: { plan: "x" } })), 400);
});
