// A story at whose ledger an instance has named its anchor, and another one that would join.

import { bringing, startRequest } from "../../src/kernel/command/program.ts";
import type { RequestOf } from "../../src/kernel/command/request.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { configOf, type Story } from "./story.ts";

const CONFIG = configOf("single-operator");
export const [FIRST_KEY, SECOND_KEY] = [sha256("the first key"), sha256("the second key")];

/** An instance with this key starts, and names its anchor. */
export const startsWith = (told: Story, key = FIRST_KEY): void => {
  const anchor = { bytes: 200, digest: sha256("an anchor"), first: sha256("a note"), key };
  told.ask({ ...startRequest(CONFIG, "1"), anchor }, { by: KERNEL_ACTOR });
};

/** What the second instance asks for, on all records; the first one's checkpoint covers all but the last. */
export const joinOf = (told: Story, changed: Partial<RequestOf<"ledger.join">> = {}): RequestOf<"ledger.join"> => {
  const { size } = told.state();
  return {
    ...bringing(CONFIG, "1"),
    held: { key: FIRST_KEY, root: sha256("a root"), size: size - 1 },
    key: SECOND_KEY,
    kind: "ledger.join",
    reason: "a second machine",
    root: sha256("another root"),
    size,
    ...changed,
  };
};
