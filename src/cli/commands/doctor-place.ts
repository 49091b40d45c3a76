// What doctor says of one environment's place: whether it is reached and believed, and what each token may do there.
//
// It asks for the VMs that are registered, or those of the desired file while nothing is. It only reads. The commands
// that would mend something are shown and never run.

import type { ExaminationWords, Finding as Examined, ExaminedVm } from "../../adapters/examination.ts";
import { parseDesired } from "../../formats/desired-yaml.ts";
import { stateOn } from "../../kernel/read-state.ts";
import { LedgerDamage, LedgerOfAnotherTime } from "../../ledger/verify/damage.ts";
import { readSigner, savedStateAt } from "../../service/hold/open-ledger.ts";
import { registeredIn } from "../../service/read/recorded.ts";
import type { Wish } from "../../spine/model.ts";
import { isProductionName } from "../../spine/plan/protection.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { filledWithDiagnostic } from "../../spine/words/diagnostic-words.ts";
import { REFUSAL_WORDS } from "../../spine/words/refusal-words.ts";
import { adapterOf, examinationWords, openLedger, servicePorts } from "../../wire.ts";
import { QUIET } from "../at-service.ts";
import { readText } from "../files.ts";
import type { Configured } from "../find-config.ts";
import { type Io, progress } from "../io.ts";
import type { Finding } from "./doctor-ledger.ts";

const ASK_MAX_MS = 5 * 60_000;

export const placeFindings = async (configured: Configured, name: string, io: Io): Promise<readonly Finding[]> => {
  const { config, file, home } = configured;
  const check = `place of ${name}`;
  const environment = config.environments.get(name);
  if (environment === undefined) {
    const facts = { environment: name, file, known: [...config.environments.keys()] };
    const refusals = [refuse("environment-unknown", { cause: "not-in-file", facts })];
    return [{ check, found: "not configured", refusals }];
  }
  const adapter = await adapterOf(name, environment, home);
  if ("code" in adapter) return [{ check, found: environment.adapter, refusals: [adapter] }];
  const { examine } = adapter;
  if (examine === undefined) {
    return [{ check, found: `${environment.adapter}: there is no place to ask`, refusals: [] }];
  }
  progress(io, `asking ${name}`);
  const wanted = await wantedIn(configured, name, environment.desired);
  const asked = { check, found: `${environment.adapter}, ${wanted.vms.length} VMs ${wanted.from}`, refusals: [] };
  const found = await examine(wanted.vms, AbortSignal.timeout(ASK_MAX_MS));
  return [asked, ...found.map(shownBy(examinationWords(environment.adapter)))];
};

const CODES = { unreachable: "provider-unreachable", untrusted: "provider-untrusted" } as const;

/** In the adapter's own words, which speak of its provider. */
const shownBy =
  (words: ExaminationWords) =>
  ({ cause, check, code, commands, facts, isWrong }: Examined): Finding => {
    const because = words.found[code] ?? code;
    const shown = { check: words.checks[check] ?? check, found: filledWithDiagnostic(because, facts) };
    if (!isWrong) return { ...shown, refusals: [] };
    const refusal = refuse(cause === undefined ? "provider-unready" : CODES[cause], {
      facts: { ...facts, check, finding: code },
    });
    const row = REFUSAL_WORDS[refusal.code];
    return {
      ...shown,
      ...(commands.length > 0 ? { commands } : {}),
      refusals: [refusal],
      words: { ...REFUSAL_WORDS, [refusal.code]: { ...row, because, next: words.next[code] ?? row.next } },
    };
  };

type Examinee = ExaminedVm;
type Wanted = { readonly from: string; readonly vms: readonly Examinee[] };

/** By its entry; what the place itself shows of it may protect it besides. */
const examineeOf = (entry: Pick<Wish, "name" | "protected" | "vmid">): Examinee => ({
  isProtected: entry.protected === true || isProductionName(entry.name),
  vmid: entry.vmid,
});

const wantedIn = async (configured: Configured, name: string, desired: string): Promise<Wanted> => {
  const registered = await registeredAt(configured, name);
  if (registered !== undefined) return { from: "registered", vms: registered };
  const text = readText(configured.home, desired);
  const parsed = text.kind === "ok" ? parseDesired(text.value, desired) : text;
  // A desired file that cannot be read has its own finding.
  return { from: `of ${desired}`, vms: parsed.kind === "ok" ? parsed.value.vms.map(examineeOf) : [] };
};

/** Undefined when nothing is registered, or the ledger cannot tell; what is wrong with it has its own finding. */
const registeredAt = async (configured: Configured, name: string): Promise<readonly Examinee[] | undefined> => {
  const signer = readSigner(configured);
  if ("kind" in signer) return undefined;
  const { config, home } = configured;
  const opened = await openLedger(config, home, { mode: "read", onProgress: () => undefined, vkey: signer.vkey });
  if (opened.kind === "refused") return undefined;
  const { engine } = opened.ledger;
  try {
    // Whether the snapshot does is said by whoever uses it for more than this.
    const ports = { ...servicePorts(), hears: QUIET };
    const { state } = await stateOn(engine, savedStateAt(opened.ledger, { ...configured, met: [], ports, signer }));
    return (await registeredIn(engine, state, name))?.wishes.map(examineeOf);
  } catch (error) {
    if (error instanceof LedgerDamage || error instanceof LedgerOfAnotherTime) return undefined;
    throw error;
  } finally {
    await engine.close();
  }
};
