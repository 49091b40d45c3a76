// What a file leads to is there, and does not lead back: checks of several planted files together.

import type { Finding } from "../tools/tidy/finding.ts";
import { findings } from "../tools/tidy.ts";
import { cannot } from "./cannot.ts";

const planted = (...files: readonly (readonly [path: string, text: string])[]): readonly Finding[] =>
  findings(new Map(files.map(([path, text]) => [path, `// A planted file.\n\n${text}\n`])));

cannot("P7-F1", "send a reader to a file that is not there", {
  neighbour: () => planted(["src/cli/a.ts", "// Not here: the rest (cli/b.ts)."], ["src/cli/b.ts", ""]),
  offence: () => planted(["src/cli/a.ts", "// Not here: the rest (kernel/b.ts)."], ["src/cli/b.ts", ""]),
});
cannot("P7-S2", "import in a circle", {
  neighbour: () =>
    planted(
      ["src/cli/a.ts", 'import { b } from "./b.ts";\nexport const a = b;'],
      ["src/cli/b.ts", 'import type { a } from "./a.ts";\nexport const b = 1;'],
    ),
  offence: () =>
    planted(
      ["src/cli/a.ts", 'import { b } from "./b.ts";\nexport const a = b;'],
      ["src/cli/b.ts", 'import { a } from "./a.ts";\nexport const b = a;'],
    ),
});
cannot("P7-S2", "use in an integration what no stranger has", {
  neighbour: () => planted(["integrations/a/b.ts", 'import { c } from "./c.ts";\nexport const b = c;']),
  offence: () => planted(["integrations/a/b.ts", 'import { c } from "../../src/c.ts";\nexport const b = c;']),
});
