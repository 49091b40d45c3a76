// CHANGELOG.md as a release reads and turns it. Pure.

const UNRELEASED = "## Unreleased";
const HEADING = /^## (\S+)/gm;

/** The versions that have a heading, newest first as they are written. */
export const releasedIn = (changelog: string): readonly string[] =>
  Array.from(changelog.matchAll(HEADING), ([, word = ""]) => word).filter((word) => word !== "Unreleased");

/** What is written under Unreleased, without empty lines and headings. */
export const unreleasedIn = (changelog: string): readonly string[] => {
  const from = changelog.indexOf(`${UNRELEASED}\n`);
  if (from < 0) return [];
  const [, section = ""] = changelog.slice(from).split(/^## .*\n/m);
  return section.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
};

/** What was unreleased gets the version as its heading, under an empty Unreleased. */
export const turned = (changelog: string, version: string, date: string): string =>
  changelog.replace(`${UNRELEASED}\n`, () => `${UNRELEASED}\n\n## ${version} (${date})\n`);
