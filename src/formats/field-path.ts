// The name of a place inside a value, such as `vms[2].name`, and texts from outside made visible.
//
// A key that is not a plain word is quoted, so that no key can pass for a path. Whatever is quoted here is safe to
// print: a control character from a file never reaches a terminal.

import { visible } from "../spine/values/invisible.ts";
import { clip } from "./fields.ts";

const PLAIN_KEY = /^[A-Za-z_$][A-Za-z0-9_$-]{0,39}$/;

export const fieldOf = (parent: string, key: string): string => {
  if (!PLAIN_KEY.test(key)) return `${parent}[${visible(JSON.stringify(clip(key)))}]`;
  return parent === "" ? key : `${parent}.${key}`;
};

/** Counts from 0, as programs that read the same file do. */
export const itemOf = (parent: string, index: number): string => `${parent}[${index}]`;
