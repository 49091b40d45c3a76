// Starts main.ts by the short way to our own sources.
//
// Node looks for every imported file as if it could be a link, or belong to another package: that is a fifth of the
// time of a short command with its 150 files. Ours name each other by their whole relative path, so the path is the
// answer. Everything else (packages, Node's own modules) goes Node's way. Without this file the program does the same,
// slower: not here is anything that could change what is loaded.

import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith(".") && specifier.endsWith(".ts")
      ? { format: "module-typescript", shortCircuit: true, url: new URL(specifier, context.parentURL).href }
      : next(specifier, context),
});

await import("./main.ts");
