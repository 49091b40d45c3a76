// The completion script for fish: one line for each word that can be offered.

import {
  type Completed,
  type CompletedProgram,
  type FirstWord,
  LOOKUP_COMMAND,
  namesOfTwo,
  offering,
  secondsOf,
  type Takes,
} from "./completed.ts";

/** In single quotes fish knows two escapes. */
const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const argumentsOf = offering({
  anything: () => "-x",
  environments: () => "-x -a '(__dedalus_lookup environments)'",
  files: () => "-r -F",
  folders: () => "-x -a '(__fish_complete_directories)'",
  nothing: () => "-f",
  plans: () => "-x -a '(__dedalus_lookup plans)'",
  vms: () => "-x -a '(__dedalus_lookup vms)'",
  words: ({ words }) => `-x -a ${quoted(words.join(" "))}`,
});

const offer = (when: string, { help, word }: FirstWord): string =>
  `complete -c dedalus -n ${quoted(when)} -a ${quoted(word)} -d ${quoted(help)}`;

const POSITIONALS: { readonly [K in Takes["kind"]]?: string } = {
  files: "-F",
  folders: "-a '(__fish_complete_directories)'",
  // Some commands take a plan.json as well.
  plans: "-k -F -a '(__dedalus_lookup plans)'",
  vms: "-a '(__dedalus_lookup vms)'",
};

const commandLines = ({ name, options, positional }: Completed): readonly string[] => {
  const when = `-n ${quoted(`__dedalus_is ${name}`)}`;
  const own = positional.kind === "words" ? `-a ${quoted(positional.words.join(" "))}` : POSITIONALS[positional.kind];
  return [
    ...options.map(
      (option) =>
        `complete -c dedalus ${when} -l ${option.name} ${argumentsOf(option.takes)} -d ${quoted(option.help)}`,
    ),
    ...(own === undefined ? [] : [`complete -c dedalus ${when} ${own}`]),
  ];
};

export const fishScript = (program: CompletedProgram): readonly string[] => {
  return [
    "# Completion of dedalus for fish: dedalus completion fish | source",
    "function __dedalus_command",
    "    set -l words (commandline -opc)[2..]",
    '    set -l two "$words[1] $words[2]"',
    `    if contains -- $two ${namesOfTwo(program).map(quoted).join(" ")}`,
    "        echo $two",
    "    else",
    '        echo "$words[1]"',
    "    end",
    "end",
    "function __dedalus_is",
    "    set -l name (__dedalus_command)",
    '    test "$name" = "$argv"',
    "end",
    "function __dedalus_words",
    "    test (count (commandline -opc)) -eq $argv[1]",
    "end",
    "function __dedalus_lookup",
    "    set -l words (commandline -opc)",
    `    $words[1] ${LOOKUP_COMMAND} $argv[1] $words[2..] 2>/dev/null </dev/null`,
    "end",
    "complete -c dedalus -f",
    ...program.first.map((one) => offer("__dedalus_words 1", one)),
    ...Array.from(secondsOf(program), ([first, words]) =>
      words.map((one) => offer(`__dedalus_words 2; and __dedalus_is ${first}`, one)),
    ).flat(),
    ...program.commands.flatMap(commandLines),
  ];
};
