// examine(): what stands between this environment and its place, one finding for each check. It mends nothing.
//
// TLS, the tokens, the version, the clock, and exactly which privilege is missing on which path. Not here: how findings
// are printed (cli/).

import { isObject } from "../../formats/json-shape.ts";
import type { Instant, Vmid } from "../../spine/model.ts";
import { actingFinding } from "./acting-rights.ts";
import { grantLooking } from "./grants.ts";
import { has, pathOfVm, pathsText, type Rights, rightsOf } from "./permissions.ts";
import { secondsOfDate, secondsOfInstant } from "./place-clock.ts";
import type { Reader } from "./reader.ts";
import { type Reply, whyNot } from "./reply.ts";
import { shownText } from "./shown.ts";
import { TOKEN_EXPECTED, type Token } from "./token.ts";
import { dial, type Place, type Trust } from "./trust.ts";
import { textOf } from "./values.ts";

/** `next` are things to do, or commands to run on a node, in order. */
export type Finding = {
  /** That nobody answered, or that whoever did could not be believed; absent when something else is wrong. */
  readonly cause?: "unreachable" | "untrusted";
  readonly check: string;
  readonly found: string;
  readonly isWrong: boolean;
  readonly next: readonly string[];
};

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

export const fine = (check: string, found: string): Finding => ({ check, found, isWrong: false, next: [] });
export const wrong = (check: string, found: string, next: readonly string[]): Finding => ({
  check,
  found,
  isWrong: true,
  next,
});

export const examined = async (
  options: Examined,
  wanted: readonly Vmid[],
  signal: AbortSignal,
): Promise<readonly Finding[]> => {
  const tls = await tlsFinding(options, signal);
  if (tls.isWrong) return [tls];
  return [tls, ...(await lookingFindings(options, wanted, signal)), ...(await actingFindings(options, wanted, signal))];
};

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
  wanted: readonly Vmid[],
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
    await lookingRights(reader, token, wanted, signal),
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

const CLOCKS_APART_MAX_S = 10;

const clockFinding = (date: string | undefined, now: Instant): Finding => {
  const theirs = secondsOfDate(date);
  if (theirs === undefined) return wrong("clock", "its answers carry no date", ["Compare the clocks by hand."]);
  const apart = Math.round(theirs - secondsOfInstant(now));
  const found = apart === 0 ? "the same as ours" : `${Math.abs(apart)} s ${apart > 0 ? "ahead of" : "behind"} ours`;
  return Math.abs(apart) <= CLOCKS_APART_MAX_S
    ? fine("clock", found)
    : wrong("clock", found, ["Synchronise both clocks."]);
};

const rightsAt = async (reader: Reader, on: "everywhere" | "root" | Vmid, signal: AbortSignal): Promise<Rights> => {
  const reply = await reader.permissions(on, signal);
  return (reply.kind === "data" ? rightsOf(reply.data) : undefined) ?? new Map();
};

/** The rights on each wanted VM, by its path. */
export const rightsOn = async (reader: Reader, wanted: readonly Vmid[], signal: AbortSignal): Promise<Rights> => {
  const each = await Promise.all(wanted.map((vmid) => rightsAt(reader, vmid, signal)));
  return new Map(each.flatMap((rights) => [...rights]));
};

const lookingRights = async (
  reader: Reader,
  token: Token,
  wanted: readonly Vmid[],
  signal: AbortSignal,
): Promise<Finding> => {
  const [root, everywhere, each] = await Promise.all([
    rightsAt(reader, "root", signal),
    rightsAt(reader, "everywhere", signal),
    rightsOn(reader, wanted, signal),
  ]);
  const top = root.get("/");
  // Below / it shows the tasks of every node.
  const isNodesHidden = top?.get("Sys.Audit") !== true;
  const hidden = wanted.map(pathOfVm).filter((path) => !has(each, path, "VM.Audit"));
  const missing = [
    ...(isNodesHidden ? ["Sys.Audit on / and below"] : []),
    ...(hidden.length > 0 ? [`VM.Audit on ${pathsText(hidden, wanted.length)}`] : []),
  ];
  const check = "rights to look";
  if (missing.length > 0) {
    // Where / has it and a VM has not, an entry in between took it away.
    const isTakenAway = top?.get("VM.Audit") === true;
    const paths = [...(isNodesHidden || !isTakenAway ? ["/"] : []), ...(isTakenAway ? hidden : [])];
    return wrong(check, `missing: ${missing.join(", ")}`, grantLooking(token, paths));
  }
  const more = beyondLooking(everywhere);
  if (more === undefined) return fine(check, "everything that is wanted may be seen, and nothing may be changed");
  return wrong(check, `the token that only looks may do more: ${more}`, [
    "Take the other roles from this token, so that looking cannot change anything.",
  ]);
};

const beyondLooking = (rights: Rights): string | undefined => {
  for (const [path, privileges] of rights) {
    const more = [...privileges.keys()].filter((name) => !name.endsWith(".Audit")).sort();
    if (more.length > 0)
      return shownText(`${more.slice(0, 3).join(", ")}${more.length > 3 ? " and more" : ""} on ${path}`);
  }
  return undefined;
};

const actingFindings = async (
  { apply, observe }: Examined,
  wanted: readonly Vmid[],
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
    actingFinding(token, wanted, await rightsOn(reader, wanted, signal)),
  ];
};
