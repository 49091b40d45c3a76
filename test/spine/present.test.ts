// Members that are undefined are left out, and everything else stays as it is.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { present } from "../../src/spine/values/present.ts";

test("what is undefined is no member, and nothing else is lost or moved", () => {
  const member = fc.oneof(fc.constant(undefined), fc.constant(null), fc.integer(), fc.string(), fc.boolean());
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), member), (members) => {
      const kept = Object.entries(members).filter(([, value]) => value !== undefined);
      assert.deepEqual(Object.entries(present(members)), kept);
    }),
  );
});

test("what is absent by type is absent by value", () => {
  const named = (because?: string): { readonly because?: string } => present({ because });
  assert.deepEqual([Object.keys(named()), named("so")], [[], { because: "so" }]);
});
