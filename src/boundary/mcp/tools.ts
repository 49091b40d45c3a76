// The tools of an agent: each is one operation of the service, with the arguments that an agent gives for it.
//
// The compiler holds every row against the service, and the schemas are those of the HTTP contract. The order is fixed.
// No tool approves, denies, confirms, freezes, registers, reconciles or makes tokens, and none is made of another's
// words. keeps B2, B7, P7-S3
// Not here: what a tool is called for people (tool-words.ts), how it is asked (call-tool.ts).

import { type TObject, Type } from "typebox";
import type { RecordsRequest } from "../../service/read/records.ts";
import type { VmRef } from "../../service/read/vm-references.ts";
import type { Action } from "../../spine/model.ts";
import type { RequestAt } from "../contract/routes.ts";
import {
  ACTION_SCHEMA,
  closed,
  STEP_NUMBER_SCHEMA,
  seq,
  ULID_SCHEMA,
  VM_REF_SCHEMA,
} from "../contract/schema-parts.ts";
import { REQUESTS } from "../contract/schemas.ts";
import type { AnsweredOperation } from "../http/answer-bodies.ts";

export const TOOL_NAMES = [
  "list_environments",
  "list_vms",
  "get_vm",
  "observe",
  "plan_desired",
  "plan_action",
  "explain_step",
  "request_approval",
  "plan_status",
  "apply_step",
  "intent_status",
  "cancel_plan",
  "search_records",
  "prove_record",
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];
export const isToolName = (name: string): name is ToolName => TOOL_NAMES.some((one) => one === name);

/** Whose words the texts of an answer may be: data, whatever they say. */
export const TEXTS_FROM = ["ledger", "operators", "provider"] as const;
export type TextSource = (typeof TEXTS_FROM)[number];

export type ToolOperation = AnsweredOperation | "records";

/**
 * What an act is asked under. `given`: the argument `key`, or one that is made for it. `derived`: one that follows from
 * the request, so that whoever asks again gets the same answer (derived-keys.ts). A read has none.
 */
export type Keyed = "derived" | "given" | "none";

/** What a client may assume of a tool (`ToolAnnotations` of the protocol). */
export type ToolHints = {
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
  readonly readOnlyHint: boolean;
};

export type ToolArguments = Readonly<Record<string, unknown>>;

export type Tool<K extends ToolOperation = ToolOperation> = {
  readonly hints: ToolHints;
  readonly input: TObject;
  readonly keyed: Keyed;
  /** Arguments that a derived key does not follow from: said in other words it is the same request. */
  readonly words: readonly string[];
  /** Which tools a refusal leaves open; never one that changes a VM. */
  readonly leaves: readonly ToolName[];
  readonly operation: K;
  /** The request of the operation; what is given fits `input`. */
  readonly request: (given: ToolArguments) => RequestAt<K>;
};

/** A read leaves no record; what it shows stands on the ledger alone. */
const READS: ToolHints = { destructiveHint: false, idempotentHint: true, openWorldHint: false, readOnlyHint: true };
/** The provider is asked, and what it said is recorded; no VM changes. */
const OBSERVES: ToolHints = { destructiveHint: false, idempotentHint: false, openWorldHint: true, readOnlyHint: false };
const RECORDS: ToolHints = { destructiveHint: false, idempotentHint: true, openWorldHint: false, readOnlyHint: false };
/** What it ends does not come back. */
const CLOSES: ToolHints = { ...RECORDS, destructiveHint: true };
const CHANGES: ToolHints = { destructiveHint: true, idempotentHint: true, openWorldHint: true, readOnlyHint: false };

const KEY = { key: Type.Optional(ULID_SCHEMA) };
const { environment } = REQUESTS.makePlan.properties;
const ENVIRONMENT = { environment };
/** By its id alone: a word such as `latest` may mean another plan when it is asked again. */
const AT_STEP = { plan: ULID_SCHEMA, step: STEP_NUMBER_SCHEMA };

type OfVm = { readonly environment?: string; readonly vm: VmRef };

const FLEET: readonly ToolName[] = ["list_environments", "list_vms", "get_vm", "observe"];
const PLAN: readonly ToolName[] = ["explain_step", "plan_status", "cancel_plan"];

/** Of what its schema takes `G` is a copy, as a request is of the schema of its body; a test asks every tool. */
const tool = <K extends ToolOperation, G extends ToolArguments = ToolArguments>(
  operation: K,
  input: TObject,
  row: Pick<Tool, "hints" | "leaves"> &
    Partial<Pick<Tool, "keyed" | "words">> & { readonly request?: (given: G) => RequestAt<K> },
): Tool<K> => ({
  hints: row.hints,
  input,
  keyed: row.keyed ?? "none",
  leaves: row.leaves,
  operation,
  request: (given) => (row.request === undefined ? (given as RequestAt<K>) : row.request(given as G)),
  words: row.words ?? [],
});

export const TOOLS: Readonly<Record<ToolName, Tool>> = {
  list_environments: tool("environments", REQUESTS.environments, { hints: READS, leaves: [] }),
  list_vms: tool("vms", REQUESTS.vms, { hints: READS, leaves: FLEET }),
  get_vm: tool("vms", closed({ ...ENVIRONMENT, vm: VM_REF_SCHEMA }), {
    hints: READS,
    leaves: FLEET,
    request: ({ vm, ...rest }: OfVm) => ({ ...rest, vms: [vm] }),
  }),
  observe: tool("observe", closed({ ...REQUESTS.observe.properties, ...KEY }), {
    hints: OBSERVES,
    keyed: "given",
    leaves: FLEET,
  }),
  plan_desired: tool("makePlan", closed({ ...ENVIRONMENT, ...KEY, scope: REQUESTS.makePlan.properties.scope }), {
    hints: OBSERVES,
    keyed: "given",
    leaves: FLEET,
  }),
  plan_action: tool("makePlan", closed({ action: ACTION_SCHEMA, ...ENVIRONMENT, ...KEY, vm: VM_REF_SCHEMA }), {
    hints: OBSERVES,
    keyed: "given",
    leaves: FLEET,
    request: ({ action, vm, ...rest }: OfVm & { readonly action: Action }) => ({
      ...rest,
      request: { action, vmid: vm },
      scope: [vm],
    }),
  }),
  explain_step: tool(
    "explain",
    closed({ plan: REQUESTS.explain.properties.plan, step: REQUESTS.explain.properties.step }),
    {
      hints: READS,
      leaves: ["plan_status", "search_records"],
    },
  ),
  request_approval: tool(
    "requestApproval",
    closed({ ...AT_STEP, reason: REQUESTS.requestApproval.properties.reason }),
    { hints: RECORDS, keyed: "derived", leaves: PLAN, words: ["reason"] },
  ),
  plan_status: tool("showPlan", REQUESTS.showPlan, { hints: READS, leaves: ["plan_desired", "plan_action"] }),
  apply_step: tool("apply", closed(AT_STEP), {
    hints: CHANGES,
    keyed: "derived",
    leaves: [...PLAN, "request_approval", "intent_status"],
  }),
  intent_status: tool("intent", REQUESTS.intent, { hints: READS, leaves: ["plan_status", "search_records"] }),
  cancel_plan: tool("cancel", closed({ ...REQUESTS.cancel.properties, plan: ULID_SCHEMA }), {
    hints: CLOSES,
    keyed: "derived",
    leaves: ["plan_status"],
  }),
  search_records: tool(
    "records",
    closed({
      ...REQUESTS.records.properties,
      from: Type.Optional(REQUESTS.records.properties.from),
      limit: Type.Optional(Type.Integer({ description: "How many at most.", maximum: 100, minimum: 1 })),
    }),
    {
      hints: READS,
      leaves: ["list_environments", "plan_status"],
      request: ({ limit: _, ...rest }: Partial<RecordsRequest> & { readonly limit?: number }) => ({ from: 0, ...rest }),
    },
  ),
  prove_record: tool("prove", closed({ seq: seq("The record.") }), { hints: READS, leaves: ["search_records"] }),
};
