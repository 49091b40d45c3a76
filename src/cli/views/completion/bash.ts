// The completion script for bash, which has no descriptions.

import { shellWord } from "../../../spine/values/shell.ts";
import { type Completed, type CompletedProgram, ENVIRONMENTS_SED, secondsOf, type Takes } from "./completed.ts";

const WORDS: { readonly [K in Takes["kind"]]: (takes: Extract<Takes, { readonly kind: K }>) => string } = {
  anything: () => ":",
  environments: () => '__dedalus_reply "$(__dedalus_environments)"',
  files: () => "__dedalus_paths -f",
  folders: () => "__dedalus_paths -d",
  nothing: () => ":",
  words: ({ words }) => `__dedalus_reply ${shellWord(words.join(" "))}`,
};

const replyWith = (takes: Takes): string => (WORDS[takes.kind] as (takes: Takes) => string)(takes);

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
__dedalus_environments() {
  local at config=dedalus.yaml
  for ((at = 1; at < COMP_CWORD; at++)); do
    [[ \${COMP_WORDS[at]} == --config ]] && config=\${COMP_WORDS[at + 1]}
  done
  sed -n ${shellWord(ENVIRONMENTS_SED)} "$config" 2>/dev/null
}`;

/** --option=value comes as three words. */
const WORDS_READ = `  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local first=\${COMP_WORDS[1]} name=\${COMP_WORDS[1]} pair="\${COMP_WORDS[1]} \${COMP_WORDS[2]-}"
  COMPREPLY=()
  [[ $prev == "=" ]] && prev=\${COMP_WORDS[COMP_CWORD - 2]}
  [[ $cur == "=" ]] && cur=`;

export const bashScript = (program: CompletedProgram): readonly string[] => {
  const two = program.commands.map(({ name }) => name).filter((name) => name.includes(" "));
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
    `    ${two.map(shellWord).join("|")}) name=$pair ;;`,
    "  esac",
    '  case "$name" in',
    ...program.commands.flatMap(commandCase),
    "  esac",
    "}",
    "complete -F _dedalus dedalus",
  ];
};
