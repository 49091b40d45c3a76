// dedalus doctor: what is wrong with this installation, and what to do. It mends nothing itself.
//
// It runs with a broken contract too, so that somebody can say so. With --env it asks the place as well: doctor-place.ts.

import { existsSync, statSync } from "node:fs";
import type { EnvironmentConfig } from "../../formats/dedalus/dedalus-environment.ts";
import { type Config, secretFiles } from "../../formats/dedalus/dedalus-yaml.ts";
import { parseDesired } from "../../formats/desired-yaml.ts";
import { visible } from "../../formats/field-path.ts";
import type { Parsed } from "../../formats/problem.ts";
import { readText } from "../../service/text-file.ts";
import type { Policy } from "../../spine/plan/safety.ts";
import { contractBroken } from "../../spine/rules/contract.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { exitOfRefusal } from "../at-service.ts";
import type { Arguments, Run } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { spoken } from "../failure.ts";
import { pathIn } from "../files.ts";
import { CONFIG_FILE, hasConfig, readConfig } from "../find-config.ts";
import type { Io } from "../io.ts";
import { contractText, ownPackage } from "../own-files.ts";
import type { Paint } from "../views/paint.ts";
import { policyText } from "../views/view-policy.ts";
import { refusalLines } from "../views/view-refusal.ts";
import { fileFindings } from "./doctor-files.ts";
import { type Finding, ledgerFindings } from "./doctor-ledger.ts";
import { placeFindings } from "./doctor-place.ts";

export const run: Run = async (given, io) => {
  const findings = [
    contractFinding(),
    nodeFinding(process.versions.node, pinnedNodes()),
    ...(await configFindings(given, io)),
  ];
  return {
    exit: exitOf(findings),
    json: { findings: findings.map(spokenFinding), healthy: findings.every(({ refusals }) => refusals.length === 0) },
    text: (paint) => findings.flatMap((finding) => findingLines(finding, paint)),
  };
};

/** With the words of its refusals: a person may read what a program takes by its codes. */
const spokenFinding = ({ refusals, words, ...rest }: Finding) => ({
  ...rest,
  refusals: refusals.map((refusal) => spoken(refusal, words)),
});

const exitOf = (findings: readonly Finding[]): Exit => {
  const refusals = findings.flatMap((finding) => finding.refusals);
  if (refusals.some(({ code }) => code === "contract-broken")) return "contract";
  const exits = refusals.map(({ code }) => exitOfRefusal(code));
  return GRAVEST.find((exit) => exits.includes(exit)) ?? (refusals.length > 0 ? "input" : "done");
};

/** What cannot be believed is told before what cannot be reached. */
const GRAVEST: readonly Exit[] = ["verification", "unreachable"];

const findingLines = ({ check, commands = [], found, refusals, words }: Finding, paint: Paint): readonly string[] => [
  `${refusals.length === 0 ? "ok   " : paint.bold("WRONG")} ${check}: ${visible(found)}`,
  ...refusals.flatMap((refusal) => refusalLines(refusal, paint, words).map((line) => `      ${line}`)),
  ...commands.map((command) => `        ${visible(command)}`),
];

const contractFinding = (): Finding => {
  const broken = contractBroken(contractText());
  if (broken === undefined)
    return { check: "contract", found: "DESIGN.md is the text this code was built for", refusals: [] };
  return { check: "contract", found: "DESIGN.md differs", refusals: [broken] };
};

export const nodeFinding = (running: string, pinned: readonly string[]): Finding => {
  if (pinned.includes(running)) return { check: "Node", found: `${running}, the pinned one`, refusals: [] };
  return { check: "Node", found: running, refusals: [refuse("node-unpinned", { facts: { pinned, running } })] };
};

const pinnedNodes = (): readonly string[] => {
  const platforms = Object.entries(ownPackage().optionalDependencies).filter(([name]) => name.startsWith("node-"));
  return [...new Set(platforms.map(([, version]) => version))];
};

const configFindings = async (given: Arguments, io: Io): Promise<readonly Finding[]> => {
  const name = given.text.get("env");
  if (name === undefined && !hasConfig(given, io)) {
    const found = `no ${CONFIG_FILE} in this folder; planning from a replay needs none`;
    return [{ check: "configuration", found, refusals: [] }];
  }
  const read = readConfig(given, io);
  const file = given.text.get("config") ?? CONFIG_FILE;
  if (read.kind === "bad") return [{ check: "configuration", found: file, refusals: read.problems }];
  const { config, home, policies } = read.value;
  // Looked at before the ledger is opened: closing it tidies away what a killed process left.
  const files = fileFindings(read.value);
  return [
    { check: "configuration", found: file, refusals: [] },
    permissionFinding(home, config),
    ...Array.from(config.environments, ([name, environment]) => desiredFinding(home, name, environment)),
    ...Array.from(policies, ([name, policy]) => policyFinding(name, policy)),
    ...(await ledgerFindings(read.value)),
    ...files,
    ...(name === undefined ? [] : await placeFindings(read.value, name, io)),
  ];
};

/** One that cannot be read is a problem of the configuration itself. */
const policyFinding = (name: string, policy: Policy): Finding => ({
  check: `policy of ${name}`,
  found: policyText(policy),
  refusals: [],
});

const andThen = <A, B>(parsed: Parsed<A>, next: (value: A) => Parsed<B>): Parsed<B> =>
  parsed.kind === "ok" ? next(parsed.value) : parsed;

/** A secret that others can read is not one. A file that is not there yet is somebody's next step, not a fault. */
const permissionFinding = (home: string, config: Config): Finding => {
  const files = secretFiles(config);
  const open = files.filter(
    (file) => existsSync(pathIn(home, file)) && (statSync(pathIn(home, file)).mode & 0o077) !== 0,
  );
  const absent = files.filter((file) => !existsSync(pathIn(home, file)));
  return {
    check: "secret files",
    found: `${files.length} named${absent.length === 0 ? "" : `, not there yet: ${absent.join(", ")}`}`,
    refusals: open.map((file) => refuse("secret-open", { facts: { file } })),
  };
};

const desiredFinding = (home: string, name: string, { desired }: EnvironmentConfig): Finding => {
  const check = `desired file of ${name}`;
  const parsed = andThen(readText(home, desired), (text) => parseDesired(text, desired));
  if (parsed.kind === "bad") return { check, found: desired, refusals: parsed.problems };
  const { environment, vms } = parsed.value;
  if (environment === name) return { check, found: `${desired}, ${vms.length} VMs`, refusals: [] };
  const facts = { file: desired, observed: name, wished: environment };
  return { check, found: desired, refusals: [refuse("environment-mismatch", { cause: "file", facts })] };
};
