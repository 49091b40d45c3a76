// The overview of all commands, printed by a process that does nothing else.
//
// Not here: its text (commands/help.ts), and the help of one command, which run.ts finds.

import { present } from "../spine/values/present.ts";
import { overview } from "./commands/help.ts";
import { exitCode } from "./exit-codes.ts";
import { openOutput, unprintedText } from "./process/output.ts";
import { printedText } from "./process/say.ts";

export const printOverview = async (): Promise<void> => {
  const out = openOutput(1);
  const width = out.columns();
  out.write(printedText(overview(present({ width })), { width: () => width }, "out"));
  await out.drain();
  const unprinted = unprintedText(out);
  if (unprinted !== undefined) openOutput(2).write(`${unprinted}\n`);
  process.exitCode = exitCode(unprinted === undefined ? "done" : "input");
};
