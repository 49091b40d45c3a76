// divideRecords(): the lines of a page of records, byte for byte as they were sent, and whether the page is whole.
//
// A page is {"records":[line,line,…]} with an error behind them where the ledger is broken. It is divided by brackets
// and quotes alone and nothing is parsed: what each line is, is asked of its own bytes. Whoever knows another way to
// the end of a line gives it (dividePage), and it must be the same end.

const code = (character: string): number => character.charCodeAt(0);
const [QUOTE, BACKSLASH, COMMA] = [code('"'), code("\\"), code(",")];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [code("{"), code("}"), code("["), code("]")];

const HEAD: Uint8Array = new TextEncoder().encode('{"records":[');

export type PageEnd = {
  /** Why the service gave no more, as it sent it. */
  readonly refused?: unknown;
  /** How many bytes of a line stand there that does not end; undefined where the page is whole. */
  readonly torn?: number;
};
export type RecordsDivided = PageEnd & { readonly lines: readonly Uint8Array[] };

/** After the object at `start`; -1 when it does not end. */
export const objectEnd = (bytes: Uint8Array, start: number): number => {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at += 1;
      while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
};

export const divideRecords = (bytes: Uint8Array): RecordsDivided => {
  const lines: Uint8Array[] = [];
  const end = dividePage(bytes, (start) => {
    const after = objectEnd(bytes, start);
    if (after >= 0) lines.push(bytes.subarray(start, after));
    return after;
  });
  return { ...end, lines };
};

/** Asks for the place after the line that begins at each start, in their order; -1 when it does not end. */
export const dividePage = (bytes: Uint8Array, lineAfter: (start: number) => number): PageEnd => {
  if (!HEAD.every((byte, at) => bytes[at] === byte)) return { torn: bytes.length };
  let at = HEAD.length;
  while (bytes[at] === OPEN_OBJECT) {
    const end = lineAfter(at);
    if (end < 0) return { torn: bytes.length - at };
    at = end;
    if (bytes[at] !== COMMA) break;
    at += 1;
  }
  return bytes[at] === CLOSE_LIST ? ended(bytes, at + 1) : { torn: bytes.length - at };
};

const ended = (bytes: Uint8Array, at: number): PageEnd => {
  if (bytes[at] === CLOSE_OBJECT && at + 1 === bytes.length) return {};
  const value = bytes[at] === COMMA ? errorIn(new TextDecoder().decode(bytes.subarray(at + 1))) : undefined;
  return value === undefined ? { torn: bytes.length - at } : { refused: value };
};

/** What stands behind the records: one member, and the end of the page. */
const errorIn = (rest: string): unknown => {
  let value: unknown;
  try {
    value = JSON.parse(`{${rest}`);
  } catch {
    return undefined;
  }
  return typeof value === "object" && value !== null && "error" in value ? value.error : undefined;
};
