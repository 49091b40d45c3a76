// The pages of an approval: one table of what is answered where.
//
// Only a POST acts, and none of them applies anything. Keeps P7-S3, P7-A2.

import type { IdentityDesk, WebRequest, WebRoutes } from "../identity/identity-desk.ts";
import type { ApprovalPorts } from "./approval-desk.ts";
import { approveHere, denyHere, showDecided, showStep } from "./approval-flow.ts";

const AT_STEP = "/approve/:plan/:step";

export const APPROVAL_ROUTES = {
  [`GET ${AT_STEP}`]: showStep,
  [`POST ${AT_STEP}/approvals`]: approveHere,
  [`POST ${AT_STEP}/denials`]: denyHere,
  [`GET ${AT_STEP}/decisions/:key`]: showDecided,
} as const;

export const approvalRoutes = (given: ApprovalPorts): WebRoutes =>
  Object.fromEntries(
    Object.entries(APPROVAL_ROUTES).map(([where, answer]) => [
      where,
      ({ cookies, now, sealer }: IdentityDesk, request: WebRequest) =>
        answer({ ...given, cookies, now, sealer }, request),
    ]),
  );
