// That an anchor was made anew, as text for people: whoever reads on must know how far the first one reached.

import { visible } from "../../formats/field-path.ts";
import type { ReAnchored } from "../../kernel/state/state.ts";
import type { ReAnchor } from "../../service/ledger/re-anchors.ts";
import { counted } from "./counted.ts";

const told = ({ at, by, found, lost, reason, seq, size }: ReAnchor): string => {
  const how = lost === undefined ? "accepted" : `restored from a backup, ${lost} known to be lost`;
  return `at ${at} by ${by} (record ${seq}, ${found}, ${counted(size, "record")} ${how}): ${reason}`;
};

export const reAnchoredText = (last: ReAnchored): string =>
  visible(`re-anchored ${last.count === 1 ? "once" : `${last.count} times, last`} ${told(last)}`);

export const reAnchorLine = (one: ReAnchor): string => visible(`re-anchored ${told(one)}`);
