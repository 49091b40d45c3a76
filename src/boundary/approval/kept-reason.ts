// The reason that somebody typed while their session ended: their browser keeps it, sealed, until they have signed in
// again and are back at the same step. It is shown to them alone, whoever else signs in at that browser: the form says,
// sealed, for whom it was made. Nothing of it is recorded or remembered here.

import { later } from "../../spine/values/instant.ts";
import { cookieIn } from "../identity/session-cookie.ts";
import type { ApprovalDesk } from "./approval-desk.ts";

const REASON_COOKIE = "__Host-dedalus-reason";
const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Strict";
const KEPT_MS = 10 * 60_000;
/** What every browser keeps is 4,096 bytes with the name and its attributes. */
const SEALED_MAX = 3_900;

export const REASON_OVER = `${REASON_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;

/** A page that was left open for longer is of nobody any more. */
const AUTHOR_MS = 24 * 60 * 60_000;

type Desk = Pick<ApprovalDesk, "now" | "sealer">;
type Author = { readonly author: string };
type Kept = Author & { readonly path: string; readonly reason: string };

/** For whom a form is made; it comes back with it. */
export const sealAuthor = ({ now, sealer }: Desk, author: string): string =>
  sealer.seal("author", { author } satisfies Author, later(now(), AUTHOR_MS));

/** None where nobody knows whose it is, or where a cookie may not be so long: it is still on the page that says so. */
export const keepReason = ({ now, sealer }: Desk, path: string, form: unknown, reason: string): readonly string[] => {
  const opened = typeof form === "string" ? (sealer.open("author", form, now()) as Author | undefined) : undefined;
  if (opened === undefined || reason === "") return [];
  const sealed = sealer.seal("reason", { ...opened, path, reason } satisfies Kept, later(now(), KEPT_MS));
  return sealed.length > SEALED_MAX ? [] : [`${REASON_COOKIE}=${sealed}; ${ATTRIBUTES}; Max-Age=${KEPT_MS / 1_000}`];
};

/** That of this step and this person alone. */
export const keptReason = ({ now, sealer }: Desk, cookie: string | undefined, path: string, author: string): string => {
  const sealed = cookieIn(cookie, REASON_COOKIE);
  const kept = sealed === undefined ? undefined : (sealer.open("reason", sealed, now()) as Kept | undefined);
  return kept?.path === path && kept.author === author ? kept.reason : "";
};
