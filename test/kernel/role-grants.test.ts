// Which roles hold where.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Grants, rolesHeld, rolesHeldIn } from "../../src/kernel/command/role-grants.ts";

const GRANTS: Grants = [
  { environments: ["home", "lab"], roles: ["operator", "approver"] },
  { environments: ["lab"], roles: ["auditor"] },
  { environments: "all", roles: ["observer"] },
];

test("the roles of an environment are those granted for it and for all", () => {
  assert.deepEqual(rolesHeldIn(GRANTS, "home"), ["approver", "observer", "operator"]);
  assert.deepEqual(rolesHeldIn(GRANTS, "lab"), ["approver", "auditor", "observer", "operator"]);
});

test("in an environment that no grant names, and where there is none, only what is granted for all holds", () => {
  assert.deepEqual(rolesHeldIn(GRANTS, "cloud"), ["observer"]);
  assert.deepEqual(rolesHeldIn(GRANTS, undefined), ["observer"]);
});

test("a role that holds in one environment holds somewhere, once", () => {
  assert.deepEqual(rolesHeld([...GRANTS, { environments: "all", roles: ["auditor"] }]), [
    "approver",
    "auditor",
    "observer",
    "operator",
  ]);
});
