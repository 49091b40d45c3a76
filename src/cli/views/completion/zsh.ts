// The completion script for zsh, with the help of each word beside it.

import { shellWord } from "../../../spine/values/shell.ts";
import {
  type Completed,
  type CompletedProgram,
  type FirstWord,
  LOOKUP_COMMAND,
  namesOfTwo,
  offering,
  secondsOf,
} from "./completed.ts";

const offerOf = offering({
  anything: () => ":",
  environments: () => "__dedalus_lookup environments",
  files: () => "_files",
  folders: () => "_files -/",
  nothing: () => ":",
  // Some commands take a plan.json as well.
  plans: () => "__dedalus_lookup plans || _files",
  vms: () => "__dedalus_lookup vms",
  words: ({ words }) => `compadd -- ${words.map(shellWord).join(" ")}`,
});

/** A colon ends the word. */
const described = (words: readonly FirstWord[]): string =>
  words.map(({ help, word }) => shellWord(`${word.replaceAll(":", "\\:")}:${help}`)).join(" ");

const commandCase = ({ name, options, positional }: Completed): readonly string[] => [
  `    ${shellWord(name)})`,
  '      case "$prev" in',
  ...options
    .filter(({ takes }) => takes.kind !== "nothing")
    .map((option) => `        --${option.name}) ${offerOf(option.takes)}; return ;;`),
  "      esac",
  "      if [[ $cur == -* ]]; then",
  `        offered=(${described(options.map((one) => ({ help: one.help, word: `--${one.name}` })))})`,
  "        _describe -o option offered",
  `      else ${offerOf(positional)}; fi ;;`,
];

export const zshScript = (program: CompletedProgram): readonly string[] => {
  return [
    "#compdef dedalus",
    "# Completion of dedalus for zsh: source <(dedalus completion zsh), or write it to _dedalus in a folder of $fpath",
    "__dedalus_lookup() {",
    "  local -a offered",
    // What is looked up holds no colon, so that the first tab becomes the one of _describe.
    `  offered=(\${\${(f)"$($words[1] ${LOOKUP_COMMAND} $1 \${words[2,-1]} 2>/dev/null </dev/null)"}/$'\\t'/:})`,
    "  (( $#offered )) && _describe -V value offered",
    "}",
    "_dedalus() {",
    "  local cur=$words[CURRENT] prev=$words[CURRENT-1] name=$words[2]",
    "  local -a offered",
    "  if ((CURRENT == 2)); then",
    `    offered=(${described(program.first)})`,
    "    _describe command offered",
    "    return",
    "  fi",
    "  if ((CURRENT == 3)) && [[ $cur != -* ]]; then",
    '    case "$name" in',
    ...Array.from(
      secondsOf(program),
      ([first, words]) => `      ${first}) offered=(${described(words)}); _describe command offered; return ;;`,
    ),
    "    esac",
    "  fi",
    '  case "$words[2] $words[3]" in',
    `    ${namesOfTwo(program).map(shellWord).join("|")}) name="$words[2] $words[3]" ;;`,
    "  esac",
    '  case "$name" in',
    ...program.commands.flatMap(commandCase),
    "  esac",
    "}",
    'if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _dedalus "$@"; else compdef _dedalus dedalus; fi',
  ];
};
