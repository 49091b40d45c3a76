// dedalus policy check: reads a policy file as a configuration that named it would, and says what it does. No
// configuration, ledger or provider is asked.

import { parsePolicy } from "../../formats/policy-yaml.ts";
import { policyJson } from "../../service/json/read-json.ts";
import { readText } from "../../service/named-file.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { policyLines } from "../views/view-policy.ts";

export const run: CommandRun = async ({ positionals: [file = ""] }, io) => {
  const text = readText(io.folder, file);
  if (text.kind === "bad") return badInput(text.problems);
  const parsed = parsePolicy(text.value, file);
  if (parsed.kind === "bad") return badInput(parsed.problems);
  return { exit: "done", json: policyJson(parsed.value), text: () => policyLines(parsed.value) };
};
