// What a route says: a method, a path, and where each part of a request travels, so that one table serves both
// directions. A client writes a request by it, the door reads it back.
//
// Not here: the routes (routes.ts), how a part is written and read (travel.ts), what a body must look like
// (schemas.ts).

import type { AnswerName } from "../../service/json/answer-names.ts";

/**
 * How a part is written in a path or a query. `step` is a number, or vm:WORD; `words` are given one by one, under
 * the same name each. In a body everything is JSON.
 */
export type WireForm = "number" | "step" | "word" | "words";

/** `name` is the one on the wire, where it is not the field's; `orElse` what is meant where it is not given. */
export type PlacedPart = {
  readonly form: WireForm;
  readonly in: "path" | "query";
  readonly name?: string;
  readonly orElse?: string;
};

export type Part =
  | PlacedPart
  | { readonly in: "body" }
  /** What only means something inside a process. */
  | { readonly in: "nowhere" };

/** Of every member of a union. */
export type FieldOf<R> = R extends unknown ? keyof R & string : never;

export type HttpRoute<R = never> = {
  /** What the body of the answer is; `ndjson` is a stream of lines, `blob` what was stored, byte for byte. */
  readonly answer: AnswerName | "blob" | "ndjson";
  /** Whether it is also below /environments/{environment}; without one it is of the only environment. */
  readonly isScoped?: true;
  readonly method: "GET" | "POST";
  readonly parts: [R] extends [never] ? Readonly<Record<string, Part>> : { readonly [F in FieldOf<R>]: Part };
  /** Below /v1; what stands in braces travels in the path. */
  readonly path: `/${string}`;
  readonly status: 200 | 201 | 202;
};

const PREFIX = "/v1";
const SCOPE = "/environments/{environment}";

/** Every path that a route answers at, the one with its environment first. */
export const pathsOf = ({ isScoped, path }: Pick<HttpRoute, "isScoped" | "path">): readonly string[] => [
  ...(isScoped === true ? [`${PREFIX}${SCOPE}${path}`] : []),
  `${PREFIX}${path}`,
];
