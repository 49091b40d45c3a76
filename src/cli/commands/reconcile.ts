// dedalus reconcile: a fresh observation of one VM that ends an unknown outcome. It states what is; it repairs nothing.

import { reconciledJson } from "../../service/json/act-json.ts";
import { actionText } from "../../spine/rules/action-text.ts";
import { vmOf } from "../arguments/vmids.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";

export const run: CommandRun = async (given, io) => {
  const vm = vmOf(given);
  return askService(
    given,
    io,
    ({ reconcile }) => reconcile,
    vm,
    ({ value }) => ({
      exit: "done",
      json: reconciledJson(value),
      text: () => [
        `VM ${value.vmid} ${value.name} is ${value.found}; the outcome of ${value.action === undefined ? "its action" : actionText(value.action)} stays unknown, and the VM is free again`,
        `record ${value.seq}: reconcile by ${value.by}`,
      ],
    }),
    vm.environment,
  );
};
