// dedalus list: the registered VMs with their target, and how the last recorded observation saw each. No provider is asked.

import { vmsJson } from "../../service/json/read-json.ts";
import type { VmListed } from "../../service/read/vms.ts";
import { actionText } from "../../spine/rules/action-text.ts";
import { environmentIn } from "../arguments/vmids.ts";
import { asking } from "../at-service.ts";
import type { CommandRun } from "../command.ts";
import { ageText, instantText } from "../views/age.ts";
import { columns } from "../views/columns.ts";
import { signText } from "../views/signs.ts";
import type { TextStyle } from "../views/text-style.ts";

const HEADINGS = ["ENV", "  VM", "NAME", "TARGET", "STATUS", "OBSERVED"] as const;

export const run: CommandRun = (given, io) =>
  asking(
    given,
    io,
    ({ vms }) => vms,
    environmentIn(given),
    ({ value }) => ({
      exit: "done",
      json: vmsJson(value),
      text: (style) =>
        value.vms.length === 0
          ? ["no VM is registered"]
          : columns([HEADINGS, ...value.vms.map((vm) => cellsOf(vm, style))]),
    }),
  );

const isSeen = (observed: VmListed["observed"]): boolean => observed !== undefined && observed.status !== "unknown";

const cellsOf = ({ environment, name, observed, target, vmid }: VmListed, style: TextStyle): readonly string[] => [
  environment,
  `${isSeen(observed) ? " " : signText("unknown", style)} ${vmid}`,
  name,
  target,
  observed === undefined ? "-" : observed.paused === true ? "paused" : observed.status,
  observed === undefined
    ? "not observed lately"
    : `${ageText(observed.ageSeconds)} (${instantText(observed.at)})${sinceText(observed.since)}`,
];

/** What was seen may be no longer so. */
const sinceText = (since: NonNullable<VmListed["observed"]>["since"]): string =>
  since === undefined ? "" : `, before ${actionText(since.action)} ${since.end?.outcome ?? "under way"}`;
