// What the API says, as a value, and how it is written: /api2/json and /api2/extjs, releases 8 and 9.
//
// The reason phrase is the first line of the text. Since 9 the text stands in the body as `message` too; before, the
// reason phrase alone has it. Errors of the proxy have no body and no content type.

import { present } from "../../spine/values/present.ts";
import type { Loss } from "../world/faults.ts";
import type { Dialect } from "./privileges.ts";

export type SimulatedReply =
  | { readonly kind: "data"; readonly data: unknown; readonly total?: number }
  | { readonly kind: "error"; readonly status: number; readonly text: string; readonly errors?: Errors }
  /** A status line and nothing else. */
  | { readonly kind: "empty"; readonly status: number; readonly reason: string }
  | { readonly kind: "lost"; readonly how: Loss };
export type Errors = Readonly<Record<string, string>>;
/** A reply, and the virtual time that it takes. */
export type Replied = { readonly reply: SimulatedReply; readonly delayMs: number };

const PARAMETERS = "Parameter verification failed.";

export const data = (value: unknown, total?: number): SimulatedReply =>
  total === undefined || total === 0 ? { data: value, kind: "data" } : { data: value, kind: "data", total };
/** A Perl `die`: the text ends with a newline in the body. */
export const died = (text: string): SimulatedReply => ({ kind: "error", status: 500, text: `${text}\n` });
export const wrongParameters = (errors: Errors): SimulatedReply => ({
  errors,
  kind: "error",
  status: 400,
  text: `${PARAMETERS}\n`,
});
export const notPermitted = (text: string): SimulatedReply => ({ kind: "error", status: 403, text: `${text}\n` });
export const notImplemented = (text: string): SimulatedReply => ({ kind: "error", status: 501, text });
export const soon = (reply: SimulatedReply): Replied => ({ delayMs: 0, reply });

export type Format = "json" | "extjs";
export type Written = { readonly status: number; readonly reason: string; readonly body?: string };

/** A status line holds nothing that is not printable; what a caller wrote may come back in it. */
const firstLine = (text: string): string => (text.split("\n")[0] ?? "").replace(/[^\x20-\x7e]/g, "?");

/** Only numbers that were raised as exceptions come as text. */
const extStatus = (status: number): number | string => (status === 400 || status === 403 ? `${status}` : status);

export const written = (
  reply: Exclude<SimulatedReply, { readonly kind: "lost" }>,
  format: Format,
  dialect: Dialect,
): Written => {
  if (reply.kind === "empty") return { reason: reply.reason, status: reply.status };
  if (reply.kind === "data") {
    const total = reply.total === undefined ? {} : { total: reply.total };
    const body = { data: reply.data, ...total, ...(format === "extjs" ? { success: 1 } : {}) };
    return { body: JSON.stringify(body), reason: "OK", status: 200 };
  }
  const { errors, status, text } = reply;
  const details = { data: null, ...present({ errors }) };
  if (format === "extjs") {
    const body = { ...details, message: text, status: extStatus(status), success: 0 };
    return { body: JSON.stringify(body), reason: "OK", status: 200 };
  }
  const body = dialect === "9" ? { ...details, message: text } : details;
  return { body: JSON.stringify(body), reason: firstLine(text), status };
};
