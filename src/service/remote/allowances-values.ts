// What the kernel would answer, as the service had it before it was printed (service/json/allowances-json.ts).

import type { Allowances } from "../act/allowances.ts";
import type { allowancesJson } from "../json/allowances-json.ts";
import { refusalFrom } from "./refusal-values.ts";

export const allowancesFrom = ({ allowances }: ReturnType<typeof allowancesJson>, server: string): Allowances => ({
  allowances: allowances.map(({ refusals, ...allowance }) => ({
    ...allowance,
    refusals: refusals.map((refusal) => refusalFrom(refusal, server)),
  })),
});
