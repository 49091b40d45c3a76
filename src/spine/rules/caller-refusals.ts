// Who asks, and what that does not cover: names, tokens, roles, what an agent never does. The words alone; the kernel judges.

import { type RefusalRow, rowsOf } from "./refusal-row.ts";

const kernel = rowsOf("kernel");

export const CALLER_REFUSALS = {
  "actor-unknown": kernel(
    "B2",
    "Nobody proven asks",
    "Who asks is shown by a token or by the ledger's own configuration, and never taken from a request.",
    "Use a token that is in the ledger, or act as the operator of dedalus.yaml.",
  ),
  "role-missing": kernel(
    "P7-A1",
    "Role does not cover this",
    "A subject may do what its roles say, and viewing grants nothing.",
    "Ask somebody whose role covers it, or have a token made with that role.",
  ),
  "agent-decides": kernel(
    "P7-A2",
    "An agent cannot decide",
    "Approving, denying and confirming are decisions of people.",
    "Let a person decide.",
  ),
  "sensor-alone": kernel(
    "P7-A1",
    "A sensor has no other role",
    "What pushes telemetry is a program that can do nothing else, so that its token is worth nothing else.",
    "Create one token with the role sensor alone, and another one for everything else.",
  ),
  "subject-name": kernel(
    "B2",
    "Name is not allowed",
    "Two names that look alike, or one that the kernel or the operator has, would be two subjects to the ledger and one to its reader.",
    "Choose another name: small letters, digits, and single dots, hyphens or underscores between them.",
  ),
  "token-end": kernel(
    "B2",
    "Token has no end that is allowed",
    "A token that never ends is known to more and more people.",
    "Let it end within 365 days: --days N.",
  ),
  "token-expired": kernel(
    "B2",
    "Token has ended",
    "A token proves who asks until its end, and not after.",
    "Have it rotated: dedalus token rotate --name NAME --days N.",
  ),
  "token-known": kernel(
    "B2",
    "Token's subject exists already",
    "One name is one subject.",
    "Choose another name, rotate the other token, or revoke it first.",
  ),
  "token-malformed": kernel(
    "B2",
    "Token's id, hash or end is not one",
    "A token is known by a short public id and by its hash, and ends at an instant.",
    "Make it with dedalus token create or rotate.",
  ),
  "token-unknown": kernel(
    "B2",
    "Token not known",
    "Only a token that is in the ledger can be rotated or revoked.",
    "See the tokens with dedalus token list.",
  ),
  "agent-irreversible": kernel(
    "P7-A2",
    "An agent asks for what cannot be undone",
    "No approval makes an irreversible step an agent's to apply.",
    "Let a person apply it.",
  ),
  "agent-foreign-plan": kernel(
    "P7-A2",
    "An agent applies another's plan",
    "People agreed to it for the one who asked, and an agent applies only what it asked for.",
    "Let the one who asked apply it, or plan as this agent and have that approved.",
  ),
  "service-needed": kernel(
    "B2",
    "A service is needed here",
    "Where four eyes are required, whoever can write the ledger's files neither approves nor applies there.",
    "Approve and apply through a running service (--server).",
  ),
} as const satisfies Readonly<Record<string, RefusalRow>>;
