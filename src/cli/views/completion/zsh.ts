// The completion script for zsh, with the help of each word beside it.

import { shellWord } from "../../../spine/values/shell.ts";
import {
  type Completed,
  type CompletedProgram,
  ENVIRONMENTS_SED,
  type FirstWord,
  secondsOf,
  type Takes,
} from "./completed.ts";

const WORDS: { readonly [K in Takes["kind"]]: (takes: Extract<Takes, { readonly kind: K }>) => string } = {
  anything: () => ":",
  environments: () => `compadd -- \${(f)"$(__dedalus_environments)"}`,
  files: () => "_files",
  folders: () => "_files -/",
  nothing: () => ":",
  words: ({ words }) => `compadd -- ${words.map(shellWord).join(" ")}`,
};

const offerOf = (takes: Takes): string => (WORDS[takes.kind] as (takes: Takes) => string)(takes);

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
  const two = program.commands.map(({ name }) => name).filter((name) => name.includes(" "));
  return [
    "#compdef dedalus",
    "# Completion of dedalus for zsh: source <(dedalus completion zsh), or write it to _dedalus in a folder of $fpath",
    "__dedalus_environments() {",
    "  local at config=dedalus.yaml",
    "  for ((at = 2; at < CURRENT; at++)); do",
    "    [[ $words[at] == --config ]] && config=$words[at+1]",
    "  done",
    `  sed -n ${shellWord(ENVIRONMENTS_SED)} "$config" 2>/dev/null`,
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
    `    ${two.map(shellWord).join("|")}) name="$words[2] $words[3]" ;;`,
    "  esac",
    '  case "$name" in',
    ...program.commands.flatMap(commandCase),
    "  esac",
    "}",
    'if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _dedalus "$@"; else compdef _dedalus dedalus; fi',
  ];
};
