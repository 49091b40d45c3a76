// dedalus register: registers what is wanted in an environment, as a recorded act, and shows what differs from before.
//
// What loosens something is shown and asked about at a terminal, and needs --yes elsewhere; which that is, the service
// says.

import { relative, resolve } from "node:path";
import type { Problem } from "../../formats/problem.ts";
import type { Registered } from "../../service/act/register.ts";
import type { OkAnswer, ServiceAnswer } from "../../service/answer.ts";
import { environmentAt } from "../../service/hold/environment-at.ts";
import { registeredJson } from "../../service/json/act-json.ts";
import { readText } from "../../service/named-file.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import { environmentIn } from "../arguments/vmids.ts";
import { refusalOutcome, showAnswer, withService } from "../asking/at-service.ts";
import type { Arguments, CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { readConfig } from "../files/find-config.ts";
import { findPlace } from "../files/find-server.ts";
import type { Outcome } from "../outcome.ts";
import { endProgress, type Io } from "../process/io.ts";
import { say, styleAt } from "../process/say.ts";
import { counted } from "../views/counted.ts";
import { changeLines, looseningLines } from "../views/view-desired-file.ts";

export const run: CommandRun = async (given, io) => {
  const file = fileOf(given, io);
  if (typeof file === "object") return badInput(file);
  const text = readText(io.folder, file);
  if (text.kind === "bad") return badInput(text.problems);
  const request = { ...environmentIn(given), desired: { file, text: text.value } };
  const meant = given.flags.has("yes") ? ({ loosens: "whatever" } as const) : {};
  return withService(given, io, async ({ caller, service, watch }) => {
    const first = await service.register(caller, { ...request, ...meant }, watch);
    const loosening = looseningIn(first);
    if (loosening === undefined) return showAnswer(first, io, shown);
    const answer = await askToLoosen(loosening, given, io);
    if (answer === undefined) return showAnswer(first, io, shown);
    const { count = 0, environment = "", registered: loosens } = loosening.facts;
    if (answer === "no") {
      return refusalOutcome(refuse("loosening-unconfirmed", { cause: "declined", facts: { count, environment } }));
    }
    if (!isSha256(loosens)) throw new Error("what was compared with is known by its digest");
    return showAnswer(await service.register(caller, { ...request, loosens }, watch), io, shown);
  });
};

const shown = ({ value: { changes = [], ...registered } }: OkAnswer<Registered>): Outcome => ({
  exit: "done",
  json: registeredJson({ changes, ...registered }),
  text: (style) => [
    ...changeLines(changes, style),
    `registered ${counted(registered.vms, "VM")} for ${registered.environment}: ${changes.length === 0 ? "nothing differs" : `${changes.length} ${changes.length === 1 ? "differs" : "differ"}`}`,
    `record ${registered.seq}: register by ${registered.by}`,
    style.dim(`next: ${style.command({ ask: "makePlan", with: { environment: registered.environment } })}`),
  ],
});

const looseningIn = (answer: ServiceAnswer<Registered>): Refusal | undefined =>
  answer.kind === "refused"
    ? answer.refusals.find(({ cause, code }) => code === "loosening-unconfirmed" && cause === "unsaid")
    : undefined;

/** Undefined when nobody is there to ask. */
const askToLoosen = async ({ facts }: Refusal, given: Arguments, io: Io): Promise<"no" | "yes" | undefined> => {
  const style = styleAt(io, "err", given.flags.has("verbose"));
  endProgress(io);
  if (io.isErrTerminal) say(io, looseningLines(facts, style));
  const answer = await io.ask(`Register this for ${facts["environment"]}? [y/N] `);
  if (answer === undefined) return undefined;
  return ["y", "yes"].includes(answer.trim().toLowerCase()) ? "yes" : "no";
};

/** The file that is named, or the one of the environment. */
const fileOf = (given: Arguments, io: Io): string | readonly (Problem | Refusal)[] => {
  const [named] = given.positionals;
  if (named !== undefined) return named;
  // What a service's configuration names is a file there; what is registered from here is read here.
  if (findPlace(given, io).kind === "remote")
    return [refuse("usage", { cause: "argument-missing", facts: { argument: "FILE", command: "register" } })];
  const configured = readConfig(given, io);
  if (configured.kind === "bad") return configured.problems;
  const at = environmentAt(environmentIn(given).environment, configured.value);
  return "code" in at ? [at] : relative(io.folder, resolve(configured.value.home, at.environment.desired));
};
