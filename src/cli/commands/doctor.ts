// dedalus doctor: what is wrong with this installation, and what to do. It mends nothing itself.
//
// It runs with a broken contract too, so that somebody can say so. What the program says of itself and of a
// configuration that cannot be read is here; everything from a configuration on is examined by the service.

import { found, type InstallationFinding } from "../../service/examine/finding.ts";
import { findingJson } from "../../service/json/finding-json.ts";
import { contractBroken } from "../../spine/rules/contract.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { examinationWords } from "../../wire.ts";
import { askService, exitOfRefusal, portsOf, readCaller } from "../asking/at-service.ts";
import { watchOf } from "../asking/watch.ts";
import type { Arguments, CommandRun } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { CONFIG_FILE, findConfigFile, hasConfig, readConfig } from "../files/find-config.ts";
import { findPlace } from "../files/find-server.ts";
import { readContract, readPinnedNodes } from "../files/own-files.ts";
import type { Outcome } from "../outcome.ts";
import type { Io } from "../process/io.ts";
import { findingLines, type ToldFinding, toldFinding } from "../views/view-finding.ts";

export const run: CommandRun = async (given, io) => {
  const own = [contractFinding(), nodeFinding(process.versions.node, readPinnedNodes())];
  if (findPlace(given, io).kind === "local") return examined([...own, ...(await configFindings(given, io))]);
  const environment = given.text.get("env");
  return askService(
    given,
    io,
    ({ examine }) => examine,
    present({ environment }),
    ({ value }) => examined([...own, ...value.findings]),
  );
};

const examined = (findings: readonly InstallationFinding[]): Outcome => {
  return {
    exit: exitOf(findings),
    json: {
      checks: findings.map((finding) => findingJson(finding, inWords(toldFinding(finding, examinationWords)))),
      healthy: findings.every(({ refusals }) => refusals.length === 0),
    },
    text: (style) => findings.flatMap((finding) => findingLines(toldFinding(finding, examinationWords, style), style)),
  };
};

const inWords = ({ check, found: detail, words }: ToldFinding) => ({ detail, title: check, ...present({ words }) });

const exitOf = (findings: readonly InstallationFinding[]): Exit => {
  const refusals = findings.flatMap((finding) => finding.refusals);
  if (refusals.some(({ code }) => code === "contract-broken")) return "contract";
  const exits = refusals.map(({ code }) => exitOfRefusal(code));
  return GRAVEST.find((exit) => exits.includes(exit)) ?? (refusals.length > 0 ? "input" : "done");
};

/** What cannot be believed is told before what cannot be reached. */
const GRAVEST: readonly Exit[] = ["verification", "unreachable"];

const contractFinding = (): InstallationFinding => {
  const broken = contractBroken(readContract());
  return broken === undefined
    ? found("contract", "contract-holds", {})
    : found("contract", "contract-differs", {}, { refusals: [broken] });
};

/** Nothing is pinned for an installed package: what it needs of Node is checked when it starts. */
export const nodeFinding = (running: string, pinned: readonly string[]): InstallationFinding => {
  if (pinned.length === 0) return found("node", "node-own", { running });
  if (pinned.includes(running)) return found("node", "node-pinned", { running });
  const refusals = [refuse("node-unpinned", { facts: { pinned, running } })];
  return found("node", "node-other", { running }, { refusals });
};

const configFindings = async (given: Arguments, io: Io): Promise<readonly InstallationFinding[]> => {
  const environment = given.text.get("env");
  if (environment === undefined && !hasConfig(given, io)) {
    return [found("configuration", "configuration-absent", { file: CONFIG_FILE })];
  }
  const [read, file] = [readConfig(given, io), findConfigFile(given, io)];
  if (read.kind === "bad") return [found("configuration", "configuration-bad", { file }, { refusals: read.problems })];
  const { ledgerServiceOf } = await import("../../service/local-ledger.ts");
  const request = environment === undefined ? {} : { environment };
  const { findings } = await ledgerServiceOf(read.value, portsOf(given, io)).examine(
    readCaller(),
    request,
    watchOf(io),
  );
  return [found("configuration", "configuration-read", { file }), ...findings];
};
