// Names of files: none means two things, but where a convention says that it is one.

import { sharedFileNames } from "../tools/tidy/file-names.ts";
import { sourceOf } from "../tools/tidy/finding.ts";
import { cannot } from "./cannot.ts";

const among = (...files: readonly string[]) => sharedFileNames(files.map((file) => sourceOf(file, "")));

cannot("P7-F1", "name two files of different meaning alike", {
  neighbour: () => among("src/kernel/decide/a.ts", "src/kernel/evolve/b.ts"),
  offence: () => among("src/kernel/decide/a.ts", "src/kernel/evolve/a.ts"),
});
cannot("P7-F1", "name anything but the operation of a command after it", {
  neighbour: () => among("src/cli/commands/a.ts", "src/service/read/a.ts"),
  offence: () => among("src/cli/commands/a.ts", "src/kernel/decide/a.ts"),
});
cannot("P7-F1", "name two operations after one command", {
  neighbour: () => among("src/cli/commands/a.ts", "src/service/read/a.ts", "src/service/act/b.ts"),
  offence: () => among("src/cli/commands/a.ts", "src/service/read/a.ts", "src/service/act/a.ts"),
});
cannot("P7-F1", "name a part of two adapters alike, but what each of them has", {
  neighbour: () => among("src/adapters/descriptor.ts", "src/adapters/a/descriptor.ts", "src/adapters/b/descriptor.ts"),
  offence: () => among("src/adapters/a/source.ts", "src/adapters/b/source.ts"),
});
cannot("P7-F1", "name another thing as what each adapter has", {
  neighbour: () => among("src/adapters/a/words.ts", "src/adapters/b/words.ts"),
  offence: () => among("src/adapters/a/words.ts", "src/adapters/b/words.ts", "src/spine/words.ts"),
});
