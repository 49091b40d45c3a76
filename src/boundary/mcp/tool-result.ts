// What a client is given for an answer: the answer as data, under names, with what it stands on; or the refusals as
// data, with which tools they leave open. The text beside it is the same JSON: nothing of a provider is said as prose.
//
// Every text is made visible and has an end, because a name can be written for whoever reads it; and the result says
// which fields have a provider's words. keeps P7-F1
// Not here: how the service is asked (call-tool.ts).

import type { CallToolResult } from "@modelcontextprotocol/server";
import type { RefusalJson } from "../../service/json/error-json.ts";
import { visible } from "../../spine/values/invisible.ts";
import { present } from "../../spine/values/present.ts";
import { type AnsweredTool, isToolAnswer, type RefusedTool, type ToolAnswered, toldError } from "./call-tool.ts";
import { providerFields } from "./provider-texts.ts";
import { TEXTS_FROM, type TextSource, TOOLS, type ToolName } from "./tools.ts";

const TEXT_MAX = 2_000;

/** A character of two halves is not cut in two. */
const cut = (text: string): string => text.slice(0, TEXT_MAX - 1).replace(/[\uD800-\uDBFF]$/, "");

/** What is made visible is longer than before, and ends where any other text does. */
const shownText = (text: string): string => {
  const shown = visible(text.slice(0, TEXT_MAX + 1));
  return shown.length > TEXT_MAX ? `${cut(shown)}…` : shown;
};

const shownValue = (value: unknown): unknown => {
  if (typeof value === "string") return shownText(value);
  if (Array.isArray(value)) return value.map(shownValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [shownText(name), shownValue(one)]));
};

/** Of one member of a result: its texts, and which of its fields have a provider's. */
type Shown = { readonly fields: readonly string[]; readonly shown: unknown };
const shownMember = (name: "answer" | "refused", member: object): Shown => ({
  fields: providerFields({ [name]: member }),
  shown: shownValue(member),
});

/** With its JSON, and that as it stands inside of a text. */
type ShownAnswer = Shown & { readonly json: string; readonly quoted: string };

/** The JSON of a text, without its quotes. */
const inQuotes = (text: string): string => JSON.stringify(text).slice(1, -1);

const withJson = (one: Shown): ShownAnswer => {
  const json = JSON.stringify(one.shown);
  return { ...one, json, quoted: inQuotes(json) };
};

/** What was made of a value once: a service that gives the same value again gives the same texts. */
const SHOWN = new WeakMap<object, ShownAnswer>();

const shownAnswer = (name: ToolName, { answer: { beside = [], value }, body }: AnsweredTool): ShownAnswer => {
  // The lines of a proof are its form, and no provider's words are in them.
  if (TOOLS[name].operation === "prove") return withJson({ fields: [], shown: body() });
  // What went wrong beside an answer is of this one alone.
  const isKept = typeof value === "object" && value !== null && beside.length === 0;
  const known = isKept ? SHOWN.get(value) : undefined;
  if (known !== undefined) return known;
  const shown = withJson(shownMember("answer", body()));
  if (isKept) SHOWN.set(value, shown);
  return shown;
};

/** Facts and words; what a door could spell as a command is left out, because nobody here runs one. */
const refusalOf = ({ nextSteps: _, text: { next: needed, ...text }, ...refusal }: RefusalJson) => ({
  ...refusal,
  needed,
  text,
});

type Structured = {
  readonly correlationId: string;
  readonly fromProvider: readonly string[];
  readonly textsFrom: readonly TextSource[];
} & Readonly<Record<string, unknown>>;

const refusedOf = (name: ToolName, { answer, key }: RefusedTool, correlationId: string): Structured => {
  const { domain, outcome, refusals } = toldError(answer).error;
  const { fields, shown } = shownMember("refused", { domain, outcome, refusals: refusals.map(refusalOf) });
  return {
    correlationId,
    fromProvider: fields,
    ...present({ key }),
    leaves: TOOLS[name].leaves,
    refused: shown,
    replayed: answer.replayed === true,
    textsFrom: TEXTS_FROM,
  };
};

/** What an answer stands on: all of a result but the answer itself. */
const groundOf = ({ answer, key, next }: AnsweredTool, { fields }: Shown, correlationId: string): Structured => ({
  correlationId,
  fromProvider: fields,
  head: answer.head,
  ...present({ key, next, record: answer.record?.seq }),
  replayed: answer.replayed,
  textsFrom: TEXTS_FROM,
});

/** The JSON of a result, and the same as a text in JSON. */
export type ToolText = { readonly isError: boolean; readonly json: string; readonly text: string };

export const toolText = (name: ToolName, answered: ToolAnswered, correlationId: string): ToolText => {
  if (!isToolAnswer(answered)) {
    const json = JSON.stringify(refusedOf(name, answered, correlationId));
    return { isError: true, json, text: JSON.stringify(json) };
  }
  const shown = shownAnswer(name, answered);
  const ground = JSON.stringify(groundOf(answered, shown, correlationId)).slice(1);
  return {
    isError: false,
    json: `{"answer":${shown.json},${ground}`,
    text: `"{\\"answer\\":${shown.quoted},${inQuotes(ground)}"`,
  };
};

const structuredOf = (name: ToolName, answered: ToolAnswered, correlationId: string): Structured => {
  if (!isToolAnswer(answered)) return refusedOf(name, answered, correlationId);
  const shown = shownAnswer(name, answered);
  return { answer: shown.shown, ...groundOf(answered, shown, correlationId) };
};

/** `more` is what only this tool tells beside its answer. */
export const toolResult = (
  name: ToolName,
  answered: ToolAnswered,
  correlationId: string,
  more: Readonly<Record<string, unknown>> = {},
): CallToolResult => {
  const structuredContent = { ...structuredOf(name, answered, correlationId), ...more };
  const content: CallToolResult["content"] = [{ text: JSON.stringify(structuredContent), type: "text" }];
  return isToolAnswer(answered) ? { content, structuredContent } : { content, isError: true, structuredContent };
};
