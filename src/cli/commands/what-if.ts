// dedalus whatif: judges the recorded plans with a policy file, and lists what it would have refused or asked more for.
// A read: nothing is recorded, and no configuration has to name the file.

import { whatIfJson } from "../../service/json/read-json.ts";
import { readText } from "../../service/named-file.ts";
import { present } from "../../spine/values/present.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { whatIfLines } from "../views/view-what-if.ts";

export const run: CommandRun = async (given, io) => {
  const file = given.text.get("policy") ?? "";
  const text = readText(io.folder, file);
  if (text.kind === "bad") return badInput(text.problems);
  return askService(
    given,
    io,
    ({ whatIf }) => whatIf,
    { ...present({ environment: given.text.get("env") }), policy: { file, text: text.value } },
    ({ value }) => ({ exit: "done", json: whatIfJson(value), text: (style) => whatIfLines(value, style) }),
  );
};
