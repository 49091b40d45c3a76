// The replay adapter as the rest of Dedalus knows it: an observation that was recorded, under the numbers it was
// recorded with.

import { pathAt } from "../../formats/dedalus/dedalus-guards.ts";
import { describeAdapter, NO_WORDS } from "../descriptor.ts";

export const replayAdapter = describeAdapter({
  acts: () => false,
  keys: { path: pathAt },
  live: false,
  name: "replay",
  numbers: "provider",
  open: async ({ path }, { environment, text }) => {
    const recorded = text(path, "observation");
    if (typeof recorded !== "string") return recorded;
    const [{ parseCurrent }, { replaySource }] = [
      await import("../../formats/current-json.ts"),
      await import("./replay.ts"),
    ];
    const parsed = parseCurrent(recorded, path, { complete: false, environment });
    return parsed.kind === "ok" ? { source: replaySource(parsed.value) } : parsed.problems[0];
  },
  optional: {},
  secrets: () => [],
  words: NO_WORDS,
});
