// What a service remarks beside its answers, as lines on stderr.

import type { Hearing } from "../../service/ports.ts";
import { serviceNoteText } from "../../spine/words/remarks/note-words.ts";
import { type Io, notesTo } from "../process/io.ts";

/** The words of refusals are loaded where there is one: hardly ever, for whoever reads. */
export const serviceNotesTo = (io: Io): Hearing["note"] => {
  const say = notesTo(io);
  return async (note) => {
    if (note.cause !== "ledger-unproven") return say(serviceNoteText(note));
    const [{ unprovenLines }, { nextStepsOf }] = await Promise.all([
      import("../../spine/words/remarks/unproven-words.ts"),
      import("../../spine/rules/next-steps.ts"),
    ]);
    for (const line of unprovenLines(note.refusal)) say(line);
    for (const step of nextStepsOf(note.refusal)) say(`  ${io.spell(step)}`);
  };
};
