// A file as pieces of bytes, each read into the same room: what is read is used before the next piece comes.
//
// A stream makes a buffer for every piece; for a walk over a whole export that costs a quarter of its time.

import { open } from "node:fs/promises";
import { assertPlainAt } from "./plain-file.ts";

const PIECE_BYTES = 1 << 18;

/** The bytes of a piece are others as soon as the next one is asked for. */
export async function* readPieces(path: string): AsyncGenerator<Uint8Array> {
  assertPlainAt(path);
  const file = await open(path, "r");
  try {
    const room = Buffer.allocUnsafeSlow(PIECE_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(room, 0, PIECE_BYTES);
      if (bytesRead === 0) return;
      yield room.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
