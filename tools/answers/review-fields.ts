// The members of a step as whoever decides on it reads it. The same table as fields.ts, which has them too.

import { type JsonSchema, list, part } from "./json-schema.ts";

export const REVIEW_FIELDS: Readonly<Record<string, JsonSchema>> = {
  approved: list("Steps of open plans that have their approvals, and that the caller may apply.", part("stepApproved")),
  againstApproval: list("Why the reader's approval would be refused now.", part("refusal")),
  againstChallenge: list("Why the reader would not be asked to confirm now.", part("refusal")),
  againstDenial: list("Why the reader's denial would be refused now.", part("refusal")),
};
