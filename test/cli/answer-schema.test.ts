// The schema of answers is strict, and says one thing by one name.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ROUTES } from "../../src/boundary/contract/routes.ts";
import { COMMANDS } from "../../src/cli/catalogue/catalogue.ts";
import { ANSWER_NAMES } from "../../src/service/json/answer-names.ts";
import { schemaTexts } from "../../tools/answers/answer-schema.ts";
import { misfitOf } from "./answer-schema.ts";
import { atDesk } from "./desk.ts";

type Schema = { readonly [keyword: string]: unknown };

const SCHEMA: Schema = JSON.parse(readFileSync(new URL("../../schemas/answer.schema.json", import.meta.url), "utf8"));

/** Every member anywhere in a schema, by its name. */
function* membersIn(schema: unknown): Generator<readonly [string, Schema]> {
  if (typeof schema !== "object" || schema === null) return;
  for (const [keyword, inner] of Object.entries(schema)) {
    if (keyword === "properties") yield* Object.entries(inner as Readonly<Record<string, Schema>>);
    yield* membersIn(inner);
  }
}

test("the published schemas are what the tables say", () => {
  for (const [path, text] of Object.entries(schemaTexts())) {
    assert.equal(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"), text, `run make docs: ${path}`);
  }
});

test("a member of an answer means the same wherever it stands, and says what", () => {
  const meanings = new Map<string, Set<string>>();
  for (const [name, schema] of membersIn(SCHEMA)) {
    meanings.set(name, (meanings.get(name) ?? new Set()).add(JSON.stringify(schema)));
    assert.ok("description" in schema || "$ref" in schema || schema["const"] === true, name);
  }
  assert.ok(meanings.size > 150, "the members were seen");
  assert.deepEqual(
    [...meanings].filter(([, schemas]) => schemas.size > 1).map(([name]) => name),
    [],
  );
});

test("every object of the schema is closed", () => {
  const open: string[] = [];
  const walk = (schema: unknown, at: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    const { additionalProperties, type } = schema as Schema;
    if (type === "object" && (additionalProperties === undefined || additionalProperties === true)) open.push(at);
    for (const [keyword, inner] of Object.entries(schema)) walk(inner, `${at}/${keyword}`);
  };
  walk(SCHEMA, "");
  assert.deepEqual(open, []);
});

test("every answer is some command's, or of a route, but for help and the version", () => {
  const printed = new Set<string>([...COMMANDS, ...Object.values(ROUTES)].map(({ answer }) => answer));
  assert.deepEqual(
    ANSWER_NAMES.filter((name) => !printed.has(name)),
    ["help", "version"],
  );
});

const answered = (...argv: readonly string[]): Promise<object> =>
  atDesk({}, async (dedalus) => {
    await dedalus("init", ".", "--operator", "alice");
    await dedalus("ledger", "checkpoint");
    return JSON.parse((await dedalus(...argv, "--json")).out);
  });

test("a member too many or too few does not fit, in an answer, inside it, and in an error", async () => {
  const status = await answered("freeze", "--reason", "incident");
  assert.equal(misfitOf("frozen", status), undefined);
  assert.match(misfitOf("frozen", { ...status, extra: 1 }) ?? "", /additional/);
  const { seq: _, ...without } = status as { readonly seq: number };
  assert.match(misfitOf("frozen", without) ?? "", /seq/);

  const { actor, ...who } = (await answered("whoami")) as { readonly actor: object };
  assert.equal(misfitOf("whoami", { ...who, actor }), undefined);
  assert.match(misfitOf("whoami", { ...who, actor: { ...actor, token: "x" } }) ?? "", /additional/);

  const failed = (await answered("plan", "--vm", "101")) as {
    readonly error: { readonly refusals: readonly object[] };
  };
  assert.equal(misfitOf("errorAnswer", failed), undefined);
  const [refusal] = failed.error.refusals;
  const planted = { error: { ...failed.error, refusals: [{ ...refusal, stack: "at x.ts:1" }] } };
  assert.match(misfitOf("errorAnswer", planted) ?? "", /additional/);
  const { text: __, ...wordless } = refusal as { readonly text: object };
  assert.match(misfitOf("errorAnswer", { error: { ...failed.error, refusals: [wordless] } }) ?? "", /text/);
});
