// Follows an intent to its outcome by the events of the service, from the record of the intent on.

import { type DedalusClient, granted, type LedgerRecord } from "./dedalus-client.ts";

const FOLLOW_MAX_MS = 20_000;

const recordsIn = async function* (events: ReadableStream<Uint8Array>): AsyncGenerator<LedgerRecord> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of events) {
    text += decoder.decode(bytes, { stream: true });
    const parts = text.split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      const [, data] = /^event: record\ndata: (.*)$/m.exec(part) ?? [];
      if (data !== undefined) yield JSON.parse(data);
    }
  }
};

/** The record that ended the intent. */
export const followIntent = async (client: DedalusClient, intent: string, from: number): Promise<LedgerRecord> => {
  const signal = AbortSignal.timeout(FOLLOW_MAX_MS);
  const events = granted(await client.GET("/v1/events", { params: { query: { from } }, parseAs: "stream", signal }));
  if (events === null) throw new Error("a stream has a body");
  for await (const record of recordsIn(events)) {
    const request = Object(record.body["request"]);
    if (record.kind === "outcome" && request["intent"] === intent) return record;
  }
  throw new Error(`the events ended before intent ${intent} did`);
};
