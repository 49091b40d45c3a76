// Programs of integrations/ use Dedalus as a stranger would: what they import is their own, a package, or the platform.

import { type Finding, findingAt, type Source } from "./finding.ts";
import { importsOf, resolved } from "./imports.ts";

export const insiders = (source: Source): readonly Finding[] => {
  const [folder] = /^integrations\/[^/]+\//.exec(source.file) ?? [];
  if (folder === undefined) return [];
  return importsOf(source).flatMap(({ at, specifier = "" }) => {
    const path = resolved(source.file, specifier);
    if (path === undefined || path.startsWith(folder)) return [];
    const instead = "Ask for it through a door, as a stranger must, or read a published schema.";
    return [findingAt("P7-S2", source, at, `imports ${path} from the inside`, instead)];
  });
};
