// dedalus accept-identity: an operator's recorded word that the VM which has this number now is the one that is meant. It
// observes that VM first: only an identity that is seen can be accepted.

import { notAVmid, vmidOf } from "../arguments/vmids.ts";
import { asking } from "../at-service.ts";
import type { Run } from "../command.ts";
import { badInput } from "../failure.ts";

export const run: Run = async (given, io) => {
  const word = given.text.get("vm") ?? "";
  const vmid = vmidOf(word);
  if (vmid === undefined) return badInput([notAVmid("--vm", word)]);
  const environment = given.text.get("env") ?? "";
  const [identity, reason] = [given.text.get("identity") ?? "", given.text.get("reason") ?? ""];
  return asking(
    given,
    io,
    ({ acceptIdentity }) => acceptIdentity,
    { environment, identity, reason, vmid },
    ({ record, value }) => ({
      exit: "done",
      json: value,
      text: () => [
        `VM ${vmid} of ${environment} is ${identity} from here on; it was ${value.was}`,
        `record ${value.seq}: accept-identity by ${record?.actor.id}`,
        `next: dedalus plan --env ${environment}`,
      ],
    }),
    environment,
  );
};
