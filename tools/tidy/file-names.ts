// Names of files in src/: each means one thing, so that a name which is searched for, or named in a sentence, leads to
// one file.
//
// Two files share a name only where it means the same by convention.

import { basename } from "node:path";
import { type Finding, findingAt, type Source } from "./finding.ts";

const SOURCE = /^src\/.+\.ts$/;
/** A command and the operation of the service that it asks for are one thing, seen from a door and from inside. */
const COMMAND = /^src\/cli\/commands\//;
const OPERATION = /^src\/service\/(?:act|ledger|read)\//;
/**
 * What every adapter and engine has: what it says of itself, beside the type of that; how one begins with it; its own
 * words.
 */
const OF_EACH = /^src\/(?:adapters|ledger\/engines)\/(?:[a-z]+\/)?(?:beginning|descriptor|words)\.ts$/;

export const sharedFileNames = (sources: readonly Source[]): readonly Finding[] => {
  const all = sources.filter(({ file }) => SOURCE.test(file));
  return Array.from(Map.groupBy(all, ({ file }) => basename(file)).values()).flatMap((alike) => {
    const [first, ...others] = distinct(alike);
    return others.map((source) =>
      findingAt(
        "P7-F1",
        source,
        0,
        `${basename(source.file)} is the name of ${first?.file} too`,
        "One of the two is something else: name it after that.",
      ),
    );
  });
};

/** One file for each meaning. */
const distinct = (alike: readonly Source[]): readonly Source[] => {
  const operation = alike.find(({ file }) => OPERATION.test(file));
  const meant = alike.filter(({ file }) => operation === undefined || !COMMAND.test(file));
  const [one, ...rest] = meant.filter(({ file }) => OF_EACH.test(file));
  return meant.filter((source) => source === one || !rest.includes(source));
};
