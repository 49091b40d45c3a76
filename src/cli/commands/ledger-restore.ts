// dedalus ledger restore: a ledger where there is none, from a backup; it goes on frozen, and says what was lost.

import { restoredJson } from "../../service/json/ledger-json.ts";
import type { LedgerRestored } from "../../service/ledger/restore.ts";
import { actOnLedger } from "../asking/at-ledger.ts";
import type { CommandRun } from "../command.ts";
import { folderNamed } from "../files/files.ts";
import { counted } from "../views/counted.ts";
import { hashText, type TextStyle } from "../views/text-style.ts";

export const run: CommandRun = (given, io) => {
  const from = folderNamed(io.folder, given.text.get("from") ?? "");
  return actOnLedger(
    given,
    io,
    ({ restore }) => restore,
    { from, reason: given.text.get("reason") ?? "" },
    ({ record, value }) => {
      const { anchor, blocked, kept, name, root, seq, size } = value;
      return {
        exit: "done",
        json: restoredJson(value),
        text: (style) => [
          `restored ${counted(size, "record")} from ${from.name} to ${name}, and read them back`,
          `  the last of them is record ${size - 1}; root ${hashText(root, style)}`,
          ...gapLines(value, style),
          `  record ${seq}: ledger.restore by ${record?.actor?.id}, reason: ${value.reason}`,
          `  ${anchor} begins again; keep a copy of it on another machine`,
          ...(kept === undefined ? [] : [`  the old anchor is kept as ${kept}`]),
          "void: plans, approvals and tokens from before. Make a new token for everybody who needs one.",
          ...blocked.flatMap(({ environment, vmid }) => [
            `VM ${vmid} is blocked: its outcome is unknown until it is reconciled`,
            `  ${style.command({ ask: "reconcile", with: { environment, vmid } })}`,
          ]),
          "everything is frozen. Next: register what is desired now, check the VMs, and lift the freeze:",
          `  ${style.command({ ask: "register", with: {} })}`,
          `  ${style.command({ ask: "status", with: {} })}`,
          `  ${style.command({ ask: "unfreeze", with: {} })}`,
        ],
      };
    },
  );
};

/** What is between the backup and what the anchor covered. */
const gapLines = ({ anchored, lost, size }: LedgerRestored, style: TextStyle): readonly string[] => {
  if (anchored === undefined)
    return ["  gap: unknown; no anchor was left to say how many records came after the backup"];
  const covered = `the anchor covered ${counted(anchored.size, "record")} (root ${hashText(anchored.root, style)})`;
  if (lost === 0) return [`  gap: none is known; ${covered}`];
  return [`  gap: ${counted(lost, "record")} lost, ${size} to ${anchored.size - 1}; ${covered}`];
};
