// What cannot be seen, or would speak to a terminal instead of to its reader: one class of characters for every rule
// about it.
//
// Controls, formats (bidi overrides among them), line breaks that only some programs see, what Unicode lets a font
// leave out (Hangul fillers, variation selectors), and the blank of Braille. White space that everybody sees as such is
// not here.

/** Inside the brackets of a pattern with the flag u; published schemas say the same. */
export const INVISIBLE_CLASS = "\\p{C}\\p{Zl}\\p{Zp}\\p{DI}\\u2800";

const INVISIBLE = new RegExp(`[${INVISIBLE_CLASS}]`, "u");
const INVISIBLES = new RegExp(INVISIBLE, "gu");

export const hasInvisible = (text: string): boolean => INVISIBLE.test(text);

/** Each of them by something else. */
export const withoutInvisible = (text: string, instead: (character: string) => string): string =>
  text.replace(INVISIBLES, instead);

/** The same text with everything invisible written as its code. */
export const visible = (text: string): string =>
  withoutInvisible(text, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
