// Where the steps of a recorded plan stand, as lines: who agreed, who must still, until when.

import type { StepShown } from "../../service/read/steps-shown.ts";
import type { Paint } from "./paint.ts";

export const stepStatusLines = (id: string, steps: readonly StepShown[], paint: Paint): readonly string[] => [
  paint.bold(`plan ${id}`),
  ...steps.map(({ approvedBy, endsAt, needed, status, step, tier, vmid }) => {
    const approvals = needed === 0 ? "" : `, approvals ${approvedBy.length} of ${needed}${namesText(approvedBy)}`;
    return `  step ${step}: VM ${vmid} ${status} [${tier}]${approvals}${endsAt === undefined ? "" : `, ends ${endsAt}`}`;
  }),
];

const namesText = (names: readonly string[]): string => (names.length === 0 ? "" : ` (${names.join(", ")})`);
