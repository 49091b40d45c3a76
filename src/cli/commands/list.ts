// dedalus list: the registered VMs with their target, and how the last recorded observation saw each. No provider is
// asked.

import { vmsJson } from "../../service/json/read-json.ts";
import type { VmListed } from "../../service/read/vms.ts";
import { actionText } from "../../spine/rules/action-text.ts";
import { environmentIn } from "../arguments/vmids.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { ageText, instantText } from "../views/age.ts";
import { signText } from "../views/signs.ts";
import { type Cell, type Column, table } from "../views/table.ts";
import type { TextStyle } from "../views/text-style.ts";

const COLUMNS: readonly Column[] = [
  { drop: 2, dropOnly: "where-same", heading: "ENV" },
  { align: "right", heading: "VM" },
  { heading: "NAME" },
  { heading: "TARGET" },
  { heading: "STATUS" },
  { drop: 3, heading: "OBSERVED", shorten: 1 },
];

export const run: CommandRun = (given, io) =>
  askService(
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
          : table(
              COLUMNS,
              value.vms.map((vm) => cellsOf(vm, style)),
              style,
            ),
    }),
  );

const isSeen = (observed: VmListed["observed"]): boolean => observed !== undefined && observed.status !== "unknown";

const cellsOf = ({ environment, name, observed, target, vmid }: VmListed, style: TextStyle): readonly Cell[] => [
  environment,
  `${isSeen(observed) ? " " : signText("unknown", style)} ${vmid}`,
  name,
  target,
  observed === undefined ? "-" : observed.paused === true ? "paused" : observed.status,
  observed === undefined ? "not observed recently" : observedCell(observed),
];

/** What was seen may be no longer so. */
const observedCell = ({ ageSeconds, at, since }: NonNullable<VmListed["observed"]>): Cell => {
  const before = since === undefined ? "" : `, before ${actionText(since.action)} ${since.end?.outcome ?? "under way"}`;
  const short = ageText(ageSeconds);
  return { short: `${short}${before}`, whole: `${short} (${instantText(at)})${before}` };
};
