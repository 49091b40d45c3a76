// The hash of a line: the record's own hash, which its successor names, and its leaf in the tree (RFC 6962, section
// 2.1).

import type { Sha256 } from "../../spine/model.ts";
import { sha256 } from "../../spine/values/hash.ts";
import { LINE_BYTES_MAX } from "./record.ts";

const LEAF = 0x00;

/**
 * Room for the prefix and what follows it; filled and read within one call. One copy is cheaper than a hasher object.
 */
const leafRoom = Buffer.alloc(1 + LINE_BYTES_MAX, LEAF);
const lineRoom = leafRoom.subarray(1);
const encoder = new TextEncoder();

export const leafHash = (line: Uint8Array): Sha256 => {
  const room = line.length < leafRoom.length ? leafRoom : Buffer.concat([Uint8Array.of(LEAF), line]);
  room.set(line, 1);
  return sha256(room.subarray(0, 1 + line.length));
};

/** The line of a text and its hash, written where it is hashed; undefined when a line cannot hold so many bytes. */
export const leafOf = (text: string): { readonly hash: Sha256; readonly line: Uint8Array } | undefined => {
  const { read, written } = encoder.encodeInto(text, lineRoom);
  if (read < text.length) return undefined;
  return { hash: sha256(leafRoom.subarray(0, 1 + written)), line: Buffer.from(lineRoom.subarray(0, written)) };
};
