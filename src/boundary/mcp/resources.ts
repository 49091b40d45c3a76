// What an agent can read by an address of its own: a plan, the explanation of a step, the rules. Each is what the tool
// or the command of the same name gives; nothing else has an address.

import type { ReadResourceResult } from "@modelcontextprotocol/server";
import { ruleJson } from "../../service/json/rules-json.ts";
import { ruleInFull } from "../../service/read/rule-list.ts";
import { RULE_IDS } from "../../spine/rules/invariants.ts";
import { callTool, type ToolAnswered, type ToolGround } from "./call-tool.ts";

const JSON_MEDIA = "application/json";
const RULES_URI = "dedalus://rules";

export const RESOURCES = [
  {
    description: "The rules that Dedalus keeps, and the refusals that each stands behind.",
    mimeType: JSON_MEDIA,
    name: "rules",
    title: "The rules",
    uri: RULES_URI,
  },
] as const;

export const RESOURCE_TEMPLATES = [
  {
    description: "A recorded plan, as plan_status shows it.",
    mimeType: JSON_MEDIA,
    name: "plan",
    title: "A plan",
    uriTemplate: "dedalus://plans/{plan}",
  },
  {
    description: "The explanation of a step, as explain_step shows it.",
    mimeType: JSON_MEDIA,
    name: "explanation",
    title: "An explanation",
    uriTemplate: "dedalus://plans/{plan}/steps/{step}/explanation",
  },
] as const;

const PLAN_URI = /^dedalus:\/\/plans\/([0-9A-Za-z-]{1,64})$/;
const EXPLANATION_URI = /^dedalus:\/\/plans\/([0-9A-Za-z-]{1,64})\/steps\/([1-9][0-9]{0,8})\/explanation$/;

/** How long a client may keep it: the rules are of this program, a plan goes on. */
const RULES_TTL_MS = 3_600_000;

export type ResourceRead =
  | { readonly kind: "answered"; readonly answered: ToolAnswered; readonly name: "explain_step" | "plan_status" }
  | { readonly kind: "known"; readonly result: ReadResourceResult };

/** Undefined where nothing has this address. */
export const readResource = async (uri: string, ground: ToolGround): Promise<ResourceRead | undefined> => {
  if (uri === RULES_URI) {
    const text = JSON.stringify({ rules: RULE_IDS.map((id) => ruleJson(ruleInFull(id))) });
    return { kind: "known", result: { ...contentsOf(uri, text), cacheScope: "private", ttlMs: RULES_TTL_MS } };
  }
  const [, plan] = PLAN_URI.exec(uri) ?? [];
  if (plan !== undefined) {
    return { answered: await callTool("plan_status", { plan }, ground), kind: "answered", name: "plan_status" };
  }
  const [, of, step] = EXPLANATION_URI.exec(uri) ?? [];
  if (of === undefined) return undefined;
  const given = { plan: of, step: { number: Number(step) } };
  return { answered: await callTool("explain_step", given, ground), kind: "answered", name: "explain_step" };
};

export const contentsOf = (uri: string, text: string): ReadResourceResult => ({
  contents: [{ mimeType: JSON_MEDIA, text, uri }],
});
