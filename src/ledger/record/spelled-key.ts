// The key of a request: a ULID, or a UUIDv7, which has as many bits in the same order and is taken as the ULID of
// them.
//
// The same key in either spelling is the same key. keeps B6

import type { Ulid } from "./record.ts";
import { isUlid, ulidText } from "./ulid.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export const keyIn = (text: string): Ulid | undefined => {
  if (isUlid(text)) return text;
  if (!UUID_V7.test(text)) return undefined;
  const ulid = ulidText(Buffer.from(text.replaceAll("-", ""), "hex"));
  return isUlid(ulid) ? ulid : undefined;
};
