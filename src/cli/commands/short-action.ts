// dedalus start, shutdown, stop, reboot, snapshot, resize: plans one action on one VM, shows what is refused, and walks
// its apply. Of several VMs each has a plan, a question and an outcome of its own, one after another, and the first
// that does not succeed ends it.
//
// None of them approves anything: a step that needs an approval is told so, with the command. Keeps P7-E1, P7-A2.

import { walkMadeJson } from "../../service/json/act-json.ts";
import { planJson } from "../../service/json/plan-answer-json.ts";
import type { Action, Refusal, Vmid } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import { snapshotMisnamed } from "../arguments/snapshot-name.ts";
import { environmentIn } from "../arguments/vmids.ts";
import { type AtService, refusedOutcome, unlessUnanswered, withService } from "../asking/at-service.ts";
import { exitOf } from "../asking/judge.ts";
import type { Arguments, CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { findPlace } from "../files/find-server.ts";
import { isError, type Outcome } from "../outcome.ts";
import { endProgress, type Io } from "../process/io.ts";
import { say, styleAt } from "../process/say.ts";
import type { TextStyle } from "../views/text-style.ts";
import { blockedLines } from "../views/view-blocked.ts";
import { againstTargetLines, desiredFileLines } from "../views/view-desired-file.ts";
import { INTERRUPTED, walkPlan } from "./apply.ts";
import { resizeOf } from "./plan-recorded.ts";

type Asked = { readonly action: Action; readonly vms: readonly string[] };

const walksOf =
  (asked: (given: Arguments) => Asked | Refusal): CommandRun =>
  async (given, io) => {
    const what = asked(given);
    if ("code" in what) return badInput([what]);
    return withService(given, io, async (at) => {
      // All words are understood before the first VM is planned for.
      const named = await at.service.vms(at.caller, { ...environmentIn(given), vms: what.vms }, at.watch);
      if (named.kind === "refused") return refusedOutcome(named);
      const { vms } = named.value;
      const done: Outcome[] = [];
      for (const { environment, vmid } of vms) {
        // Whoever asked for an end while one was performed is not asked about the next.
        if (done.length > 0 && io.interrupted().aborted) {
          done.push(INTERRUPTED);
          break;
        }
        const outcome = await walkOne(at, { action: what.action, environment, vmid }, given, io);
        done.push(outcome);
        if (outcome.exit !== "done") break;
      }
      const [only] = done;
      return only !== undefined && done.length === 1 && vms.length === 1 ? only : together(done);
    });
  };

type One = { readonly action: Action; readonly environment: string; readonly vmid: Vmid };

const walkOne = async (
  at: AtService,
  { action, environment, vmid }: One,
  given: Arguments,
  io: Io,
): Promise<Outcome> => {
  const made = await at.service.makePlan(
    at.caller,
    { environment, request: { action, vmid }, scope: [vmid] },
    at.watch,
  );
  if (made.kind === "refused") return refusedOutcome(made, environment);
  io.deeds.record();
  const { against = [], desiredFile, id, steps, unanswered, ...file } = made.value;
  const isElsewhere = findPlace(given, io).kind === "remote";
  const compared = (style: TextStyle): readonly string[] =>
    desiredFile === undefined ? [] : desiredFileLines(file.plan.environment, desiredFile, style, isElsewhere);
  endProgress(io);
  const misnamed = unanswered === undefined ? snapshotMisnamed(file.plan, action) : undefined;
  if (misnamed !== undefined) return badInput([misnamed]);
  if (steps.length === 0 || !file.applicable) {
    const { kind, ...parameters } = action;
    const shown: Outcome = {
      exit: exitOf(file),
      json: planJson({ ...file, id, steps, ...present({ desiredFile }) }),
      text: (style) => [
        ...compared(style),
        ...blockedLines(file, style, { ...parameters, action: kind, environment, vmid }),
      ],
    };
    return unlessUnanswered(file.plan.environment, unanswered, shown);
  }
  const style = styleAt(io, "err", given.flags.has("verbose"));
  say(io, [...compared(style), ...againstTargetLines(against, style)]);
  const prepared = await at.service.prepareApply(at.caller, { plan: id }, at.watch);
  if (prepared.kind === "refused") return refusedOutcome(prepared);
  const walked = await walkPlan(at, prepared.value, given, io);
  const { against: led } = made.value;
  return isError(walked)
    ? walked
    : { ...walked, json: walkMadeJson(Object(walked.json), present({ against: led, desiredFile })) };
};

/** The first that was not done gives the exit code; what was executed before it is counted beside (done-so-far.ts). */
const together = (done: readonly Outcome[]): Outcome => ({
  exit: done.find(({ exit }) => exit !== "done")?.exit ?? "done",
  json: { walks: done.map(({ json }) => json) },
  text: (style) => done.flatMap(({ text }) => text(style)),
});

const plain = (kind: "vm.reboot" | "vm.shutdown" | "vm.start" | "vm.stop"): CommandRun =>
  walksOf(({ positionals }) => ({ action: { kind }, vms: positionals }));

export const runStart = plain("vm.start");
export const runShutdown = plain("vm.shutdown");
export const runStop = plain("vm.stop");
export const runReboot = plain("vm.reboot");

export const runSnapshot = walksOf(({ positionals: [vm = "", snapshot = ""] }) => ({
  action: { kind: "vm.snapshot.create", snapshot },
  vms: [vm],
}));

export const runResize = walksOf((given) => {
  const action = resizeOf(given);
  return "code" in action ? action : { action, vms: given.positionals };
});
