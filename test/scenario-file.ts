// A scenario file: prose, commands, a line of dashes, the exact answer; several such blocks tell one story.
//
// A block ends at an empty line. Hashes are left out of answers, because they change with every word of the rules; what
// they cover is tested elsewhere (test/spine/). Not here: what a command means (scenario-language.ts).

export type Block = { readonly lines: readonly string[]; readonly answer: readonly string[] };

const DIVIDER = "----";

export const parseBlocks = (text: string): readonly Block[] =>
  text
    .trimEnd()
    .split(/\n{2,}/)
    .map((block) => {
      const lines = block.split("\n");
      const at = lines.indexOf(DIVIDER);
      return at < 0 ? { answer: [], lines } : { answer: lines.slice(at + 1), lines: lines.slice(0, at) };
    });

export const blocksText = (blocks: readonly Block[]): string =>
  `${blocks.map(({ answer, lines }) => [...lines, DIVIDER, ...answer].join("\n")).join("\n\n")}\n`;

export const commandsOf = ({ lines }: Block): readonly string[] => lines.filter((line) => !line.startsWith("#"));

export const withoutHashes = (line: string): string => line.replace(/\b[0-9a-f]{64}\b/g, "HASH");
