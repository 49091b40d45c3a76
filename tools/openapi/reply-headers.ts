// The headers of replies, as components of the OpenAPI file.

import { type JsonSchema, TEXT } from "../answers/json-schema.ts";

const header = (description: string, schema: JsonSchema): JsonSchema => ({ description, schema });
/** One that comes with every answer that is described to have it. */
const alwaysHeader = (description: string, schema: JsonSchema): JsonSchema => ({ description, required: true, schema });

export const HEADERS: Readonly<Record<string, JsonSchema>> = {
  "Dedalus-Correlation-Id": alwaysHeader("What binds the records of this request together.", TEXT),
  "Dedalus-Head": header("The head that the answer stands on, where the same head may be answered otherwise.", TEXT),
  "Dedalus-Record": header("The seq of the record that answers.", { minimum: 0, type: "integer" }),
  ETag: header("The head that the answer stands on.", TEXT),
  "Idempotency-Replayed": header("The stored answer of this key; nothing was done.", { const: "true" }),
  Link: header('The next page, as rel="next"; absent on the last one.', TEXT),
  Location: alwaysHeader("Where the intent is read.", TEXT),
  "Preference-Applied": header("How long the outcome was waited for.", TEXT),
  "Retry-After": header("In how many seconds to ask again.", { minimum: 0, type: "integer" }),
  "WWW-Authenticate": header("Which proof is asked for, where nobody is proven.", TEXT),
};
export const headersOf = (...names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
