// make mutate: changes the sources in small ways, one at a time, and sees whether the tests fail.
//
//   node tools/mutate.ts [--room kernel] [--count 40 | --all] [--seed N] [--file src/kernel/decide/agreement.ts]
//                        [--jobs N] [--direct]
//
// Prints what survived and where, and how many were killed. `--direct` leaves the simulated worlds out. Exit code 1
// when a room is below its goal, or when a row of mutate/equivalents/ fits no source. Copies of the tree are changed,
// never the tree.

import { mutateRoom } from "./mutate/mutate-room.ts";
import { optionsOf } from "./mutate/options.ts";
import { copyTree } from "./mutate/work-copy.ts";

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const options = optionsOf(process.argv.slice(2), Math.random);
say(`seed ${options.seed}`);
const copies = Array.from({ length: options.jobs }, () => copyTree("."));
const removeAll = (): void => {
  for (const { remove } of copies) remove();
};
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    removeAll();
    process.exit(130);
  });
}
try {
  let isMet = true;
  for (const room of options.rooms) isMet = (await mutateRoom(room, copies, options, say)) && isMet;
  process.exitCode = isMet ? 0 : 1;
} finally {
  removeAll();
}
