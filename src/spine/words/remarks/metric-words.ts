// What each metric of a serving process says, in words: the help text at /metrics and the table of docs/operations.md.
//
// Not here: kinds and labels (boundary/telemetry/metric-table.ts). Nothing is decided or recognised by these.

export const METRIC_WORDS = {
  dedalus_applies_total: "Applies that this process performed, by outcome.",
  dedalus_authentication_failures_total: "Requests whose caller was not authenticated.",
  dedalus_blocked_vms: "VMs that nothing can be done to until somebody reconciles them.",
  dedalus_build_info: "Always 1; the version of the program is its label.",
  dedalus_follower_lag_records: "Records in the ledger that this process has not folded in yet.",
  dedalus_freezes: "Freezes in force, by environment; everything is the freeze of all of them.",
  dedalus_http_request_duration_seconds: "Time from a request's first byte to the end of its answer.",
  dedalus_http_requests_total: "Answered requests, by method, route and status.",
  dedalus_ledger_head_age_seconds: "Time since the newest record.",
  dedalus_ledger_read_only: "1 while the ledger takes no writes after a failed one, or could not be read.",
  dedalus_ledger_records: "Records in the ledger.",
  dedalus_log_lines_dropped_total: "Log lines that were dropped because whoever reads them was too far behind.",
  dedalus_open_intents: "Intents without an outcome.",
  dedalus_overdue_intents: "Open intents whose time is over: the next write records them as unknown.",
  dedalus_provider_call_duration_seconds: "Time that a provider took, by environment and kind of call.",
  dedalus_provider_calls_total: "Calls to providers, by environment, kind and how they ended.",
  dedalus_queue_length: "What is under way: requests that are being answered, applies that have no outcome yet.",
  dedalus_refusals_total: "Refused requests, by the code of each refusal.",
  dedalus_webhook_deliveries_total: "Attempts to deliver a message, by receiver and result.",
  dedalus_webhook_lag_records: "Records that a receiver's messages have not been made of yet.",
} as const;
