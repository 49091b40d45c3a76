// A body that comes in pieces: as fast as its reader reads, and cut when a reader stops reading.
//
// A piece waits until there is room; who makes none for too long is cut off, so that no reader holds what others
// need.

import { once } from "node:events";
import type { ServerResponse } from "node:http";

const STALLED_MS = 30_000;

/** False when the reader is gone, or was cut because it reads too slowly. */
export const writePiece = async (raw: ServerResponse, piece: string, cut: () => void): Promise<boolean> => {
  if (raw.destroyed) return false;
  if (raw.write(piece)) return true;
  try {
    await Promise.race([
      once(raw, "drain", { signal: AbortSignal.timeout(STALLED_MS) }),
      once(raw, "close").then(() => Promise.reject(new Error("the reader is gone"))),
    ]);
    return true;
  } catch {
    if (!raw.destroyed) cut();
    raw.destroy();
    return false;
  }
};
