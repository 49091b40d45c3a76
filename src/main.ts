// argv in, exit code out.

import { run } from "./cli/run.ts";
import { isColourUnwanted } from "./config.ts";

// A reader that leaves early (`dedalus … | head`) is no error of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await run(process.argv.slice(2), {
  err: (text) => process.stderr.write(text),
  folder: process.cwd(),
  isErrTerminal: process.stderr.isTTY === true,
  isOutTerminal: process.stdout.isTTY === true,
  noColour: isColourUnwanted(),
  out: (text) => process.stdout.write(text),
});
