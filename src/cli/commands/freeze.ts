// dedalus freeze and unfreeze: stop every change in an environment or everywhere, and lift that, as recorded acts.

import { openIntents } from "../../kernel/state/recovery.ts";
import type { Run } from "../command.ts";
import { badInput } from "../failure.ts";
import { environmentAt, inSession } from "../session.ts";

const acting =
  (kind: "freeze" | "unfreeze"): Run =>
  (given, io) =>
    inSession(
      given,
      io,
      async ({ ask, desk, writer }) => {
        const at = given.text.has("env") ? environmentAt(given, desk) : undefined;
        if (at !== undefined && "code" in at) return badInput([at]);
        const asked = await ask(
          { kind, reason: given.text.get("reason") ?? "" },
          at === undefined ? {} : { environment: at.name },
        );
        if (asked.kind === "refused") return asked.outcome;
        const inFlight = openIntents(writer.state());
        const where = at?.name ?? "everything";
        return {
          exit: "done",
          json: { environment: at?.name ?? null, inFlight, kind, seq: asked.record.seq },
          text: () => [
            kind === "freeze" ? `frozen: ${where}` : `lifted: ${where}`,
            ...inFlight.map(({ action, id, vmid }) => `  in flight: VM ${vmid} ${action}  intent ${id}`),
            `record ${asked.record.seq}: ${kind} by ${asked.record.actor.id}`,
          ],
        };
      },
      kind === "freeze",
    );

export const freeze = acting("freeze");
export const unfreeze = acting("unfreeze");
