// dedalus register: registers what is wanted in an environment, as a recorded act, and shows what differs from before.

import { parseDesired } from "../../formats/desired-yaml.ts";
import { registeredJson } from "../../service/json/act-json.ts";
import { readText } from "../../service/text-file.ts";
import { desiredStateOf } from "../../spine/plan/desired-state.ts";
import { environmentIn } from "../arguments/vmids.ts";
import { asking } from "../at-service.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failure.ts";
import { counted } from "../views/counted.ts";
import { changeLines } from "../views/view-desired-file.ts";

export const run: CommandRun = async (given, io) => {
  const file = given.positionals[0] ?? "";
  const text = readText(io.folder, file);
  if (text.kind === "bad") return badInput(text.problems);
  const parsed = parseDesired(text.value, file);
  if (parsed.kind === "bad") return badInput(parsed.problems);
  const desired = desiredStateOf(parsed.value.environment, parsed.value.vms);
  if ("kind" in desired) return badInput([desired]);
  return asking(
    given,
    io,
    ({ register }) => register,
    { ...environmentIn(given), desired },
    ({ record, value: { changes = [], ...registered } }) => ({
      exit: "done",
      json: registeredJson({ changes, ...registered }, record?.seq),
      text: () => [
        ...changeLines(changes),
        `registered ${counted(registered.vms, "VM")} for ${registered.environment}: ${changes.length === 0 ? "nothing differs" : `${changes.length} ${changes.length === 1 ? "differs" : "differ"}`}`,
        `record ${record?.seq}: register by ${record?.actor.id}`,
      ],
    }),
  );
};
