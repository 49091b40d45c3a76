// JSON Schema as values, and the few words to write one with. An object says which of its members are required; it
// takes no other.

export type JsonSchema = { readonly [keyword: string]: unknown };

export const described = (description: string, schema: JsonSchema): JsonSchema => ({ description, ...schema });

const MOST = Number.MAX_SAFE_INTEGER;

export const TEXT: JsonSchema = { type: "string" };
export const BOOLEAN: JsonSchema = { type: "boolean" };
export const COUNT: JsonSchema = { maximum: MOST, minimum: 0, type: "integer" };
export const NUMBER: JsonSchema = { maximum: MOST, minimum: 1, type: "integer" };
export const TRUE: JsonSchema = { const: true };
export const oneOf = (...words: readonly string[]): JsonSchema => ({ enum: words });
export const part = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
export const listOf = (items: JsonSchema): JsonSchema => ({ items, type: "array" });

/** Described parts. */
export const digest = (description: string): JsonSchema => described(description, part("digest"));
export const instant = (description: string): JsonSchema => described(description, part("instant"));
export const ulid = (description: string): JsonSchema => described(description, part("ulid"));
export const count = (description: string): JsonSchema => described(description, COUNT);
export const text = (description: string): JsonSchema => described(description, TEXT);
export const list = (description: string, items: JsonSchema): JsonSchema => described(description, listOf(items));

/** Of another schema: a document with words of its own. */
export const documentIn = (format: string, pointer = ""): JsonSchema => ({
  $ref: `${format}.schema.json${pointer === "" ? "" : `#/${pointer}`}`,
});

/** Members by name; those that may be absent have a question mark at their end. */
export const objectOf = (fields: Readonly<Record<string, JsonSchema>>, ...names: readonly string[]): JsonSchema => {
  const members = names.map((name) => name.replace(/\?$/, ""));
  return {
    additionalProperties: false,
    properties: Object.fromEntries(
      members.map((name) => {
        const field = fields[name];
        if (field === undefined) throw new Error(`no field is called ${name}`);
        return [name, field];
      }),
    ),
    required: names.filter((name) => !name.endsWith("?")),
    type: "object",
  };
};
