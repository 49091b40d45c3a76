// That an anchor was made anew, as text for people: whoever reads on must know how far the first one reached.

import type { ReAnchored } from "../../kernel/state/state.ts";
import type { ReAnchor } from "../../service/ledger/re-anchors.ts";
import { visible } from "../../spine/values/invisible.ts";
import { atText } from "./age.ts";
import { counted } from "./counted.ts";
import type { TextStyle } from "./text-style.ts";

type Now = Pick<TextStyle, "now">;

const told = ({ at, by, found, lost, reason, seq, size }: ReAnchor, style: Now | undefined): string => {
  const how = lost === undefined ? "accepted" : `restored from a backup, ${lost} known to be lost`;
  return `at ${style === undefined ? at : atText(at, style)} by ${by} (record ${seq}, ${found}, ${counted(size, "record")} ${how}): ${reason}`;
};

export const reAnchoredText = (last: ReAnchored, style: Now | undefined): string =>
  visible(`re-anchored ${last.count === 1 ? "once" : `${last.count} times, last`} ${told(last, style)}`);

export const reAnchorLine = (one: ReAnchor, style: Now | undefined): string =>
  visible(`re-anchored ${told(one, style)}`);
