// Equivalent mutants of what folds records into the kernel's state; equivalent.ts says what a row is.

import type { Equivalent } from "../equivalent.ts";

export const KERNEL_STATE: readonly Equivalent[] = [
  {
    because: "What is turned to the day that it is of stays as it is; asking first spares doing so for every record.",
    file: "src/kernel/evolve/evolve.ts",
    lineText: "day === state.plans.day",
    original: "day === state.plans.day",
    replacement: "false",
  },
  {
    because: "A token that ends when the last one could is the same whether its end is kept or set.",
    file: "src/kernel/evolve/fold-clock.ts",
    lineText: "return mapped(valid, (token) => (token.expiresAt <= last ? token : { ...token, expiresAt: last }));",
    original: "token.expiresAt <= last",
    replacement: "token.expiresAt < last",
  },
  {
    because: "A part of a tree has one root, whether it was hashed once or is hashed again.",
    file: "src/kernel/state/registered-entry.ts",
    lineText: "const root = roots.get(name) ?? rootOfLeaves(leaves, range);",
    original: "roots.get(name) ?? rootOfLeaves(leaves, range)",
    replacement: "(rootOfLeaves(leaves, range))",
  },
  {
    because: "A part of a tree has one root, whether it was hashed once or is hashed again.",
    file: "src/kernel/state/registered-entry.ts",
    lineText: "roots.set(name, root);",
    original: "roots.set(name, root);",
    replacement: ";",
  },
];
