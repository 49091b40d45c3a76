// Sentences belong to the catalogue of words: none is in a room whose texts become facts, records or comparisons.

import { findings } from "../tools/tidy.ts";
import { cannot } from "./cannot.ts";

const found = (path: string, text: string) => findings(new Map([[path, `// A planted file.\n\n${text}\n`]]));
const texts = (offence: string, neighbour: string, path = "src/service/read/a.ts") => ({
  neighbour: () => found(path, neighbour),
  offence: () => found(path, offence),
});

cannot(
  "G3",
  "tell a fact in English",
  texts(
    'refuse("usage", { facts: { expected: "whole number 1..8192" } });',
    'refuse("usage", { facts: { max: 8192 } });',
  ),
);
cannot(
  "G3",
  "say that a provider said nothing",
  texts('const a = said ?? "not shown";', 'const a = said ?? "unknown";', "src/adapters/proxmox/observe/a.ts"),
);
cannot(
  "G3",
  "join facts by small words",
  texts(`const a = \`\${right} on \${path}\`;`, `const a = \`\${right}@\${path}\`;`),
);
cannot(
  "G3",
  "hand a sentence to whoever runs a service",
  texts(`note(\`the ledger did not close: \${error}\`);`, 'note({ cause: "ledger-not-closed" });'),
);
cannot(
  "G3",
  "put a sentence behind a name",
  texts('const SAID = "its status is not known";', 'throw new TypeError("its status is not known");'),
);
cannot("G3", "speak outside the words of an adapter", {
  neighbour: () => found("src/adapters/proxmox/words.ts", 'export const A = "the token is not accepted";'),
  offence: () => found("src/adapters/proxmox/adapter.ts", 'export const A = "the token is not accepted";'),
});
cannot(
  "G3",
  "say something in a function of a file of words, where no table can be reworded",
  texts(
    'const A_WORDS = { so: "it is so" };\nexport const saidOf = (): string => "it is not so";',
    'const A_WORDS = { so: "it is so" };\nexport const saidOf = (): string => A_WORDS.so;',
    "src/spine/words/a-words.ts",
  ),
);
cannot(
  "G3",
  "tell a fact in English in a command",
  texts(
    'const facts = { argument: "--step", with: "the id of a recorded plan" };\nrefuse("usage", { facts });',
    'const facts = { argument: "--step" };\nconst asked = "the id of a recorded plan";',
    "src/cli/commands/a.ts",
  ),
);
cannot(
  "G3",
  "tell a fact in English where a command refuses",
  texts(
    'refuse("usage", { cause: "a", facts: { at: { b: 1 }, what: "init without a terminal" } });',
    'refuse("usage", { cause: "a", facts: { at: { b: 1 }, what: "init" } }, "init without a terminal");',
    "src/cli/commands/a.ts",
  ),
);
