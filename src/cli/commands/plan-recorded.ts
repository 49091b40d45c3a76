// dedalus plan of an environment: registers what differs in the desired file, observes, plans on what is registered,
// and records each. A single requested action takes the same way.

import { foundIn } from "../../formats/expectation.ts";
import { parseMemory } from "../../formats/memory-text.ts";
import { planText } from "../../formats/plan-json.ts";
import { planJson } from "../../service/json/plan-answer-json.ts";
import type { VmRef } from "../../service/read/vm-references.ts";
import type { Action, Refusal } from "../../spine/model.ts";
import { ACTION_KINDS, actionNamed } from "../../spine/rules/actions.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { nearest } from "../../spine/values/nearest.ts";
import { present } from "../../spine/values/present.ts";
import { environmentIn, scopeOf } from "../arguments/vmids.ts";
import { askService, unlessUnanswered } from "../asking/at-service.ts";
import { exitOf } from "../asking/judge.ts";
import type { Arguments, CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { findDesiredHere } from "../files/desired-here.ts";
import { isArtifact, writeWhole } from "../files/files.ts";
import { probeOutFile } from "../files/out-file.ts";
import { againstTargetLines, desiredFileLines, unreadHereLines } from "../views/view-desired-file.ts";
import { planLines } from "../views/view-plan.ts";
import { planStatusLines } from "../views/view-step-status.ts";

export const run: CommandRun = async (given, io) => {
  const asked = requestIn(given);
  if ("code" in asked) return badInput([asked]);
  const out = given.text.get("out");
  const obstacle = out === undefined ? undefined : probeOutFile(given, io, out, isArtifact("plan"));
  if (obstacle !== undefined) return badInput([obstacle]);
  return askService(
    given,
    io,
    ({ makePlan }) => makePlan,
    { ...asked, ...environmentIn(given), ...(given.flags.has("registered") ? { registeredOnly: true } : {}) },
    async ({ value: { against, desiredFile, id, steps, unanswered, unchanged, ...file } }) => {
      const unwritten =
        out === undefined ? undefined : writeWhole(io.folder, out, planText({ ...file, id }), isArtifact("plan"));
      if (unwritten !== undefined) return badInput([unwritten]);
      const { environment, standsOn } = file.plan;
      const here = await findDesiredHere(given, io, environment, {
        file: desiredFile?.file,
        registered: standsOn.desired,
      });
      // An action is asked for by name, whatever a file says; and with --registered somebody said which one counts.
      const isUnasked = "request" in asked || given.flags.has("registered");
      const unread = isUnasked ? undefined : here.unread;
      return unlessUnanswered(environment, unanswered, {
        exit: exitOf(file),
        json: planJson({ ...file, id, steps, ...present({ against, desiredFile, unchanged }) }),
        text: (style) => [
          ...(desiredFile === undefined ? [] : desiredFileLines(environment, desiredFile, style, here.isElsewhere)),
          ...(unread === undefined ? [] : [...unreadHereLines(environment, unread, style), ""]),
          ...planLines(file, style, { environment }, steps),
          ...againstTargetLines(against ?? [], style),
          ...(unchanged === undefined ? [] : ["unchanged: the same plan as before"]),
          // Bare apply means the plan that was answered last, which is this one.
          ...planStatusLines({ environment, plan: id }, steps, style, file.verdict, {}),
        ],
      });
    },
  );
};

type Asked = {
  readonly request?: { readonly action: Action; readonly vmid: string };
  readonly scope: "all" | readonly VmRef[];
};

/** A requested action is for one VM; everything else about it is the registered entry's. */
const requestIn = (given: Arguments): Asked | Refusal => {
  const word = given.text.get("action");
  if (word === undefined) {
    const stray = ["vm", "snapshot", "cpus", "memory"].find((name) => given.text.has(name));
    if (stray !== undefined) {
      return refuse("usage", { cause: "goes-with", facts: { argument: `--${stray}`, with: "--action ACTION" } });
    }
    return { scope: scopeOf(given.text.get("only")) };
  }
  const vm = given.text.get("vm");
  if (vm === undefined) return needs("--action", "--vm VM");
  if (given.text.has("only")) {
    return refuse("usage", { cause: "not-together", facts: { argument: "--action", other: "--only" } });
  }
  const stray = strayFor(word, given);
  if (stray !== undefined) return stray;
  const action = actionOf(word, given);
  return "code" in action ? action : { request: { action, vmid: vm }, scope: [vm] };
};

const needs = (what: string, argument: string): Refusal =>
  refuse("usage", { cause: "needs-option", facts: { argument, what } });

/** Which action each option belongs to, as its kind begins. */
const BELONGS = { cpus: "vm.resize", memory: "vm.resize", snapshot: "vm.snapshot" } as const;

const strayFor = (word: string, { text }: Arguments): Refusal | undefined => {
  const kind = actionNamed(word) ?? "";
  const stray = Object.entries(BELONGS).find(([name, belongs]) => text.has(name) && !kind.startsWith(belongs));
  if (kind === "" || stray === undefined) return undefined;
  const facts = { argument: `--${stray[0]}`, with: `--action ${stray[1].slice("vm.".length)}` };
  return refuse("usage", { cause: "goes-with", facts });
};

/** As a word of a command line is spelled: without the `vm.` that all of them begin with. */
const unknownAction = (word: string): Refusal => {
  const near = nearest(word, [...ACTION_KINDS.map((kind) => kind.slice("vm.".length)), ...ACTION_KINDS]);
  const found = foundIn(word);
  return near === undefined
    ? refuse("action-unknown", { cause: "not-an-action", facts: found })
    : refuse("action-unknown", { cause: "not-an-action-meant", facts: { ...found, meant: near } });
};

const actionOf = (word: string, given: Arguments): Action | Refusal => {
  const kind = actionNamed(word);
  if (kind === undefined) return unknownAction(word);
  switch (kind) {
    case "vm.snapshot.create":
    case "vm.snapshot.delete":
    case "vm.snapshot.rollback": {
      const snapshot = given.text.get("snapshot");
      return snapshot === undefined ? needs(kind, "--snapshot NAME") : { kind, snapshot };
    }
    case "vm.resize":
      return resizeOf(given);
    case "vm.clone":
    case "vm.migrate":
      return refuse("action-unknown", { cause: "unperformed", facts: { action: kind } });
    default:
      return { kind };
  }
};

export const resizeOf = (given: Arguments): Action | Refusal => {
  const [cpusText, memoryText] = [given.text.get("cpus"), given.text.get("memory")];
  const cpus = cpusText === undefined ? undefined : /^[1-9][0-9]{0,3}$/.test(cpusText) ? Number(cpusText) : Number.NaN;
  const memory = memoryText === undefined ? undefined : parseMemory(memoryText);
  if (Number.isNaN(cpus)) {
    return refuse("usage", { cause: "not-in-range", facts: { argument: "--cpus", least: 1, most: 9999 } });
  }
  if (memoryText !== undefined && memory === undefined) {
    return refuse("unit-unknown", { cause: "memory-option", facts: { argument: "--memory", found: memoryText } });
  }
  if (cpus === undefined && memory === undefined) {
    const facts = { arguments: ["--cpus", "--memory"], what: "resize" };
    return refuse("usage", { cause: "needs-some-of", facts });
  }
  return { ...present({ cpus }), kind: "vm.resize", ...present({ memory }) };
};
