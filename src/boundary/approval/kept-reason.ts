// The reason that somebody typed while their session ended: their browser keeps it, sealed, until they have signed in
// again and are back at the same step. Nothing of it is recorded or remembered here.

import { later } from "../../spine/values/instant.ts";
import { cookieIn } from "../identity/session-cookie.ts";
import type { ApprovalDesk } from "./approval-desk.ts";

const REASON_COOKIE = "__Host-dedalus-reason";
const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Strict";
const KEPT_MS = 10 * 60_000;
/** What every browser keeps is 4,096 bytes with the name and its attributes. */
const SEALED_MAX = 3_900;

export const REASON_OVER = `${REASON_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;

type Kept = { readonly path: string; readonly reason: string };

/** None where it is longer than a cookie may be: it is still on the page that says so. */
export const keepReason = ({ now, sealer }: ApprovalDesk, path: string, reason: string): readonly string[] => {
  const sealed = sealer.seal("reason", { path, reason } satisfies Kept, later(now(), KEPT_MS));
  return reason === "" || sealed.length > SEALED_MAX
    ? []
    : [`${REASON_COOKIE}=${sealed}; ${ATTRIBUTES}; Max-Age=${KEPT_MS / 1_000}`];
};

/** That of this step alone. */
export const keptReason = ({ now, sealer }: ApprovalDesk, cookie: string | undefined, path: string): string => {
  const sealed = cookieIn(cookie, REASON_COOKIE);
  const kept = sealed === undefined ? undefined : (sealer.open("reason", sealed, now()) as Kept | undefined);
  return kept?.path === path ? kept.reason : "";
};
