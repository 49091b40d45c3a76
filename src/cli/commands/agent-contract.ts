// dedalus contract-test: checks the contract with agents (docs/agent-contract.md) at a server, from outside, by the
// token of an agent.
//
// It plans, observes and reads, and cancels the plans that it made. With --wait it asks for approval, and a person
// gives it elsewhere; with --apply it applies what was approved. Nothing here decides. keeps P7-A2

import { setTimeout as sleepFor } from "node:timers/promises";
import { checkServer } from "../../boundary/checking/check-server.ts";
import { CHECKED_DOORS, type CheckedDoor, type CheckTerms } from "../../boundary/contract/agent-clauses.ts";
import { monotonicMs } from "../../clock.ts";
import { ulids } from "../../ids.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { clientOf } from "../../wire.ts";
import { openWith, readTokenAt } from "../asking/at-remote.ts";
import { refusalOutcome, refusedOutcome } from "../asking/at-service.ts";
import type { Arguments, CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { findPlace } from "../files/find-server.ts";
import { readMcpTools, readOwnPackage } from "../files/own-files.ts";
import { say } from "../process/say.ts";
import { contractJson, contractLines } from "../views/view-contract.ts";

const BOTH = "both";
const ACTIONS = { shutdown: "vm.shutdown", start: "vm.start" } as const;
const WAIT_MAX = 3_600;

export const run: CommandRun = async (given, io) => {
  const place = findPlace(given, io);
  if (place.kind === "bad") return badInput(place.problems);
  if (place.kind === "local")
    return badInput([
      refuse("usage", { cause: "needs-option", facts: { argument: "--server URL", what: "contract-test" } }),
    ]);
  const [terms, doors] = [termsIn(given), doorsIn(given)];
  if ("code" in terms) return badInput([terms]);
  if ("code" in doors) return badInput([doors]);
  const { server } = place;
  const { origin } = server.address;
  const token = readTokenAt(origin);
  if ("code" in token) return refusalOutcome(token);
  const at = await openWith(server, token.value);
  if ("code" in at) return refusalOutcome(at);
  const who = await at.service.whoami(at.caller, {});
  if (who.kind === "refused") return refusedOutcome(who);
  // A person's token could decide what is only asked for to be refused.
  if (who.value.actor.kind !== "agent")
    return refusalOutcome(refuse("agents-only", { facts: { actor: who.value.actor.id } }));
  // What was mistyped here is no fault of the server's, and is told before its contract is checked.
  const asked = await at.service.vms(at.caller, vmsIn(terms));
  if (asked.kind === "refused" && asked.domain === "input") return refusedOutcome(asked);
  const named = { ...server, token: token.value, version: readOwnPackage().version };
  const { token: _, ...nobody } = named;
  const [port, unproven] = [await clientOf(named), await clientOf(nobody)];
  if ("code" in port) return refusalOutcome(port);
  if ("code" in unproven) return refusalOutcome(unproven);
  const ports = { newKey: ulids(), nowMs: monotonicMs, pause: (ms: number) => sleepFor(ms) };
  const checked = await checkServer(
    { ...ports, port, unproven, version: named.version },
    {
      doors,
      published: JSON.parse(readMcpTools()).tools,
      signal: io.interrupted(),
      terms,
      waiting: ({ page, plan, seconds, step }) =>
        say(io, [
          `waiting ${seconds} s for a person to approve step ${step} of plan ${plan}`,
          ...(page === undefined ? [] : [`  ${page}`]),
        ]),
    },
  );
  return {
    exit: checked.some(({ verdict }) => verdict.status === "broken") ? "verification" : "done",
    json: contractJson(checked, terms.environment, origin),
    text: (style) => contractLines(checked, style),
  };
};

const notOneOf = (argument: string, found: string, known: readonly string[]): Refusal =>
  refuse("usage", { cause: "not-one-of", facts: { argument, found, known } });

const doorsIn = ({ text }: Arguments): Refusal | readonly CheckedDoor[] => {
  const found = text.get("door") ?? BOTH;
  if (found === BOTH) return CHECKED_DOORS;
  const door = CHECKED_DOORS.find((one) => one === found);
  return door === undefined ? notOneOf("--door", found, [...CHECKED_DOORS, BOTH]) : [door];
};

const vmsIn = ({ environment, vm }: CheckTerms) => ({ environment, ...(vm === undefined ? {} : { vms: [vm] }) });

const isAction = (word: string): word is keyof typeof ACTIONS => Object.hasOwn(ACTIONS, word);

const termsIn = ({ flags, text }: Arguments): CheckTerms | Refusal => {
  const [action, vm, wait] = [text.get("action") ?? "start", text.get("vm"), text.get("wait")];
  if (!isAction(action)) return notOneOf("--action", action, Object.keys(ACTIONS));
  const isApplying = flags.has("apply");
  if (vm === undefined)
    for (const stray of [...(isApplying ? ["apply"] : []), ...(text.has("action") ? ["action"] : [])])
      return refuse("usage", { cause: "goes-with", facts: { argument: `--${stray}`, with: "--vm VM" } });
  const waitSeconds = wait === undefined ? undefined : Number(wait);
  if (waitSeconds !== undefined && !(Number.isInteger(waitSeconds) && waitSeconds >= 1 && waitSeconds <= WAIT_MAX))
    return refuse("usage", { cause: "not-in-range", facts: { argument: "--wait", least: 1, most: WAIT_MAX } });
  return {
    action: ACTIONS[action],
    environment: text.get("env") ?? "",
    isApplying,
    ...present({ vm, waitSeconds }),
  };
};
