// Whether a value is what a published schema says: the part of JSON Schema that the schemas of answers use, read as
// they are, so that no schema compiler is loaded.
//
// What a schema does not name is let through: a service may be newer, and within a major version members are only
// added. keeps P7-F1

export type SchemaDocument = Readonly<Record<string, unknown>>;
/** A schema by its file's name, such as answer.schema.json. */
export type SchemaDocuments = (file: string) => SchemaDocument;

type At = { readonly documents: SchemaDocuments; readonly file: string };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  array: Array.isArray,
  boolean: (value) => typeof value === "boolean",
  integer: Number.isSafeInteger,
  null: (value) => value === null,
  number: (value) => typeof value === "number",
  object: isObject,
  string: (value) => typeof value === "string",
};

type Keyword = (said: never, value: unknown, at: At) => boolean;
type AnyKeyword = (said: unknown, value: unknown, at: At) => boolean;
const all = (schemas: readonly unknown[], value: unknown, at: At): boolean =>
  schemas.every((one) => fits(one, value, at));
const some = (schemas: readonly unknown[], value: unknown, at: At): boolean =>
  schemas.some((one) => fits(one, value, at));

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  $ref: (ref: string, value, at) => {
    const [file = "", path = ""] = ref.split("#");
    const next = { ...at, file: file === "" ? at.file : file };
    return fits(pointed(at.documents(next.file), path), value, next);
  },
  allOf: all,
  anyOf: some,
  const: (said: unknown, value) => said === value,
  enum: (said: readonly unknown[], value) => said.includes(value),
  items: (said: unknown, value, at) => !Array.isArray(value) || value.every((one) => fits(said, one, at)),
  maximum: (said: number, value) => typeof value !== "number" || value <= said,
  minimum: (said: number, value) => typeof value !== "number" || value >= said,
  oneOf: some,
  pattern: (said: string, value) => typeof value !== "string" || new RegExp(said, "u").test(value),
  properties: (said: Readonly<Record<string, unknown>>, value, at) =>
    !isObject(value) ||
    Object.entries(said).every(([name, one]) => !Object.hasOwn(value, name) || fits(one, value[name], at)),
  required: (said: readonly string[], value) => !isObject(value) || said.every((name) => Object.hasOwn(value, name)),
  type: (said: string | readonly string[], value) => [said].flat().some((one) => TYPES[one]?.(value) === true),
};

const fits = (schema: unknown, value: unknown, at: At): boolean =>
  schema === true ||
  (isObject(schema) &&
    Object.entries(schema).every(([name, said]) => {
      const keyword = Object.hasOwn(KEYWORDS, name) ? (KEYWORDS[name] as AnyKeyword) : undefined;
      return keyword === undefined || keyword(said, value, at);
    }));

const pointed = (document: unknown, path: string): unknown =>
  path
    .split("/")
    .filter((part) => part !== "")
    .reduce((found, part) => (isObject(found) ? found[part] : undefined), document);

/** `path` is a pointer into the document, such as $defs/planned. */
export const fitsSchema = (documents: SchemaDocuments, file: string, path: string, value: unknown): boolean =>
  fits(pointed(documents(file), path), value, { documents, file });
