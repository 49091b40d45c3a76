// dedalus.yaml as a command finds it: the file that --config names, then the one of DEDALUS_CONFIG, then the nearest in
// this folder or above it; and the policies it names.
//
// The search ends at a folder or a file that belongs to somebody else: nobody is served by what a stranger put above
// them. What was searched for is told by its full path. A policy that is named and cannot be read stops the command:
// nothing is judged by less than was written. keeps P7-A3

import { basename, dirname, isAbsolute, join } from "node:path";
import { isOurs, readConfigPath } from "../../config.ts";
import { type Config, parseConfig } from "../../formats/dedalus/dedalus-yaml.ts";
import { type Policies, parsePolicy } from "../../formats/policy-yaml.ts";
import { type Parsed, type Problem, problem, problemOf, wholeFile } from "../../formats/problem.ts";
import { isThere } from "../../ledger/files/text-file.ts";
import { readText } from "../../service/named-file.ts";
import { findSharedRoles, type PathRole, rolesOf } from "../../service/path-roles.ts";
import type { Configuration } from "../../service/ports.ts";
import type { Policy } from "../../spine/plan/policy.ts";
import { known, ledgerClaims } from "../../wire.ts";
import type { Arguments } from "../command.ts";
import type { Io } from "../process/io.ts";
import { pathIn } from "./files.ts";

export type Configured = Configuration;

export const CONFIG_FILE = "dedalus.yaml";

/**
 * As it is called where people are told of it: as they named it, or by its full path; undefined where there is none.
 */
const foundConfig = ({ text }: Arguments, io: Io): string | undefined =>
  text.get("config") ?? readConfigPath() ?? searchUpwards(io.folder);

const searchUpwards = (folder: string): string | undefined => {
  const here = join(folder, CONFIG_FILE);
  if (isThere(here)) return here;
  for (let above = dirname(folder); isOurs(above); above = dirname(above)) {
    const file = join(above, CONFIG_FILE);
    if (isThere(file)) return isOurs(file) ? file : undefined;
    if (dirname(above) === above) return undefined;
  }
  return undefined;
};

export const findConfigFile = (given: Arguments, io: Io): string => foundConfig(given, io) ?? CONFIG_FILE;

/** Whether one is named, or found. */
export const hasConfig = (given: Arguments, io: Io): boolean => foundConfig(given, io) !== undefined;

/** `isServed` says that a running service could be asked for the same; where it cannot, nobody is sent to one. */
export const readConfig = (given: Arguments, io: Io, isServed = true): Parsed<Configured> => {
  const file = foundConfig(given, io);
  if (file === undefined) return { kind: "bad", problems: [nowhere(io, isServed)] };
  const read = readText(io.folder, file);
  const parsed = read.kind === "ok" ? parseConfig(read.value, file, known) : read;
  if (parsed.kind === "bad") return parsed;
  const home = pathIn(io.folder, dirname(file));
  const [shared, ...more] = findSharedRoles(rolesIn(parsed.value, home, file)).map((refusal) =>
    problemOf(refusal, wholeFile(file)),
  );
  if (shared !== undefined) return { kind: "bad", problems: [shared, ...more] };
  const policies = readPolicies(parsed.value, dirname(file), io);
  if (policies.kind === "bad") return policies;
  return { kind: "ok", value: { config: parsed.value, file, home, policies: policies.value } };
};

/** What every path of an installation is for. */
export const rolesIn = (config: Config, home: string, file: string): readonly PathRole[] =>
  rolesOf({ config, file: join(home, basename(file)), home, ledger: ledgerClaims(config.ledger, home) });

/** Two environments may name one file; its problems are told once. */
const readPolicies = ({ environments }: Config, folder: string, io: Io): Parsed<Policies> => {
  const read = new Map<string, Parsed<Policy>>();
  const policies = new Map<string, Policy>();
  for (const [name, { policy }] of environments) {
    if (policy === undefined) continue;
    const parsed = read.get(policy) ?? readPolicy(isAbsolute(policy) ? policy : join(folder, policy), io);
    read.set(policy, parsed);
    if (parsed.kind === "ok") policies.set(name, parsed.value);
  }
  const [first, ...rest] = Array.from(read.values(), (one) => (one.kind === "ok" ? [] : one.problems)).flat();
  return first === undefined ? { kind: "ok", value: policies } : { kind: "bad", problems: [first, ...rest] };
};

const readPolicy = (file: string, io: Io): Parsed<Policy> => {
  const text = readText(io.folder, file);
  return text.kind === "ok" ? parsePolicy(text.value, file) : text;
};

const nowhere = (io: Io, isServed: boolean): Problem =>
  problem("file-unreadable", wholeFile(join(io.folder, CONFIG_FILE)), {
    cause: isServed ? "no-config" : "no-config-here",
  });
