// Who asked for a plan: their name, what they are, through which door, and who let them in.

import type { ReactNode } from "react";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { Quoted } from "../parts/quoted.tsx";

type RequesterRead = AnswerBodies["review"]["requester"];

const KINDS: Readonly<Record<string, string>> = { agent: "an agent", kernel: "the kernel", person: "a person" };
const DOORS: Readonly<Record<RequesterRead["door"], string>> = {
  agent: "over MCP",
  local: "at the ledger’s own files",
  service: "through the service",
};

export const Requester = ({ requester }: { readonly requester: RequesterRead }): ReactNode => {
  const { door, id, invitedBy, kind, maker } = requester;
  return (
    <>
      <Quoted text={id} />, {KINDS[kind] ?? kind}, {DOORS[door]}
      {maker === undefined ? undefined : (
        <>
          ; <Quoted text={maker} /> made its token
        </>
      )}
      {invitedBy === undefined ? undefined : (
        <>
          ; invited by <Quoted text={invitedBy} />
        </>
      )}
    </>
  );
};
