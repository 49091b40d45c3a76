// examine: what is wrong with an installation, from its configuration on, and what to do. It reads, makes nothing and
// mends nothing; whatever is wrong is a finding, so that one fault hides no other.
//
// With an environment its provider is asked too. Not here: the program itself and a configuration that cannot be read,
// which a process says before it has a service.

import { resolve } from "node:path";
import type { EnvironmentConfig } from "../../formats/dedalus/dedalus-environment.ts";
import { serviceSecrets } from "../../formats/dedalus/dedalus-service.ts";
import { type Config, secretFiles } from "../../formats/dedalus/dedalus-yaml.ts";
import { parseDesired } from "../../formats/desired-yaml.ts";
import { findHeldFiles, isOpenAt } from "../../ledger/files/held-files.ts";
import { isThere } from "../../ledger/files/text-file.ts";
import type { Refusal } from "../../spine/model.ts";
import { NO_POLICY, type Policy, type PolicyLine } from "../../spine/plan/policy.ts";
import { windowDays, windowHours } from "../../spine/plan/policy-window.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Caller } from "../hold/callers.ts";
import { readText } from "../named-file.ts";
import type { Configuration, OwnedSecret, Ports } from "../ports.ts";
import type { Watch } from "../progress.ts";
import { applyingFinding } from "./applying.ts";
import { examineLedger, type LedgerExamined } from "./examine-ledger.ts";
import { askProvider } from "./examine-provider.ts";
import { serviceFindings } from "./examine-service.ts";
import { found, type InstallationFinding, type OwnFinding } from "./finding.ts";

export type ExamineRequest = { readonly environment?: string };
export type InstallationExamined = { readonly findings: readonly InstallationFinding[] };

export const examine = async (
  configuration: Configuration,
  ports: Ports,
  caller: Caller,
  { environment }: ExamineRequest,
  watch: Watch,
): Promise<InstallationExamined> => {
  const { config, home, policies } = configuration;
  // Looked at before the ledger is opened: closing it tidies away what a killed process left.
  const files = filesFinding(configuration, ports);
  const ledger = await examineLedger({ caller, configuration, ports }, environment);
  return {
    findings: [
      secretsFinding(home, config, ports.sharedSecrets(ownedSecrets(config), home)),
      ...Array.from(config.environments, ([name, one]) => desiredFinding(configuration, name, one, ledger)),
      ...Array.from(config.environments, ([name, one]) =>
        applyingFinding(name, one, policies.get(name) ?? NO_POLICY, caller.door),
      ),
      ...Array.from(policies, ([name, policy]) => policyFinding(name, policy)),
      ...(await serviceFindings(home, config.service, ports)),
      ...ledger.findings,
      files,
      ...(environment === undefined
        ? unaskedFindings(config)
        : await askProvider({ configuration, ports, watch }, environment, ledger.registered)),
    ],
  };
};

/** Made by systemd when it starts the service, and there for that process alone. */
const AT_START = /^\/run\/credentials\//;

/** Of the service itself: nobody is asked for it later, and what needs it fails where hardly anybody looks. */
const absentOfService = (home: string, { service }: Config): readonly Refusal[] =>
  (service === undefined ? [] : serviceSecrets(service)).flatMap((ref) => {
    if (!("file" in ref) || AT_START.test(ref.file) || isThere(resolve(home, ref.file))) return [];
    return [refuse("secret-absent", { cause: "no-file", facts: { file: resolve(home, ref.file) } })];
  });

/**
 * A secret that others can read is not one. A file of an environment that is not there yet is somebody's next step, not
 * a fault.
 */
const secretsFinding = (home: string, config: Config, shared: readonly Refusal[]): OwnFinding => {
  const files = secretFiles(config);
  const absent = files.filter((file) => !isThere(resolve(home, file)));
  const open = files.filter((file) => isOpenAt(resolve(home, file)));
  const refusals = [
    ...open.map((file) => refuse("secret-open", { facts: { file: resolve(home, file) } })),
    ...absentOfService(home, config),
    ...shared,
  ];
  return absent.length === 0
    ? found("secrets", "secrets-named", { count: files.length }, { refusals })
    : found("secrets", "secrets-wanted", { absent, count: files.length }, { refusals });
};

/** The service's first, its ledger's among them, so that whatever else has one of them is an environment. */
const ownedSecrets = ({ environments, ledger, service }: Config): readonly OwnedSecret[] => [
  ...[...ledger.secrets, ...(service === undefined ? [] : serviceSecrets(service))].map(
    (ref) => ({ owner: { kind: "service" }, ref }) as const,
  ),
  ...[...environments].flatMap(([name, { secrets }]) =>
    secrets.map((ref) => ({ owner: { kind: "environment", name }, ref }) as const),
  ),
];

/**
 * By its full path: whoever reads it may be in another folder than the configuration. Where something is registered no
 * file is needed, and where there is a service people register theirs through it.
 */
const desiredFinding = (
  { config: { service }, home }: Configuration,
  name: string,
  { desired }: EnvironmentConfig,
  { isRegistered }: Pick<LedgerExamined, "isRegistered">,
): OwnFinding => {
  const file = resolve(home, desired);
  const text = readText(home, file);
  const isAbsent = text.kind === "bad" && text.problems[0]?.cause === "ENOENT";
  if (isAbsent && isRegistered(name)) return found("desired", "desired-registered", { environment: name, file });
  if (isAbsent && service !== undefined) return found("desired", "desired-awaited", { environment: name, file });
  const parsed = text.kind === "ok" ? parseDesired(text.value, file) : text;
  const bad = (refusals: OwnFinding["refusals"]): OwnFinding =>
    found("desired", "desired-bad", { environment: name, file }, { refusals });
  if (parsed.kind === "bad") return bad(parsed.problems);
  const { environment: of, vms } = parsed.value;
  if (of === name) return found("desired", "desired-read", { environment: name, file, vms: vms.length });
  return bad([refuse("desired-foreign", { facts: { environment: name, file, of } })]);
};

/** Nobody was asked to: whoever reads that all is well reads of what that is not said. */
const unaskedFindings = ({ environments }: Config): readonly OwnFinding[] =>
  Array.from(environments, ([environment, { adapter }]) =>
    found("provider", "provider-unasked", { adapter, environment }),
  );

/** One that cannot be read is a problem of the configuration itself. */
const policyFinding = (environment: string, { tighten }: Policy): OwnFinding =>
  tighten.length === 0
    ? found("policy", "policy-loose", { environment })
    : found("policy", "policy-tightens", { environment, tightens: tighten.map(lineCode) });

/** A line as its file says it; `*` is every action. */
const lineCode = ({ action, for: whom, only, perHour, to }: PolicyLine): string => {
  const asks = [
    to,
    only === undefined ? undefined : `only=${[...windowDays(only), ...windowHours(only)].join(",")}`,
    perHour === undefined ? undefined : `perHour=${perHour}`,
    whom === undefined ? undefined : `for=${whom}`,
  ];
  return `${action ?? "*"}@${asks.filter((one) => one !== undefined).join(" ")}`;
};

const filesFinding = ({ config, home }: Configuration, { ledger }: Pick<Ports, "ledger">): OwnFinding => {
  const own = ledger.files(config.ledger, home);
  const named = [resolve(home, config.anchor), ledger.savedState(config.ledger, home), ...own.map(({ path }) => path)];
  const there = named.filter(isThere);
  const open = [...new Set(there)].filter(isOpenAt).map((file) => refuse("file-open", { facts: { file } }));
  return found("files", "files-there", { count: there.length }, { refusals: [...open, ...findHeldFiles(own)] });
};
