// Blobs as bytes: canonical text in UTF-8, joined from its pieces, so that the address is the digest that was hashed.

const ENCODER = new TextEncoder();

export const bytesOf = (pieces: Iterable<string>): Uint8Array => ENCODER.encode(Array.from(pieces).join(""));
