// A plan that a person asks for in their own name, as their browser would.

import { keyed, type Person } from "../boundary/approval/at-approval.ts";
import { OPERATOR } from "../service/serving.ts";

export const planOf = async ({ context, csrf }: Person, origin: string): Promise<string> => {
  const reply = await context.request.post(`${origin}/v1/plans`, {
    data: { environment: "home", scope: "all" },
    headers: { "dedalus-csrf": await csrf(), "idempotency-key": keyed(OPERATOR).key ?? "" },
  });
  return ((await reply.json()) as { readonly id: string }).id;
};
