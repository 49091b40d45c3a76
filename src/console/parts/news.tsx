// That the ledger has moved on since this page was read: announced, and never swapped in. Keeps P7-A1.
//
// A hidden page listens to nothing, so that many of them do not hold the browser's connections.

import { type ReactNode, useEffect, useState } from "react";

export const News = ({
  environment,
  size,
}: {
  /** Of one environment, for whoever does not see all of them. */
  readonly environment?: string;
  /** The records that the page stands on. */
  readonly size: number;
}): ReactNode => {
  const [newest, hear] = useState(size);
  const [isSeen, see] = useState(() => !document.hidden);
  useEffect(() => {
    const look = (): void => see(!document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  useEffect(() => {
    if (!isSeen) return;
    const query = new URLSearchParams({ ...(environment && { environment }), from: String(size) });
    const events = new EventSource(`/v1/events?${query}`);
    events.addEventListener("record", ({ lastEventId }) => hear(Number(lastEventId) + 1));
    return () => events.close();
  }, [environment, isSeen, size]);
  if (newest <= size) return <p className="news" role="status" />;
  const count = newest - size;
  return (
    <p className="news" role="status">
      The ledger has {count} more {count === 1 ? "record" : "records"} than this page shows. Read it again to see them.
    </p>
  );
};
