// dedalus accept-identity: an operator's recorded word that the VM which has this number now is the one that is meant. It
// observes that VM first: only an identity that is seen can be accepted.

import type { ResultOf } from "../../kernel/command/result.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { vmidOf } from "../arguments/vmids.ts";
import type { Run } from "../command.ts";
import { badInput } from "../failure.ts";
import { looked, unlessUnanswered } from "../look.ts";
import { askedRemembering } from "../remembered.ts";
import { environmentAt, inSession } from "../session.ts";

export const run: Run = async (given, io) => {
  const vmid = vmidOf(given.text.get("vm") ?? "");
  if (vmid === undefined)
    return badInput([refuse("usage", { because: `--vm takes a vmid, and ${given.text.get("vm")} is none` })]);
  return inSession(given, io, async (session) => {
    const at = environmentAt(given, session.desk);
    if ("code" in at) return badInput([at]);
    const look = await looked(session, at, io, [], [vmid]);
    if ("exit" in look) return look;
    const { observation } = look.observed;
    const identity = given.text.get("identity") ?? "";
    const reason = given.text.get("reason") ?? "";
    const asked = await askedRemembering(session, at.name, (identities) =>
      session.ask(
        { identity, kind: "accept-identity", look: look.id, reason, vmid },
        { environment: at.name, given: { identities, observation } },
      ),
    );
    if (asked.kind === "refused") return unlessUnanswered(at.name, look, asked.outcome);
    const { was } = asked.result as ResultOf<"identity-accepted">;
    const { actor, seq } = asked.record;
    return {
      exit: "done",
      json: { environment: at.name, identity, seq, vmid, was },
      text: () => [
        `VM ${vmid} of ${at.name} is ${identity} from here on; it was ${was}`,
        `record ${seq}: accept-identity by ${actor.id}`,
        `next: dedalus plan --env ${at.name}`,
      ],
    };
  });
};
