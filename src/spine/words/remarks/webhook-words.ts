// What people read of a message to a receiver: one line for a chat room, and the `text` beside the facts of any other
// message.
//
// Not here: what a message holds (boundary/webhooks/webhook-message.ts).

import type { Facts } from "../../model.ts";
import { filled } from "../template.ts";

const WEBHOOK_WORDS = {
  "approval-requested":
    "{actor} asks for approval: {action} {name} (VM {vmid}) in {environment}, step {step} of plan {plan}. Approve or deny it at {url}, or with: {command}",
  outcome:
    "{outcome:succeeded=Succeeded|failed=Failed|unknown=Outcome unknown}: {action} {name} (VM {vmid}) in {environment}, step {step} of plan {plan}, applied by {actor}; {because}",
} as const;

export const webhookText = (event: keyof typeof WEBHOOK_WORDS, facts: Facts): string =>
  filled(WEBHOOK_WORDS[event], facts);
