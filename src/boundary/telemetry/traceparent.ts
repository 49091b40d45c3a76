// The header `traceparent` of W3C Trace Context: read from a request, written for whoever is asked in its name.
//
// Only version 00 is written; of a later version the fields that it shares are read, as the recommendation says
// (https://www.w3.org/TR/trace-context/, 3.2.2). What cannot be read is no trace, and never an error.

import { isSpanContextValid, type SpanContext, TraceFlags } from "@opentelemetry/api";

const HEADER = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

export const readTraceparent = (header: string | undefined): SpanContext | undefined => {
  const [, version, traceId = "", spanId = "", flags = "", more] = HEADER.exec(header ?? "") ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const context = { isRemote: true, spanId, traceFlags, traceId };
  return isSpanContextValid(context) ? context : undefined;
};

export const writeTraceparent = ({ spanId, traceFlags, traceId }: SpanContext): string =>
  `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, "0")}`;
