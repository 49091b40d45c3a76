// The replay adapter as the rest of Dedalus knows it: an observation that was recorded, under the numbers it was recorded with.

import { parseCurrent } from "../../formats/current-json.ts";
import { pathAt } from "../../formats/dedalus/dedalus-guards.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { describeAdapter, NO_WORDS } from "../descriptor.ts";
import { replaySource } from "./replay.ts";

export const replay = describeAdapter({
  keys: { path: pathAt },
  live: false,
  name: "replay",
  numbers: "provider",
  open: async ({ path }, { environment, text }) => {
    const recorded = text(path, "the recorded observation");
    if (typeof recorded !== "string") return recorded;
    const parsed = parseCurrent(recorded, path, { complete: false, environment });
    if (parsed.kind === "ok") return { source: replaySource(parsed.value) };
    const { at, because, code } = parsed.problems[0];
    return refuse(code, { because: `${path}, line ${at.line}: ${because}` });
  },
  optional: {},
  secrets: () => [],
  words: NO_WORDS,
});
