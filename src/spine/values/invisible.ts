// What cannot be seen, or would speak to a terminal instead of to its reader: one class of characters for every rule
// about it.
//
// Controls, formats (bidi overrides among them), line breaks that only some programs see, what Unicode lets a font
// leave out (Hangul fillers, variation selectors), and the blank of Braille. White space that everybody sees as such is
// not here.

/** Inside the brackets of a pattern with the flag u; published schemas say the same. */
export const INVISIBLE_CLASS = "\\p{C}\\p{Zl}\\p{Zp}\\p{DI}\\u2800";

/**
 * Nearly every text: letters and signs that anybody sees. The whole class is made of the tables of Unicode, which takes
 * longer than many a command needs it, so that it is made where a text is another.
 */
const ORDINARY = /^[ -~¡-¬®-ɏ–—“”„…→]*$/;
const invisibles = (flags: "gu" | "u"): RegExp => new RegExp(`[${INVISIBLE_CLASS}]`, flags);

export const hasInvisible = (text: string): boolean => !ORDINARY.test(text) && invisibles("u").test(text);

/** Each of them by something else. */
export const withoutInvisible = (text: string, instead: (character: string) => string): string =>
  ORDINARY.test(text) ? text : text.replace(invisibles("gu"), instead);

/** The same text with everything invisible written as its code. */
export const visible = (text: string): string =>
  withoutInvisible(text, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
