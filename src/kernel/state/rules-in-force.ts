// Under which rules a command is decided: those of the program that brought its configuration last.
//
// By configuration and not by process: a state that kept every process would grow with every command that anybody
// types. Two programs under one configuration are told apart by what the newer one said, and the older one is refused
// by name rather than guessed for. What brings its configuration is decided by the rules that it names itself.

import type { Sha256 } from "../../spine/model.ts";
import type { Bringing } from "../command/request.ts";
import { get } from "./persistent-map.ts";
import type { State } from "./state.ts";

/** What decided before anybody said by which rules: the first there were. */
const FIRST_RULES = 1;

export const rulesUnder = ({ programs, started }: State, configHash: Sha256 | undefined): number => {
  const own = configHash === undefined ? undefined : get(programs, configHash);
  const newest = started === undefined ? undefined : get(programs, started);
  return (own ?? newest)?.rules ?? FIRST_RULES;
};

export const rulesFor = (state: State, configHash: Sha256 | undefined, request: object): number =>
  "rules" in request ? (request as Bringing).rules : rulesUnder(state, configHash);
