// Stories under a policy with lines for some: an environment of four eyes, and a second agent beside robo.

import assert from "node:assert/strict";
import { bodyOf } from "../../src/kernel/command/record-body.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Refusal, Verdict } from "../../src/spine/model.ts";
import type { PolicyLine } from "../../src/spine/plan/policy.ts";
import { planned, refusalsOf, type Setting, type Story, story, tokenRequest } from "./story.ts";

export const OTHER_AGENT: Actor = { id: "robo-2", kind: "agent", roles: ["agent"] };
export const AT_AGENT_DOOR = { door: "agent" } as const;
export const AT_SERVICE = { door: "service" } as const;

export const toldUnder = (...tighten: readonly PolicyLine[]): Story => {
  const told = story("four-eyes", true, { tighten, version: 1 });
  told.ask(tokenRequest(told, { id: OTHER_AGENT.id, kind: "agent", roles: ["agent"] }));
  return told;
};

/** What a plan of somebody is refused for: the command itself, or by its verdict. */
export const refusedPlan = (told: Story, by: Actor, setting: Setting = {}): readonly Refusal[] => {
  const from = told.records.length;
  const door = by.kind === "agent" ? AT_AGENT_DOOR : AT_SERVICE;
  try {
    const { result } = planned(told, { by, ...door, ...setting });
    const text = result.kind === "planned" ? told.blobs.get(result.plan) : undefined;
    const verdict: Verdict | undefined = text === undefined ? undefined : JSON.parse(text).verdict;
    return verdict?.kind === "refused" ? verdict.refusals : [];
  } catch (error) {
    // A refused command has no plan for the story to read.
    const body = bodyOf(told.records.slice(from).at(-1) ?? assert.fail("there is a record"));
    if (body?.kind !== "plan" || body.result.kind !== "refused") throw error;
    return refusalsOf(body.result);
  }
};
