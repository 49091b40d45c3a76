// What is remembered of identities: an observation adds and reports, and only an acceptance replaces.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Identities,
  identitiesDigest,
  identitiesText,
  identityIn,
  recognised,
  withIdentity,
} from "../../src/spine/values/identities.ts";
import { digestOf } from "./reference.ts";
import { state, vmidOf } from "./world.ts";

const [FIRST, SECOND, THIRD] = [vmidOf(101), vmidOf(102), vmidOf(103)];
const KNOWN: Identities = [
  [FIRST, "a"],
  [THIRD, "c"],
];

test("the identity of a VM is its own, and of one that was never seen there is none", () => {
  assert.equal(identityIn(KNOWN, THIRD), "c");
  assert.equal(identityIn(KNOWN, SECOND), undefined);
});

test("a VM that is seen for the first time is remembered in order, and one without an identity is not", () => {
  const { after, changed } = recognised(KNOWN, [state({ identity: "b", vmid: SECOND }), state({ vmid: vmidOf(104) })]);
  assert.deepEqual(
    [after, changed],
    [
      [
        [FIRST, "a"],
        [SECOND, "b"],
        [THIRD, "c"],
      ],
      [],
    ],
  );
});

test("another identity or none in its place is reported, and changes nothing", () => {
  const { after, changed } = recognised(KNOWN, [
    state({ identity: "x", vmid: FIRST }),
    state({ identity: "b", vmid: SECOND }),
    state({ vmid: THIRD }),
  ]);
  assert.deepEqual(changed, [FIRST, THIRD]);
  assert.deepEqual(after, [
    [FIRST, "a"],
    [SECOND, "b"],
    [THIRD, "c"],
  ]);
});

test("what is remembered already is the very same list", () => {
  const { after, changed } = recognised(KNOWN, [state({ identity: "a", vmid: FIRST })]);
  assert.equal(after, KNOWN);
  assert.deepEqual(changed, []);
});

test("a VM that could not be seen tells nothing", () => {
  const unseen = { because: { code: "not-seen" }, status: "unknown" } as const;
  const { after, changed } = recognised(KNOWN, [
    state({ ...unseen, vmid: FIRST }),
    state({ ...unseen, identity: "b", vmid: SECOND }),
  ]);
  assert.equal(after, KNOWN);
  assert.deepEqual(changed, []);
});

test("an accepted identity takes the place of the remembered one, and leaves the others", () => {
  assert.deepEqual(withIdentity(KNOWN, FIRST, "x"), [
    [FIRST, "x"],
    [THIRD, "c"],
  ]);
  assert.deepEqual(withIdentity(KNOWN, SECOND, "b"), [
    [FIRST, "a"],
    [SECOND, "b"],
    [THIRD, "c"],
  ]);
});

test("the text is canonical, and the digest is of it", () => {
  assert.deepEqual(JSON.parse(identitiesText("home", KNOWN)), { environment: "home", identities: KNOWN, version: 1 });
  assert.equal(identitiesDigest("home", KNOWN), digestOf({ environment: "home", identities: KNOWN, version: 1 }));
});
