// A policy in one line: what it refuses, and what it asks more agreement for. A view of the value, which is judged
// elsewhere.

import type { Policy } from "../../spine/plan/safety.ts";
import { actionText } from "../../spine/rules/action-text.ts";

export const policyText = ({ tighten }: Pick<Policy, "tighten">): string =>
  tighten.length === 0
    ? "it tightens nothing"
    : tighten.map(({ action, to }) => `${actionText(action)} ${to}`).join(", ");
