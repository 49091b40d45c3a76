// What the kernel would answer the caller's acts, as a door prints it.

import type { Allowances } from "../act/allowances.ts";
import { refusalsJson } from "./error-json.ts";

export const allowancesJson = ({ allowances }: Allowances) => ({
  allowances: allowances.map(({ refusals, ...allowance }) => ({
    ...allowance,
    refusals: refusalsJson(
      refusals,
      allowance.environment === undefined ? undefined : { environment: allowance.environment },
    ),
  })),
});
