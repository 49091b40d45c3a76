// dedalus doctor: what is wrong with this installation, and what to do. It mends nothing itself.
//
// It runs with a broken contract too, so that somebody can say so. What the program says of itself and of a configuration that
// cannot be read is here; everything from a configuration on is examined by the service.

import { contractBroken } from "../../spine/rules/contract.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { examinationWords } from "../../wire.ts";
import { callerGiven, exitOfRefusal, portsOf } from "../at-service.ts";
import type { Arguments, CommandRun } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { CONFIG_FILE, configFileOf, hasConfig, readConfig } from "../find-config.ts";
import type { Io } from "../io.ts";
import { contractText, pinnedNodes } from "../own-files.ts";
import { findingLines, type ToldFinding, toldFinding } from "../views/view-finding.ts";
import { spoken } from "../views/view-refusal.ts";
import { watchOf } from "../watch.ts";

export const run: CommandRun = async (given, io) => {
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
const spokenFinding = ({ refusals, words, ...rest }: ToldFinding) => ({
  ...rest,
  refusals: refusals.map((refusal) => spoken(refusal, words)),
});

const exitOf = (findings: readonly ToldFinding[]): Exit => {
  const refusals = findings.flatMap((finding) => finding.refusals);
  if (refusals.some(({ code }) => code === "contract-broken")) return "contract";
  const exits = refusals.map(({ code }) => exitOfRefusal(code));
  return GRAVEST.find((exit) => exits.includes(exit)) ?? (refusals.length > 0 ? "input" : "done");
};

/** What cannot be believed is told before what cannot be reached. */
const GRAVEST: readonly Exit[] = ["verification", "unreachable"];

const contractFinding = (): ToldFinding => {
  const broken = contractBroken(contractText());
  if (broken === undefined)
    return { check: "contract", found: "DESIGN.md is the text this code was built for", refusals: [] };
  return { check: "contract", found: "DESIGN.md differs", refusals: [broken] };
};

/** Nothing is pinned for an installed package: what it needs of Node is checked when it starts. */
export const nodeFinding = (running: string, pinned: readonly string[]): ToldFinding => {
  if (pinned.length === 0) return { check: "Node", found: `${running}, of this machine`, refusals: [] };
  if (pinned.includes(running)) return { check: "Node", found: `${running}, the pinned one`, refusals: [] };
  return { check: "Node", found: running, refusals: [refuse("node-unpinned", { facts: { pinned, running } })] };
};

const configFindings = async (given: Arguments, io: Io): Promise<readonly ToldFinding[]> => {
  const environment = given.text.get("env");
  const check = "configuration";
  if (environment === undefined && !hasConfig(given, io)) {
    const found = `no ${CONFIG_FILE} in this folder or above it; planning from a replay needs none`;
    return [{ check, found, refusals: [] }];
  }
  const [read, file] = [readConfig(given, io), configFileOf(given, io)];
  if (read.kind === "bad") return [{ check, found: file, refusals: read.problems }];
  const { ledgerServiceOf } = await import("../../service/local-ledger.ts");
  const request = environment === undefined ? {} : { environment };
  const { findings } = await ledgerServiceOf(read.value, portsOf(io)).examine(callerGiven(), request, watchOf(io));
  return [{ check, found: file, refusals: [] }, ...findings.map((one) => toldFinding(one, examinationWords))];
};
