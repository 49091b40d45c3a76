// dedalus list: the registered VMs with their target, and how the last recorded observation saw each. No provider is asked.

import type { VmListed } from "../../service/read/vms.ts";
import { present } from "../../spine/values/present.ts";
import { asking } from "../at-service.ts";
import type { CommandRun } from "../command.ts";
import { ageText, instantText } from "../views/age.ts";
import { columns } from "../views/columns.ts";
import type { Look } from "../views/look.ts";
import { signText } from "../views/signs.ts";

const HEADINGS = ["ENV", "  VM", "NAME", "TARGET", "STATUS", "OBSERVED"] as const;

export const run: CommandRun = (given, io) =>
  asking(
    given,
    io,
    ({ vms }) => vms,
    { ...present({ environment: given.text.get("env") }) },
    ({ value }) => ({
      exit: "done",
      json: value,
      text: (look) =>
        value.vms.length === 0
          ? ["no VM is registered"]
          : columns([HEADINGS, ...value.vms.map((vm) => cellsOf(vm, look))]),
    }),
  );

const isSeen = (observed: VmListed["observed"]): boolean => observed !== undefined && observed.status !== "unknown";

const cellsOf = ({ environment, name, observed, target, vmid }: VmListed, look: Look): readonly string[] => [
  environment,
  `${isSeen(observed) ? " " : signText("unknown", look)} ${vmid}`,
  name,
  target,
  observed === undefined ? "-" : observed.paused === true ? "paused" : observed.status,
  observed === undefined ? "not observed lately" : `${ageText(observed.ageSeconds)} (${instantText(observed.at)})`,
];
