// examineProvider(): what stands between this environment and its provider, one finding for each check. It mends
// nothing.
//
// TLS, the tokens, the version, the clock, and exactly which privilege is missing on which path. Not here: how findings
// are printed (cli/).

import type { ServerTrust } from "../../../dial/trust.ts";
import { type ApiAddress, dial } from "../../../dial/trust.ts";
import { isObject } from "../../../formats/json/json-shape.ts";
import { factsOfDiagnostic } from "../../../spine/diagnostic-codes.ts";
import type { Instant, Vmid } from "../../../spine/model.ts";
import { isProductionName, isProductionTag } from "../../../spine/plan/protection.ts";
import { shownText } from "../../../spine/values/shown-text.ts";
import type { ExaminationFinding, ExaminedVm } from "../../examination.ts";
import { secondsOfDate, secondsOfInstant } from "../api/provider-clock.ts";
import type { PveReader } from "../api/pve-reader.ts";
import { type PveReply, whyNot } from "../api/pve-reply.ts";
import type { ApiToken } from "../api/pve-token.ts";
import { textOf, vmidOf } from "../api/values.ts";
import { applyRightsFinding } from "./acting-rights.ts";
import { type Code, type ExaminationCheck, fine, wrong } from "./examination-check.ts";
import { type NoAccess, noAccessIn } from "./no-access.ts";
import { examineObserveRights, readRightsOn } from "./observe-rights.ts";

/** One token of the environment: absent, no token at all, or one with its reader. */
export type Credential =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" }
  | { readonly kind: "token"; readonly reader: PveReader; readonly token: ApiToken };

export type Examined = {
  readonly apply: Credential;
  readonly connectMs: number;
  readonly now: () => Instant;
  readonly observe: Credential;
  readonly address: ApiAddress;
  readonly trust: ServerTrust;
};

export const examineProvider = async (
  options: Examined,
  wanted: readonly ExaminedVm[],
  signal: AbortSignal,
): Promise<readonly ExaminationFinding[]> => {
  const tls = await tlsFinding(options, signal);
  if (tls.isWrong) return [tls];
  const known = await knownOf(options.observe, wanted, signal);
  return [tls, ...(await observeFindings(options, known, signal)), ...(await applyFindings(options, known, signal))];
};

/**
 * What the token that observes can tell beside the rights: what the provider itself shows as production, and who is
 * shut out.
 */
type Known = { readonly entries: readonly NoAccess[]; readonly wanted: readonly ExaminedVm[] };

const knownOf = async (observe: Credential, wanted: readonly ExaminedVm[], signal: AbortSignal): Promise<Known> => {
  if (observe.kind !== "token") return { entries: [], wanted };
  const [acl, list] = await Promise.all([observe.reader.acl(signal), observe.reader.resources(signal)]);
  const shown = protectedIn(list.kind === "data" ? list.data : undefined);
  return {
    entries: noAccessIn(acl.kind === "data" ? acl.data : undefined),
    wanted: wanted.map((one) => (shown.has(one.vmid) ? { ...one, isProtected: true } : one)),
  };
};

const protectedIn = (data: unknown): ReadonlySet<Vmid> =>
  new Set(
    (Array.isArray(data) ? data : []).flatMap((row: unknown) => {
      if (!isObject(row)) return [];
      const vmid = vmidOf(row["vmid"]);
      if (vmid === undefined) return [];
      const tags = (textOf(row["tags"]) ?? "").split(/[;,\s]+/);
      return isProductionName(textOf(row["name"]) ?? "") || tags.some(isProductionTag) ? [vmid] : [];
    }),
  );

const VERIFIED = {
  ca: "certificate-of-authority",
  pinned: "certificate-pinned",
  system: "certificate-of-system",
} as const satisfies Record<ServerTrust["verify"], Code>;

const tlsFinding = async (
  { connectMs, address, trust }: Examined,
  signal: AbortSignal,
): Promise<ExaminationFinding> => {
  const dialled = await dial(address, trust, connectMs, signal);
  if (dialled.kind === "connected") {
    dialled.socket.destroy();
    return fine("tls", VERIFIED[trust.verify]);
  }
  const { isReached, shown, why } = dialled;
  const finding =
    shown === undefined
      ? wrong("tls", "not-connected", factsOfDiagnostic(why))
      : wrong("tls", "certificate-other", { shown });
  return { ...finding, cause: isReached ? "untrusted" : "unreachable" };
};

const observeFindings = async (
  { now, observe }: Examined,
  known: Known,
  signal: AbortSignal,
): Promise<readonly ExaminationFinding[]> => {
  if (observe.kind !== "token") return [wrong("observe-token", "token-malformed")];
  const { reader, token } = observe;
  const version = await reader.version(signal);
  if (version.kind !== "data") return [notAccepted("observe-token", token, version)];
  return [
    fine("observe-token", "token-accepted", { token: token.name }),
    versionFinding(version.data),
    clockFinding(version.date, now()),
    await examineObserveRights(reader, token, known, signal),
  ];
};

export const notAccepted = (
  check: ExaminationCheck,
  token: ApiToken,
  reply: Exclude<PveReply, { readonly kind: "data" }>,
): ExaminationFinding => ({
  ...wrong(check, "token-not-accepted", { ...factsOfDiagnostic(whyNot(reply)), token: token.name }),
  ...(reply.kind === "none" ? { cause: "unreachable" } : {}),
});

const SUPPORTED = [8, 9];

const versionFinding = (data: unknown): ExaminationFinding => {
  const version = isObject(data) ? shownText(textOf(data["version"]) ?? "") : "";
  const major = Number(/^(\d+)\./.exec(version)?.[1]);
  if (SUPPORTED.includes(major)) return fine("version", "version-supported", { version });
  return version === ""
    ? wrong("version", "version-not-shown", { supported: SUPPORTED })
    : wrong("version", "version-unsupported", { supported: SUPPORTED, version });
};

/** Answers are dated in whole seconds, and take a moment to come. */
const CLOCKS_SAME_MAX_S = 1;
const CLOCKS_APART_MAX_S = 10;

const clockFinding = (date: string | undefined, now: Instant): ExaminationFinding => {
  const theirs = secondsOfDate(date);
  if (theirs === undefined) return wrong("clock", "clock-not-shown");
  const ahead = Math.round(theirs - secondsOfInstant(now));
  const apart = Math.abs(ahead);
  if (apart <= CLOCKS_SAME_MAX_S) return fine("clock", "clock-same", { within: CLOCKS_SAME_MAX_S });
  const judged = apart <= CLOCKS_APART_MAX_S ? fine : wrong;
  return judged("clock", ahead > 0 ? "clock-ahead" : "clock-behind", { allowed: CLOCKS_APART_MAX_S, apart });
};

const applyFindings = async (
  { apply, observe }: Examined,
  { entries, wanted }: Known,
  signal: AbortSignal,
): Promise<readonly ExaminationFinding[]> => {
  const check = "apply-token";
  if (apply.kind === "none") return [fine(check, "token-absent")];
  if (apply.kind === "malformed") return [wrong(check, "token-malformed")];
  const { reader, token } = apply;
  if (observe.kind === "token" && observe.token.name === token.name) return [wrong(check, "token-shared")];
  const version = await reader.version(signal);
  if (version.kind !== "data") return [notAccepted(check, token, version)];
  const vms = wanted.filter(({ isProtected }) => isProtected).length;
  return [
    fine(check, "token-accepted", { token: token.name }),
    applyRightsFinding(token, wanted, await readRightsOn(reader, wanted, signal), entries),
    ...(vms === 0 ? [] : [fine("protected", "protected-left-out", { vms })]),
  ];
};
