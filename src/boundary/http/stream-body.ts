// A body that comes in pieces: as fast as its reader reads, and cut when a reader stops reading.
//
// A piece waits until there is room; who makes none for too long is cut off, so that no reader holds what others
// need.

import { once } from "node:events";
import type { ServerResponse } from "node:http";

export type StreamBounds = {
  /** How often a stream without events says that it lives. */
  readonly heartbeatMs: number;
  /** As long as a reader may make no room for the next piece. */
  readonly stalledMs: number;
};
export const STREAM_BOUNDS: StreamBounds = { heartbeatMs: 15_000, stalledMs: 30_000 };

/** False when the reader is gone, or was cut, which `cut` is told. */
export const writePiece = async (
  raw: ServerResponse,
  piece: string,
  { stalledMs }: Pick<StreamBounds, "stalledMs">,
  cut: () => void,
): Promise<boolean> => {
  if (raw.destroyed) return false;
  if (raw.write(piece)) return true;
  // Whichever comes first ends the wait for the others: a stream of many pieces leaves no listener behind.
  const over = new AbortController();
  const late = setTimeout(() => over.abort(), stalledMs);
  const closed = (): void => over.abort();
  raw.once("close", closed);
  try {
    await once(raw, "drain", { signal: over.signal });
    return true;
  } catch {
    if (!raw.destroyed) cut();
    raw.destroy();
    return false;
  } finally {
    clearTimeout(late);
    raw.off("close", closed);
  }
};
