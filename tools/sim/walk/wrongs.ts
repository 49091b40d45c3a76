// What can go wrong in the walk, by name, and what of it somebody else does.

import type { Elsewhere } from "../rivals.ts";

/** What can go wrong. */
export type Wrong =
  | "configure"
  | "crash"
  | "cut"
  | "deny"
  | "freeze"
  | "hasty"
  | "lost"
  | "past"
  | "register"
  | "replaced"
  | "revoke";
export const WRONGS: readonly Wrong[] = [
  "configure",
  "crash",
  "cut",
  "deny",
  "freeze",
  "hasty",
  "lost",
  "past",
  "register",
  "replaced",
  "revoke",
];
export type Used = Readonly<Record<Wrong, number>>;
export const NOTHING_USED: Used = {
  configure: 0,
  crash: 0,
  cut: 0,
  deny: 0,
  freeze: 0,
  hasty: 0,
  lost: 0,
  past: 0,
  register: 0,
  replaced: 0,
  revoke: 0,
};

/** What somebody else does, by what it counts as. */
export const WRONG_ELSEWHERE = {
  "configure an address": "configure",
  "configure four eyes": "configure",
  deny: "deny",
  freeze: "freeze",
  "register a change of another": "register",
  "register protection": "register",
  "register without it": "register",
  revoke: "revoke",
} as const satisfies Record<Elsewhere, Wrong>;
