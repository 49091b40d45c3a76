// Bytes as the texts in which the record format writes them: hexadecimal digits for hashes, base64 in notes and proofs.

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export const hexOf = (bytes: Uint8Array): string => {
  let text = "";
  for (let at = 0; at < bytes.length; at += 1) text += DIGITS[bytes[at] as number];
  return text;
};

/** Undefined when it is not the one text that encodes the bytes. */
export const base64Bytes = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return undefined;
  }
  return btoa(binary) === text ? Uint8Array.from(binary, (one) => one.charCodeAt(0)) : undefined;
};

export const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);
