// A policy in words: what it refuses, what it asks more agreement for, and when and how often it allows something. A
// view of the value, which is judged elsewhere.

import { type Policy, type PolicyLine, type PolicyWindow, WEEKDAYS } from "../../spine/plan/policy.ts";
import { windowDays, windowHours } from "../../spine/plan/policy-window.ts";
import { actionText } from "../../spine/rules/action-text.ts";

/** In one line. */
export const policyText = ({ tighten }: Pick<Policy, "tighten">): string =>
  tighten.length === 0 ? "it tightens nothing" : tighten.map(policyLineText).join(", ");

/** A line each. */
export const policyLines = (policy: Policy): readonly string[] =>
  policy.tighten.length === 0 ? [policyText(policy)] : policy.tighten.map(policyLineText);

const policyLineText = ({ action, for: whom, only, perHour, to }: PolicyLine): string =>
  [
    action === undefined ? "every action" : actionText(action),
    ...(to === undefined ? [] : [to]),
    ...(whom === undefined ? [] : [`for ${whom}`]),
    ...(only === undefined ? [] : [`only ${windowText(only)}`]),
    ...(perHour === undefined ? [] : [`at most ${perHour} an hour`]),
  ].join(" ");

const windowText = (window: PolicyWindow): string => {
  const days = windowDays(window);
  return `${days.length === WEEKDAYS.length ? "every day" : days.join(" ")} ${windowHours(window).join(" ")} UTC`;
};
