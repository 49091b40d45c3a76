// From argv to arguments, by the command's own table; every problem at once.

import type { Refusal } from "../../spine/model.ts";
import { type About, refuse } from "../../spine/rules/refusals.ts";
import { nearest } from "../../spine/values/nearest.ts";
import { type Arguments, COMMON_OPTIONS, type OptionSpec, type Usage } from "../command.ts";
import { isPlaceholder } from "./placeholder.ts";

export const readArguments = (usage: Usage, argv: readonly string[]): Arguments | readonly Refusal[] => {
  const options = [...usage.options, ...COMMON_OPTIONS];
  const positionals: string[] = [];
  const text = new Map<string, string>();
  const flags = new Set<string>();
  const problems: Refusal[] = [];
  /** What follows an option that nobody knows: its value, or an argument besides. */
  const doubtful = new Set<number>();
  /** Meant by a word that was mistyped: what was mistyped is not missing too. */
  const meant = new Set<string>();
  const command = usage.name;
  const misuse = (about: About<"usage">): void => {
    problems.push(refuse("usage", about));
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
      const argument = `--${name}`;
      if (option === undefined) {
        const near = nearestOption(name, options);
        misuse(unknownOption(command, word, near));
        if (near !== undefined) meant.add(near.name);
        // Its value is part of the same slip, and no argument besides.
        if (inline !== undefined || rest[0]?.startsWith("-") !== false) continue;
        if (near === undefined) doubtful.add(positionals.length);
        else if (near.value !== undefined) rest.shift();
      } else if (option.many !== true && (text.has(name) || flags.has(name)))
        misuse({ cause: "given-twice", facts: { argument, command } });
      else if (option.value === undefined) {
        if (inline !== undefined) misuse({ cause: "value-unwanted", facts: { argument, command } });
        flags.add(name);
      } else {
        const value = inline ?? rest.shift();
        if (value === undefined || value === "")
          misuse({ cause: "value-missing", facts: { argument, command, value: option.value } });
        else if (isPlaceholder(option, value)) misuse({ cause: "placeholder", facts: { argument, found: value } });
        const before = text.get(name);
        text.set(name, before === undefined ? (value ?? "") : `${before},${value ?? ""}`);
      }
    }
  }
  for (const option of usage.options) {
    if (option.required && !text.has(option.name) && !meant.has(option.name) && !text.has(option.orElse ?? "")) {
      const facts = { argument: `--${option.name}`, command, value: option.value ?? "" };
      misuse({ cause: "option-missing", facts });
    }
  }
  for (const positional of usage.positionals.slice(positionals.length)) {
    if (positional.required) misuse({ cause: "argument-missing", facts: { argument: positional.name, command } });
  }
  const most = usage.positionals.at(-1)?.many === true ? positionals.length : usage.positionals.length;
  const certain = positionals.filter((_, at) => !doubtful.has(at));
  for (const argument of certain.slice(most)) misuse({ cause: "argument-extra", facts: { argument, command } });
  return problems.length > 0 ? problems : { flags, positionals, text };
};

const split = (word: string): { readonly name: string; readonly inline?: string } => {
  const bare = word.replace(/^--?/, "");
  const at = bare.indexOf("=");
  return at < 0 ? { name: bare } : { inline: bare.slice(at + 1), name: bare.slice(0, at) };
};

const nearestOption = (name: string, options: readonly OptionSpec[]): OptionSpec | undefined => {
  const near = nearest(
    name,
    options.map((option) => option.name),
  );
  return options.find((option) => option.name === near);
};

const unknownOption = (command: string, argument: string, near: OptionSpec | undefined): About<"usage"> =>
  near === undefined
    ? { cause: "option-unknown", facts: { argument, command } }
    : { cause: "option-unknown-meant", facts: { argument, command, meant: `--${near.name}` } };
