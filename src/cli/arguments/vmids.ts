// VMs and environments as words of a command line: passed on as they are, and resolved behind the service.

import { readEnvironmentName } from "../../config.ts";
import type { VmRef } from "../../service/read/vm-references.ts";
import { present } from "../../spine/values/present.ts";
import type { Arguments } from "../command.ts";

/** The environment of a command that has exactly one; without a name it is the only one there is. */
export const environmentIn = ({ text }: Arguments): { readonly environment?: string } =>
  present({ environment: text.get("env") ?? readEnvironmentName() });

/** One VM of one environment: what --env and --vm say. */
export const vmOf = (given: Arguments): { readonly environment?: string; readonly vmid: string } => ({
  ...environmentIn(given),
  vmid: given.text.get("vm") ?? "",
});

/** What --only says; everything when it is not given. */
export const scopeOf = (only: string | undefined): "all" | readonly VmRef[] =>
  only === undefined ? "all" : only.split(",").map((word) => word.trim());
