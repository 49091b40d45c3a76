// Spans through the API of OpenTelemetry alone: whoever runs Dedalus with an SDK gets traces, and without one nothing
// is done.
//
// The API carries no context from call to call by itself (that is the SDK's), so each request's is carried here,
// together with what its log line will say. A trace that a request brings goes on in its name, with or without an
// SDK; where nobody traces there is nothing to carry from one span to the next. No span has a secret, a body or what
// somebody said: codes, ids and templates alone. Not here: the header (traceparent.ts).

import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Attributes,
  type Context,
  context,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { readTraceparent, writeTraceparent } from "./traceparent.ts";

/** What is found out about a request while it is answered, for its line in the log. */
export type RequestFacts = {
  actor?: string;
  actorKind?: string;
  codes?: readonly string[];
  environment?: string;
  seq?: number;
  /** Of the trace that a message inside of it brought. */
  traceId?: string;
};

export type RequestScope = { readonly context: Context; readonly facts: RequestFacts; readonly span: Span };

export type Spans = {
  readonly beginRequest: (traceparent: string | undefined, name: string, attributes: Attributes) => RequestScope;
  /** The request that is being answered, where one is. */
  readonly current: () => RequestScope | undefined;
  readonly endRequest: (scope: RequestScope, attributes: Attributes, isFailed: boolean) => void;
  readonly enter: <T>(scope: RequestScope, work: () => T) => T;
  /** Does the work in the trace that a message inside of the request brings; one that cannot be read is none. */
  readonly follow: <T>(traceparent: string, work: () => Promise<T>) => Promise<T>;
  /** Does what follows from an earlier request in that one's trace, where that is still remembered. */
  readonly goOn: <T>(correlationId: string, work: () => T) => T;
  /** Whether anybody takes spans. */
  readonly isTracing: () => boolean;
  /** Remembers the request that is being answered by what binds its records together. */
  readonly remember: (correlationId: string) => void;
  /** Below the request that is being answered, or a trace of its own. */
  readonly within: <T>(
    name: string,
    kind: "client" | "internal",
    attributes: Attributes,
    work: (span: Span) => Promise<T>,
  ) => Promise<T>;
};

/** So many requests are remembered, the newest. */
const REMEMBERED_MAX = 1_000;
const KINDS = { client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

const isTraced = (span: Span): boolean => trace.isSpanContextValid(span.spanContext());
const below = (parent: Context, span: Span): Context => (isTraced(span) ? trace.setSpan(parent, span) : parent);

export const openSpans = (version: string): Spans => {
  const tracer = trace.getTracer("dedalus", version);
  const scopes = new AsyncLocalStorage<RequestScope>();
  const remembered = new Map<string, RequestScope>();
  const enter: Spans["enter"] = (scope, work) => scopes.run(scope, () => context.with(scope.context, work));
  return {
    beginRequest: (traceparent, name, attributes) => {
      const remote = readTraceparent(traceparent);
      const parent = remote === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote);
      const span = tracer.startSpan(name, { attributes, kind: SpanKind.SERVER }, parent);
      return { context: below(parent, span), facts: {}, span };
    },
    current: () => scopes.getStore(),
    endRequest: ({ span }, attributes, isFailed) => {
      span.setAttributes(attributes);
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
    enter,
    follow: (traceparent, work) => {
      const remote = readTraceparent(traceparent);
      if (remote === undefined) return work();
      const { facts = {}, span: request } = scopes.getStore() ?? {};
      const parent = trace.setSpanContext(ROOT_CONTEXT, remote);
      const links = request !== undefined && isTraced(request) ? [{ context: request.spanContext() }] : [];
      const span = tracer.startSpan("dedalus.message", { kind: SpanKind.SERVER, links }, parent);
      facts.traceId = remote.traceId;
      return ending(span, () => enter({ context: below(parent, span), facts, span }, work));
    },
    goOn: (correlationId, work) => {
      const scope = remembered.get(correlationId);
      return scope === undefined ? work() : enter({ ...scope, facts: {} }, work);
    },
    isTracing: () => {
      const provider = trace.getTracerProvider();
      return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer("dedalus", version) !== undefined;
    },
    remember: (correlationId) => {
      const scope = scopes.getStore();
      if (scope === undefined) return;
      remembered.set(correlationId, scope);
      const [oldest] = remembered.size > REMEMBERED_MAX ? remembered.keys() : [];
      if (oldest !== undefined) remembered.delete(oldest);
    },
    within: (name, kind, attributes, work) => {
      const outer = scopes.getStore();
      const parent = outer?.context ?? context.active();
      const span = tracer.startSpan(name, { attributes, kind: KINDS[kind] }, parent);
      if (outer !== undefined && !isTraced(span)) return work(span);
      const inner = { context: below(parent, span), facts: outer?.facts ?? {}, span };
      return ending(span, () => enter(inner, () => work(span)));
    },
  };
};

/** The span ends with the work, however that ends. */
const ending = async <T>(span: Span, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
};

/** Undefined where there is no trace to go on with. */
export const traceparentOf = ({ span }: RequestScope): string | undefined => {
  const found = span.spanContext();
  return trace.isSpanContextValid(found) ? writeTraceparent(found) : undefined;
};

export const traceIdOf = ({ span }: RequestScope): string | undefined => {
  const found = span.spanContext();
  return trace.isSpanContextValid(found) ? found.traceId : undefined;
};
