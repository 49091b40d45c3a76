// dedalus ledger move: moves the ledger to another engine; the source is sealed, and the copy goes on. Running it again
// finishes what was broken off.

import { isVariable } from "../../formats/dedalus/dedalus-fields.ts";
import type { SecretRef } from "../../formats/dedalus/dedalus-guards.ts";
import type { MoveRequest } from "../../service/ledger/move.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { notAVariable } from "../arguments/variable-word.ts";
import { actOnLedger } from "../asking/at-ledger.ts";
import type { Arguments, CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { findConfigFile } from "../files/find-config.ts";
import { endProgress, type Io } from "../process/io.ts";
import { say } from "../process/say.ts";
import { movedLines, sealLines, sealQuestion } from "../views/view-ledger-act.ts";

const WAYS = ["to", "to-env", "to-file"] as const;

const addressIn = ({ text }: Arguments): { readonly address: string | SecretRef } | Refusal => {
  const [way, second] = WAYS.filter((name) => text.has(name));
  if (way === undefined || second !== undefined) {
    return refuse("usage", { cause: "one-of", facts: { arguments: WAYS.map((name) => `--${name}`) } });
  }
  const value = text.get(way) ?? "";
  if (way === "to-env") return isVariable(value) ? { address: { env: value } } : notAVariable("--to-env");
  return { address: way === "to-file" ? { file: value } : value };
};

export const run: CommandRun = async (given, io) => {
  const to = addressIn(given);
  if ("code" in to) return badInput([to]);
  const confirm = given.flags.has("yes") ? SAID_YES : confirmAt(given, io);
  return actOnLedger(
    given,
    io,
    ({ move }) => move,
    { confirm, to: { ...to, folder: io.folder } },
    ({ value }, { config, file }) => ({
      exit: "done",
      json: value,
      text: (style) => movedLines(value, { anchor: config.anchor, configFile: file }, style),
    }),
  );
};

const SAID_YES: MoveRequest["confirm"] = async () => "yes";

const confirmAt =
  (given: Arguments, io: Io): MoveRequest["confirm"] =>
  async (asked) => {
    endProgress(io);
    say(io, sealLines(asked, findConfigFile(given, io)));
    const answer = await io.ask(sealQuestion(asked));
    if (answer === undefined) return "no-terminal";
    return answer.trim().toLowerCase() === "yes" ? "yes" : "declined";
  };
