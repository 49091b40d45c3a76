// From argv to arguments, by the command's own table; every problem at once.

import { nearest } from "../../formats/fields.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { type Arguments, COMMON_OPTIONS, type OptionSpec, type Usage } from "../command.ts";

export const readArguments = (usage: Usage, argv: readonly string[]): Arguments | readonly Refusal[] => {
  const options = [...usage.options, ...COMMON_OPTIONS];
  const positionals: string[] = [];
  const text = new Map<string, string>();
  const flags = new Set<string>();
  const problems: Refusal[] = [];
  const misuse = (because: string, next = `See: dedalus ${usage.name} --help`): void => {
    problems.push(refuse("usage", { because, next }));
  };
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      positionals.push(...rest.splice(0));
    } else if (!word.startsWith("-") || word === "-") {
      positionals.push(word);
    } else {
      const { name, inline } = split(word);
      const option = options.find((candidate) => candidate.name === name);
      if (option === undefined) misuse(`${usage.name} has no option ${word}`, suggestion(name, options, usage));
      else if (text.has(name) || flags.has(name)) misuse(`--${name} is given twice`);
      else if (option.value === undefined) {
        if (inline !== undefined) misuse(`--${name} takes no value`);
        flags.add(name);
      } else {
        const value = inline ?? rest.shift();
        if (value === undefined || value === "") misuse(`--${name} needs a value: ${option.value}`);
        text.set(name, value ?? "");
      }
    }
  }
  for (const option of usage.options) {
    if (option.required && !text.has(option.name))
      misuse(`--${option.name} ${option.value} is missing: ${option.help}`);
  }
  for (const positional of usage.positionals.slice(positionals.length)) {
    if (positional.required) misuse(`${positional.name} is missing: ${positional.help}`);
  }
  for (const extra of positionals.slice(usage.positionals.length)) misuse(`${usage.name} does not take ${extra}`);
  return problems.length > 0 ? problems : { flags, positionals, text };
};

const split = (word: string): { readonly name: string; readonly inline?: string } => {
  const bare = word.replace(/^--?/, "");
  const at = bare.indexOf("=");
  return at < 0 ? { name: bare } : { inline: bare.slice(at + 1), name: bare.slice(0, at) };
};

const suggestion = (name: string, options: readonly OptionSpec[], usage: Usage): string => {
  const near = nearest(
    name,
    options.map((option) => option.name),
  );
  return near === undefined ? `See: dedalus ${usage.name} --help` : `Did you mean --${near}?`;
};
