// A request as it travels, both ways: written by whoever asks, read again by the door.
//
// `requestIn` makes of what arrived the request that was written, value for value; what does not fit its form is
// left out and named, for the door to refuse. Not here: whether a body is what its route takes (schemas.ts).

import type { StepNamed } from "../../service/read/recorded.ts";
import { type HttpRoute, type Part, type PlacedPart, pathsOf, type WireForm } from "./http-route.ts";

export type RequestWritten = {
  /** Absent where nothing travels in it: a GET, or a POST with nothing to say. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly method: HttpRoute["method"];
  /** With its query, from /v1 on. */
  readonly path: string;
};

/** Query parts by their name on the wire, each as often as it was given. */
export type RequestArrived = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, string>>;
  readonly query: ReadonlyMap<string, readonly string[]>;
};

export type ReadBack =
  | { readonly kind: "read"; readonly request: Readonly<Record<string, unknown>> }
  /** The name of a part on the wire, and what it was. */
  | { readonly kind: "unfit"; readonly found: string; readonly name: string };

const isPlaced = (part: Part): part is PlacedPart => "form" in part;
export const wireName = (field: string, part: Part): string => (isPlaced(part) ? (part.name ?? field) : field);

const VM = "vm:";

const writtenAs = (form: WireForm, value: unknown): readonly string[] => {
  if (form === "words") return (value as readonly unknown[]).map(String);
  if (form !== "step") return [String(value)];
  const step = value as StepNamed;
  return ["number" in step ? String(step.number) : `${VM}${step.vmid}`];
};

/** Whole numbers as this project writes them: no sign, no leading zero, nothing beyond what is exact. */
const numberIn = (text: string): number | undefined => {
  const number = /^(?:0|[1-9][0-9]*)$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
};

const stepIn = (text: string): StepNamed | undefined => {
  if (text.startsWith(VM) && text.length > VM.length) return { vmid: text.slice(VM.length) };
  const number = numberIn(text);
  return number === undefined ? undefined : { number };
};

const READ: Readonly<Record<WireForm, (text: string) => unknown>> = {
  number: numberIn,
  step: stepIn,
  word: (text) => text,
  words: (text) => text,
};

export const requestWritten = (route: HttpRoute, request: Readonly<Record<string, unknown>>): RequestWritten => {
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  const params: Record<string, string> = {};
  for (const [field, part] of Object.entries(route.parts)) {
    const value = request[field];
    const name = wireName(field, part);
    if (part.in === "path") {
      const given = value === undefined ? part.orElse : writtenAs(part.form, value)[0];
      if (given !== undefined) params[name] = given;
    } else if (value === undefined || part.in === "nowhere") continue;
    else if (part.in === "body") body[field] = value;
    else for (const text of writtenAs(part.form, value)) query.append(name, text);
  }
  const paths = pathsOf(route);
  const template = (params["environment"] === undefined ? paths.at(-1) : paths[0]) ?? "";
  const path = template.replaceAll(/\{([a-z]+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const asked = query.toString();
  return {
    ...(Object.keys(body).length === 0 ? {} : { body }),
    method: route.method,
    path: asked === "" ? path : `${path}?${asked}`,
  };
};

export const requestIn = (route: HttpRoute, { body, params, query }: RequestArrived): ReadBack => {
  const request: Record<string, unknown> = {};
  for (const [field, part] of Object.entries(route.parts)) {
    const name = wireName(field, part);
    if (part.in === "body" && Object.hasOwn(body, field)) request[field] = body[field];
    if (!isPlaced(part)) continue;
    const given = part.in === "path" ? [params[name]].filter((one) => one !== undefined) : (query.get(name) ?? []);
    const texts = given.length === 0 && part.orElse !== undefined ? [part.orElse] : given;
    if (texts.length === 0) continue;
    const values = texts.map(READ[part.form]);
    const at = values.indexOf(undefined);
    if (at >= 0) return { found: texts[at] ?? "", kind: "unfit", name };
    if (part.form !== "words" && texts.length > 1) return { found: texts.join(), kind: "unfit", name };
    request[field] = part.form === "words" ? values : values[0];
  }
  return { kind: "read", request };
};
