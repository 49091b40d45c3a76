// dedalus accept-identity: an operator's recorded word that the VM which has this number now is the one that is meant.
// It observes that VM first: only an identity that is seen can be accepted.

import { vmOf } from "../arguments/vmids.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { identityAcceptedLines } from "../views/view-act.ts";

export const run: CommandRun = async (given, io) => {
  const vm = vmOf(given);
  const [identity, reason] = [given.text.get("identity") ?? "", given.text.get("reason") ?? ""];
  return askService(
    given,
    io,
    ({ acceptIdentity }) => acceptIdentity,
    { ...vm, identity, reason },
    ({ value }) => ({
      exit: "done",
      json: value,
      text: (style) => identityAcceptedLines(value, identity, style),
    }),
    vm.environment,
  );
};
