// The request of each operation as a schema, all of its fields together, wherever they travel. The door checks by
// it, and the OpenAPI file describes by it.
//
// A test compares the fields with those of the routes, for which the compiler asks. Not here: where a field travels
// (routes.ts), what schemas are made of (schema-parts.ts). Keeps P7-F1, B7.

import { type TObject, Type } from "typebox";
import { ROUTES, type RoutedOperation } from "./routes.ts";
import {
  ACTION_SCHEMA,
  closed,
  DAYS_SCHEMA,
  DIGEST_SCHEMA,
  document,
  ENVIRONMENT_NAME_SCHEMA,
  GRANTED_IN_SCHEMA,
  KEY_SCHEMA,
  PLAN_WORD_SCHEMA,
  REASON_SCHEMA,
  ROLES_SCHEMA,
  STEP_SCHEMA,
  said,
  seq,
  ULID_SCHEMA,
  VM_REF_SCHEMA,
  VM_WORD_SCHEMA,
} from "./schema-parts.ts";

const ENVIRONMENT = { environment: Type.Optional(ENVIRONMENT_NAME_SCHEMA) };
const PLAN = { plan: PLAN_WORD_SCHEMA };
const AT_STEP = { ...PLAN, step: STEP_SCHEMA };
const BECAUSE = { reason: REASON_SCHEMA };
const NAME = said("A subject.");
const NOTHING = closed({});

export const REQUESTS = {
  acceptClock: closed(BECAUSE),
  acceptIdentity: closed({
    ...ENVIRONMENT,
    ...BECAUSE,
    identity: said("The identity to accept."),
    vmid: VM_REF_SCHEMA,
  }),
  annotate: closed({
    about: Type.Optional(seq("The record that it is about.")),
    ...ENVIRONMENT,
    text: said("The remark."),
  }),
  answered: closed({ key: KEY_SCHEMA }),
  apply: closed({
    ...AT_STEP,
    confirmation: Type.Optional(
      closed(
        {
          challenge: Type.Optional(ULID_SCHEMA),
          explanation: Type.String({ description: "The hash of the explanation that was read.", maxLength: 1_000 }),
          name: Type.Optional(said("The VM's name, typed, where nothing can be undone.")),
          words: Type.Optional(DIGEST_SCHEMA),
        },
        "Of whoever applies; an agent gives none.",
      ),
    ),
  }),
  approve: closed({
    ...AT_STEP,
    ...BECAUSE,
    explanation: Type.Optional(said("The hash of the explanation that was read.")),
    words: Type.Optional(DIGEST_SCHEMA),
  }),
  blob: closed({ digest: DIGEST_SCHEMA }),
  cancel: closed({ ...PLAN, ...BECAUSE }),
  challenge: closed({ ...AT_STEP, here: Type.Optional(Type.Literal(true)) }),
  checkpoint: NOTHING,
  checkpoints: closed({ from: Type.Optional(seq("The first checkpoint, counted from 0; the newest without it.")) }),
  comparePlans: closed({ ...PLAN, with: PLAN_WORD_SCHEMA }),
  createToken: closed({
    days: DAYS_SCHEMA,
    environments: Type.Optional(GRANTED_IN_SCHEMA),
    kind: Type.Optional(Type.Enum(["person", "agent"])),
    name: NAME,
    roles: ROLES_SCHEMA,
  }),
  deny: closed({ ...AT_STEP, ...BECAUSE }),
  desired: closed(ENVIRONMENT),
  drift: closed(ENVIRONMENT),
  environments: NOTHING,
  examine: closed(ENVIRONMENT),
  explain: closed({ ...AT_STEP, words: Type.Optional(Type.Literal("as-shown")) }),
  export: NOTHING,
  fleet: closed(ENVIRONMENT),
  freeze: closed({ ...ENVIRONMENT, ...BECAUSE }),
  history: closed({ ...ENVIRONMENT, vm: VM_WORD_SCHEMA }),
  ingest: closed({ ...ENVIRONMENT, current: document("A current.json.") }),
  intent: closed({ intent: said("The intent's id.") }),
  inventory: closed(ENVIRONMENT),
  invite: closed({
    days: DAYS_SCHEMA,
    environments: Type.Optional(GRANTED_IN_SCHEMA),
    name: NAME,
    roles: ROLES_SCHEMA,
  }),
  makePlan: closed({
    ...ENVIRONMENT,
    registeredOnly: Type.Optional(Type.Literal(true)),
    request: Type.Optional(closed({ action: ACTION_SCHEMA, vmid: VM_REF_SCHEMA }, "One action on one VM.")),
    scope: Type.Union([Type.Literal("all"), Type.Array(VM_REF_SCHEMA, { maxItems: 10_000 })], {
      description: "All registered VMs, or these.",
    }),
  }),
  observe: closed(ENVIRONMENT),
  people: NOTHING,
  plans: NOTHING,
  prepareApply: closed({
    hash: Type.Optional(said("The hash of the plan that was read.")),
    plan: Type.Optional(PLAN_WORD_SCHEMA),
  }),
  prove: closed({ seq: seq("The record.") }),
  reconcile: closed({ ...ENVIRONMENT, vmid: VM_REF_SCHEMA }),
  records: closed({
    correlationId: Type.Optional(said("Only those of one correlation.")),
    ...ENVIRONMENT,
    from: seq("The first record."),
    kind: Type.Optional(said("A kind of record, or what kinds begin with.")),
    to: Type.Optional(seq("The first record that is not wanted any more.")),
    vmid: Type.Optional(VM_REF_SCHEMA),
  }),
  register: closed({
    ...ENVIRONMENT,
    desired: document("A desired.yaml."),
    loosens: Type.Optional(
      Type.Union([Type.Literal("whatever"), DIGEST_SCHEMA], {
        description: "That a loosening is meant: whatever it is, or the one against this registration.",
      }),
    ),
  }),
  replay: closed({ to: Type.Optional(seq("How many records.")) }),
  requestApproval: closed({
    ...AT_STEP,
    reason: Type.Optional(said("Why, on one line, for whoever decides; it is recorded, and decides nothing.")),
  }),
  allowances: closed(ENVIRONMENT),
  review: closed(AT_STEP),
  rules: NOTHING,
  revoke: closed({ ...AT_STEP, ...BECAUSE, approval: Type.Optional(said("The approval's id.")) }),
  revokeToken: closed({ id: Type.Optional(said("The token's public id.")), name: Type.Optional(NAME) }),
  rotateToken: closed({ days: DAYS_SCHEMA, name: NAME }),
  signOut: closed({ name: Type.Optional(NAME), reason: Type.Optional(said("Why their sessions are ended.")) }),
  showPlan: closed(PLAN),
  stateAfter: closed({ at: seq("After which record.") }),
  status: closed({ ...ENVIRONMENT, vmid: Type.Optional(VM_REF_SCHEMA) }),
  tokens: NOTHING,
  unfreeze: closed({ ...ENVIRONMENT, ...BECAUSE }),
  verify: NOTHING,
  vm: closed({ ...ENVIRONMENT, vm: VM_REF_SCHEMA }),
  vms: closed({ ...ENVIRONMENT, vms: Type.Optional(Type.Array(VM_REF_SCHEMA, { maxItems: 1_000 })) }),
  whatIf: closed({ ...ENVIRONMENT, policy: document("A policy.yaml.") }),
  whoami: NOTHING,
} satisfies { readonly [K in RoutedOperation]: TObject };

/** What of a request travels in the body. */
export const bodySchema = (operation: RoutedOperation): TObject => {
  const parts: Readonly<Record<string, { readonly in: string }>> = ROUTES[operation].parts;
  const { properties } = REQUESTS[operation];
  return closed(Object.fromEntries(Object.entries(properties).filter(([field]) => parts[field]?.in === "body")));
};
