// How a request goes on, as one line for a person who waits; and that a call may leave from here on, for whoever is
// interrupted.

import type { ServiceProgress, Watch } from "../../service/progress.ts";
import { type Io, showProgress } from "../process/io.ts";

const TEXTS: {
  readonly [At in ServiceProgress["at"]]?: (told: Extract<ServiceProgress, { readonly at: At }>) => string;
} = {
  checking: ({ records }) => `checking against the anchor: ${records} records`,
  observed: ({ observed, wanted }) => `observing: ${observed} of ${wanted} VMs`,
  observing: ({ environment }) => `observing ${environment}`,
  examining: ({ environment }) => `asking ${environment}`,
  exporting: ({ of, records }) => `exporting ${records} of ${of} records`,
  copying: ({ records }) => `copying: ${records} records`,
  opening: () => "opening the ledger",
  planning: () => "planning",
  reading: ({ file }) => `reading ${file}`,
  "reading-back": ({ records }) => `reading back: ${records} records`,
  replaying: ({ records }) => `replaying: ${records} records`,
  verifying: ({ of, records }) => verifyingText(records, of),
};

const BAR_WIDTH = 30;
const verifyingText = (records: number, of: number | undefined): string => {
  if (of === undefined) return `verifying: ${records} records`;
  const filled = Math.round(Math.min(1, records / of) * BAR_WIDTH);
  return `verifying [${"#".repeat(filled)}${".".repeat(BAR_WIDTH - filled)}] ${records} of ${of} records`;
};

export const watchOf =
  (io: Io): Watch =>
  (told) => {
    if (told.at === "claiming") io.deeds.claim();
    const text = TEXTS[told.at] as ((one: ServiceProgress) => string) | undefined;
    if (text !== undefined) showProgress(io, text(told));
  };
