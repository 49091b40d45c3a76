// A reply held against the OpenAPI file: its status, its type, the headers that always come, and its body.

import { Ajv2020 } from "ajv/dist/2020.js";
import { openapi } from "../../tools/openapi/openapi.ts";
import type { Replied } from "./at-door.ts";

type Header = { readonly $ref: string };
type Response = {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
  readonly headers?: Readonly<Record<string, Header>>;
};
type Operation = { readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>> };

const document = openapi() as {
  readonly components: {
    readonly headers: Readonly<Record<string, { readonly required?: boolean; readonly schema: object }>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

const ajv = new Ajv2020({ allErrors: true, coerceTypes: false, strict: false, validateFormats: false });
ajv.addSchema({ ...document, $id: "openapi" });
const ofText = new Ajv2020({ coerceTypes: true, strict: false });

const lastOf = (ref: string): string => ref.split("/").at(-1) ?? "";

const responseFor = (method: string, path: string, status: number): Response | undefined => {
  const { responses } = document.paths[path]?.[method.toLowerCase()] ?? { responses: {} };
  const found = responses[status] ?? responses["default"];
  return found !== undefined && "$ref" in found ? document.components.responses[lastOf(found.$ref)] : found;
};

/** Headers of every HTTP answer, which no route describes. */
const OF_HTTP =
  /^(?:cache-control|connection|content-(?:length|security-policy|type)|cross-origin-[a-z-]+|date|keep-alive|permissions-policy|referrer-policy|transfer-encoding|vary|x-[a-z-]+)$/;

const headersWrong = ({ headers: described = {} }: Response, headers: Headers): readonly string[] => {
  const names = new Map(Object.entries(described).map(([name, { $ref }]) => [name.toLowerCase(), lastOf($ref)]));
  const missing = Array.from(names).flatMap(([name, component]) =>
    document.components.headers[component]?.required === true && !headers.has(name) ? [`${name} is missing`] : [],
  );
  const unfit = Array.from(headers, ([name, value]) => {
    const component = names.get(name);
    if (component === undefined) return OF_HTTP.test(name) ? [] : [`${name} is not described`];
    const { schema = {} } = document.components.headers[component] ?? {};
    return ofText.validate(schema, value) ? [] : [`${name}: ${value}`];
  });
  return [...missing, ...unfit.flat()];
};

/** Where a reply is not what the file says, in words for whoever reads the test. */
export const misdescribed = (method: string, path: string, { body, headers, status }: Replied): readonly string[] => {
  const response = responseFor(method, path, status);
  if (response === undefined) return [`${method} ${path} is not described`];
  const type = (headers.get("content-type") ?? "").replace(/;.*$/, "");
  const described = response.content?.[type];
  if (described === undefined) return [`${status} with ${type} is not described`];
  // References inside a schema lead from the root of the document.
  const isFit = body === undefined || ajv.validate(rooted(described.schema), body);
  return [...headersWrong(response, headers), ...(isFit ? [] : [ajv.errorsText()])];
};

const rooted = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi#/'));
