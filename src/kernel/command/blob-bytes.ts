// Blobs as bytes: canonical text in UTF-8, so that the address is the digest that was hashed.

/** A TextEncoder asks for memory of its own for every text, which takes several times as long for a short one. */
export const bytesOf = (text: string): Uint8Array => Buffer.from(text);

/** The whole of a text that comes in pieces; whoever needs the digest as well hashes this, and does not write it twice. */
export const joinedText = (pieces: Iterable<string>): string => {
  let text = "";
  for (const piece of pieces) text += piece;
  return text;
};
