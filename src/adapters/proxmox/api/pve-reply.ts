// What came back from one exchange, as a value: data, PVE's own refusal, or no answer that can be used.
//
// PVE says why in the reason phrase, in the JSON message, or in both, depending on its version (pve-http-server
// src/PVE/APIServer/AnyEvent.pm and Formatter/Standard.pm); bodies of 401, 595 and 596 are empty. A page of another
// program is not taken for an answer. Nothing of a text is passed on raw.

import { isUtf8 } from "node:buffer";
import { isObject } from "../../../formats/json/json-shape.ts";
import { parseJson } from "../../../formats/json/json-text.ts";
import { type Diagnostic, diagnostic } from "../../../spine/diagnostic-codes.ts";
import { shownText } from "../../../spine/values/shown-text.ts";

export type PveReply =
  | { readonly kind: "data"; readonly data: unknown; readonly date: string | undefined }
  /** PVE, or a proxy inside it, said no; `isApi` when the API itself wrote the answer. */
  | {
      readonly kind: "refused";
      readonly isApi: boolean;
      readonly isPve: boolean;
      readonly status: number;
      readonly text: string;
    }
  /** It answered, and not in a form that says anything. */
  | { readonly kind: "unreadable"; readonly why: Diagnostic }
  /**
   * No answer. `left` is false only when it is certain that no byte of the request was sent; `isLate` when time ran
   * out.
   */
  | { readonly kind: "none"; readonly why: Diagnostic; readonly left: boolean; readonly isLate?: true };

export type RawAnswer = {
  readonly body: Buffer;
  readonly date: string | undefined;
  readonly reason: string;
  readonly status: number;
};

const unreadable = (why: Diagnostic): PveReply => ({ kind: "unreadable", why });

export const readReply = (raw: RawAnswer): PveReply => {
  const { date, status } = raw;
  const facts = { httpStatus: status };
  if (status >= 300 && status < 400) return unreadable(diagnostic("http-redirect", { facts }));
  const text = decoded(raw.body);
  const value = text === undefined ? undefined : parsed(text);
  if (status >= 400) return refusal(raw, value);
  if (status !== 200) return unreadable(diagnostic("http-status-unused", { facts }));
  if (text === undefined) return unreadable(diagnostic("answer-not-text"));
  if (text.trim() === "") return unreadable(diagnostic("answer-empty"));
  if (value === undefined) return unreadable(diagnostic(isPage(text) ? "answer-web-page" : "answer-not-json"));
  if (!isObject(value) || !("data" in value)) return unreadable(diagnostic("answer-not-of-api"));
  return { data: value["data"], date, kind: "data" };
};

const refusal = ({ body, reason, status }: RawAnswer, value: unknown): PveReply => {
  const said = isObject(value) && typeof value["message"] === "string" ? value["message"] : "";
  const errors = isObject(value) && isObject(value["errors"]) ? Object.entries(value["errors"]) : [];
  const named = errors.map(([name, why]) => (typeof why === "string" ? `${name}: ${why}` : name));
  // The reason phrase arrives as single bytes.
  const phrase = Buffer.from(reason, "latin1").toString("utf8");
  const isApi = isObject(value) && "data" in value;
  return {
    isApi,
    isPve: body.length === 0 || isApi,
    kind: "refused",
    status,
    text: shownText([said.trim() === "" ? phrase : said, ...named].join(" ")),
  };
};

const decoded = (body: Buffer): string | undefined => (isUtf8(body) ? body.toString("utf8") : undefined);

const parsed = (text: string): unknown => {
  const json = parseJson(text, "");
  return json.kind === "ok" ? json.value : undefined;
};

const isPage = (text: string): boolean => /^\s*<(?:!doctype|html)/i.test(text);

/** Why a reply is no data. */
export const whyNot = (reply: Exclude<PveReply, { readonly kind: "data" }>): Diagnostic =>
  reply.kind === "refused" ? diagnostic("http-refusal", refusalSaid(reply)) : reply.why;

/** What PVE said, for a code that has the status of the answer among its facts. */
export const refusalSaid = ({ status, text }: Extract<PveReply, { readonly kind: "refused" }>) => ({
  facts: { httpStatus: status },
  ...(text === "" ? {} : { said: text }),
});

/**
 * Of PVE's proxy, which did not reach the node or its daemon, or did not hear from it: the codes of AnyEvent::HTTP,
 * passed on by pve-http-server (src/PVE/APIServer/AnyEvent.pm, proxy_request).
 */
export const isProxyError = (status: number): boolean => status >= 590;
