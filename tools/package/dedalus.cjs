#!/usr/bin/env node
// Starts an installed Dedalus, or says in one line that this Node is too old for it.
//
// Written for every Node that can read it, and so in old words: nothing newer is loaded before the version is known.
"use strict";

const NEEDED = 24;

if (Number(process.versions.node.split(".")[0]) < NEEDED) {
  process.stderr.write("dedalus needs Node " + NEEDED + " or newer; this is Node " + process.versions.node + "\n");
  process.exitCode = 2;
} else {
  // Debugging switches of the yaml package: they would print a file's content.
  delete process.env.LOG_TOKENS;
  delete process.env.LOG_STREAM;
  // The first releases of Node 24 warn that SQLite is experimental, in the middle of what an operator reads.
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, type, ...rest) => {
    if (type !== "ExperimentalWarning") emitWarning.call(process, warning, type, ...rest);
  };
  void import("../lib/main.js");
}
