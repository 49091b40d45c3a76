// dedalus replay: decides every recorded request again, from records and blobs alone. Equal, or the first difference.
// dedalus state --at: what was believed, planned and allowed after any record.

import { stateJson } from "../../service/json/intent-json.ts";
import { actionTitle } from "../../spine/words/steps/step-summary.ts";
import { notASeq, seqOf } from "../arguments/seqs.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { counted } from "../views/counted.ts";

export const run: CommandRun = async (given, io) => {
  const word = given.text.get("to");
  const to = word === undefined ? undefined : seqOf(word);
  if (word !== undefined && to === undefined) return badInput([notASeq("--to", word)]);
  return askService(
    given,
    io,
    ({ replay }) => replay,
    to === undefined ? {} : { to },
    ({ value }) => ({
      exit: "done",
      json: { foreign: value.foreign, size: value.records },
      text: () => [
        `replayed ${counted(value.records, "record")}: every decision comes out the same`,
        ...(value.foreign === 0
          ? []
          : [`${counted(value.foreign, "record")} not written by the kernel: counted, not replayed`]),
      ],
    }),
  );
};

export const state: CommandRun = async (given, io) => {
  const word = given.text.get("at") ?? "";
  const at = seqOf(word);
  if (at === undefined) return badInput([notASeq("--at", word)]);
  return askService(
    given,
    io,
    ({ stateAfter }) => stateAfter,
    { at },
    ({ value }) => ({
      exit: "done",
      json: stateJson(value),
      text: () => [
        ...value.freezes.map(({ by, reason, where }) => `frozen: ${where} by ${by}: ${reason}`),
        ...value.open.map(({ action, name, vmid }) => `open: VM ${vmid} ${actionTitle(action, name)}`),
        ...value.blocked.map(({ action, name, vmid }) => `blocked: VM ${vmid} ${actionTitle(action, name)}`),
        `${value.open.length} open, ${value.blocked.length} blocked, ${value.freezes.length} frozen after record ${at}`,
      ],
    }),
  );
};
