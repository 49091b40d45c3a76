// The name that is proposed for somebody who signs in: theirs where it fits and is free, and never somebody else's.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { proposedSubject } from "../../src/kernel/command/proposed-subject.ts";
import { isSubject } from "../../src/spine/values/subject.ts";

const ADA = { issuer: "https://id.example", sub: "7f3a" };
const everyone = () => true;
const but =
  (...taken: readonly string[]) =>
  (name: string): boolean =>
    !taken.includes(name);

test("a name that fits and is free is taken as it is", () => {
  assert.equal(proposedSubject("ada", ADA, everyone), "ada");
  assert.equal(proposedSubject("ada.lovelace", ADA, everyone), "ada.lovelace");
});

test("a name that is taken, reserved or does not fit gets a suffix that is theirs alone", () => {
  const second = proposedSubject("ada", ADA, but("ada"));
  assert.match(second, /^ada-[0-9a-f]{8}$/);
  assert.notEqual(second, proposedSubject("ada", { ...ADA, sub: "other" }, but("ada")));
  assert.notEqual(second, proposedSubject("ada", { ...ADA, issuer: "https://other.example" }, but("ada")));
  assert.match(proposedSubject("ada", ADA, but("ada", second)), /^ada-[0-9a-f]{16}$/);
  assert.match(proposedSubject("Ada Lovelace", ADA, everyone), /^ada-lovelace-[0-9a-f]{8}$/);
  assert.match(proposedSubject("ada@corp.example", ADA, everyone), /^ada-[0-9a-f]{8}$/);
  assert.match(proposedSubject("Zoë", ADA, everyone), /^zoe-[0-9a-f]{8}$/);
  assert.match(proposedSubject("dedalus", ADA, everyone), /^dedalus-[0-9a-f]{8}$/);
  for (const odd of ["", "@", "7of9", "аda", "--"]) assert.match(proposedSubject(odd, ADA, everyone), /-[0-9a-f]{8}$/);
});

test("whatever a provider calls somebody, what is proposed is a name, and the same each time", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: "grapheme" }), fc.boolean(), (called, isTaken) => {
      const isFree = isTaken ? but(called) : everyone;
      const proposed = proposedSubject(called, ADA, isFree);
      assert.ok(isSubject(proposed), proposed);
      assert.ok(isFree(proposed));
      assert.equal(proposedSubject(called, ADA, isFree), proposed);
    }),
  );
});
