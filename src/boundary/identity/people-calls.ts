// What the pages ask of the service, each in one call: who signs in, who leaves, who somebody is.
//
// The door has proven who signs in, and asks as the process that serves; whether they may is the kernel's decision.
// Not here: what a page says of it. Keeps B2.

import type { Ulid } from "../../ledger/record/record.ts";
import type { RefusedAnswer } from "../../service/answer.ts";
import { type Caller, tokenCredential } from "../../service/hold/callers.ts";
import type { DoorActs, Service } from "../../service/service.ts";
import { inWords } from "../../spine/words/refusals/refusal-words.ts";
import type { IdentityRefused, PeopleCalls } from "./identity-desk.ts";

type Asked = DoorActs & Pick<Service, "signOut" | "whoami">;

const inText = ({ refusals }: RefusedAnswer): IdentityRefused => ({
  refusals: refusals.map((refusal) => {
    const { because, summary } = inWords(refusal);
    return { detail: because, summary };
  }),
});

const bearer = (token: string): Caller => ({ credential: tokenCredential(token), door: "service" });

/** Each act has a key of its own: a browser that asks twice has been answered once, and asks anew. */
export const peopleCallsOf = (service: Asked, newId: () => Ulid): PeopleCalls => ({
  signIn: async ({ said: { groups, issuer, name = "", sub } }, session) => {
    const caller: Caller = { credential: { kind: "instance" }, door: "service", key: newId() };
    const answer = await service.signIn(caller, { called: name, groups, issuer, session, sub });
    return answer.kind === "refused" ? inText(answer) : { subject: answer.value.name };
  },
  signOut: async (token) => {
    const answer = await service.signOut({ ...bearer(token), key: newId() }, {});
    return answer.kind === "refused" ? inText(answer) : undefined;
  },
  whoIs: async (token) => {
    const answer = await service.whoami(bearer(token), {});
    return answer.kind === "refused" ? undefined : answer.value.actor.id;
  },
});
