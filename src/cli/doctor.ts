// dedalus doctor: what is wrong with this installation, and what to do. It mends nothing itself.
//
// It runs with a broken contract too, so that somebody can say so.

import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { EnvironmentConfig } from "../formats/dedalus-environment.ts";
import { type Config, parseConfig, secretFiles } from "../formats/dedalus-yaml.ts";
import { parseDesired } from "../formats/desired-yaml.ts";
import type { Parsed } from "../formats/problem.ts";
import { contractBroken } from "../spine/contract.ts";
import type { Refusal } from "../spine/model.ts";
import { refuse } from "../spine/refusals.ts";
import type { Run } from "./command.ts";
import type { Exit } from "./exit-codes.ts";
import { pathIn, readText } from "./files.ts";
import { contractText, ownPackage } from "./own-files.ts";
import type { Paint } from "./paint.ts";
import { refusalLines } from "./view-refusal.ts";

type Finding = { readonly check: string; readonly found: string; readonly refusals: readonly Refusal[] };

export const run: Run = async ({ text }, io) => {
  const named = text.get("config");
  const findings = [
    contractFinding(),
    nodeFinding(process.versions.node, pinnedNodes()),
    ...configFindings(io.folder, named ?? "dedalus.yaml", named !== undefined),
  ];
  return {
    exit: exitOf(findings),
    json: { findings, healthy: findings.every(({ refusals }) => refusals.length === 0) },
    text: (paint) => findings.flatMap((finding) => findingLines(finding, paint)),
  };
};

const exitOf = (findings: readonly Finding[]): Exit => {
  const refusals = findings.flatMap((finding) => finding.refusals);
  if (refusals.some(({ code }) => code === "contract-broken")) return "contract";
  return refusals.length > 0 ? "input" : "done";
};

const findingLines = ({ check, found, refusals }: Finding, paint: Paint): readonly string[] => [
  `${refusals.length === 0 ? "ok   " : paint.bold("WRONG")} ${check}: ${found}`,
  ...refusals.flatMap((refusal) => refusalLines(refusal, paint).map((line) => `      ${line}`)),
];

const contractFinding = (): Finding => {
  const broken = contractBroken(contractText());
  if (broken === undefined)
    return { check: "contract", found: "DESIGN.md is the text this code was built for", refusals: [] };
  return { check: "contract", found: "DESIGN.md differs", refusals: [broken] };
};

export const nodeFinding = (running: string, pinned: readonly string[]): Finding => {
  if (pinned.includes(running)) return { check: "Node", found: `${running}, the pinned one`, refusals: [] };
  const because = `this is Node ${running}, and ${pinned.join(" or ")} is pinned`;
  return { check: "Node", found: running, refusals: [refuse("node-unpinned", { because })] };
};

const pinnedNodes = (): readonly string[] => {
  const platforms = Object.entries(ownPackage().optionalDependencies).filter(([name]) => name.startsWith("node-"));
  return [...new Set(platforms.map(([, version]) => version))];
};

const configFindings = (folder: string, file: string, isNamed: boolean): readonly Finding[] => {
  if (!isNamed && !existsSync(pathIn(folder, file))) {
    return [
      { check: "configuration", found: `no ${file} in this folder; planning from a replay needs none`, refusals: [] },
    ];
  }
  const parsed = andThen(readText(folder, file), (text) => parseConfig(text, file));
  if (parsed.kind === "bad") return [{ check: "configuration", found: file, refusals: parsed.problems }];
  const home = pathIn(folder, dirname(file));
  return [
    { check: "configuration", found: file, refusals: [] },
    permissionFinding(home, parsed.value),
    ...Array.from(parsed.value.environments, ([name, environment]) => desiredFinding(home, name, environment)),
  ];
};

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
    refusals: open.map((file) =>
      refuse("secret-open", {
        because: `${file} can be read by others than its owner`,
        next: `Run: chmod 600 ${file}`,
      }),
    ),
  };
};

const desiredFinding = (home: string, name: string, { desired }: EnvironmentConfig): Finding => {
  const check = `desired file of ${name}`;
  const parsed = andThen(readText(home, desired), (text) => parseDesired(text, desired));
  if (parsed.kind === "bad") return { check, found: desired, refusals: parsed.problems };
  const { environment, vms } = parsed.value;
  if (environment === name) return { check, found: `${desired}, ${vms.length} VMs`, refusals: [] };
  const because = `${desired} is for environment ${environment}, and ${name} names it`;
  return {
    check,
    found: desired,
    refusals: [refuse("environment-mismatch", { because, next: "Name the desired file of this environment." })],
  };
};
