// Whether a copy of the tree passes the compiler. A mutant that does not compile is noticed by `make check`.
//
// What only became unused or unreachable is no mistake here: whoever had made the change would have cleared that away
// too.

import { execFile } from "node:child_process";
import { join } from "node:path";

const LENIENT = ["--noUnusedLocals", "false", "--noUnusedParameters", "false", "--allowUnreachableCode", "true"];

export const compiles = (folder: string): Promise<boolean> =>
  new Promise((resolve) => {
    const node = join(folder, "node_modules/.bin/node");
    const args = ["node_modules/typescript/bin/tsc", "-p", ".", ...LENIENT];
    execFile(node, args, { cwd: folder }, (error) => resolve(error === null));
  });
