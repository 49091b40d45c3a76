// A command's way to the service, at a ledger here or elsewhere: who asks, one call, and the answer as an outcome.
//
// The one table from answers to exit codes is here. What could not be kept beside what was done is told when the
// service closes, and changes no exit code. Not here: what can be asked (service/service.ts).

import { readToken } from "../../config.ts";
import type { IntentState } from "../../kernel/state/state.ts";
import { executionOf, type OkAnswer, type RefusedAnswer, refusedBy, type ServiceAnswer } from "../../service/answer.ts";
import { type Domain, domainOf } from "../../service/domains.ts";
import { type Caller, tokenCredential } from "../../service/hold/callers.ts";
import { intentJson } from "../../service/json/intent-json.ts";
import type { CallerAtFiles } from "../../service/ledger-service.ts";
import type { Ports } from "../../service/ports.ts";
import type { Watch } from "../../service/progress.ts";
import type { Operation, Service } from "../../service/service.ts";
import type { Refusal } from "../../spine/model.ts";
import type { Gap } from "../../spine/observed-codes.ts";
import { actionText } from "../../spine/rules/action-text.ts";
import type { RefusalCode } from "../../spine/rules/refusals.ts";
import { servicePorts } from "../../wire.ts";
import type { Arguments } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { atOption, badInput, failed, loadUnansweredLines } from "../failed-outcome.ts";
import { readConfig } from "../files/find-config.ts";
import { findPlace, type ServerNamed } from "../files/find-server.ts";
import { readOwnPackage } from "../files/own-files.ts";
import { type Outcome, withBeside } from "../outcome.ts";
import { type Io, showProgress } from "../process/io.ts";
import { serviceNotesTo } from "./notes.ts";
import { watchOf } from "./watch.ts";

const EXITS: Readonly<Record<Domain, Exit>> = {
  input: "input",
  internal: "internal",
  kernel: "refused",
  transport: "unreachable",
  validation: "verification",
};

/** Whatever was executed, or may have been, is never told as not executed. */
const exitOfAnswer = ({
  domain,
  outcome,
  unanswered,
}: Pick<RefusedAnswer, "domain" | "outcome" | "unanswered">): Exit => {
  if (outcome !== "not_executed") return "outcome";
  return unanswered === undefined ? EXITS[domain] : "unreachable";
};

export const refusedOutcome = async (answer: RefusedAnswer, environment = ""): Promise<Outcome> => {
  const { domain, outcome, refusals, unanswered, where } = answer;
  const failure = await failed(exitOfAnswer(answer), domain, refusals.map(atOption), { outcome, where });
  return unlessUnanswered(environment, unanswered, failure);
};

/** Of whoever tells one refusal in the middle of something else. */
export const exitOfRefusal = (code: RefusalCode): Exit =>
  exitOfAnswer({ domain: domainOf(code), outcome: executionOf(code) });

/** One refusal, in the domain of its code. */
export const refusalOutcome = (refusal: Refusal): Promise<Outcome> => refusedOutcome(refusedBy(refusal));

/**
 * What came of an observation that the provider did not answer is told as it is, and the exit code tells a script that
 * the provider is the matter: everything is unknown, whatever the VMs do.
 */
export const unlessUnanswered = async (
  name: string,
  unanswered: Gap | undefined,
  outcome: Outcome,
): Promise<Outcome> => {
  if (unanswered === undefined) return outcome;
  const { unansweredJson } = await import("../../service/json/error-json.ts");
  const told = unansweredJson(unanswered);
  const unansweredLines = await loadUnansweredLines();
  return {
    ...outcome,
    exit: "unreachable",
    json: { ...Object(outcome.json), unanswered: told },
    text: (style) => [...outcome.text(style), ...unansweredLines(name, told.detail, style)],
  };
};

/**
 * The subject of DEDALUS_TOKEN, or without one the operator of dedalus.yaml; one that is unusable stopped the command.
 */
export const readCaller = (): CallerAtFiles => {
  const given = readToken();
  return {
    credential: given.kind === "token" ? tokenCredential(given.value) : { kind: "operator" },
    door: "local",
  };
};

/** The ports of a command; what was recovered is told by its outcome. */
export const portsOf = (given: Arguments, io: Io, recovered: IntentState[] = []): Ports => ({
  ...servicePorts(),
  configured: () => readConfig(given, io),
  hears: { note: serviceNotesTo(io), recovered: (intents) => void recovered.push(...intents) },
  version: readOwnPackage().version,
});

export type AtService = { readonly caller: Caller; readonly service: Service; readonly watch: Watch };

/** For those who close it themselves: whatever they show is read while it is open. */
export const openAtService = async (
  given: Arguments,
  io: Io,
  recovered: IntentState[] = [],
): Promise<AtService | Outcome> => {
  const place = findPlace(given, io);
  if (place.kind === "bad") return badInput(place.problems);
  if (place.kind === "remote") return openElsewhere(place.server, io);
  const configured = readConfig(given, io);
  if (configured.kind === "bad") return badInput(configured.problems);
  const { openService } = await import("../../service/local-service.ts");
  const service = openService(configured.value, portsOf(given, io, recovered), "one-request");
  return { caller: readCaller(), service, watch: watchOf(io) };
};

const openElsewhere = async (server: ServerNamed, io: Io): Promise<AtService | Outcome> => {
  const { openAtRemote } = await import("./at-remote.ts");
  const at = await openAtRemote(server);
  if ("code" in at) return refusalOutcome(at);
  showProgress(io, `asking ${server.address.origin}`);
  return { ...at, watch: watchOf(io) };
};

/** Opens, works, closes, whatever happens in between. */
export const withService = async (
  given: Arguments,
  io: Io,
  work: (at: AtService) => Promise<Outcome>,
): Promise<Outcome> => {
  const recovered: IntentState[] = [];
  const at = await openAtService(given, io, recovered);
  if ("exit" in at) return at;
  let beside: readonly RefusedAnswer[] = [];
  let outcome: Outcome;
  try {
    outcome = await work(at);
  } finally {
    beside = await at.service.close();
  }
  const unkept = await Promise.all(beside.map((one) => refusedOutcome(one)));
  return withBeside(withRecovered(outcome, recovered), ...unkept);
};

/** One request, and how its value is shown. */
export const askService = <R, T>(
  given: Arguments,
  io: Io,
  operation: (service: Service) => Operation<R, T>,
  request: R,
  show: (answer: OkAnswer<T>) => Outcome | Promise<Outcome>,
  environment?: string,
): Promise<Outcome> =>
  withService(given, io, async ({ caller, service, watch }) =>
    showAnswer(await operation(service)(caller, request, watch), io, show, environment),
  );

export const showAnswer = async <T>(
  answer: ServiceAnswer<T>,
  io: Io,
  show: (answer: OkAnswer<T>) => Outcome | Promise<Outcome>,
  environment?: string,
): Promise<Outcome> => {
  if (answer.kind === "refused") return refusedOutcome(answer, environment);
  if (answer.record !== undefined) io.deeds.record();
  return show(answer);
};

/** What an earlier process left open, and this one ended as unknown, is said before anything else. */
const withRecovered = (outcome: Outcome, recovered: readonly IntentState[]): Outcome =>
  recovered.length === 0
    ? outcome
    : {
        ...outcome,
        json: { ...Object(outcome.json), recovered: recovered.map(intentJson) },
        text: (style) => [
          ...recovered.map(
            ({ action, name, vmid }) =>
              `VM ${vmid} ${name}: ${actionText(action)} was left open by a process that ended; its outcome is unknown, the VM is blocked`,
          ),
          ...outcome.text(style),
        ],
      };
