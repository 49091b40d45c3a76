// The published schemas and the hand-written parsers accept the same: valid values and their mutants are shown to both.
//
// A schema cannot say everything; what only the parser sees is listed here by name. An entry of current.json that the
// schema turns away is no error of the parser but an unknown VM or a gap, so there "accepts" means without either.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { CURRENT_SCHEMA, currentText, parseCurrent } from "../../src/formats/current-json.ts";
import { PLAN_SCHEMA, parsePlan, planText } from "../../src/formats/plan-json.ts";
import { parseResult, RESULT_SCHEMA, resultText } from "../../src/formats/result-json.ts";
import { RULE_IDS } from "../../src/spine/rules/invariants.ts";
import { REFUSAL_CODES, refuse } from "../../src/spine/rules/refusals.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { ACTION_KINDS, action, observation, world } from "../spine/arbitraries.ts";
import { judge, observationOf, planFileOf, request, state, VMID } from "../spine/world.ts";

const schemaOf = (format: string) =>
  JSON.parse(readFileSync(new URL(`../../schemas/${format}.schema.json`, import.meta.url), "utf8"));
const SCHEMAS = { current: schemaOf("current"), plan: schemaOf("plan"), result: schemaOf("result") } as const;

const ajv = new Ajv2020({ allErrors: false, strictTypes: false });
const isCurrent = ajv.compile(SCHEMAS.current);
const isPlan = ajv.compile(SCHEMAS.plan);
const isResult = ajv.compile(SCHEMAS.result);

const bare = { complete: true, environment: "home" };
const current = (text: string) => parseCurrent(text, "current.json", bare);
/** A bare list has no gaps of its own here, and no generated gap speaks of a vmid. */
const takesWhole = (text: string): boolean => {
  const parsed = current(text);
  return (
    parsed.kind === "ok" &&
    !parsed.value.gaps.some(({ code }) => code === "entry-unreadable" || code === "entries-unreadable") &&
    !parsed.value.vms.some(({ because }) => because?.code.startsWith("entry-"))
  );
};
const takesPlan = (text: string): boolean => parsePlan(text, "plan.json").kind === "ok";
const takesResult = (text: string): boolean => parseResult(text, "result.json").kind === "ok";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What somebody could write instead: of every type, at every edge, nearly right and wholly wrong. */
/** What somebody could write instead: of every type, at every edge, nearly right and wholly wrong. */
const WORDS =
  "a A é all vm ct hot running stopped unknown paused step in-sync refusal refused clear vm.start vm.stop vm.exec " +
  "2026-11-15T10:00:00Z 2026-11-15T10:00:00.123456789Z 2026-11-15T24:00:00Z 2026-11-15T10:00:00+00:00";
const NUMBERS = [0, 1, 2, -1, 1.5, 8192, 8193, 2 ** 50, 2 ** 50 + 1, 999_999_999, 1e9, 2 ** 53, 1e21];
const LENGTHS = [255, 256, 1000, 1001].map((length) => "x".repeat(length));
const JUNK: readonly Json[] = [
  ...[null, true, false, ...NUMBERS, ...LENGTHS, ...WORDS.split(" "), "0".repeat(64), "A".repeat(64)],
  ...["", " ", "a b", " a", "a ", "a\u200b", "a\n", "\u{1f600}", "2026-11-15 10:00:00Z"],
  ...[[], [[]], [null], ["a"], [1], ["vm.start"], {}, { a: 1 }, { cpus: 1 }, { kind: "in-sync", vmid: 1 }],
  ...[{ actions: "all", because: "locked" }, { actions: "all", code: "template" }, { code: "bare-list" }],
  ...[
    { facts: { lock: "backup" } },
    { code: "locked", facts: { lock: 1 } },
    { kind: "vm.start" },
    { kind: "vm.resize" },
    { kind: "clear", tiers: [] },
  ],
];
const KEYS =
  "because code diagnostic facts said paused pending status name kind cpus complete gaps vmid extra Name $schema snapshot __proto__".split(
    " ",
  );

type Mutation = {
  readonly at: number;
  readonly how: number;
  readonly key: string;
  readonly junk: Json;
  readonly other: number;
};
const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  how: fc.nat({ max: 5 }),
  junk: fc.constantFrom(...JUNK),
  key: fc.constantFrom(...KEYS),
  other: fc.nat(),
});

type Spot = { readonly holder: Json[] | { [key: string]: Json }; readonly key: string };
const spotsOf = (value: Json): readonly Spot[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.keys(value).flatMap((key) => [{ holder: value, key }, ...spotsOf(Reflect.get(value, key))]);

const put = (holder: Spot["holder"], key: string, value: Json): void => {
  Object.defineProperty(holder, key, { configurable: true, enumerable: true, value, writable: true });
};

/** One small change somewhere in the value: exchanged, left out, added, renamed, doubled or copied from elsewhere. */
const mutated = (value: Json, { at, how, junk, key, other }: Mutation): Json => {
  const root = { root: structuredClone(value) };
  const spots = spotsOf(root);
  const spot = spots[at % spots.length];
  const source = spots[other % spots.length];
  if (spot === undefined || source === undefined) return junk;
  const { holder } = spot;
  const held: Json = Reflect.get(holder, spot.key);
  const inner = typeof held === "object" && held !== null && !Array.isArray(held) ? held : holder;
  if (how === 0) put(holder, spot.key, junk);
  else if (how === 1 && spot.key !== "root" && !Array.isArray(holder)) delete holder[spot.key];
  else if (how === 2 && !Array.isArray(inner) && inner !== root) put(inner, key, junk);
  else if (how === 3 && !Array.isArray(holder) && spot.key !== "root") {
    delete holder[spot.key];
    put(holder, key, held);
  } else if (how === 4 && Array.isArray(held)) held.push(junk);
  else put(holder, spot.key, structuredClone(Reflect.get(source.holder, source.key)));
  return root.root;
};

const mutants = (valid: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.tuple(valid, fc.array(mutation, { maxLength: 2 })).map(([value, changes]) => changes.reduce(mutated, value));

/** Shows every value to both and counts, so that a generator that makes only one kind is noticed. */
const agree = (
  values: fc.Arbitrary<Json>,
  schema: (value: unknown) => boolean,
  parser: (text: string) => boolean,
): void => {
  const counts = { accepted: 0, rejected: 0 };
  fc.assert(
    fc.property(values, (value) => {
      const text = JSON.stringify(value);
      const isAccepted = schema(JSON.parse(text));
      counts[isAccepted ? "accepted" : "rejected"] += 1;
      assert.equal(parser(text), isAccepted, `the schema ${isAccepted ? "accepts" : "rejects"} ${text}`);
    }),
    { numRuns: 400 },
  );
  assert.ok(counts.accepted > 20 && counts.rejected > 20, JSON.stringify(counts));
};

const asText = (text: string): Json => JSON.parse(text);
const currents = observation.map((seen) => asText(currentText(seen)));
const bareLists = observation.map((seen): Json => asText(JSON.stringify(seen.vms)));
const plans = fc.oneof(
  { arbitrary: world.map((made) => asText(planText(planFileOf(judge(made))))), weight: 3 },
  {
    arbitrary: action.map((asked) => {
      const judged = judge({ observation: observationOf([state({ cpus: 3, maxmem: 3 })]), entries: [request(asked)] });
      return asText(planText({ ...planFileOf(judged) }));
    }),
    weight: 1,
  },
);
const results = fc.constantFrom(...ACTION_KINDS).map((asked) =>
  asText(
    resultText({
      action: asked,
      cause: "call-unanswered",
      changed: [{ field: "status", now: "running", was: "stopped" }, { field: "boot" }],
      diagnostics: [{ code: "answer-lost" }, { code: "answer-timed-out", facts: { ms: 40_000 }, said: "x" }],
      environment: "home",
      facts: { sendBy: "soon" },
      outcome: "unknown",
      plan: sha256("plan"),
      refusal: refuse("overloaded", {}),
      step: sha256("step"),
      version: 1,
      vmid: VMID,
    }),
  ),
);

test("current.json: what the schema accepts, the parser takes whole, and nothing else", () =>
  agree(mutants(currents), isCurrent, takesWhole));
test("a bare list: what the schema accepts, the parser takes whole, and nothing else", () =>
  agree(mutants(bareLists), isCurrent, takesWhole));
test("plan.json: what the schema accepts, the parser takes, and nothing else", () =>
  agree(mutants(plans), isPlan, takesPlan));
test("result.json: what the schema accepts, the parser takes, and nothing else", () =>
  agree(mutants(results), isResult, takesResult));

test("a list of texts is a fact of a diagnostic to both, and a list of anything else to neither", () => {
  const [sample] = fc.sample(results, 1);
  for (const [ms, isTaken] of [
    [[], true],
    [["a", "b"], true],
    [[1], false],
    [[["a"]], false],
    [{}, false],
  ] as const) {
    const text = JSON.stringify({ ...(sample as object), diagnostics: [{ code: "answer-timed-out", facts: { ms } }] });
    assert.deepEqual([isResult(JSON.parse(text)), takesResult(text)], [isTaken, isTaken], text);
  }
});

const PLAN = { ...planFileOf(judge({ observation: observationOf([state()]), entries: [] })) };
/** Misfits between two keys, which chance seldom makes. */
const RARE = [
  { ...PLAN, verdict: { kind: "refused", refusals: [] } },
  { ...PLAN, applicable: true },
  { ...PLAN, because: undefined },
] as const;

test("plan.json: a misfit between two keys is seen by the schema and by the parser", () => {
  const seen = (value: unknown): readonly boolean[] => {
    const text = JSON.stringify(value);
    return [isPlan(JSON.parse(text)), takesPlan(text)];
  };
  assert.deepEqual(seen(PLAN), [true, true]);
  assert.deepEqual(seen({ ...PLAN, applicable: true, because: undefined }), [true, true]);
  for (const misfit of RARE) assert.deepEqual(seen(misfit), [false, false]);
});

test("a misfit outside the entries of current.json makes the file bad, and one inside never does", () => {
  const counts = { inside: 0, outside: 0 };
  const isFit = (value: Json): boolean => isCurrent(value);
  fc.assert(
    fc.property(mutants(currents), (value) => {
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
      const emptied = isObject && Array.isArray(value["vms"]) ? { ...value, vms: [] } : value;
      const expected = Array.isArray(value) || isFit(emptied) ? "ok" : "bad";
      if (!isFit(value)) counts[expected === "ok" ? "inside" : "outside"] += 1;
      assert.equal(current(JSON.stringify(value)).kind, expected, JSON.stringify(value));
    }),
    { numRuns: 400 },
  );
  assert.ok(counts.inside > 20 && counts.outside > 20, JSON.stringify(counts));
});

const FILE = { complete: true, environment: "home", version: 1, vms: [] };
/** What the schemas cannot say: the parser alone turns these away. */
const BEYOND: Readonly<Record<string, string>> = {
  "a day that no calendar has": JSON.stringify({ ...FILE, observedAt: "2026-02-30T10:00:00Z" }),
  "a key written twice": `{"complete": false, ${JSON.stringify(FILE).slice(1)}`,
  "an escape in a key": JSON.stringify(FILE).replace('"version"', '"\\u0076ersion"'),
};

for (const [what, text] of Object.entries(BEYOND)) {
  test(`beyond the schema: ${what} is seen by the parser alone`, () => {
    assert.equal(isCurrent(JSON.parse(text)), true);
    assert.equal(current(text).kind, "bad");
    assert.equal(current(JSON.stringify(FILE)).kind, "ok");
  });
}

test("every schema has the address that its files name", () => {
  assert.equal(SCHEMAS.current.$id, CURRENT_SCHEMA);
  assert.equal(SCHEMAS.plan.$id, PLAN_SCHEMA);
  assert.equal(SCHEMAS.result.$id, RESULT_SCHEMA);
});

test("the schemas list every action, refusal and rule there is", () => {
  const sorted = (list: readonly string[]) => [...list].sort();
  assert.deepEqual(sorted(SCHEMAS.plan.$defs.refusal.properties.code.enum), sorted(REFUSAL_CODES));
  assert.deepEqual(sorted(SCHEMAS.result.$defs.refusal.properties.code.enum), sorted(REFUSAL_CODES));
  assert.deepEqual(sorted(SCHEMAS.plan.$defs.refusal.properties.rule.enum), sorted(RULE_IDS));
  assert.deepEqual(sorted(SCHEMAS.current.$defs.actionKind.enum), sorted(ACTION_KINDS));
  assert.deepEqual(sorted(SCHEMAS.result.properties.action.enum), sorted(ACTION_KINDS));
});

/** The keys of a schema that stand for keys of a file, with their schemas. */
const keysIn = (schema: unknown): readonly (readonly [key: string, schema: Json])[] =>
  typeof schema !== "object" || schema === null
    ? []
    : Object.entries(schema).flatMap(([word, inner]): readonly (readonly [string, Json])[] =>
        word === "if" || word === "then" || word === "else" || word === "dependentSchemas"
          ? []
          : word === "properties"
            ? Object.entries<Json>(inner).flatMap(([key, value]) => [[key, value] as const, ...keysIn(value)])
            : keysIn(inner),
      );

for (const [format, schema] of Object.entries(SCHEMAS)) {
  test(`every key of ${format}.schema.json has a description`, () => {
    const described = (value: Json): boolean => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
      const target =
        typeof value["$ref"] === "string" ? schema.$defs[value["$ref"].replace("#/$defs/", "")] : undefined;
      return typeof value["description"] === "string" || typeof target?.description === "string";
    };
    const keys = keysIn(schema);
    assert.ok(keys.length > 8);
    assert.deepEqual(
      keys.filter(([, value]) => !described(value)).map(([key]) => key),
      [],
    );
  });
}
