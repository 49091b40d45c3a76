// dedalus observe: one observation of the registered VMs of an environment, recorded; written as current.json when asked.

import { currentText } from "../../formats/current-json.ts";
import { observedJson } from "../../service/json/act-json.ts";
import type { Observation } from "../../spine/model.ts";
import { statusText } from "../../spine/plan/step.ts";
import { blockerText, doubtText, gapText } from "../../spine/words/observation-words.ts";
import { environmentIn } from "../arguments/vmids.ts";
import { asking, unlessUnanswered } from "../at-service.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failure.ts";
import { isArtifact, writeWhole } from "../files.ts";
import { outObstacle } from "../out-file.ts";
import { counted } from "../views/counted.ts";

export const run: CommandRun = async (given, io) => {
  const out = given.text.get("out");
  const obstacle = out === undefined ? undefined : outObstacle(given, io, out, isArtifact("current"));
  if (obstacle !== undefined) return badInput([obstacle]);
  const request = environmentIn(given);
  return asking(
    given,
    io,
    ({ observe }) => observe,
    request,
    ({ value }) => {
      const { changed, environment, id, observation, unanswered } = value;
      const unwritten = out === undefined ? undefined : writeWhole(io.folder, out, currentText(observation));
      if (unwritten !== undefined) return badInput([unwritten]);
      return unlessUnanswered(environment, unanswered, {
        exit: "done",
        json: observedJson(value),
        text: (paint) => [
          ...observationLines(observation),
          ...changed.map(
            (vmid) =>
              `  VM ${vmid} is not the one that had this number before: ${paint.command({ ask: "makePlan", with: { environment } })}`,
          ),
          `observation ${id}`,
        ],
      });
    },
  );
};

export const observationLines = ({ complete, gaps, observedAt, vms }: Observation): readonly string[] => [
  ...vms.map((state) => {
    const { because, blockers = [], name, vmid } = state;
    // What an adapter never does is true of every VM alike, and no news of this one.
    const here = blockers.filter(({ code }) => code !== "action-not-offered");
    const why = [...(because === undefined ? [] : [doubtText(because)]), ...here.map(blockerText)].join("; ");
    return `   ${vmid}  ${name} ${statusText(state)}${why === "" ? "" : `: ${why}`}`;
  }),
  `${counted(vms.length, "VM")} seen${observedAt === undefined ? "" : ` at ${observedAt}`}; the observation is ${complete ? "complete" : "not complete"}`,
  ...gaps.map((gap) => `  gap: ${gapText(gap)}`),
];
