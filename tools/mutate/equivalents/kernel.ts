// Equivalent mutants of the kernel; equivalent.ts says what a row is.

import type { Equivalent } from "../equivalent.ts";

export const KERNEL: readonly Equivalent[] = [
  {
    because: "A ledger that could not be read counts as frozen, and that is asked first.",
    file: "src/kernel/perform.ts",
    lineText:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of a source, as it stands there.
      "return { frozen: { because: `whether it is frozen could not be read: ${reasonOf(error)}` }, isOver: false };",
    original: "false",
    replacement: "true",
  },
  {
    because: "A decision holds no null of its own: where it has one, that came with the record and is the same value.",
    file: "src/kernel/replay.ts",
    lineText:
      'if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;',
    original: 'typeof one !== "object" || typeof other !== "object" || one === null',
    replacement: '(typeof one !== "object" || typeof other !== "object")',
  },
];
