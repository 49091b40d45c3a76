// Types of the published file formats, made from their JSON Schemas: one schema in, the text of one .d.ts out. Pure.
//
// A type says which keys and values there are. Patterns, ranges and conditions stay with the schema: what the schema
// takes always fits the type, and not the other way round.

type Schema = {
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
  readonly additionalProperties?: false | Schema;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly title?: string;
  readonly type?: string | readonly string[];
};

/** The published formats by the name of their schema, and what the type of a whole file is called. */
export const FORMATS: Readonly<Record<string, string>> = {
  answer: "Answer",
  client: "ClientConfig",
  current: "Current",
  dedalus: "Config",
  desired: "Desired",
  explanation: "Explanation",
  plan: "PlanFile",
  policy: "Policy",
  record: "LedgerRecord",
  result: "Result",
  scenario: "Scenario",
};

export const typesOf = (root: string, given: Schema): string => {
  const schema = named(given, root) as Schema;
  const parts = Object.entries(schema.$defs ?? {}).map(([name, part]) => [typeName(name), part] as const);
  const declared = [[root, schema] as const, ...parts];
  if (new Set(declared.map(([name]) => name)).size < declared.length) throw new Error(`${root}: two types of one name`);
  return declared
    .map(([name, part]) => `${comment(part, "")}export type ${name} = ${typeText(part, "")};\n`)
    .join("\n");
};

/** The same schema, with the name of a type in the place of each reference. */
const named = (value: unknown, root: string): unknown => {
  if (Array.isArray(value)) return value.map((one) => named(one, root));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === "$ref" && typeof one === "string" ? referenceText(one, root) : named(one, root),
    ]),
  );
};

/** `plan.schema.json#/$defs/step/properties/name` is the type of a member of another file's part. */
const referenceText = (reference: string, root: string): string => {
  const [, format, pointer = ""] = /^(?:([a-z]+)\.schema\.json)?(?:#\/(.*))?$/.exec(reference) ?? [];
  const whole = format === undefined ? root : (FORMATS[format] ?? "");
  const words = pointer.split("/");
  const name = words[0] === "$defs" ? typeName(words[1] ?? "") : whole;
  const member = words.indexOf("properties") < 0 ? "" : `[${JSON.stringify(words.at(-1))}]`;
  return `${format === undefined ? "" : `import("./${format}.js").`}${name}${member}`;
};

const typeName = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const comment = ({ description }: Schema, indent: string): string =>
  description === undefined ? "" : `${indent}/** ${description.replaceAll("*/", "* /")} */\n`;

const PLAIN: Readonly<Record<string, string>> = {
  boolean: "boolean",
  integer: "number",
  null: "null",
  number: "number",
  string: "string",
};

const typeText = (schema: Schema, indent: string): string => {
  if (schema.$ref !== undefined) return schema.$ref;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type !== undefined) return union([schema.type].flat().map((type) => ofType(type, schema, indent)));
  const choices = schema.oneOf ?? schema.anyOf;
  return choices === undefined ? "unknown" : union(choices.map((choice) => typeText(choice, indent)));
};

const union = (texts: readonly string[]): string => [...new Set(texts)].join(" | ");

const ofType = (type: string, schema: Schema, indent: string): string => {
  if (type === "array")
    return `readonly (${schema.items === undefined ? "unknown" : typeText(schema.items, indent)})[]`;
  if (type === "object") return objectText(schema, indent);
  const plain = PLAIN[type];
  if (plain === undefined) throw new Error(`${type} is no type of JSON Schema`);
  return plain;
};

const objectText = (schema: Schema, indent: string): string => {
  const { additionalProperties, properties = {}, required = [] } = schema;
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(
    ([key, member]) =>
      `${comment(member, inner)}${inner}readonly ${JSON.stringify(key)}${required.includes(key) ? "" : "?"}: ${typeText(member, inner)};\n`,
  );
  if (additionalProperties === false) return `{\n${members.join("")}${indent}}`;
  const other = additionalProperties === undefined ? "unknown" : typeText(additionalProperties, inner);
  if (members.length === 0) return `{ readonly [key: string]: ${other} }`;
  return `{\n${members.join("")}${inner}readonly [key: string]: unknown;\n${indent}}`;
};
