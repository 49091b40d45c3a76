// dedalus ledger restore: a ledger where there is none, from a backup; it goes on frozen, and says what was lost.

import { restoredJson } from "../../service/json/ledger-json.ts";
import { actingOnLedger } from "../at-ledger.ts";
import type { CommandRun } from "../command.ts";
import { folderNamed } from "../files.ts";
import { hashText } from "../views/text-style.ts";

export const run: CommandRun = (given, io) => {
  const from = folderNamed(io.folder, given.text.get("from") ?? "");
  return actingOnLedger(
    given,
    io,
    ({ restore }) => restore,
    { from, reason: given.text.get("reason") ?? "" },
    ({ record, value }) => {
      const { anchor, anchored, blocked, kept, lost, name, root, seq, size } = value;
      return {
        exit: "done",
        json: restoredJson(value),
        text: (style) => [
          `restored ${size} records from ${from.name} to ${name}, and read them back`,
          `root ${hashText(root, style)}`,
          anchored === undefined
            ? "no anchor was left to say how many records came after the backup"
            : `the anchor covered ${anchored.size} records (root ${hashText(anchored.root, style)}): ${lost} are known to be lost`,
          `record ${seq}: ledger.restore by ${record?.actor.id}`,
          ...(kept === undefined ? [] : [`the old anchor is kept as ${kept}`]),
          `${anchor} begins again; keep a copy of it on another machine`,
          ...blocked.map(
            ({ environment, vmid }) =>
              `VM ${vmid} is blocked, its outcome is unknown: ${style.command({ ask: "reconcile", with: { environment, vmid } })}`,
          ),
          "plans, approvals and tokens from before are void; make a new token for everybody who needs one",
          "everything is frozen; lift it when you have looked:",
          `  ${style.command({ ask: "unfreeze", with: {} })}`,
        ],
      };
    },
  );
};
