// That the ledger has moved on since this page was read: announced, and never swapped in. Keeps P7-A1.
//
// A hidden page listens to nothing, so that many of them do not hold the browser's connections. One that is shown and
// cannot listen says so.

import { type ReactNode, useEffect, useState } from "react";
import { listenForRecords } from "../ask/listen-records.ts";

export const News = ({
  environment,
  size,
}: {
  /** Of one environment, for whoever does not see all of them. */
  readonly environment?: string;
  /** The records that the page stands on. */
  readonly size: number;
}): ReactNode => {
  const [newest, come] = useState(size);
  const [isListening, listens] = useState(true);
  const [isSeen, see] = useState(() => !document.hidden);
  useEffect(() => {
    const look = (): void => see(!document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  useEffect(() => {
    if (!isSeen) return;
    const leaving = new AbortController();
    const hear = (seq: number): void => come((before) => Math.max(before, seq + 1));
    listenForRecords(environment, size, { hear, listens }, leaving.signal);
    return () => leaving.abort();
  }, [environment, isSeen, size]);
  const count = newest - size;
  const told = [...(count <= 0 ? [] : [moreText(count)]), ...(isListening ? [] : [DEAF])];
  // Without a word in it, it takes no room.
  return (
    <p className="news" role="status">
      {told.length === 0 ? undefined : told.join(" ")}
    </p>
  );
};

const DEAF = "Live updates are off: refresh the page to see new records.";
const moreText = (count: number): string => {
  const records = count === 1 ? "record" : "records";
  return `The ledger has ${count} more ${records} than this page shows. Refresh to see them.`;
};
