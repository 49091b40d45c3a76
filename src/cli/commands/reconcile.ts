// dedalus reconcile: a fresh observation of one VM that ends an unknown outcome. It states what is; it repairs nothing.

import { vmOf } from "../arguments/vmids.ts";
import { asking } from "../at-service.ts";
import type { CommandRun } from "../command.ts";
import { plainActions } from "../views/action-text.ts";

export const run: CommandRun = async (given, io) => {
  const vm = vmOf(given);
  return asking(
    given,
    io,
    ({ reconcile }) => reconcile,
    vm,
    ({ record, value: { action, found, intent, name, seq, vmid } }) => ({
      exit: "done",
      json: { found, intent, seq, vmid },
      text: () => [
        `VM ${vmid} ${name} is ${found}; the outcome of ${plainActions(action ?? "its action")} stays unknown, and the VM is free again`,
        `record ${seq}: reconcile by ${record?.actor.id}`,
      ],
    }),
    vm.environment,
  );
};
