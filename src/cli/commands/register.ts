// dedalus register: registers what is wanted in an environment, as a recorded act, and shows what differs from before.

import { relative, resolve } from "node:path";
import type { Problem } from "../../formats/problem.ts";
import { environmentAt } from "../../service/hold/environment-at.ts";
import { registeredJson } from "../../service/json/act-json.ts";
import { readText } from "../../service/named-file.ts";
import type { Refusal } from "../../spine/model.ts";
import { environmentIn } from "../arguments/vmids.ts";
import { asking } from "../asking/at-service.ts";
import type { Arguments, CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { readConfig } from "../files/find-config.ts";
import type { Io } from "../process/io.ts";
import { counted } from "../views/counted.ts";
import { changeLines } from "../views/view-desired-file.ts";

export const run: CommandRun = async (given, io) => {
  const file = fileOf(given, io);
  if (typeof file === "object") return badInput(file);
  const text = readText(io.folder, file);
  if (text.kind === "bad") return badInput(text.problems);
  return asking(
    given,
    io,
    ({ register }) => register,
    { ...environmentIn(given), desired: { file, text: text.value } },
    ({ record, value: { changes = [], ...registered } }) => ({
      exit: "done",
      json: registeredJson({ changes, ...registered }, record?.seq),
      text: (style) => [
        ...changeLines(changes, style),
        `registered ${counted(registered.vms, "VM")} for ${registered.environment}: ${changes.length === 0 ? "nothing differs" : `${changes.length} ${changes.length === 1 ? "differs" : "differ"}`}`,
        `record ${record?.seq}: register by ${record?.actor.id}`,
      ],
    }),
  );
};

/** The file that is named, or the one of the environment. */
const fileOf = (given: Arguments, io: Io): string | readonly (Problem | Refusal)[] => {
  const [named] = given.positionals;
  if (named !== undefined) return named;
  const configured = readConfig(given, io);
  if (configured.kind === "bad") return configured.problems;
  const at = environmentAt(environmentIn(given).environment, configured.value);
  return "code" in at ? [at] : relative(io.folder, resolve(configured.value.home, at.environment.desired));
};
