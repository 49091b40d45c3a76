// Where the steps of a recorded plan stand, as lines: who agreed, who must still, until when.

import type { StepStands } from "../../service/read/step-standings.ts";
import type { Paint } from "./paint.ts";

export const standingLines = (id: string, standings: readonly StepStands[], paint: Paint): readonly string[] => [
  paint.bold(`plan ${id}`),
  ...standings.map(({ approvedBy, endsAt, needed, status, step, tier, vmid }) => {
    const approvals = needed === 0 ? "" : `, approvals ${approvedBy.length} of ${needed}${namesText(approvedBy)}`;
    return `  step ${step}: VM ${vmid} ${status} [${tier}]${approvals}${endsAt === undefined ? "" : `, ends ${endsAt}`}`;
  }),
];

const namesText = (names: readonly string[]): string => (names.length === 0 ? "" : ` (${names.join(", ")})`);
