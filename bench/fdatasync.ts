// F: how often a second this file system makes 4 KiB durable, in this process. Everything durable is measured beside
// it, right before and right after, because a disk that is shared is never twice the same.

import { closeSync, fdatasyncSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { median } from "./race.ts";

const PAGE_BYTES = 4_096;
const PAGES = 256;
const FOR_MS = 250;

export type Syncs = { readonly perSecond: number; readonly p50Ms: number };

export type Disk = { readonly measure: () => Syncs; readonly close: () => void };

/** The file is written once before, so that no measured write has to find it room. */
export const diskAt = (folder: string): Disk => {
  const file = openSync(join(folder, "fdatasync"), "w");
  const page = Buffer.alloc(PAGE_BYTES, 1);
  ftruncateSync(file, PAGES * PAGE_BYTES);
  for (let at = 0; at < PAGES; at += 1) writeSync(file, page, 0, PAGE_BYTES, at * PAGE_BYTES);
  fsyncSync(file);
  let next = 0;
  return {
    close: () => closeSync(file),
    measure: () => {
      const times: number[] = [];
      const fromMs = performance.now();
      for (let lastMs = fromMs; lastMs - fromMs < FOR_MS; ) {
        writeSync(file, page, 0, PAGE_BYTES, (next % PAGES) * PAGE_BYTES);
        fdatasyncSync(file);
        next += 1;
        const ms = performance.now();
        times.push(ms - lastMs);
        lastMs = ms;
      }
      return { p50Ms: median(times), perSecond: (times.length * 1_000) / (performance.now() - fromMs) };
    },
  };
};

/** The middle of what was measured before and after. */
export const between = (before: Syncs, after: Syncs): Syncs => ({
  p50Ms: (before.p50Ms + after.p50Ms) / 2,
  perSecond: (before.perSecond + after.perSecond) / 2,
});
