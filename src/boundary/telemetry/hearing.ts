// What a service tells whoever runs it, as log lines, and who asked, for the line of the request that is being
// answered.
//
// Not here: what goes to a terminal (cli/).

import type { Hearing } from "../../service/ports.ts";
import type { Telemetry } from "./telemetry.ts";

/** `onStarted` hears the id under which this process writes. */
export const hearingOf = (
  { log, spans }: Telemetry,
  onStarted: NonNullable<Hearing["started"]>,
): Required<Hearing> => ({
  note: (note) => {
    if ("refusal" in note) return log("note", { cause: note.cause, codes: [note.refusal.code] });
    const { said } = note.facts as { readonly said?: unknown };
    log("note", { cause: note.cause, ...(typeof said === "string" ? { said } : {}) });
  },
  proven: ({ id, kind }) => {
    const facts = spans.current()?.facts;
    if (facts === undefined) return;
    facts.actor = id;
    facts.actorKind = kind;
  },
  recovered: (intents) => {
    for (const { environment, id, plan, vmid } of intents)
      log("intent-recovered", { environment, intent: id, plan, vmid });
  },
  started: onStarted,
});
