// Chance that is part of the world: mulberry32 as a pure step, so that the same world draws the same numbers for ever.
//
// The whole state is one number. Nothing secret is made from it.

export type Chance = number;

/** A number from 0 to below 1, and the state after it was drawn. */
export const draw = (state: Chance): readonly [number, Chance] => {
  const next = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(next ^ (next >>> 15), 1 | next);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return [((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32, next];
};

/** A whole number of the range, both ends included. */
export const drawBetween = (state: Chance, least: number, most: number): readonly [number, Chance] => {
  const [share, next] = draw(state);
  return [least + Math.floor(share * (most - least + 1)), next];
};

const drawHex = (state: Chance, length: number): readonly [string, Chance] => {
  let text = "";
  let rest = state;
  while (text.length < length) {
    const [share, next] = draw(rest);
    rest = next;
    text += Math.floor(share * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  }
  return [text.slice(0, length), rest];
};

/** A random UUID in the usual form. */
export const drawUuid = (state: Chance): readonly [string, Chance] => {
  const [hex, next] = drawHex(state, 32);
  const variant = "89ab"[Number.parseInt(hex[16] ?? "0", 16) & 3];
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  return [uuid, next];
};
