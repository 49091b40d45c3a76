// Everything that can be logged: a closed table of events, each with its level and the fields that it may have.
// Whatever is not listed cannot be logged, by type and again when a line is written.
//
// No field takes a token, a body, a query, an address with its path, or a header as it came. The table of
// docs/operations.md is made from this one. Keeps B5. Not here: how a line is written (log.ts).

export const LOG_FIELDS = {
  /** Who asked, as the credential proved. */
  actor: "text",
  actorKind: "text",
  attempt: "number",
  /** The code of a note, a failure or an end. */
  cause: "text",
  /** Of lines that are missing. */
  count: "number",
  /** Codes of refusals. */
  codes: "texts",
  correlationId: "text",
  /** The public id of a token, which tells nothing of it. */
  credential: "text",
  durationMs: "number",
  environment: "text",
  instance: "text",
  intent: "text",
  key: "text",
  /** Of a message to a receiver. */
  kind: "text",
  listen: "text",
  method: "text",
  plan: "text",
  /** The host of a receiver; its path may be a secret. */
  receiver: "text",
  /** The template of a route, never the path. */
  route: "text",
  /** What the platform or a server said of a failure. */
  said: "text",
  seq: "number",
  size: "number",
  /** Where in the program, of a bug. */
  stack: "text",
  status: "number",
  traceId: "text",
  version: "text",
  vmid: "number",
  webhookId: "text",
} as const;

export type LogField = keyof typeof LOG_FIELDS;
type Value = { readonly number: number; readonly text: string; readonly texts: readonly string[] };
export type LogLevel = "error" | "info" | "warn";
type Row = {
  readonly level: LogLevel;
  readonly required: readonly LogField[];
  readonly optional: readonly LogField[];
};

export const LOG_EVENTS = {
  "authentication-failed": {
    level: "warn",
    optional: ["codes", "correlationId", "credential", "traceId"],
    required: ["method", "route"],
  },
  bug: { level: "error", optional: ["correlationId", "route"], required: ["said", "stack"] },
  "certificate-reloaded": { level: "info", optional: [], required: [] },
  "certificate-unusable": { level: "error", optional: ["said"], required: ["codes"] },
  "checkpoint-missing": { level: "error", optional: [], required: ["codes"] },
  "intent-recovered": {
    level: "warn",
    optional: ["vmid"],
    required: ["environment", "intent", "plan"],
  },
  "log-lines-dropped": { level: "warn", optional: [], required: ["count"] },
  note: { level: "warn", optional: ["codes", "said"], required: ["cause"] },
  request: {
    level: "info",
    optional: ["actor", "actorKind", "codes", "correlationId", "credential", "environment", "key", "seq", "traceId"],
    required: ["durationMs", "method", "route", "status"],
  },
  "request-turned-away": { level: "warn", optional: [], required: ["cause"] },
  "service-started": { level: "info", optional: ["instance"], required: ["listen", "version"] },
  "service-stopped": { level: "info", optional: [], required: ["durationMs"] },
  "service-stopping": { level: "info", optional: [], required: ["cause"] },
  "stream-cut": { level: "warn", optional: [], required: ["cause", "route"] },
  "webhook-cursor-reset": { level: "warn", optional: ["seq"], required: ["cause", "receiver", "size"] },
  "webhook-delivered": {
    level: "info",
    optional: [],
    required: ["attempt", "durationMs", "kind", "receiver", "seq", "status", "webhookId"],
  },
  "webhook-failed": {
    level: "warn",
    optional: ["status"],
    required: ["attempt", "cause", "kind", "receiver", "seq", "webhookId"],
  },
  "webhook-given-up": { level: "error", optional: [], required: ["attempt", "kind", "receiver", "seq", "webhookId"] },
  "webhook-halted": { level: "warn", optional: ["said"], required: ["cause", "receiver"] },
} as const satisfies Readonly<Record<string, Row>>;

export type LogEvent = keyof typeof LOG_EVENTS;
type FieldsIn<Names extends readonly LogField[]> = {
  readonly [F in Names[number]]: Value[(typeof LOG_FIELDS)[F]];
};
/** What is undefined is left out. */
export type LogFields<E extends LogEvent> = FieldsIn<(typeof LOG_EVENTS)[E]["required"]> & {
  readonly [F in (typeof LOG_EVENTS)[E]["optional"][number]]?: Value[(typeof LOG_FIELDS)[F]] | undefined;
};

export const LOG_EVENT_NAMES = Object.keys(LOG_EVENTS) as readonly LogEvent[];
