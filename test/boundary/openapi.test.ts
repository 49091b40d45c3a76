// The OpenAPI file is a document of OpenAPI 3.1, describes what is there, and nothing else.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { DOOR_ROUTES } from "../../src/boundary/contract/door-routes.ts";
import { pathsOf } from "../../src/boundary/contract/http-route.ts";
import { ROUTED, ROUTES } from "../../src/boundary/contract/routes.ts";
import { OPENAPI_PATH, openapiText } from "../../tools/openapi/openapi.ts";

type Operation = {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly example?: unknown;
    readonly in: string;
    readonly name: string;
    readonly schema: object;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example?: object; readonly schema: object }>>;
  };
  readonly responses: Readonly<Record<string, object>>;
};
const document = JSON.parse(openapiText()) as {
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method, operation, path })),
);

test("the file that is checked in is the one that the tables make", () => {
  assert.equal(readFileSync(new URL(`../../${OPENAPI_PATH}`, import.meta.url), "utf8"), openapiText(), "run make docs");
});

test("it describes every route and no other", () => {
  const routes = [
    ...ROUTED.flatMap((one) => pathsOf(ROUTES[one]).map((path) => `${ROUTES[one].method} ${path}`)),
    ...Object.values(DOOR_ROUTES).map(({ method, path }) => `${method} ${path}`),
  ];
  assert.deepEqual(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort(), routes.sort());
  assert.match(document.openapi, /^3\.1\./);
});

test("every reference leads somewhere, and every schema is one", () => {
  const at = (pointer: string): unknown =>
    pointer
      .slice(2)
      .split("/")
      .reduce<unknown>((inner, part) => Object(inner)[part], document);
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, one] of Object.entries(value)) {
      if (key === "$ref") assert.notEqual(at(String(one)), undefined, String(one));
      else walk(one);
    }
  };
  walk(document);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const [name, schema] of Object.entries(document.components["schemas"] ?? {}))
    assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`);
});

test("ids are unique, parameters of a path are required, and every operation tells of problems", () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const { operation, path } of operations) {
    const named = operation.parameters.filter((one) => one.in === "path").map(({ name }) => name);
    const braces = Array.from(path.matchAll(/\{([a-z]+)\}/g), ([, name]) => name);
    assert.deepEqual(named.sort(), braces.sort(), path);
    assert.ok("default" in operation.responses, path);
  }
});

test("every example fits the schema beside it", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...document, $id: "openapi" });
  for (const { operation, path } of operations) {
    for (const { example, name, schema } of operation.parameters)
      if (example !== undefined) assert.ok(ajv.validate(schema, example), `${path} ${name}: ${ajv.errorsText()}`);
    const body = operation.requestBody?.content["application/json"];
    if (body?.example !== undefined) assert.ok(ajv.validate(body.schema, body.example), `${path}: ${ajv.errorsText()}`);
  }
});
