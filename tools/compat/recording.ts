// A recording: what a real Proxmox VE was asked and what it answered, read from one file of a recordings folder.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "../../src/formats/json/json-text.ts";

export type Exchange = {
  readonly method: string;
  readonly path: string;
  /** Who asked, in the recorder's words. */
  readonly auth: string;
  readonly body?: string;
  readonly contentType?: string;
  readonly answer: Answered;
};
/** `json` is undefined for a body that is not JSON. */
export type Answered = {
  readonly status: number;
  readonly reason: string;
  readonly contentType: string | null;
  readonly json: unknown;
};
export type Recording = { readonly name: string; readonly note: string; readonly exchanges: readonly Exchange[] };

type Members = Readonly<Record<string, unknown>>;

const members = (value: unknown, what: string): Members => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${what} is not a map`);
  return Object.fromEntries(Object.entries(value));
};
const text = (value: unknown, what: string): string => {
  if (typeof value !== "string") throw new Error(`${what} is not a text`);
  return value;
};

const exchangeOf = (value: unknown): Exchange => {
  const { request, response } = members(value, "an exchange");
  const asked = members(request, "a request");
  const given = members(response, "a response");
  return {
    answer: {
      contentType: typeof given["contentType"] === "string" ? given["contentType"] : null,
      json: given["json"],
      reason: text(given["reason"], "a reason"),
      status: Number(given["status"]),
    },
    auth: text(asked["auth"], "auth"),
    ...(typeof asked["body"] === "string" ? { body: asked["body"] } : {}),
    ...(typeof asked["contentType"] === "string" ? { contentType: asked["contentType"] } : {}),
    method: text(asked["method"], "a method"),
    path: text(asked["path"], "a path"),
  };
};

export const recordingOf = (source: string, file: string): Recording => {
  const parsed = parseJson(source, file);
  if (parsed.kind === "bad") throw new Error(`${file} is not JSON`);
  const whole = members(parsed.value, file);
  const list = whole["exchanges"];
  if (!Array.isArray(list)) throw new Error(`${file} has no exchanges`);
  return { exchanges: list.map(exchangeOf), name: text(whole["case"], "a case"), note: text(whole["note"], "a note") };
};

/** In the order of their names, which is the order in which they were made. */
export const recordingsIn = (folder: string): readonly Recording[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .map((name) => recordingOf(readFileSync(join(folder, name), "utf8"), name));
