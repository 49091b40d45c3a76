// SHA-256 of a text, at once: the browser's own answers later, and is slower on what is short.

import { sha256 } from "@noble/hashes/sha2.js";

export const sha256Hex = (text: string): string =>
  Array.from(sha256(new TextEncoder().encode(text)), (byte) => byte.toString(16).padStart(2, "0")).join("");
