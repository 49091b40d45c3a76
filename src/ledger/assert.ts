// What holds unless there is a bug of ours. Node's own assert, which is loaded for whoever finds one: a command that
// reads a ledger asserts much, and loading it takes as long as some of them do otherwise.

type Assert = {
  readonly equal: (actual: string, expected: string, sentence: string) => void;
  readonly fail: (sentence: string) => never;
  readonly ok: (holds: boolean, sentence: string) => asserts holds;
};

const strict = () => process.getBuiltinModule("node:assert/strict");

export const assert: Assert = {
  equal: (actual, expected, sentence) => {
    if (actual !== expected) strict().fail(sentence);
  },
  fail: (sentence) => strict().fail(sentence),
  ok: (holds, sentence) => {
    if (!holds) strict().fail(sentence);
  },
};
