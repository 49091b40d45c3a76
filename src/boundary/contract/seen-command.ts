// A word of a command as somebody pastes it into a shell: what another wrote must not become a command there.

import { shellText } from "../../spine/values/shell.ts";

export const seenCommand = (words: readonly string[]): string => words.map(shellText).join(" ");
