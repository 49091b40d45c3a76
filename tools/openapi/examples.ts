// An example of every request that has a body, and of every parameter: shown in the OpenAPI file, and executed by a
// test, in this order of things: PLAN stands for a plan that was made, HASH for an explanation that was read.

import type { RoutedOperation } from "../../src/boundary/contract/routes.ts";

export const EXAMPLE_PLAN = "01JD2Y8ZC4QW7X9M5T3V6B1K0R";
export const EXAMPLE_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
export const EXAMPLE_KEY = "01JD2YB0H5N8R2T4V6X8Z0A1C3";

const DESIRED = "version: 1\nenvironment: home\nvms:\n  - { vmid: 101, name: web-01, target: running }\n";
const CURRENT = JSON.stringify({
  complete: true,
  environment: "home",
  observedAt: "2026-11-15T10:00:00.000Z",
  version: 1,
  vms: [],
});

export const BODY_EXAMPLES: { readonly [K in RoutedOperation]?: object } = {
  acceptClock: { reason: "the battery of the host's clock was replaced" },
  acceptIdentity: { identity: "uuid of 101", reason: "rebuilt from the template" },
  annotate: { text: "the change window is tonight" },
  apply: { confirmation: { explanation: EXAMPLE_HASH } },
  approve: { reason: "agreed with the owner" },
  cancel: { reason: "not needed any more" },
  challenge: {},
  checkpoint: {},
  createToken: { days: 30, name: "ci", roles: ["agent"] },
  deny: { reason: "not during business hours" },
  freeze: { environment: "home", reason: "incident 4711" },
  ingest: { current: { file: "current.json", text: CURRENT } },
  invite: { days: 7, name: "bob", roles: ["approver"] },
  makePlan: { environment: "home", scope: "all" },
  observe: {},
  reconcile: {},
  register: { desired: { file: "desired.yaml", text: DESIRED } },
  requestApproval: { reason: "the disk is full and logs stopped" },
  revoke: { reason: "the window is over" },
  revokeToken: { name: "ci" },
  rotateToken: { days: 30 },
  signOut: {},
  whatIf: { policy: { file: "policy.yaml", text: "version: 1\ntighten: [{ action: vm.start, to: high }]\n" } },
  unfreeze: { environment: "home", reason: "incident 4711 is over" },
};

export const PARAMETER_EXAMPLES: Readonly<Record<string, string>> = {
  at: "3",
  correlation: "01JD2YB0H5N8R2T4V6X8Z0A1C3",
  digest: EXAMPLE_HASH,
  environment: "home",
  from: "0",
  hash: EXAMPLE_HASH,
  intent: "01JD2YB0H5N8R2T4V6X8Z0A1C3",
  key: EXAMPLE_KEY,
  kind: "plan",
  name: "ci",
  plan: EXAMPLE_PLAN,
  seq: "0",
  step: "1",
  to: "3",
  vm: "web-01",
  with: EXAMPLE_PLAN,
  words: "as-shown",
};
