// The two kinds of finding that an examination makes: as it should be, and wrong. The compiler asks for the facts that
// the words of a code name.

import type { Fact, Facts } from "../../../spine/model.ts";
import type { NamesIn } from "../../../spine/words/template.ts";
import type { ExaminationFinding } from "../../examination.ts";
import type { PROXMOX_WORDS } from "../words.ts";

type Found = (typeof PROXMOX_WORDS)["found"];
type Next = (typeof PROXMOX_WORDS)["next"];
export type ExaminationCheck = keyof (typeof PROXMOX_WORDS)["checks"];
export type Code = keyof Found;

type Named<C extends Code> = NamesIn<Found[C]> | (C extends keyof Next ? NamesIn<Next[C]> : never);
export type FactsOf<C extends Code> = Facts & { readonly [K in Named<C>]: Fact };
type Given<C extends Code> = [Named<C>] extends [never] ? readonly [facts?: Facts] : readonly [facts: FactsOf<C>];

const finding =
  (isWrong: boolean) =>
  <C extends Code>(check: ExaminationCheck, code: C, ...[facts = {}]: Given<C>): ExaminationFinding => ({
    check,
    code,
    commands: [],
    facts,
    isWrong,
  });

export const fine = finding(false);
export const wrong = finding(true);
