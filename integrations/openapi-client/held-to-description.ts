// Every reply is held against the OpenAPI file before anybody reads it: its status, its media type, the headers that
// always come, and its body. One that is described otherwise ends the program.
//
// The types that are made from the file say what the file says; that the service says it too is seen here.

import { Ajv2020 } from "ajv/dist/2020.js";
import type { Middleware } from "openapi-fetch";

type Ref = { readonly $ref: string };
type Header = { readonly required?: boolean };
type Described = {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
  readonly headers?: Readonly<Record<string, Header | Ref>>;
};
type Operation = { readonly responses: Readonly<Record<string, Described | Ref>> };

/** The parts of an OpenAPI document that are read here. */
export type Description = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

const escaped = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1");

export const heldTo = (description: Description): Middleware => {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  ajv.addSchema({ ...description, $id: "openapi" });

  const at = <T extends object>(one: T | Ref | undefined): T | undefined =>
    one !== undefined && "$ref" in one
      ? one.$ref
          .slice("#/".length)
          .split("/")
          .reduce<T | undefined>((inner, part) => Object(inner)[part], Object(description))
      : one;

  const check = async (path: string, request: Request, response: Response): Promise<string | undefined> => {
    const method = request.method.toLowerCase();
    const responses = description.paths[path]?.[method]?.responses ?? {};
    const status = String(response.status) in responses ? String(response.status) : "default";
    const described = at(responses[status]);
    const type = (response.headers.get("content-type") ?? "").replace(/;.*$/, "");
    const content = described?.content?.[type];
    if (described === undefined || content === undefined) return `${response.status} with ${type} is not described`;
    for (const [name, header] of Object.entries(described.headers ?? {}))
      if (at(header)?.required === true && !response.headers.has(name)) return `the header ${name} is missing`;
    if (!/\bjson$/.test(type)) return undefined;
    const place =
      status === "default"
        ? `components/responses/Problem/content/${escaped(type)}/schema`
        : `paths/${escaped(path)}/${method}/responses/${status}/content/${escaped(type)}/schema`;
    const isFit = ajv.getSchema(`openapi#/${place}`);
    if (isFit === undefined) return `${place} is no schema`;
    return isFit(await response.clone().json()) ? undefined : ajv.errorsText(isFit.errors);
  };

  return {
    onResponse: async ({ request, response, schemaPath }) => {
      const wrong = await check(schemaPath, request, response);
      if (wrong !== undefined) throw new Error(`not as described: ${request.method} ${schemaPath}: ${wrong}`);
      return undefined;
    },
  };
};
