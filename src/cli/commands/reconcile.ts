// dedalus reconcile: a fresh observation of one VM that ends an unknown outcome. It states what is; it repairs nothing.

import { reconciledJson } from "../../service/json/act-json.ts";
import { vmOf } from "../arguments/vmids.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { reconciledLines } from "../views/view-act.ts";

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
      text: () => reconciledLines(value),
    }),
    vm.environment,
  );
};
