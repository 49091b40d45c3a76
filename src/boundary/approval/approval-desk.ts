// What the pages of an approval are given: who signed in, by the desk of identities, and the few operations of the
// service that they ask, each as that person.
//
// Whoever is in a browser is known by the session in its cookie, and by nothing else: a bearer token gets no page, an
// agent's least of all. Keeps B2.

import type { Ulid } from "../../ledger/record/record.ts";
import type { RefusedAnswer } from "../../service/answer.ts";
import { type Caller, tokenCredential } from "../../service/hold/callers.ts";
import type { Service } from "../../service/service.ts";
import { statusOfAnswer } from "../contract/statuses.ts";
import { bearerAtPage } from "../http/door-refusal.ts";
import type { IdentityDesk, WebRequest } from "../identity/identity-desk.ts";

export type ApprovalPorts = {
  readonly newId: () => Ulid;
  readonly service: Pick<Service, "answered" | "approve" | "deny" | "review" | "whoami">;
};

export type ApprovalDesk = ApprovalPorts & Pick<IdentityDesk, "cookies" | "now" | "sealer">;

/** Who asks, for a page; `csrf` is the word that its forms bring back. */
export type Visitor = { readonly caller: Caller; readonly csrf: string; readonly name: string; readonly token: string };

/** `nobody` where no session is shown, or one that proves nobody any more. */
export const visitorOf = async (
  { cookies, now, service }: ApprovalDesk,
  { cookie, hasBearer }: Pick<WebRequest, "cookie" | "hasBearer">,
): Promise<RefusedAnswer | Visitor | "nobody"> => {
  if (hasBearer) return bearerAtPage();
  const session = cookies.read(cookie, now());
  if (session === undefined) return "nobody";
  const { token } = session;
  const caller: Caller = { credential: tokenCredential(token), door: "service" };
  const answer = await service.whoami(caller, {});
  if (answer.kind === "ok") return { caller, csrf: cookies.csrf(token), name: answer.value.actor.id, token };
  return statusOfAnswer(answer) === 401 ? "nobody" : answer;
};
