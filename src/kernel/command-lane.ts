// Which lane of the sequencer a command waits in: what stops something, and what tells how something ended, is never
// kept out by a flood of anything else.
//
// Only people whose role covers it brake: whoever may not ask would else fill that lane with what is refused. An
// agent's cancel, of its own plan, waits with the rest of what it asks for. Freezing and lifting are in one lane, so
// that the later of the two is decided later. Not here: the lane of each kind (command/record-kinds.ts), the bounds and
// the order of lanes (ledger/write/lanes.ts). keeps P7-F1

import type { Lane } from "../ledger/write/submission.ts";
import { RECORD_KINDS } from "./command/record-kinds.ts";
import type { Command } from "./command/request.ts";
import { isCovered } from "./decide/actors.ts";

/** Takes from somebody what they are known by; other acts of the same kinds stop nothing. */
const isTaking = ({ kind, request }: Command): boolean =>
  (kind === "token" && request.act === "revoke") || (kind === "sign-out" && request.ends === "person");

export const laneOf = (command: Command): Lane => {
  const { actor, kind } = command;
  const lane = isTaking(command) ? "brake" : RECORD_KINDS[kind].lane;
  switch (lane) {
    case "brake":
      return actor.kind === "person" && isCovered(actor, kind) ? lane : "mutation";
    case "outcome":
      return actor.kind === "kernel" ? lane : "mutation";
    default:
      return lane;
  }
};
