// Every operation of the service as a route of HTTP: one table for the door, the remote service and the OpenAPI
// file.
//
// The compiler asks for a row of every operation and for a place of every field of its request. Not here: schemas
// of bodies (schemas.ts). Keeps B7, P7-S3.

import { LATEST_PLAN } from "../../service/read/plan-word.ts";
import type { Operation, Service } from "../../service/service.ts";
import type { HttpRoute, Part, WireForm } from "./http-route.ts";

/** `close` ends the service itself: whoever runs the process does that. */
export type RoutedOperation = Exclude<keyof Service, "close">;

export type RequestAt<K extends RoutedOperation> =
  Service[K] extends Operation<infer R, infer _>
    ? R
    : Service[K] extends (caller: never, request: infer R, ...rest: never) => unknown
      ? R
      : never;

const BODY: Part = { in: "body" };
const path = (form: WireForm = "word", name?: string): Part => ({ form, in: "path", ...(name && { name }) });
const query = (form: WireForm = "word", name?: string): Part => ({ form, in: "query", ...(name && { name }) });

const get = { method: "GET", status: 200 } as const;
const post = { method: "POST", status: 201 } as const;

const ENVIRONMENT = { environment: path() };
const PLAN = { plan: path() };
const STEP = { ...PLAN, step: path("step") };
const AT_STEP = "/plans/{plan}/steps/{step}";

export const ROUTES: { readonly [K in RoutedOperation]: HttpRoute<RequestAt<K>> } = {
  acceptClock: { ...post, answer: "clockAccepted", parts: { reason: BODY }, path: "/clock-acceptances" },
  acceptIdentity: {
    ...post,
    answer: "identityAccepted",
    isScoped: true,
    parts: { ...ENVIRONMENT, identity: BODY, reason: BODY, vmid: path("word", "vm") },
    path: "/vms/{vm}/identities",
  },
  allowances: { ...get, answer: "allowances", parts: { environment: query() }, path: "/allowances" },
  annotate: { ...post, answer: "remark", parts: { about: BODY, environment: BODY, text: BODY }, path: "/annotations" },
  answered: { ...get, answer: "answeredKey", parts: { key: path() }, path: "/keys/{key}" },
  apply: {
    ...post,
    answer: "applying",
    parts: { ...STEP, confirmation: BODY },
    path: `${AT_STEP}/applies`,
    status: 202,
  },
  approve: {
    ...post,
    answer: "decision",
    parts: { ...STEP, explanation: BODY, reason: BODY, words: BODY },
    path: `${AT_STEP}/approvals`,
  },
  blob: { ...get, answer: "blob", parts: { digest: path() }, path: "/blobs/{digest}" },
  cancel: { ...post, answer: "canceled", parts: { ...PLAN, reason: BODY }, path: "/plans/{plan}/cancellations" },
  challenge: { ...post, answer: "explained", parts: { ...STEP, here: BODY }, path: `${AT_STEP}/challenges` },
  checkpoint: { ...post, answer: "checkpointSigned", parts: {}, path: "/checkpoints" },
  checkpoints: { ...get, answer: "checkpoints", parts: { from: query("number") }, path: "/checkpoints" },
  comparePlans: {
    ...get,
    answer: "comparedPlans",
    parts: { ...PLAN, with: query() },
    path: "/plans/{plan}/compared",
  },
  createToken: {
    ...post,
    answer: "tokenMade",
    parts: { days: BODY, environments: BODY, kind: BODY, name: BODY, roles: BODY },
    path: "/tokens",
  },
  deny: { ...post, answer: "decision", parts: { ...STEP, reason: BODY }, path: `${AT_STEP}/denials` },
  desired: { ...get, answer: "desired", isScoped: true, parts: ENVIRONMENT, path: "/desired" },
  drift: { ...get, answer: "drift", isScoped: true, parts: ENVIRONMENT, path: "/drift" },
  environments: { ...get, answer: "environments", parts: {}, path: "/environments" },
  examine: { ...get, answer: "examined", parts: { environment: query() }, path: "/examination" },
  explain: {
    ...get,
    answer: "explained",
    parts: { ...STEP, words: query() },
    path: `${AT_STEP}/explanation`,
  },
  export: { ...get, answer: "ndjson", parts: { isKept: { in: "nowhere" } }, path: "/export" },
  fleet: { ...get, answer: "fleet", parts: { environment: query() }, path: "/fleet" },
  freeze: { ...post, answer: "frozen", parts: { environment: BODY, reason: BODY }, path: "/freezes" },
  history: {
    ...get,
    answer: "history",
    isScoped: true,
    parts: { ...ENVIRONMENT, vm: path() },
    path: "/vms/{vm}/history",
  },
  ingest: {
    ...post,
    answer: "ingested",
    isScoped: true,
    parts: { ...ENVIRONMENT, current: BODY },
    path: "/telemetry",
  },
  intent: { ...get, answer: "intentShown", parts: { intent: path() }, path: "/intents/{intent}" },
  inventory: { ...get, answer: "inventory", isScoped: true, parts: ENVIRONMENT, path: "/inventory" },
  invite: {
    ...post,
    answer: "invited",
    parts: { days: BODY, environments: BODY, name: BODY, roles: BODY },
    path: "/invitations",
  },
  makePlan: {
    ...post,
    answer: "planned",
    parts: { environment: BODY, registeredOnly: BODY, request: BODY, scope: BODY },
    path: "/plans",
  },
  observe: { ...post, answer: "observed", isScoped: true, parts: ENVIRONMENT, path: "/observations" },
  people: { ...get, answer: "people", parts: {}, path: "/people" },
  plans: { ...get, answer: "plans", parts: {}, path: "/plans" },
  prepareApply: {
    ...get,
    answer: "prepared",
    parts: { hash: query(), plan: { form: "word", in: "path", orElse: LATEST_PLAN } },
    path: "/plans/{plan}/preparation",
  },
  prove: { ...get, answer: "proven", parts: { seq: path("number") }, path: "/records/{seq}/proof" },
  reconcile: {
    ...post,
    answer: "reconciled",
    isScoped: true,
    parts: { ...ENVIRONMENT, vmid: path("word", "vm") },
    path: "/vms/{vm}/reconciliations",
  },
  records: {
    ...get,
    answer: "records",
    parts: {
      correlationId: query("word", "correlation"),
      environment: query(),
      from: { form: "number", in: "query", orElse: "0" },
      kind: query(),
      to: query("number"),
      until: { in: "nowhere" },
      vmid: query("word", "vm"),
    },
    path: "/records",
  },
  register: {
    ...post,
    answer: "registered",
    isScoped: true,
    parts: { ...ENVIRONMENT, desired: BODY, loosens: BODY },
    path: "/desired",
  },
  replay: { ...get, answer: "replayed", parts: { to: query("number") }, path: "/replay" },
  requestApproval: {
    ...post,
    answer: "decision",
    parts: { ...STEP, reason: BODY },
    path: `${AT_STEP}/approval-requests`,
  },
  review: { ...get, answer: "reviewed", parts: STEP, path: `${AT_STEP}/review` },
  revoke: {
    ...post,
    answer: "decision",
    parts: { ...STEP, approval: BODY, reason: BODY },
    path: `${AT_STEP}/revocations`,
  },
  revokeToken: { ...post, answer: "tokenRevoked", parts: { id: BODY, name: BODY }, path: "/token-revocations" },
  rotateToken: { ...post, answer: "tokenMade", parts: { days: BODY, name: path() }, path: "/tokens/{name}/rotations" },
  rules: { ...get, answer: "rules", parts: {}, path: "/rules" },
  signOut: { ...post, answer: "signedOut", parts: { name: BODY, reason: BODY }, path: "/sign-outs" },
  showPlan: { ...get, answer: "planShown", parts: PLAN, path: "/plans/{plan}" },
  stateAfter: { ...get, answer: "state", parts: { at: query("number") }, path: "/state" },
  status: {
    ...get,
    answer: "status",
    parts: { environment: query(), vmid: query("word", "vm") },
    path: "/status",
  },
  tokens: { ...get, answer: "tokens", parts: {}, path: "/tokens" },
  unfreeze: { ...post, answer: "frozen", parts: { environment: BODY, reason: BODY }, path: "/unfreezes" },
  verify: { ...get, answer: "verified", parts: {}, path: "/verification" },
  vm: { ...get, answer: "vmShown", parts: { environment: query(), vm: path() }, path: "/vms/{vm}" },
  vms: {
    ...get,
    answer: "vms",
    parts: { environment: query(), vms: query("words", "vm") },
    path: "/vms",
  },
  /** A read; what it is asked about is a file, which travels in a body. */
  whatIf: {
    answer: "whatIf",
    method: "POST",
    parts: { environment: BODY, policy: BODY, reader: { in: "nowhere" } },
    path: "/what-if",
    status: 200,
  },
  whoami: { ...get, answer: "whoami", parts: {}, path: "/whoami" },
};

export const ROUTED = Object.keys(ROUTES) as readonly RoutedOperation[];
