// Hearing of records as they come: of the whole ledger where the reader may, and otherwise of each environment in which
// they have a role. What cannot be heard is said: a page that hears nothing looks as if there was nothing.
//
// Not here: what a page says of it (parts/news.tsx).

import { read } from "./get.ts";

/** A browser keeps six connections to a service at once, and a page has to read besides. */
const MOST_STREAMS = 3;

export type RecordHearer = {
  readonly hear: (seq: number) => void;
  /** Whether everything that the page could be told of is heard. */
  readonly listens: (isListening: boolean) => void;
};

/** Until the signal aborts. */
export const listenForRecords = (
  environment: string | undefined,
  from: number,
  { hear, listens }: RecordHearer,
  leaving: AbortSignal,
): void => {
  const deaf = new Set<string>();
  const tell = (of: string, isListening: boolean): void => {
    if (leaving.aborted) return;
    if (isListening) deaf.delete(of);
    else deaf.add(of);
    listens(deaf.size === 0);
  };
  const listen = (of: string | undefined, refused: () => void): void => {
    if (leaving.aborted) return;
    const events = new EventSource(
      `/v1/events?${new URLSearchParams({ ...(of && { environment: of }), from: String(from) })}`,
    );
    events.addEventListener("record", ({ lastEventId }) => hear(Number(lastEventId)));
    events.addEventListener("open", () => tell(of ?? "", true));
    // What was refused is not asked for again by the browser; everything else is.
    events.addEventListener("error", () =>
      events.readyState === EventSource.CLOSED ? refused() : tell(of ?? "", false),
    );
    leaving.addEventListener("abort", () => events.close());
  };
  const listenApart = async (): Promise<void> => {
    const heard = await read("environments", {}, leaving);
    const environments = heard.kind === "read" ? heard.value.configured.map((one) => one.environment) : [];
    if (environments.length === 0) tell("", false);
    for (const [number, one] of environments.entries())
      if (number < MOST_STREAMS) listen(one, () => tell(one, false));
      else tell(one, false);
  };
  if (environment === undefined) listen(undefined, () => void listenApart());
  else listen(environment, () => tell(environment, false));
};
