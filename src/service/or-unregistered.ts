// An operation about registered VMs: where there is no ledger yet, whoever may know is told that nothing is registered.

import type { Configuration } from "./ports.ts";
import type { Operation } from "./service.ts";

/** What tells it is loaded where something was refused. */
export const orUnregisteredIn =
  (configuration: Configuration) =>
  <R extends { readonly environment?: string }, T>(operation: Operation<R, T>): Operation<R, T> =>
  async (caller, request, watching) => {
    const answer = await operation(caller, request, watching);
    if (answer.kind !== "refused") return answer;
    const { unregisteredAt } = await import("./read/unregistered.ts");
    return unregisteredAt(answer, caller, request.environment, configuration);
  };
