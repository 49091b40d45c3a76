// A next step as a command that can be pasted into the same shell, in the same folder: with its environment, the
// configuration that this command named, and a place for every word that only a person can write.
//
// What is to be asked for is data of the rules (spine/rules/next-steps.ts); here is how a command line spells it, and
// nothing else knows. A command that needs what nobody knows is spelled as its help.

import type { Fact } from "../spine/model.ts";
import type { Asked, Field, NextStep } from "../spine/rules/askable.ts";
import { present } from "../spine/values/present.ts";
import { fileWord, shellText } from "../spine/values/shell.ts";
import { withoutLeading } from "./arguments/leading-options.ts";
import { PLACEHOLDER } from "./arguments/placeholder.ts";
import { COMMANDS } from "./catalogue/catalogue.ts";
import type { CommandEntry } from "./catalogue/command-words.ts";
import { findCommand } from "./catalogue/find-command.ts";
import type { Spell } from "./views/next-step.ts";

/** Undefined where it is no command of its own. */
const COMMAND: Readonly<Record<Asked, string | undefined>> = {
  acceptClock: "accept-clock",
  acceptIdentity: "accept-identity",
  again: undefined,
  againConfirmed: undefined,
  apply: "apply",
  approve: "approve",
  challenge: "explain",
  checkpoint: "ledger checkpoint",
  closeFile: undefined,
  createToken: "token create",
  drift: "drift",
  examine: "doctor",
  explain: "explain",
  freeze: "freeze",
  help: undefined,
  init: "init",
  inventory: "import",
  join: "ledger join",
  login: "login",
  makePlan: "plan",
  narrow: "plan",
  observe: "observe",
  ownFile: undefined,
  ownFolder: undefined,
  planAction: "plan",
  environments: "environments",
  people: "people",
  plans: "plans",
  reAnchor: "ledger re-anchor",
  reboot: "reboot",
  reconcile: "reconcile",
  records: "ledger show",
  register: "register",
  removeFile: undefined,
  requestApproval: "request-approval",
  restore: "ledger restore",
  revokeToken: "token revoke",
  rotateToken: "token rotate",
  rules: "rules",
  showPlan: "plan show",
  signOut: "people remove",
  status: "status",
  tokens: "token list",
  unfreeze: "unfreeze",
  unlock: "ledger unlock",
  usage: undefined,
  verify: "ledger verify",
  vms: "list",
  whoami: "whoami",
};

const FLAGS: Readonly<Partial<Record<Asked, string>>> = { againConfirmed: "yes", challenge: "challenge" };

type Short = { readonly alone: readonly Field[]; readonly command: string };

/** Actions with a command of their own, and what stands alone behind it. */
const SHORT: Readonly<Record<string, Short | undefined>> = {
  "vm.reboot": { alone: ["vmid"], command: "reboot" },
  "vm.resize": { alone: ["vmid"], command: "resize" },
  "vm.shutdown": { alone: ["vmid"], command: "shutdown" },
  "vm.snapshot.create": { alone: ["vmid", "snapshot"], command: "snapshot" },
  "vm.start": { alone: ["vmid"], command: "start" },
  "vm.stop": { alone: ["vmid"], command: "stop" },
};

/** Undefined where the field stands alone. */
const OPTION: Readonly<Record<Field, string | undefined>> = {
  action: "action",
  applyVariable: "apply-env",
  command: undefined,
  confirmation: "confirm",
  cpus: "cpus",
  desired: undefined,
  environment: "env",
  explanation: "explanation",
  export: "export",
  file: "out",
  fingerprint: "fingerprint",
  gid: undefined,
  identity: "identity",
  key: "key",
  memory: "memory",
  name: "name",
  observeVariable: "observe-env",
  plan: undefined,
  proof: "proof",
  scope: "only",
  server: "server",
  snapshot: "snapshot",
  step: "step",
  uid: undefined,
  vmid: "vm",
};

/**
 * What stands where a person writes something of their own. A reason is nobody else's: its mark is refused as it is.
 */
const TO_WRITE: Readonly<Record<string, string>> = { expires: "90d", reason: `"${PLACEHOLDER}"` };

/** What a file is called where nobody called it anything. */
const USUAL: Readonly<Partial<Record<Asked, NextStep["with"]>>> = { inventory: { file: "desired.yaml" } };

/** A path that begins with a dash would be an option. */
const pathText = (path: string): string => shellText(path.startsWith("-") ? `./${path}` : path);
const factText = (fact: Fact): string => shellText(typeof fact === "object" ? fact.join(",") : String(fact));

/** An option for memory takes no plain bytes. */
const UNITS = ["KiB", "MiB", "GiB", "TiB"] as const;
const memoryText = (bytes: Fact): string => {
  const power = UNITS.findLastIndex((_, at) => Number(bytes) % 1024 ** (at + 1) === 0);
  return `${Number(bytes) / 1024 ** (power + 1)}${UNITS[power] ?? ""}`;
};

/** What was said on this command line; the last one counts for nobody, since twice is refused. */
const saidIn = (argv: readonly string[], name: string): string | undefined => {
  const at = argv.findIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  const word = argv[at];
  return word?.includes("=") ? word.slice(word.indexOf("=") + 1) : word === undefined ? undefined : argv[at + 1];
};

/** What a plan from files is made of: a smaller one is made of the same. */
const FILES = ["desired", "replay"] as const;

/** With one of these a command works on what is in files, and asks no service. */
const FROM_FILES = ["export", "proof", "replay"] as const;

/** For whoever typed these words. */
export const spellAfter =
  (argv: readonly string[]): Spell =>
  (step, { config: named, server: at } = {}) => {
    const config = at === undefined ? (named ?? saidIn(argv, "config")) : undefined;
    const short = step.ask === "planAction" ? SHORT[String(step.with.action)] : undefined;
    const name = short?.command ?? COMMAND[step.ask];
    if (name === undefined) return worded(step, argv);
    const entry = COMMANDS.find((one) => one.name === name);
    if (entry === undefined) throw new Error(`${name} is no command`);
    const values = new Map<string, string>();
    for (const file of step.ask === "narrow" ? FILES : []) {
      const said = saidIn(argv, file);
      if (said !== undefined) values.set(file, pathText(said));
    }
    // A plan from files has no environment of a configuration.
    const { environment, ...others } = { ...USUAL[step.ask], ...step.with };
    const fields = values.has("replay") ? others : { ...others, ...present({ environment }) };
    const alone: string[] = (short?.alone ?? []).flatMap((field) => {
      const fact = step.with[field];
      return fact === undefined ? [] : [factText(fact)];
    });
    for (const [field, fact] of Object.entries(fields) as readonly (readonly [Field, Fact])[]) {
      if (short !== undefined && (field === "action" || short.alone.includes(field))) continue;
      const option = OPTION[field];
      // What is done to one VM or one person takes it as a word of its own.
      const isAlone = (field === "name" || field === "vmid") && !entry.options.some((one) => one.name === option);
      if (option === undefined || isAlone) alone.push(factText(fact));
      else values.set(option, field === "memory" ? memoryText(fact) : factText(fact));
    }
    if (config !== undefined && !values.has("replay")) values.set("config", pathText(config));
    const isAsked = entry.place === "both" && !FROM_FILES.some((name) => values.has(name));
    const server = isAsked ? (at ?? step.with.server?.toString() ?? saidIn(argv, "server")) : undefined;
    const text = spelled(entry, alone, values, FLAGS[step.ask]);
    return server === undefined ? text : `${text} --server ${shellText(server)}`;
  };

const spelled = (
  { name, options, positionals }: CommandEntry,
  alone: readonly string[],
  values: ReadonlyMap<string, string>,
  flag: string | undefined,
): string => {
  const isShort = positionals.filter(({ required }) => required).length > alone.length;
  const wanted = options.flatMap(({ name: option, required, value }) => {
    if (value === undefined) return option === flag ? [`--${option}`] : [];
    const said = values.get(option) ?? (required ? TO_WRITE[option] : undefined);
    return said === undefined ? (required ? [undefined] : []) : [`--${option} ${said}`];
  });
  if (isShort || wanted.includes(undefined)) return `dedalus ${name} --help`;
  return ["dedalus", name, ...alone, ...wanted].join(" ");
};

/** What the system does, and no command of ours. */
const SYSTEM: Readonly<Partial<Record<Asked, (file: string, owner: string) => string>>> = {
  closeFile: (file) => `chmod 600 ${file}`,
  ownFile: (file, owner) => `sudo chown ${owner} ${file} && chmod 600 ${file}`,
  ownFolder: (file, owner) => `sudo chown ${owner} ${file}`,
  removeFile: (file) => `rm -rf ${file}`,
};

/** The same words again, the help for some of them, or a command of the system. */
const worded = ({ ask, with: known }: NextStep, argv: readonly string[]): string => {
  const { applyVariable, command, file, fingerprint, gid, observeVariable, uid } = known;
  const system = SYSTEM[ask];
  if (system !== undefined) return system(fileWord(String(file)), `${uid}:${gid}`);
  if (ask === "help") return command === undefined ? "dedalus --help" : `dedalus ${command} --help`;
  if (ask === "usage") {
    const found = findCommand(withoutLeading(argv).words);
    return found.kind === "command" ? `dedalus ${found.entry.name} --help` : "dedalus --help";
  }
  const flag = FLAGS[ask];
  // Behind `--` nothing is an option.
  const end = argv.indexOf("--");
  const options = end === -1 ? argv.length : end;
  return [
    "dedalus",
    ...argv.slice(0, options).map(shellText),
    ...(flag === undefined ? [] : [`--${flag}`]),
    ...(fingerprint === undefined ? [] : [`--fingerprint ${factText(fingerprint)}`]),
    ...variablesUnsaid(argv, observeVariable, applyVariable),
    ...argv.slice(options).map(shellText),
  ].join(" ");
};

/** Whoever named the one has decided on the other. */
const variablesUnsaid = (argv: readonly string[], observe: Fact | undefined, apply: Fact | undefined) =>
  observe === undefined || apply === undefined || saidIn(argv, "observe-env") !== undefined
    ? []
    : [
        `--observe-env ${factText(observe)}`,
        ...(saidIn(argv, "apply-env") === undefined ? [`--apply-env ${factText(apply)}`] : []),
      ];
