// The OpenAPI 3.1 file: made from the table of routes, the schemas of requests and the published schemas of answers, so
// that what is described is what is checked and sent.

import type { TSchema } from "typebox";
import { type HttpRoute, type PlacedPart, pathsOf } from "../../src/boundary/contract/http-route.ts";
import { ROUTED, ROUTES, type RoutedOperation } from "../../src/boundary/contract/routes.ts";
import { bodySchema, REQUESTS } from "../../src/boundary/contract/schemas.ts";
import { wireName } from "../../src/boundary/contract/travel.ts";
import { schemaText } from "../answers/answer-schema.ts";
import { type JsonSchema, TEXT } from "../answers/json-schema.ts";
import { type Components, components } from "./components.ts";
import { AT_LEAST, doorPaths } from "./door-paths.ts";
import { BODY_EXAMPLES, EXAMPLE_KEY, PARAMETER_EXAMPLES } from "./examples.ts";
import { OPERATION_WORDS } from "./operation-words.ts";
import { HEADERS, headersOf } from "./reply-headers.ts";

export const OPENAPI_PATH = "schemas/openapi.json";

const KEY: JsonSchema = {
  description: "A ULID or a UUIDv7. The same key with the same request gets the stored answer.",
  example: EXAMPLE_KEY,
  in: "header",
  name: "Idempotency-Key",
  required: true,
  schema: TEXT,
};
const IF_NONE_MATCH: JsonSchema = {
  description: "An ETag: 304 where nothing was recorded since.",
  in: "header",
  name: "If-None-Match",
  schema: TEXT,
};
const PREFER: JsonSchema = {
  description: "wait=N: the outcome, where it comes within N seconds; at most 30.",
  in: "header",
  name: "Prefer",
  schema: TEXT,
};
const LIMIT: JsonSchema = {
  description: "How many records at most; the next page is named by a Link.",
  in: "query",
  name: "limit",
  schema: { maximum: 500, minimum: 1, type: "integer" },
};
const MORE_HEADERS: { readonly [K in RoutedOperation]?: readonly string[] } = {
  apply: ["Location", "Preference-Applied"],
  records: ["Link"],
};
const MORE: { readonly [K in RoutedOperation]?: readonly JsonSchema[] } = { apply: [PREFER], records: [LIMIT] };

const STEP_PATTERN = "^(?:0|[1-9][0-9]*|vm:.+)$";

/** As it is written on the wire: a number by its digits, a step by its number or its VM. */
const wireSchema = ({ form }: PlacedPart, schema: TSchema): JsonSchema => {
  if (form === "number") return plain(schema);
  if (form === "step") return { description: "A number, or vm: and a VM.", pattern: STEP_PATTERN, type: "string" };
  if (form === "words") return { items: { minLength: 1, type: "string" }, type: "array" };
  const { type } = schema as { readonly type?: unknown };
  return type === "string" ? plain(schema) : { minLength: 1, type: "string" };
};

/** Without what only the checker knows. */
const plain = (schema: TSchema): JsonSchema => JSON.parse(JSON.stringify(schema));

const parametersOf = (operation: RoutedOperation, path: string): readonly JsonSchema[] => {
  const route: HttpRoute = ROUTES[operation];
  const { properties, required = [] } = REQUESTS[operation] as {
    readonly properties: Readonly<Record<string, TSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(route.parts).flatMap(([field, part]) => {
    const schema = properties[field];
    if (!("form" in part) || schema === undefined) return [];
    const name = wireName(field, part);
    if (part.in === "path" && !path.includes(`{${name}}`)) return [];
    const example = PARAMETER_EXAMPLES[name];
    if (example === undefined) throw new Error(`the parameter ${name} has no example`);
    const isRequired = part.in === "path" || (required.includes(field) && part.orElse === undefined);
    return [
      {
        ...(part.form === "number" ? { example: Number(example) } : part.form === "words" ? {} : { example }),
        in: part.in,
        name,
        ...(isRequired ? { required: true } : {}),
        schema: wireSchema(part, schema),
      },
    ];
  });
};

/** Whatever was stored under the digest. */
const ANYTHING: JsonSchema = { additionalProperties: true, type: "object" };

const answered = (operation: RoutedOperation, { refTo }: Components): JsonSchema => {
  const { answer, method, status } = ROUTES[operation];
  const content =
    answer === "ndjson"
      ? { "application/x-ndjson": { schema: TEXT } }
      : { "application/json": { schema: answer === "blob" ? ANYTHING : refTo("answer", `/$defs/${answer}`) } };
  const [headers, description] = [
    headersOf(
      "Dedalus-Correlation-Id",
      "Dedalus-Head",
      "ETag",
      ...(method === "POST" ? ["Dedalus-Record", "Idempotency-Replayed"] : []),
      ...(MORE_HEADERS[operation] ?? []),
    ),
    OPERATION_WORDS[operation],
  ];
  return {
    ...(operation === "apply"
      ? { 200: { content, description: "The outcome, where it was waited for.", headers } }
      : {}),
    [status]: { content, description, headers },
    ...(method === "GET" ? { 304: { description: "Nothing was recorded since." } } : {}),
    default: { $ref: "#/components/responses/Problem" },
  };
};

const operationOf = (operation: RoutedOperation, path: string, isScoped: boolean, parts: Components): JsonSchema => {
  const { method } = ROUTES[operation];
  const body = bodySchema(operation);
  const example = BODY_EXAMPLES[operation];
  const hasBody = Object.keys(body.properties).length > 0;
  const required = (body as { readonly required?: readonly string[] }).required ?? [];
  return {
    operationId: isScoped ? `${operation}In` : operation,
    parameters: [
      ...parametersOf(operation, path),
      ...(method === "POST" ? [KEY] : [AT_LEAST, IF_NONE_MATCH]),
      ...(MORE[operation] ?? []),
    ],
    ...(hasBody
      ? {
          requestBody: {
            content: { "application/json": { ...(example === undefined ? {} : { example }), schema: plain(body) } },
            required: required.length > 0,
          },
        }
      : {}),
    responses: answered(operation, parts),
    summary: OPERATION_WORDS[operation],
  };
};

const PROBLEM = (refTo: Components["refTo"]): JsonSchema => ({
  additionalProperties: false,
  description: "What is refused (RFC 9457). Programs read code, cause and facts; text is for people.",
  properties: {
    beside: { items: refTo("answer", "/$defs/errorAnswer"), type: "array" },
    correlationId: TEXT,
    detail: TEXT,
    domain: { enum: ["input", "internal", "kernel", "transport", "validation"] },
    outcome: { description: "Whether anything was executed.", enum: ["executed", "not_executed", "unknown"] },
    refusals: { items: refTo("answer", "/$defs/refusal"), type: "array" },
    status: { maximum: 599, minimum: 400, type: "integer" },
    title: TEXT,
    type: { description: "urn:dedalus:problem: and the code of the first refusal.", type: "string" },
    unanswered: refTo("answer", "/$defs/unanswered"),
  },
  required: ["correlationId", "detail", "domain", "outcome", "refusals", "status", "title", "type"],
  type: "object",
});

/** Of an answer that has several forms, those that a service gives; the others are what a command makes of files. */
const SERVED_FORMS: Readonly<Record<string, readonly number[]>> = { planned: [0], records: [0], verified: [0, 1] };

const servedAnswers = (all: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    Object.entries(all).map(([name, schema]): readonly [string, JsonSchema] => {
      const { anyOf: forms = [] } = schema as { readonly anyOf?: readonly JsonSchema[] };
      const served = forms.filter((_, at) => SERVED_FORMS[name]?.includes(at) ?? true);
      const [first = schema, ...others] = served;
      if (served.length === forms.length) return [name, schema];
      return [name, others.length === 0 ? first : { anyOf: served }];
    }),
  );

export const openapi = (): JsonSchema => {
  const parts = components();
  const paths: Record<string, JsonSchema> = {};
  for (const operation of ROUTED) {
    const route: HttpRoute = ROUTES[operation];
    const all = pathsOf(route);
    for (const path of all) {
      const isScoped = all.length > 1 && path === all[0];
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(operation, path, isScoped, parts) };
    }
  }
  for (const [path, item] of Object.entries(doorPaths(parts))) paths[path] = { ...paths[path], ...item };
  const problem = PROBLEM(parts.refTo);
  return {
    openapi: "3.1.0",
    info: {
      description: "A control plane for virtual machines that does only what it can prove it should do.",
      license: { identifier: "Apache-2.0", name: "Apache-2.0" },
      title: "Dedalus",
      version: "1",
    },
    servers: [{ url: "http://127.0.0.1:7400" }],
    security: [{ token: [] }],
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      headers: HEADERS,
      responses: {
        Problem: {
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/problem" } } },
          description: "What is refused, and why.",
          headers: headersOf("Dedalus-Correlation-Id", "Idempotency-Replayed", "Retry-After", "WWW-Authenticate"),
        },
      },
      schemas: { ...servedAnswers(parts.all()), problem },
      securitySchemes: { token: { scheme: "bearer", type: "http" } },
    },
  };
};

export const openapiText = (): string => schemaText(openapi());
