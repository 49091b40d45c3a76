// A command that is printed for somebody to run next, so that it can be pasted: it names the configuration that this one named.

import { shellWord } from "../../spine/words/template.ts";
import type { Arguments } from "../command.ts";

export const nextStep = ({ text }: Arguments, words: string): string => {
  const config = text.get("config");
  return `dedalus ${words}${config === undefined ? "" : ` --config ${shellWord(config)}`}`;
};
