// The completion script for bash, which has no descriptions.

import { shellWord } from "../../../spine/values/shell.ts";
import { type Completed, type CompletedProgram, LOOKUP_COMMAND, namesOfTwo, offering, secondsOf } from "./completed.ts";

const replyWith = offering({
  anything: () => ":",
  environments: () => "__dedalus_lookup environments",
  files: () => "__dedalus_paths -f",
  folders: () => "__dedalus_paths -d",
  nothing: () => ":",
  // Some commands take a plan.json as well.
  plans: () => "__dedalus_lookup plans || __dedalus_paths -f",
  vms: () => "__dedalus_lookup vms",
  words: ({ words }) => `__dedalus_reply ${shellWord(words.join(" "))}`,
});

const commandCase = ({ name, options, positional }: Completed): readonly string[] => [
  `    ${shellWord(name)})`,
  '      case "$prev" in',
  ...options
    .filter(({ takes }) => takes.kind !== "nothing")
    .map((option) => `        --${option.name}) ${replyWith(option.takes)}; return ;;`),
  "      esac",
  `      if [[ $cur == -* ]]; then __dedalus_reply ${shellWord(options.map((one) => `--${one.name}`).join(" "))}`,
  `      else ${replyWith(positional)}; fi ;;`,
];

const HELPERS = `# Completion of dedalus for bash: source <(dedalus completion bash)
__dedalus_reply() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}
__dedalus_paths() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
}
__dedalus_lookup() {
  local words
  words=$("\${COMP_WORDS[0]}" ${LOOKUP_COMMAND} "$1" "\${COMP_WORDS[@]:1}" 2>/dev/null </dev/null | cut -f 1)
  __dedalus_reply "$words"
  ((\${#COMPREPLY[@]}))
}`;

/** --option=value comes as three words. */
const WORDS_READ = `  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local first=\${COMP_WORDS[1]} name=\${COMP_WORDS[1]} pair="\${COMP_WORDS[1]} \${COMP_WORDS[2]-}"
  COMPREPLY=()
  [[ $prev == "=" ]] && prev=\${COMP_WORDS[COMP_CWORD - 2]}
  [[ $cur == "=" ]] && cur=`;

export const bashScript = (program: CompletedProgram): readonly string[] => {
  return [
    ...HELPERS.split("\n"),
    "_dedalus() {",
    ...WORDS_READ.split("\n"),
    "  if ((COMP_CWORD == 1)); then",
    `    __dedalus_reply ${shellWord(program.first.map(({ word }) => word).join(" "))}`,
    "    return",
    "  fi",
    "  if ((COMP_CWORD == 2)) && [[ $cur != -* ]]; then",
    '    case "$first" in',
    ...Array.from(
      secondsOf(program),
      ([first, words]) =>
        `      ${first}) __dedalus_reply ${shellWord(words.map(({ word }) => word).join(" "))}; return ;;`,
    ),
    "    esac",
    "  fi",
    '  case "$pair" in',
    `    ${namesOfTwo(program).map(shellWord).join("|")}) name=$pair ;;`,
    "  esac",
    '  case "$name" in',
    ...program.commands.flatMap(commandCase),
    "  esac",
    "}",
    "complete -F _dedalus dedalus",
  ];
};
