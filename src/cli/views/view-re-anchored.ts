// That an anchor was made anew, as text for people: whoever reads on must know how far the first one reached.

import { visible } from "../../formats/field-path.ts";
import type { ReAnchored } from "../../kernel/state/state.ts";
import type { ReAnchor } from "../../service/ledger/re-anchors.ts";
import { whenText } from "./age.ts";
import { counted } from "./counted.ts";
import type { Look } from "./look.ts";

const told = ({ by, found, lost, reason, seq, size }: ReAnchor, when: string): string => {
  const how = lost === undefined ? "accepted" : `restored from a backup, ${lost} known to be lost`;
  return `${when} by ${by} (record ${seq}, ${found}, ${counted(size, "record")} ${how}): ${reason}`;
};

const times = ({ count }: ReAnchored): string => (count === 1 ? "once" : `${count} times, last`);

/** Without a clock, for what is also printed as JSON. */
export const reAnchoredText = (last: ReAnchored): string =>
  visible(`re-anchored ${times(last)} ${told(last, `at ${last.at}`)}`);

export const reAnchoredLine = (last: ReAnchored, look: Look): string =>
  visible(`re-anchored ${times(last)} ${told(last, whenText(last.at, look))}`);

export const reAnchorLine = (one: ReAnchor, look: Look): string =>
  visible(`re-anchored ${told(one, whenText(one.at, look))}`);
