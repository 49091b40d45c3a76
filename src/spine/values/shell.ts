// One word for a shell, whatever is in it: a provider's text must not become a command, and what is pasted must be what
// was meant.
//
// What cannot be seen is written as the bytes that it is, in the quotes that bash, zsh and ksh read codes in; so a
// command is the same on the screen and in the shell.

import { hasInvisible, withoutInvisible } from "./invisible.ts";

export const shellWord = (text: string): string =>
  hasInvisible(text)
    ? `$'${withoutInvisible(text.replace(/[\\']/g, "\\$&"), bytesOf)}'`
    : `'${text.replaceAll("'", `'\\''`)}'`;

/** Bare where a shell takes it as it is. */
export const shellText = (text: string): string => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : shellWord(text));

/** A file as an argument: one that begins with a dash would be an option. */
export const fileWord = (path: string): string => shellWord(path.startsWith("-") ? `./${path}` : path);

/** UTF-8, as paths are, whatever the shell's locale. */
const bytesOf = (character: string): string =>
  Array.from(new TextEncoder().encode(character), (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
