// dedalus observe: one look at the registered VMs of an environment, recorded; written as current.json when asked.

import { currentText } from "../../formats/current-json.ts";
import type { Observation } from "../../spine/model.ts";
import { statusText } from "../../spine/plan/step.ts";
import { blockerText, doubtText, gapText } from "../../spine/words/observation-words.ts";
import type { Run } from "../command.ts";
import { badInput } from "../failure.ts";
import { isArtifact, outObstacle, writeWhole } from "../files.ts";
import { looked, unlessUnanswered } from "../look.ts";
import { environmentAt, inSession } from "../session.ts";

export const run: Run = async (given, io) => {
  const out = given.text.get("out");
  const obstacle = out === undefined ? undefined : outObstacle(io.folder, out, isArtifact("current"));
  if (obstacle !== undefined) return badInput([obstacle]);
  return inSession(given, io, async (session) => {
    const at = environmentAt(given, session.desk);
    if ("code" in at) return badInput([at]);
    const look = await looked(session, at, io, []);
    if ("exit" in look) return look;
    const { observation } = look.observed;
    const unwritten = out === undefined ? undefined : writeWhole(io.folder, out, currentText(observation));
    if (unwritten !== undefined) return badInput([unwritten]);
    return unlessUnanswered(at.name, look, {
      exit: "done",
      json: { changed: look.changed, digest: look.observed.digest, id: look.id, observation },
      text: () => [
        ...observationLines(observation),
        ...look.changed.map(
          (vmid) => `  VM ${vmid} is not the one that had this number before: dedalus plan --env ${at.name}`,
        ),
        `observation ${look.id}`,
      ],
    });
  });
};

export const observationLines = ({ complete, gaps, observedAt, vms }: Observation): readonly string[] => [
  ...vms.map((state) => {
    const { because, blockers = [], name, vmid } = state;
    const why = [...(because === undefined ? [] : [doubtText(because)]), ...blockers.map(blockerText)].join("; ");
    return `   ${vmid}  ${name} ${statusText(state)}${why === "" ? "" : `: ${why}`}`;
  }),
  `${vms.length} VMs seen${observedAt === undefined ? "" : ` at ${observedAt}`}; the look is ${complete ? "complete" : "not complete"}`,
  ...gaps.map((gap) => `  gap: ${gapText(gap)}`),
];
