// What the pages ask of the service, each in one call: who was invited and sets what, who signs in, who leaves, who
// somebody is.
//
// The door has proven who signs in, and asks as the process that serves; whether they may is the kernel's decision.
// Not here: what a page says of it. Keeps B2.

import type { Ulid } from "../../ledger/record/record.ts";
import type { SignInRequested } from "../../service/act/signing-in.ts";
import type { RefusedAnswer } from "../../service/answer.ts";
import { type Caller, tokenCredential } from "../../service/hold/callers.ts";
import type { DoorActs, Service } from "../../service/service.ts";
import { inWords } from "../../spine/words/refusals/refusal-words.ts";
import type { IdentityRefused, PeopleCalls, ProvenPerson, SessionAsked } from "./identity-desk.ts";

type Asked = DoorActs & Pick<Service, "signOut" | "whoami">;

const inText = ({ refusals }: RefusedAnswer): IdentityRefused => ({
  refusals: refusals.map((refusal) => {
    const { because, summary } = inWords(refusal);
    return { detail: because, summary };
  }),
});

const INSTANCE: Caller = { credential: { kind: "instance" }, door: "service" };

const requested = (proof: ProvenPerson, session: SessionAsked): SignInRequested => {
  if ("credential" in proof) return { ...proof, session };
  const { groups, issuer, name: called = "", sub } = proof.said;
  return { called, groups, issuer, session, sub };
};

const bearer = (token: string): Caller => ({ credential: tokenCredential(token), door: "service" });

/** Each act has a key of its own: a browser that asks twice has been answered once, and asks anew. */
export const peopleCallsOf = (service: Asked, newId: () => Ulid): PeopleCalls => ({
  invitation: async (secret) => {
    const answer = await service.findInvitation(INSTANCE, { secret });
    return answer.kind === "refused" ? undefined : answer.value.invitation;
  },
  passkeyOf: async (credential) => {
    const answer = await service.findPasskey(INSTANCE, { credential });
    return answer.kind === "refused" ? undefined : answer.value.passkey;
  },
  redeem: async (secret, by) => {
    const found = await service.findInvitation(INSTANCE, { secret });
    if (found.kind === "refused") return inText(found);
    const { invitation } = found.value;
    if (invitation === undefined) return undefined;
    const answer = await service.redeem({ ...INSTANCE, key: newId() }, { by, name: invitation.name, secret });
    return answer.kind === "refused" ? inText(answer) : { subject: answer.value.name };
  },
  signIn: async (proof, session) => {
    const answer = await service.signIn({ ...INSTANCE, key: newId() }, requested(proof, session));
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
