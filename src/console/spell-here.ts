// A command as whoever reads this page pastes it: it asks the service that the page came from.

import { type SPELLINGS, type Spelling, spellCommandAt } from "./spell-command.ts";

export const spellCommand = <S extends Spelling>(command: S, of: Parameters<(typeof SPELLINGS)[S]>[0]): string =>
  spellCommandAt(location.origin, command, of);
