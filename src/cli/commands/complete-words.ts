// dedalus __complete KIND WORDS…: what a shell may offer for the next word. Hidden: only completion scripts call it.
//
// It only reads, without a lock and without ending what others left open. Whoever presses Tab has asked for nothing
// yet, so that whatever goes wrong offers nothing and says nothing; the command itself will say it. Nothing is offered
// that a shell would not take as it stands: bash expands the words that it offers.

import { contractBroken } from "../../spine/rules/contract.ts";
import { type AtService, portsOf, readCaller } from "../asking/at-service.ts";
import { checkToken } from "../asking/token-given.ts";
import type { Arguments } from "../command.ts";
import { readConfig } from "../files/find-config.ts";
import { findPlace } from "../files/find-server.ts";
import { readContract } from "../files/own-files.ts";
import type { Outcome } from "../outcome.ts";
import type { Io } from "../process/io.ts";
import { LOOKED_UP, type LookedUp } from "../views/completion/completed.ts";

type Offered = { readonly help?: string; readonly word: string };

export const completeWords = async ([kind = "", ...words]: readonly string[], io: Io): Promise<Outcome> => {
  // A failure is no answer to a Tab: see above.
  const offered = await (isLookedUp(kind) ? offeredFor(kind, givenIn(words), io) : nothing()).catch(nothing);
  const lines = offered
    .filter(({ word }) => PLAIN_WORD.test(word))
    .map(({ help, word }) => (help === undefined ? word : `${word}\t${help.replace(NOT_PLAIN, " ")}`));
  return { exit: "done", isVerbatim: true, json: { offered: lines }, text: () => lines };
};

const nothing = async (): Promise<readonly Offered[]> => [];
const isLookedUp = (kind: string): kind is LookedUp => LOOKED_UP.some((one) => one === kind);

const PLAIN_WORD = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const NOT_PLAIN = /[^A-Za-z0-9 ,._-]/g;

/** The options that say where to look; bash hands over `--env=home` as three words. */
const givenIn = (words: readonly string[]): Arguments => {
  const text = new Map<string, string>();
  for (const [at, word] of words.entries()) {
    const [, name, value] = /^--(config|env|server)(?:=(.*))?$/.exec(word) ?? [];
    const after = words[at + 1] === "=" ? words[at + 2] : words[at + 1];
    const said = value ?? after ?? "";
    if (name !== undefined && said !== "") text.set(name, said);
  }
  return { flags: new Set(), positionals: [], text };
};

const offeredFor = async (kind: LookedUp, given: Arguments, io: Io): Promise<readonly Offered[]> => {
  if (contractBroken(readContract()) !== undefined || checkToken() !== undefined) return [];
  const place = findPlace(given, io);
  if (place.kind === "bad") return [];
  if (place.kind === "remote") {
    const { openAtRemote } = await import("../asking/at-remote.ts");
    const at = await openAtRemote(place.server);
    return "code" in at ? [] : offeredBy(kind, at, given);
  }
  const configured = readConfig(given, io);
  if (configured.kind === "bad") return [];
  const known = [...configured.value.config.environments.keys()];
  if (kind === "environments") return known.map((word) => ({ word }));
  const { openService } = await import("../../service/local-service.ts");
  const hears = { note: () => undefined, recovered: () => undefined };
  const service = openService(configured.value, { ...portsOf(given, io), hears }, "one-request");
  return offeredBy(kind, { caller: readCaller(), service }, given);
};

const offeredBy = async (
  kind: LookedUp,
  { caller, service }: Pick<AtService, "caller" | "service">,
  given: Arguments,
): Promise<readonly Offered[]> => {
  try {
    if (kind === "plans") {
      const answer = await service.plans(caller, {});
      const plans = answer.kind === "ok" ? answer.value.plans : [];
      return plans.toReversed().map(({ closed, environment, id, requester, verdict }) => ({
        help: `${closed ?? verdict}, ${environment}, ${requester.id}`,
        word: id,
      }));
    }
    const environment = given.text.get("env");
    const answer = await service.vms(caller, environment === undefined ? {} : { environment });
    const vms = answer.kind === "ok" ? answer.value.vms : [];
    // A service names the environments that have something registered.
    if (kind === "environments") return [...new Set(vms.map((vm) => vm.environment))].map((word) => ({ word }));
    return [
      ...vms.map(({ environment: where, name, vmid }) => ({ help: `VM ${vmid}, ${where}`, word: name })),
      ...vms.map(({ environment: where, name, vmid }) => ({ help: `${name}, ${where}`, word: String(vmid) })),
    ];
  } finally {
    await service.close();
  }
};
