// What every commit keeps, whatever engine takes it: our own broken promises stop here, and no store is asked to find
// them.

import { hash } from "node:crypto";
import { assert } from "./assert.ts";
import { COMMIT_BYTES_MAX, COMMIT_LINES_MAX, type Commit } from "./engine.ts";

export const assertCommit = ({ blobs, lines }: Commit): void => {
  assert.ok(lines.length > 0 && lines.length <= COMMIT_LINES_MAX, `a commit has 1 to ${COMMIT_LINES_MAX} lines`);
  const bytes = lines.reduce((sum, line) => sum + line.length, 0);
  assert.ok(bytes <= COMMIT_BYTES_MAX, `a commit has at most ${COMMIT_BYTES_MAX} bytes of lines`);
  for (const [name, content] of blobs)
    assert.equal(hash("sha256", content, "hex"), name, "a blob is named by its hash");
};
