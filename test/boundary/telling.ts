// Telemetry to read: the lines that were written, as values, and spans that a tiny provider keeps. The API of
// OpenTelemetry has one provider for a process, so the tests of a process share it.

import assert from "node:assert/strict";
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { openTelemetry, type Telemetry } from "../../src/boundary/telemetry/telemetry.ts";
import { monotonicMs, now } from "../../src/clock.ts";

export type Line = Readonly<Record<string, unknown>>;
export type Telling = {
  readonly lines: () => readonly Line[];
  readonly of: (event: string) => readonly Line[];
  readonly telemetry: Telemetry;
  readonly text: () => string;
};

export const telling = (): Telling => {
  const written: string[] = [];
  const stream = { write: (line: string) => void written.push(line) };
  const lines = (): readonly Line[] => written.map((line) => JSON.parse(line));
  return {
    lines,
    of: (event) => lines().filter((line) => line["event"] === event),
    telemetry: openTelemetry({ monotonicMs, now, stream, version: "0.0.0" }),
    text: () => written.join(""),
  };
};

/** The value of one series, as it is scraped. */
export const seriesOf = async ({ telemetry }: Telling, series: string): Promise<number | undefined> => {
  const { text } = await telemetry.metrics.scrape(undefined);
  const line = text.split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};

export type KeptSpan = {
  readonly attributes: Attributes;
  readonly context: SpanContext;
  readonly isEnded: () => boolean;
  readonly name: string;
  readonly parent: string | undefined;
};

/** Keeps every span that is begun, until the returned function is called. */
export const keepSpans = (): { readonly spans: readonly KeptSpan[]; readonly stop: () => void } => {
  const spans: KeptSpan[] = [];
  const startSpan = (name: string, options: SpanOptions = {}, context: Context = ROOT_CONTEXT): Span => {
    const parent = trace.getSpanContext(context);
    const attributes: Attributes = { ...options.attributes };
    const own: SpanContext = {
      spanId: (spans.length + 1).toString(16).padStart(16, "0"),
      traceFlags: TraceFlags.SAMPLED,
      traceId: parent?.traceId ?? (spans.length + 1).toString(16).padStart(32, "0"),
    };
    let isEnded = false;
    const span: Span = {
      addEvent: () => span,
      addLink: () => span,
      addLinks: () => span,
      end: () => {
        isEnded = true;
      },
      isRecording: () => true,
      recordException: () => assert.fail("what somebody said is in no span"),
      setAttribute: (key, value) => {
        attributes[key] = value;
        return span;
      },
      setAttributes: (more) => {
        Object.assign(attributes, more);
        return span;
      },
      setStatus: () => span,
      spanContext: () => own,
      updateName: () => span,
    };
    spans.push({ attributes, context: own, isEnded: () => isEnded, name, parent: parent?.spanId });
    return span;
  };
  const tracer: Tracer = {
    startActiveSpan: () => assert.fail("the context is carried by whoever begins a span"),
    startSpan,
  };
  assert.ok(trace.setGlobalTracerProvider({ getTracer: () => tracer }), "nobody else provides traces");
  return { spans, stop: () => trace.disable() };
};
