// What is found of key, anchor and ledger: whether it would take a record, whether what came after the last checkpoint
// is whole, and whether it knows who asks. It opens it for reading and makes nothing.

import { resolve } from "node:path";
import type { ExaminedVm } from "../../adapters/examination.ts";
import { rolesHeld } from "../../kernel/command/role-grants.ts";
import { CLOCK_AHEAD_MAX_MS } from "../../kernel/decide/judge-clock.ts";
import { readStateOn } from "../../kernel/read-state.ts";
import { get } from "../../kernel/state/persistent-map.ts";
import type { ReAnchored, State } from "../../kernel/state/state.ts";
import { openAnchor } from "../../ledger/anchor/anchor.ts";
import { readAnchor } from "../../ledger/anchor/anchor-fit.ts";
import type { Engine } from "../../ledger/engine.ts";
import { type Ledger, type LedgerOpened, modeRefusal, readRefusal } from "../../ledger/open.ts";
import { readRecord } from "../../ledger/record/read-record.ts";
import type { Signer } from "../../ledger/tree/signer.ts";
import { LedgerDamage, LedgerOfAnotherTime } from "../../ledger/verify/damage.ts";
import { verifyLines } from "../../ledger/verify/verify.ts";
import { findingRefusal } from "../../ledger/verify/verify-ledger.ts";
import type { Instant, Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { msOf } from "../../spine/values/instant.ts";
import { unwritableAnchor } from "../hold/anchor-file.ts";
import { type Caller, isNamedByToken, type KnownLedger, proveReader } from "../hold/callers.ts";
import { readSigner, savedStateAt } from "../hold/open-ledger.ts";
import type { Configuration, Ports } from "../ports.ts";
import { readRegisteredIn } from "../read/registered.ts";
import { examineeOf } from "./examine-provider.ts";
import { found, type OwnFinding } from "./finding.ts";

type Ground = { readonly caller: Caller; readonly configuration: Configuration; readonly ports: Ports };

/**
 * `registered` are the VMs of the environment that was asked for; absent when nothing is, or the ledger cannot tell.
 */
export type LedgerExamined = {
  readonly findings: readonly OwnFinding[];
  readonly registered?: readonly ExaminedVm[] | undefined;
  /** Whether anything is registered for an environment; nothing is known where the ledger cannot tell. */
  readonly isRegistered: (environment: string) => boolean;
};

const NOT_KNOWN: Pick<LedgerExamined, "isRegistered"> = { isRegistered: () => false };

export const examineLedger = async (ground: Ground, environment: string | undefined): Promise<LedgerExamined> => {
  const { configuration, ports } = ground;
  const { config, home } = configuration;
  const signer = readSigner(configuration);
  const file = config.signingKey;
  if ("kind" in signer) {
    // A file that is open to others is named among the secret files.
    const refusals = signer.code === "secret-open" ? [] : [signer];
    const findings = [found("signing-key", "key-unread", { file }, { refusals }), found("unchecked", "no-key", {})];
    return { ...NOT_KNOWN, findings };
  }
  const expected = { mode: "view", onProgress: () => undefined, vkey: signer.vkey } as const;
  const opened = await ports.ledger.open(config, home, expected);
  const key = found("signing-key", "key-read", { file, key: signer.vkey });
  const anchor = anchorFinding(configuration, signer, opened);
  const examined = await examineOpened(ground, signer, opened, environment);
  return { ...examined, findings: [key, anchor, ...examined.findings] };
};

/** What is missing of it is known to whoever has opened the ledger: without a record it need not be there. */
const anchorFinding = ({ config, home }: Configuration, { vkey }: Signer, opened: LedgerOpened): OwnFinding => {
  const [file, path] = [config.anchor, resolve(home, config.anchor)];
  const read = readAnchor(path, vkey);
  const loss = opened.kind === "open" ? opened.ledger.loss : read.kind === "bad" ? read.loss : undefined;
  if (loss !== undefined) return found("anchor", "anchor-lost", { file }, { refusals: [loss] });
  const covering = read.notes.filter(({ checkpoint }) => checkpoint.size > 0);
  const last = covering.at(-1)?.checkpoint;
  const refusal = read.kind === "anchor" ? appendRefusal(path, file) : undefined;
  const refusals = refusal === undefined ? [] : [refusal];
  return last === undefined
    ? found("anchor", "anchor-unused", { file }, { refusals })
    : found("anchor", "anchor-used", { checkpoints: covering.length, file, records: last.size }, { refusals });
};

/** Opened as an act that records would open it; nothing is written. */
const appendRefusal = (path: string, name: string): Refusal | undefined => {
  try {
    openAnchor(path, 0).close();
    return undefined;
  } catch (error) {
    return unwritableAnchor(name, error);
  }
};

const examineOpened = async (
  ground: Ground,
  signer: Signer,
  opened: LedgerOpened,
  environment: string | undefined,
): Promise<LedgerExamined> => {
  if (opened.kind === "refused")
    return { ...NOT_KNOWN, findings: [unopenedFinding(ground.configuration, opened.refusal)] };
  const { ledger } = opened;
  const { engine } = ledger;
  try {
    const { findings, state } = await tailFindings(ground, ledger, signer);
    const own = await ledgerFinding(ground, ledger, state?.reAnchored);
    // A ledger whose anchor is lost is shown, and is asked for nothing that somebody would act on.
    const told = environment === undefined || ledger.loss !== undefined ? undefined : state;
    const registered = told === undefined ? undefined : await readRegistered(engine, told, environment ?? "");
    const isRegistered = (name: string): boolean => state !== undefined && get(state.desired, name) !== undefined;
    return { findings: [own, ...findings], isRegistered, registered };
  } catch (error) {
    const unread = found("ledger", "ledger-unread", { name: engine.name }, { refusals: [readRefusal(error)] });
    return { ...NOT_KNOWN, findings: [unread] };
  } finally {
    await engine.close();
  }
};

const unopenedFinding = ({ config }: Configuration, refusal: Refusal): OwnFinding => {
  if (refusal.code === "anchor-unverified") return found("ledger", "ledger-unbelieved", {});
  if (refusal.code === "ledger-absent") return found("ledger", "ledger-absent", {});
  return found("ledger", "ledger-unopened", { engine: config.ledger.engine }, { refusals: [refusal] });
};

const readRegistered = async (
  engine: Engine,
  state: State,
  environment: string,
): Promise<readonly ExaminedVm[] | undefined> => {
  try {
    return (await readRegisteredIn(engine, state, environment))?.entries.map(examineeOf);
  } catch (error) {
    if (error instanceof LedgerDamage || error instanceof LedgerOfAnotherTime) return undefined;
    throw error;
  }
};

/**
 * When the last record was stamped; undefined where there is none, and where it is damaged, which is named on its own.
 */
const lastTime = async (engine: Engine, size: number): Promise<Instant | undefined> => {
  for await (const line of engine.read(Math.max(0, size - 1), size)) {
    const read = readRecord(line);
    return read.kind === "record" ? read.record.processTime : undefined;
  }
  return undefined;
};

const aheadRefusal = (head: Instant | undefined, at: Instant): Refusal | undefined => {
  if (head === undefined) return undefined;
  const aheadMs = msOf(head) - msOf(at);
  return aheadMs <= CLOCK_AHEAD_MAX_MS
    ? undefined
    : refuse("ledger-ahead", { facts: { aheadSeconds: Math.round(aheadMs / 1_000), clock: at, head } });
};

const ledgerFinding = async (
  { configuration: { config, home }, ports }: Ground,
  { engine, loss, seal }: Ledger,
  reAnchored: ReAnchored | undefined,
): Promise<OwnFinding> => {
  const { size } = await engine.head();
  const location = ports.ledger.location(config.ledger, home);
  const readOnly = "code" in location ? undefined : await location.readOnlyMark();
  const unplaced = "code" in location ? location : undefined;
  // A lost anchor is named on its own, and keeps writers out before anything else does.
  const refusal = loss === undefined ? (unplaced ?? modeRefusal(engine.name, "write", seal, readOnly)) : undefined;
  const ahead = aheadRefusal(await lastTime(engine, size), ports.clock.now());
  const facts = { name: engine.name, records: size };
  const more = { refusals: [refusal, ahead].filter((one) => one !== undefined) };
  if (loss !== undefined) return found("ledger", "ledger-unanchored", facts, more);
  return reAnchored === undefined
    ? found("ledger", "ledger-fits", facts, more)
    : found("ledger", "ledger-fits-again", facts, { ...more, reAnchored });
};

/** So many are named; the rest is counted. */
const NAMED_MAX = 5;

/** Records that no checkpoint covers are held by nothing but the chain: whoever can write the file can append to it. */
const tailFindings = async (
  { caller, configuration, ports }: Ground,
  ledger: Ledger,
  signer: Signer,
): Promise<{ readonly findings: readonly OwnFinding[]; readonly state?: State }> => {
  const { engine, known } = ledger;
  const { size } = await engine.head();
  const lines = engine.read(known.tree.size, size);
  const { findings, findingsCount } = await verifyLines(lines, { checkpoints: [], from: known, mode: "full" });
  const [first] = findings;
  if (first !== undefined) {
    const refusals = findings.slice(0, NAMED_MAX).map((finding) => findingRefusal(finding, findingsCount));
    const facts = { findings: findingsCount, records: size, seq: first.seq };
    return { findings: [found("records", "records-broken", facts, { refusals })] };
  }
  // Whether the saved state fits is said by whoever uses it for more than this.
  const desk = { ...configuration, met: [], ports: { ...ports, hears: QUIET }, signer };
  const folded = await readStateOn(engine, savedStateAt(ledger, desk));
  const whole = found("records", "records-whole", { records: size });
  return {
    findings: isNamedByToken(caller) ? [whole, callerFinding(caller, folded, configuration, ports)] : [whole],
    state: folded.state,
  };
};

const QUIET: Ports["hears"] = { note: () => undefined, recovered: () => undefined };

const callerFinding = (
  caller: Caller,
  known: KnownLedger,
  { config }: Configuration,
  { clock }: Pick<Ports, "clock">,
): OwnFinding => {
  const proven = proveReader(caller, known, config.operator, clock.now(), "account");
  if ("code" in proven) return found("caller", "caller-unknown", {}, { refusals: [proven] });
  const { id: actor, kind } = proven.actor;
  return found("caller", "caller-known", { actor, kind, roles: rolesHeld(proven.grants) });
};
