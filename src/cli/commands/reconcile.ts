// dedalus reconcile: a fresh observation of one VM that ends an unknown outcome. It states what is; it repairs nothing.

import { notAVmid, vmidOf } from "../arguments/vmids.ts";
import { asking } from "../at-service.ts";
import type { Run } from "../command.ts";
import { badInput } from "../failure.ts";

export const run: Run = async (given, io) => {
  const word = given.text.get("vm") ?? "";
  const vmid = vmidOf(word);
  if (vmid === undefined) return badInput([notAVmid("--vm", word)]);
  const environment = given.text.get("env") ?? "";
  return asking(
    given,
    io,
    ({ reconcile }) => reconcile,
    { environment, vmid },
    ({ record, value: { action, found, intent, name, seq } }) => ({
      exit: "done",
      json: { found, intent, seq, vmid },
      text: () => [
        `VM ${vmid} ${name} is ${found}; the outcome of ${action} stays unknown, and the VM is free again`,
        `record ${seq}: reconcile by ${record?.actor.id}`,
      ],
    }),
    environment,
  );
};
