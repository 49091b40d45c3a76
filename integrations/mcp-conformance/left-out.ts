// The checks of the conformance runner that this service does not pass, each with the reason. Everything else must
// pass, and a row that passes after all is reported too: the list can only be true.
//
// Most of them call a tool, a resource or a prompt of the runner's own reference server, which no other server has;
// what they are about is tested here on the tools that there are. The rest is about parts of the protocol that are not
// served.

export type LeftOut = { readonly because: string; readonly checks: readonly string[] };

const OWN_TOOL = "it calls a tool of the runner's own reference server";
const OWN_RESOURCE = "it reads a resource of the runner's own reference server";
const NO_PROMPTS = "there are no prompts: what an agent is told is constant";
const NO_COMPLETION = "there is no completion of arguments";
const NO_LOGGING = "there is no logging to clients: what happened is in the ledger";
const NO_SUBSCRIPTIONS = "there are no subscriptions of resources: the records have events of their own";
const NO_TASKS = "the Tasks extension is not served: an intent is followed by intent_status";
const NO_SESSIONS = "no session is kept and no stream is held open, so there is none to resume";
const NO_HEADER_TOOL = "no tool asks for its arguments in headers";

/** By revision. A check is named as the runner names it: scenario and id. */
export const LEFT_OUT: Readonly<Record<string, readonly LeftOut[]>> = {
  "2025-11-25": [
    { because: NO_COMPLETION, checks: ["completion-complete:completion-complete"] },
    { because: NO_LOGGING, checks: ["logging-set-level:logging-set-level"] },
    {
      because: NO_PROMPTS,
      checks: [
        "prompts-get-embedded-resource:prompts-get-embedded-resource",
        "prompts-get-simple:prompts-get-simple",
        "prompts-get-with-args:prompts-get-with-args",
        "prompts-get-with-image:prompts-get-with-image",
        "prompts-list:prompts-list",
      ],
    },
    {
      because: NO_SESSIONS,
      checks: [
        "server-sse-multiple-streams:server-sse-multiple-streams-session",
        "server-sse-polling:server-sse-polling-session",
        "server-sse-polling:server-sse-priming-event",
        "server-sse-polling:server-sse-retry-field",
      ],
    },
    {
      because: NO_SUBSCRIPTIONS,
      checks: ["resources-subscribe:resources-subscribe", "resources-unsubscribe:resources-unsubscribe"],
    },
    {
      because: OWN_RESOURCE,
      checks: [
        "resources-read-binary:resources-read-binary",
        "resources-read-text:resources-read-text",
        "resources-templates-read:resources-templates-read",
      ],
    },
    {
      because: OWN_TOOL,
      checks: [
        "elicitation-sep1034-defaults:elicitation-sep1034-general",
        "elicitation-sep1330-enums:elicitation-sep1330-general",
        "json-schema-2020-12:json-schema-2020-12-tool-found",
        "tools-call-audio:tools-call-audio",
        "tools-call-elicitation:tools-call-elicitation",
        "tools-call-embedded-resource:tools-call-embedded-resource",
        "tools-call-error:tools-call-error",
        "tools-call-image:tools-call-image",
        "tools-call-mixed-content:tools-call-mixed-content",
        "tools-call-sampling:tools-call-sampling",
        "tools-call-simple-text:tools-call-simple-text",
        "tools-call-with-logging:tools-call-with-logging",
        "tools-call-with-progress:tools-call-with-progress",
      ],
    },
  ],
  "2026-07-28": [
    { because: NO_COMPLETION, checks: ["completion-complete:completion-complete"] },
    {
      because: NO_HEADER_TOOL,
      checks: [
        "http-custom-header-server-validation:sep-2243-server-decode-base64",
        "http-custom-header-server-validation:sep-2243-server-no-xmcp-tool",
        "http-custom-header-server-validation:sep-2243-server-reject-invalid-param-chars",
        "http-custom-header-server-validation:sep-2243-server-reject-param-mismatch",
        "http-custom-header-server-validation:sep-2243-server-validate-param-match",
      ],
    },
    {
      because: NO_PROMPTS,
      checks: [
        "caching:sep-2549-prompts-list-caching-hints",
        "input-required-result-non-tool-request:sep-2322-non-tool-incomplete",
        "prompts-get-embedded-resource:prompts-get-embedded-resource",
        "prompts-get-simple:prompts-get-simple",
        "prompts-get-with-args:prompts-get-with-args",
        "prompts-get-with-image:prompts-get-with-image",
        "prompts-list:prompts-list",
      ],
    },
    {
      because: OWN_RESOURCE,
      checks: [
        "resources-read-binary:resources-read-binary",
        "resources-read-text:resources-read-text",
        "resources-templates-read:resources-templates-read",
      ],
    },
    {
      because: OWN_TOOL,
      checks: [
        "input-required-result-basic-elicitation:sep-2322-elicitation-incomplete",
        "input-required-result-basic-list-roots:sep-2322-list-roots-incomplete",
        "input-required-result-basic-sampling:sep-2322-sampling-incomplete",
        "input-required-result-capability-check:sep-2322-respect-client-capabilities",
        "input-required-result-ignore-extra-params:sep-2322-ignore-unexpected-params",
        "input-required-result-missing-input-response:sep-2322-missing-response-rerequests",
        "input-required-result-multi-round:sep-2322-multi-round-r1",
        "input-required-result-multiple-input-requests:sep-2322-multiple-inputs-incomplete",
        "input-required-result-request-state:sep-2322-request-state-incomplete",
        "input-required-result-result-type:sep-2322-result-type-included",
        "input-required-result-tampered-state:sep-2322-reject-tampered-state",
        "json-schema-2020-12:json-schema-2020-12-tool-found",
        "server-stateless:sep-2575-http-server-no-independent-requests-on-stream",
        "server-stateless:sep-2575-missing-capability-http-400",
        "server-stateless:sep-2575-server-no-log-without-loglevel",
        "server-stateless:sep-2575-server-rejects-undeclared-capability",
        "tools-call-audio:tools-call-audio",
        "tools-call-embedded-resource:tools-call-embedded-resource",
        "tools-call-error:tools-call-error",
        "tools-call-image:tools-call-image",
        "tools-call-mixed-content:tools-call-mixed-content",
        "tools-call-simple-text:tools-call-simple-text",
        "tools-call-with-progress:tools-call-with-progress",
      ],
    },
    {
      because: NO_TASKS,
      checks: [
        "tasks-capability-negotiation:sep-2663-server-rejects-undeclared-client",
        "tasks-capability-negotiation:sep-2663-tasks-methods-non-declaring",
        "tasks-capability-negotiation:tasks-extension-advertised",
        "tasks-capability-negotiation:tasks-per-request-meta-opt-in",
        "tasks-dispatch-and-envelope:sep-2663-durable-create-strong-consistency",
        "tasks-dispatch-and-envelope:sep-2663-legacy-task-param-ignored",
        "tasks-dispatch-and-envelope:sep-2663-tasks-get-invalid-task-id-32602",
        "tasks-dispatch-and-envelope:tasks-immediate-result-shortcut",
        "tasks-dispatch-and-envelope:tasks-result-type-complete-on-non-task-responses",
        "tasks-dispatch-and-envelope:tasks-server-directed-creation-no-hint",
        "tasks-lifecycle:sep-2663-cancel-ack-empty-result",
        "tasks-lifecycle:sep-2663-result-type-task-on-create",
        "tasks-lifecycle:sep-2663-tasks-get-status-completed",
        "tasks-lifecycle:sep-2663-tasks-get-status-failed",
        "tasks-lifecycle:sep-2663-tasks-get-status-working",
        "tasks-lifecycle:sep-2663-tool-error-uses-completed-status",
        "tasks-lifecycle:tasks-cancel-terminal-idempotent-ack",
        "tasks-lifecycle:tasks-sync-tool-call",
        "tasks-mrtr-composition:sep-2663-mrtr-synchronous-before-task-creation",
        "tasks-mrtr-input:sep-2663-tasks-get-status-input-required",
        "tasks-mrtr-input:tasks-mrtr-partial-fulfillment",
        "tasks-mrtr-input:tasks-mrtr-tasks-update-resumes",
        "tasks-request-headers:sep-2663-routing-headers-accepted-on-tasks-get",
        "tasks-request-headers:sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get",
        "tasks-request-headers:tasks-headers-tolerate-mcp-method-on-tools-call",
        "tasks-request-state-removal:tasks-request-state-removal-setup",
        "tasks-required-task-error:sep-2663-server-returns-missing-capability-when-required",
        "tasks-wire-fields:tasks-no-early-ttl-expiry",
        "tasks-wire-fields:tasks-no-related-task-meta-on-inlined-result",
        "tasks-wire-fields:tasks-wire-field-renames",
      ],
    },
  ],
};
