// dedalus accept-clock: an operator's recorded word that this machine's clock is right and the ledger's last record is
// from the future. What was counted on the clock before is void; nothing else goes on until it is said.

import type { ResultOf } from "../../kernel/command/result.ts";
import { msOf } from "../../spine/values/instant.ts";
import { spanText } from "../../spine/words/template.ts";
import type { Run } from "../command.ts";
import { inSession } from "../session.ts";

export const run: Run = (given, io) =>
  inSession(given, io, async ({ ask, writer }) => {
    const reason = given.text.get("reason") ?? "";
    const asked = await ask({ kind: "accept-clock", reason, size: writer.state().size });
    if (asked.kind === "refused") return asked.outcome;
    const { head } = asked.result as ResultOf<"clock-accepted">;
    const { actor, processTime, seq } = asked.record;
    return {
      exit: "done",
      json: { accepted: processTime, head, seq },
      text: () => [
        `accepted: it is ${processTime}; the last record was stamped ${spanText((msOf(head) - msOf(processTime)) / 1_000)} ahead`,
        "every plan, approval, confirmation and observation from before is void; what is open or blocked waits a full window from now",
        `record ${seq}: accept-clock by ${actor.id}`,
        "next: dedalus plan --env NAME",
      ],
    };
  });
