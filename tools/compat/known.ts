// Differences that are known, each with its reason. Anything else that differs is a defect of the simulator.

import type { Difference } from "./difference.ts";

export type Known = { readonly recording: RegExp; readonly at: RegExp; readonly reason: string };

export const KNOWN: readonly Known[] = [
  {
    at: /^body\.data$/,
    reason:
      "cluster/tasks: the real place says `saved` of the task that it has just stored as a number, and as a text from " +
      "the next read on; the simulator always says the text",
    recording: /^25-task-list$/,
  },
];

export const reasonFor = (recording: string, { at }: Difference): string | undefined =>
  KNOWN.find((known) => known.recording.test(recording) && known.at.test(at))?.reason;
