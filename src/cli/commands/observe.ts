// dedalus observe: one observation of the registered VMs of an environment, recorded; written as current.json when
// asked.

import { currentText } from "../../formats/current-json.ts";
import { observedJson } from "../../service/json/act-json.ts";
import type { Blocker, Observation, VmState } from "../../spine/model.ts";
import { statusText } from "../../spine/plan/step.ts";
import { actionText } from "../../spine/rules/action-text.ts";
import { blockerText, doubtText, gapText } from "../../spine/words/causes/observation-words.ts";
import { environmentIn } from "../arguments/vmids.ts";
import { askService, unlessUnanswered } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { isArtifact, writeWhole } from "../files/files.ts";
import { probeOutFile } from "../files/out-file.ts";
import { whenText } from "../views/age.ts";
import { columns } from "../views/columns.ts";
import { counted } from "../views/counted.ts";
import { signText } from "../views/signs.ts";
import type { TextStyle } from "../views/text-style.ts";

export const run: CommandRun = async (given, io) => {
  const out = given.text.get("out");
  const obstacle = out === undefined ? undefined : probeOutFile(given, io, out, isArtifact("current"));
  if (obstacle !== undefined) return badInput([obstacle]);
  const request = environmentIn(given);
  return askService(
    given,
    io,
    ({ observe }) => observe,
    request,
    ({ value }) => {
      const { changed, environment, id, observation, unanswered } = value;
      const unwritten =
        out === undefined ? undefined : writeWhole(io.folder, out, currentText(observation), isArtifact("current"));
      if (unwritten !== undefined) return badInput([unwritten]);
      return unlessUnanswered(environment, unanswered, {
        exit: "done",
        json: observedJson(value),
        text: (style) => [
          ...observationLines(observation, style),
          ...changed.map(
            (vmid) =>
              `  VM ${vmid} is not the one that had this number before: ${style.command({ ask: "makePlan", with: { environment } })}`,
          ),
          `observation ${id}`,
        ],
      });
    },
  );
};

const observationLines = (observation: Observation, style: TextStyle): readonly string[] => {
  const { complete, gaps, observedAt, vms } = observation;
  const shared = sharedBlockers(vms);
  return [
    ...columns(
      vms.map((state) => {
        const { because, name, vmid } = state;
        const texts = [...(because === undefined ? [] : [doubtText(because)]), ...blockersOf(state).map(blockerText)];
        const sign = state.status === "unknown" ? signText("unknown", style) : " ";
        const own = texts.filter((text) => !shared.has(text));
        return [` ${sign} ${vmid}`, name, statusText(state), own.join("; ")];
      }),
    ),
    ...Array.from(shared, ([text, actions]) => `   every VM: ${actions === "all" ? "" : `${actions}: `}${text}`),
    `${counted(vms.length, "VM")} seen${observedAt === undefined ? "" : ` ${whenText(observedAt, style)}`}; the observation is ${complete ? "complete" : "not complete"}`,
    ...gaps.map((gap) => ` ${signText("unknown", style)} ${gapText(gap)}`),
  ];
};

/** What an adapter never does is true of every VM alike, and no news of this one. */
const blockersOf = ({ blockers = [] }: VmState): readonly Blocker[] =>
  blockers.filter(({ code }) => code !== "action-not-offered");

/** What stands in the way of the same actions on all of them is said once, with the actions. */
const sharedBlockers = (vms: Observation["vms"]): ReadonlyMap<string, string> => {
  const [first, ...others] = vms;
  if (others.length === 0) return new Map();
  return new Map(
    (first === undefined ? [] : blockersOf(first))
      .filter((one) => others.every((vm) => blockersOf(vm).some((other) => isSame(one, other))))
      .map((one) => [blockerText(one), actionsText(one)]),
  );
};

const actionsText = ({ actions }: Blocker): string => (actions === "all" ? "all" : actions.map(actionText).join(", "));
const isSame = (one: Blocker, other: Blocker): boolean =>
  blockerText(one) === blockerText(other) && actionsText(one) === actionsText(other);
