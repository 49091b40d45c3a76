// Starts main.ts by the short way to our own sources.
//
// Node looks for every imported file as if it could be a link, or belong to another package, and reads it by way of its
// address: that is a fourth of the time of a short command with its 250 files. Ours name each other by their whole
// relative path, so the path is the answer. Of node:fs it makes a module with everything that fs has, and loads for it
// the streams that we do not name. Everything else (packages, Node's other modules) goes Node's way. Without this file
// the program does the same, slower: not here is anything that could change what is loaded.

import { registerHooks } from "node:module";

const fs = process.getBuiltinModule("node:fs");

const PATH_AT = "file://".length;
const OURS = import.meta.url.slice(0, import.meta.url.lastIndexOf("/") + 1);
/** In an address, what cannot stand in it is written otherwise, and a path is not its last part. */
const isPlain = !OURS.includes("%");
const FS = "dedalus:fs";

/** As new URL(specifier, parent) does it, of a specifier that begins with a dot. */
const addressFrom = (parent: string, specifier: string): string => {
  let folderEnd = parent.lastIndexOf("/");
  let at = specifier.startsWith("./") ? "./".length : 0;
  while (specifier.startsWith("../", at)) {
    folderEnd = parent.lastIndexOf("/", folderEnd - 1);
    at += "../".length;
  }
  const rest = specifier.slice(at);
  return rest.includes("./") ? new URL(specifier, parent).href : parent.slice(0, folderEnd + 1) + rest;
};

/** What is made when it is first asked for is left out: it is asked for where it is exported. */
const fsText = (): string => {
  const members = Object.entries(Object.getOwnPropertyDescriptors(fs));
  const names = members.flatMap(([name, { get }]) => (get === undefined ? [name] : []));
  return `export const { ${names.join(", ")} } = process.getBuiltinModule("node:fs");`;
};

registerHooks({
  load: (url, context, next) => {
    if (url === FS) return { format: "module", shortCircuit: true, source: fsText() };
    return isPlain && url.startsWith(OURS)
      ? { format: "module-typescript", shortCircuit: true, source: fs.readFileSync(url.slice(PATH_AT), "utf8") }
      : next(url, context);
  },
  resolve: (specifier, context, next) => {
    const { parentURL = "" } = context;
    if (!parentURL.startsWith(OURS)) return next(specifier, context);
    if (specifier === "node:fs") return { format: "module", shortCircuit: true, url: FS };
    return specifier.startsWith(".") && specifier.endsWith(".ts")
      ? { format: "module-typescript", shortCircuit: true, url: addressFrom(parentURL, specifier) }
      : next(specifier, context);
  },
});

await import("./main.ts");
