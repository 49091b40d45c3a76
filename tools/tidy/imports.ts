// Every way a source names another module: import, export … from, an import for its effect, import(), and
// getBuiltinModule() for those of Node.

import type { Source } from "./finding.ts";

export type Import = {
  /** Undefined when the path is computed, and so cannot be read from the source. */
  readonly specifier: string | undefined;
  /** Erased before running. `import { type A }` is not: the module is still loaded. */
  readonly typeOnly: boolean;
  readonly reexport: boolean;
  readonly at: number;
};

const STATIC =
  /\b(import|export)\s+(type\s+(?!from\b))?((?:(?!\b(?:import|export)\b)[\w$*\s{},])*?\bfrom\s*)?(["'])([^"'\n]+)\4/g;
const DYNAMIC = /\b(?:import|getBuiltinModule)\s*\(\s*(?:(["'])([^"'\n]+)\1)?/g;

export const importsOf = (source: Source): readonly Import[] =>
  [...staticImports(source), ...dynamicImports(source)].sort((a, b) => a.at - b.at);

/** A match counts only where the word stands in code, not inside a text. */
const inCode = ({ bare, code }: Source, at: number): boolean => bare[at] === code[at];

const staticImports = (source: Source): readonly Import[] =>
  Array.from(source.code.matchAll(STATIC))
    .filter((match) => inCode(source, match.index) && (match[1] === "import" || match[3] !== undefined))
    .map((match) => ({
      at: match.index,
      reexport: match[1] === "export",
      specifier: match[5],
      typeOnly: match[2] !== undefined,
    }));

const dynamicImports = (source: Source): readonly Import[] =>
  Array.from(source.code.matchAll(DYNAMIC))
    .filter((match) => inCode(source, match.index))
    .map((match) => ({
      at: match.index,
      reexport: false,
      specifier: match[2],
      typeOnly: /\btypeof\s*$/.test(source.code.slice(0, match.index)),
    }));

/** The path inside the repository that a relative specifier names; undefined for packages and the platform. */
export const resolved = (file: string, specifier: string): string | undefined => {
  if (!specifier.startsWith(".")) return undefined;
  const parts = file.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
};
