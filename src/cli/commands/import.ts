// dedalus import: what is at a provider, as a commented desired.yaml to edit. It overwrites nothing and records
// nothing.

import { desiredDraft, draftedIn } from "../../formats/desired-draft.ts";
import { inventoryJson } from "../../service/json/read-json.ts";
import { environmentIn } from "../arguments/vmids.ts";
import { askService, unlessUnanswered } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { NOTHING_OURS, writeWhole } from "../files/files.ts";
import { probeNewFile } from "../files/out-file.ts";
import { counted } from "../views/counted.ts";

export const run: CommandRun = async (given, io) => {
  const out = given.text.get("out");
  const obstacle = out === undefined ? undefined : probeNewFile(given, io, out, "desired-state");
  if (obstacle !== undefined) return badInput([obstacle]);
  return askService(
    given,
    io,
    ({ inventory }) => inventory,
    environmentIn(given),
    ({ value: { unanswered, ...value } }) => {
      const draft = desiredDraft(value);
      const isWritten = out !== undefined && unanswered === undefined;
      const unwritten = isWritten ? writeWhole(io.folder, out, draft, NOTHING_OURS) : undefined;
      if (unwritten !== undefined) return badInput([unwritten]);
      return unlessUnanswered(value.environment, unanswered, {
        exit: "done",
        ...(isWritten ? {} : { isVerbatim: true }),
        json: { ...inventoryJson(value, draft), ...(isWritten ? { written: [out] } : {}) },
        text: (style) => {
          if (unanswered !== undefined) return [];
          if (!isWritten) return draft.trimEnd().split("\n");
          return [
            `wrote ${out}: ${draftedText(value)}, to edit`,
            "Next, once it says what should run:",
            `  ${style.command({ ask: "register", with: { desired: out, environment: value.environment } })}`,
          ];
        },
      });
    },
  );
};

/** As many as the file has entries; what it only mentions is counted beside. */
const draftedText = (value: Parameters<typeof draftedIn>[0]): string => {
  const { commented, entries } = draftedIn(value);
  return `${counted(entries, "VM")}${commented === 0 ? "" : `, and ${commented} more as comments`}`;
};
