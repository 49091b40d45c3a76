// examine(): what stands between this environment and its place, one finding for each check. It mends nothing.
//
// TLS, the tokens, the version, the clock, and exactly which privilege is missing on which path. Not here: how findings
// are printed (cli/).

import { isObject } from "../../../formats/json/json-shape.ts";
import type { Instant, Vmid } from "../../../spine/model.ts";
import { isProductionName, isProductionTag } from "../../../spine/plan/protection.ts";
import type { ExaminedVm, Finding } from "../../examination.ts";
import { secondsOfDate, secondsOfInstant } from "../api/place-clock.ts";
import type { Reader } from "../api/pve-reader.ts";
import { type Reply, whyNot } from "../api/pve-reply.ts";
import { TOKEN_EXPECTED, type Token } from "../api/pve-token.ts";
import { shownText } from "../api/shown.ts";
import { dial, type Place, type Trust } from "../api/trust.ts";
import { textOf, vmidOf } from "../api/values.ts";
import { actingFinding } from "./acting-rights.ts";
import { fine, wrong } from "./finding.ts";
import { lookingFinding, rightsOn } from "./looking-rights.ts";
import { type NoAccess, noAccessIn } from "./no-access.ts";

/** One token of the environment: absent, no token at all, or one with its reader. */
export type Credential =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" }
  | { readonly kind: "token"; readonly reader: Reader; readonly token: Token };

export type Examined = {
  readonly apply: Credential;
  readonly connectMs: number;
  readonly now: () => Instant;
  readonly observe: Credential;
  readonly place: Place;
  readonly trust: Trust;
};

export const examined = async (
  options: Examined,
  wanted: readonly ExaminedVm[],
  signal: AbortSignal,
): Promise<readonly Finding[]> => {
  const tls = await tlsFinding(options, signal);
  if (tls.isWrong) return [tls];
  const known = await knownOf(options.observe, wanted, signal);
  return [tls, ...(await lookingFindings(options, known, signal)), ...(await actingFindings(options, known, signal))];
};

/** What the token that looks can tell beside the rights: what the place itself shows as production, and who is shut out. */
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
      const vmid = isObject(row) ? vmidOf(row["vmid"]) : undefined;
      if (!isObject(row) || vmid === undefined) return [];
      const tags = (textOf(row["tags"]) ?? "").split(/[;,\s]+/);
      return isProductionName(textOf(row["name"]) ?? "") || tags.some(isProductionTag) ? [vmid] : [];
    }),
  );

const VERIFIED = {
  ca: "verified by the authority that is named",
  pinned: "it is the pinned certificate",
  system: "verified by the system's authorities",
} as const satisfies Record<Trust["verify"], string>;

const tlsFinding = async ({ connectMs, place, trust }: Examined, signal: AbortSignal): Promise<Finding> => {
  const dialled = await dial(place, trust, connectMs, signal);
  if (dialled.kind === "connected") {
    dialled.socket.destroy();
    return fine("TLS", VERIFIED[trust.verify]);
  }
  const compare =
    "Compare with the node itself: openssl x509 -noout -fingerprint -sha256 -in /etc/pve/local/pve-ssl.pem";
  const next =
    dialled.shown === undefined
      ? ["Check the url and tls of this environment."]
      : [
          `${compare} (or pveproxy-ssl.pem, if there is one)`,
          "If it is the same and its change is explained, write it as the pin.",
        ];
  return { ...wrong("TLS", dialled.because, next), cause: dialled.isReached ? "untrusted" : "unreachable" };
};

const malformed = (check: string): Finding => wrong(check, "the secret is not a token", [`Store ${TOKEN_EXPECTED}.`]);

const lookingFindings = async (
  { now, observe }: Examined,
  known: Known,
  signal: AbortSignal,
): Promise<readonly Finding[]> => {
  const check = "observe token";
  if (observe.kind !== "token") return [malformed(check)];
  const { reader, token } = observe;
  const version = await reader.version(signal);
  if (version.kind !== "data") return [notAccepted(check, token, version)];
  return [
    fine(check, `${token.name} is accepted`),
    versionFinding(version.data),
    clockFinding(version.date, now()),
    await lookingFinding(reader, token, known, signal),
  ];
};

export const notAccepted = (
  check: string,
  token: Token,
  reply: Exclude<Reply, { readonly kind: "data" }>,
): Finding => ({
  ...wrong(check, `${token.name}: ${whyNot(reply)}`, [
    "Check that the token exists, has not expired, and that its secret is the one that PVE showed when it was made.",
  ]),
  ...(reply.kind === "none" ? { cause: "unreachable" } : {}),
});

const SUPPORTED = [8, 9];

const versionFinding = (data: unknown): Finding => {
  const version = isObject(data) ? shownText(textOf(data["version"]) ?? "") : "";
  const major = Number(/^(\d+)\./.exec(version)?.[1]);
  if (SUPPORTED.includes(major)) return fine("version", `Proxmox VE ${version}`);
  return wrong("version", version === "" ? "it does not say which" : `Proxmox VE ${version}`, [
    `This adapter is made for Proxmox VE ${SUPPORTED.join(" and ")}.`,
  ]);
};

/** Answers are dated in whole seconds, and take a moment to come. */
const CLOCKS_SAME_MAX_S = 1;
const CLOCKS_APART_MAX_S = 10;

const clockFinding = (date: string | undefined, now: Instant): Finding => {
  const theirs = secondsOfDate(date);
  if (theirs === undefined) return wrong("clock", "its answers carry no date", ["Compare the clocks by hand."]);
  const apart = Math.round(theirs - secondsOfInstant(now));
  if (Math.abs(apart) <= CLOCKS_SAME_MAX_S) return fine("clock", `the same as ours, to ${CLOCKS_SAME_MAX_S} s`);
  const found = `${Math.abs(apart)} s ${apart > 0 ? "ahead of" : "behind"} ours`;
  return Math.abs(apart) <= CLOCKS_APART_MAX_S
    ? fine("clock", `${found}; up to ${CLOCKS_APART_MAX_S} s is allowed`)
    : wrong("clock", found, ["Synchronise both clocks."]);
};

const actingFindings = async (
  { apply, observe }: Examined,
  { entries, wanted }: Known,
  signal: AbortSignal,
): Promise<readonly Finding[]> => {
  const check = "apply token";
  if (apply.kind === "none") return [fine(check, "none: this environment can only be observed")];
  if (apply.kind === "malformed") return [malformed(check)];
  const { reader, token } = apply;
  if (observe.kind === "token" && observe.token.name === token.name) {
    return [wrong(check, "it is the token that observes", ["Make a second token, so that looking has no power."])];
  }
  const version = await reader.version(signal);
  if (version.kind !== "data") return [notAccepted(check, token, version)];
  return [
    fine(check, `${token.name} is accepted`),
    actingFinding(token, wanted, await rightsOn(reader, wanted, signal), entries),
  ];
};
