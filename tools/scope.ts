// docs/SCOPE.md against the code, both ways: what exists is listed with the rule that allows it, and what is listed
// exists.

import { isRuleId } from "../src/spine/rules/invariants.ts";

export type ScopeFinding = { readonly because: string; readonly rule: "P7-S3" };

const finding = (because: string): ScopeFinding => ({ because, rule: "P7-S3" });

/** The rows of the table under a heading: the name in its first column, the rule in its last. */
const rowsUnder = (text: string, heading: string): readonly (readonly [string, string])[] => {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  return Array.from(section.matchAll(/^\| `([^`]+)` \|.*\| ([^|]+) \|$/gm), ([, name = "", rule = ""]) => [
    name,
    rule.trim(),
  ]);
};

const compared = (
  what: string,
  rows: readonly (readonly [string, string])[],
  existing: readonly string[],
): readonly ScopeFinding[] => {
  const listed = rows.map(([name]) => name);
  return [
    ...existing
      .filter((name) => !listed.includes(name))
      .map((name) => finding(`${what} ${name} exists and is not listed`)),
    ...listed
      .filter((name) => !existing.includes(name))
      .map((name) => finding(`${what} ${name} is listed and does not exist`)),
    ...listed
      .filter((name, at) => listed.indexOf(name) !== at)
      .map((name) => finding(`${what} ${name} is listed twice`)),
    ...rows
      .filter(([, rule]) => !isRuleId(rule))
      .map(([name, rule]) => finding(`${what} ${name} stands under ${rule}, which is no rule`)),
  ];
};

export const scopeFindings = (
  text: string,
  exists: {
    readonly acts: readonly string[];
    readonly commands: readonly string[];
    readonly pages: readonly string[];
    readonly routes: readonly string[];
    readonly tools: readonly string[];
  },
): readonly ScopeFinding[] => [
  ...compared("command", rowsUnder(text, "Commands"), exists.commands),
  ...compared("act", rowsUnder(text, "Acts of the kernel"), exists.acts),
  ...compared("page", rowsUnder(text, "Pages"), exists.pages),
  ...compared("route", rowsUnder(text, "Routes"), exists.routes),
  ...compared("tool", rowsUnder(text, "Tools"), exists.tools),
];
