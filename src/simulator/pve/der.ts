// The few shapes of DER that a certificate needs. Writing only; nothing is ever read with it.

const lengthOf = (length: number): Buffer => {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
};

const tagged = (tag: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);

export const sequence = (...items: readonly Uint8Array[]): Buffer => tagged(0x30, Buffer.concat(items));
export const setOf = (...items: readonly Uint8Array[]): Buffer => tagged(0x31, Buffer.concat(items));
/** The highest bit is the sign, so a number that would begin with it gets a zero before it. */
export const integer = (bytes: Uint8Array): Buffer =>
  tagged(0x02, (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
export const bitString = (bytes: Uint8Array): Buffer => tagged(0x03, Buffer.concat([Buffer.from([0]), bytes]));
export const octetString = (bytes: Uint8Array): Buffer => tagged(0x04, bytes);
export const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.from([value ? 0xff : 0]));
export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text));
/** Two digits of the year: only for years from 1950 to 2049. */
export const utcTime = (text: string): Buffer => tagged(0x17, Buffer.from(text));
export const context = (number: number, content: Uint8Array): Buffer => tagged(0xa0 | number, content);
export const contextBytes = (number: number, content: Uint8Array): Buffer => tagged(0x80 | number, content);

export const objectId = (text: string): Buffer => {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const digits = [part & 0x7f];
    for (let more = part >>> 7; more > 0; more >>>= 7) digits.unshift((more & 0x7f) | 0x80);
    bytes.push(...digits);
  }
  return tagged(0x06, Buffer.from(bytes));
};
