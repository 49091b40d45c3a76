// Two paths are one file however they are spelled, and their neighbours are not.

import assert from "node:assert/strict";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import {
  claimsOfOut,
  fileClaim,
  followLinks,
  type PathClaim,
  placeClaims,
  sharedClaim,
} from "../../src/ledger/files/path-claims.ts";

const folderFor = (t: TestContext): ((...names: readonly string[]) => string) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dedalus-claims-")));
  t.after(() => rmSync(folder, { recursive: true }));
  return (...names) => join(folder, ...names);
};

const beginning = (path: string): PathClaim => ({ kind: "begins", path });
const sharedOf = (ours: readonly PathClaim[], theirs: readonly PathClaim[]): string | undefined =>
  sharedClaim(placeClaims(ours), placeClaims(theirs))?.path;
/** Asked in both directions, which must agree. */
const isShared = (one: PathClaim, other: PathClaim): boolean => {
  const isOne = sharedOf([one], [other]) !== undefined;
  assert.equal(sharedOf([other], [one]) !== undefined, isOne, `${one.path} and ${other.path}`);
  return isOne;
};
const isSameFile = (one: string, other: string): boolean => isShared(fileClaim(one), fileClaim(other));

test("a file that is there is one under every name it has", (t) => {
  const at = folderFor(t);
  writeFileSync(at("a"), "");
  writeFileSync(at("b"), "");
  linkSync(at("a"), at("hard"));
  symlinkSync("a", at("soft"));
  assert.ok(isSameFile(at("a"), at("a")));
  assert.ok(isSameFile(at("a"), relative(process.cwd(), at("a"))));
  assert.ok(isSameFile(at("a"), at("hard")));
  assert.ok(isSameFile(at("soft"), at("hard")));
  assert.ok(!isSameFile(at("a"), at("b")));
  assert.ok(!isSameFile(at("soft"), at("b")));
});

test("a file that is not there yet is known by its folder and name", (t) => {
  const at = folderFor(t);
  mkdirSync(at("real"));
  mkdirSync(at("other"));
  symlinkSync("real", at("linked"));
  assert.ok(isSameFile(at("real", "x"), at("linked", "x")));
  assert.ok(!isSameFile(at("real", "x"), at("linked", "y")));
  assert.ok(!isSameFile(at("real", "x"), at("other", "x")));
  assert.ok(isSameFile(at("new", "deep", "x"), at("new", "deep", "x")));
  assert.ok(!isSameFile(at("new", "deep", "x"), at("new", "deep", "y")));
  assert.ok(!isSameFile(at("new", "deep", "x"), at("new", "other", "x")));
  assert.ok(!isSameFile(at("new", "deep", "x"), at("old", "deep", "x")));
});

test("a link to nothing is what it would make", (t) => {
  const at = folderFor(t);
  symlinkSync("x", at("link"));
  symlinkSync(at("link"), at("second"));
  symlinkSync(at("new", "deep", "x"), at("far"));
  assert.ok(isSameFile(at("link"), at("x")));
  assert.ok(isSameFile(at("second"), at("x")));
  assert.ok(isSameFile(at("second"), at("link")));
  assert.ok(!isSameFile(at("second"), at("y")));
  assert.ok(isSameFile(at("far"), at("new", "deep", "x")));
  assert.ok(isSameFile(at("far"), at("new")), "a folder would have to be made there");
  assert.ok(!isSameFile(at("far"), at("x")));
});

test("a file cannot stand where a folder is made for another", (t) => {
  const at = folderFor(t);
  symlinkSync("new", at("link"));
  assert.ok(isSameFile(at("new", "deep", "x"), at("new")));
  assert.ok(isSameFile(at("new", "deep", "x"), at("new", "deep")));
  assert.ok(isSameFile(at("new", "deep", "x"), at("link")));
  assert.ok(!isSameFile(at("new", "deep", "x"), at("deep")));
  assert.ok(!isSameFile(at("new", "deep", "x"), at("new", "other")));
  mkdirSync(at("there"));
  assert.ok(!isSameFile(at("there", "x"), at("there", "y")), "what is there is not made");
});

test("a claim to a beginning is one to every name that begins so, in its folder", (t) => {
  const at = folderFor(t);
  mkdirSync(at("sub"));
  assert.ok(isShared(beginning(at("db-")), fileClaim(at("db-1"))));
  assert.ok(isShared(beginning(at("db-")), fileClaim(at("db-"))));
  assert.ok(isShared(beginning(at("db-")), beginning(at("db-own-"))));
  assert.ok(!isShared(beginning(at("db-")), fileClaim(at("db"))));
  assert.ok(!isShared(beginning(at("db-")), fileClaim(at("a-db-1"))));
  assert.ok(!isShared(beginning(at("db-")), fileClaim(at("sub", "db-1"))));
  assert.ok(!isShared(fileClaim(at("db-")), fileClaim(at("db-1"))));
});

test("the first of ours that meets any of theirs is named", (t) => {
  const at = folderFor(t);
  const claims = (...names: readonly string[]): readonly PathClaim[] => names.map((name) => fileClaim(at(name)));
  assert.equal(sharedOf(claims("a", "b", "c"), claims("x", "c", "b")), at("b"));
  assert.equal(sharedOf(claims("a", "b"), claims("x", "y")), undefined);
  assert.equal(sharedOf(claims("a"), []), undefined);
});

test("a written file claims its own name and that of its part", (t) => {
  const at = folderFor(t);
  assert.equal(sharedOf(claimsOfOut(at("out")), [fileClaim(at("out"))]), at("out"));
  assert.equal(sharedOf(claimsOfOut(at("out")), [fileClaim(at("out.part"))]), at("out.part"));
  assert.equal(sharedOf(claimsOfOut(at("out")), [fileClaim(at("out.parts"))]), undefined);
});

test("links are followed as the system follows them, and a circle as far as it does", (t) => {
  const at = folderFor(t);
  mkdirSync(at("deep", "dir"), { recursive: true });
  symlinkSync("deep/dir", at("folder"));
  symlinkSync("../x", at("deep", "dir", "up"));
  symlinkSync("missing/x", at("lost"));
  symlinkSync(at("lost"), at("first"));
  symlinkSync("circle", at("circle"));
  assert.deepEqual(followLinks(at("plain")), [at("plain")]);
  assert.deepEqual(followLinks(at("folder", "up")), [at("folder", "up"), at("deep", "x")], "up from where it leads");
  assert.deepEqual(followLinks(at("first")), [at("first"), at("lost"), at("missing", "x")]);
  assert.equal(followLinks(at("circle")).length, 41, "Linux follows 40");
  const own = relative(process.cwd(), at("plain"));
  assert.deepEqual(followLinks(own), [join(realpathSync(dirname(at("plain"))), basename(own))]);
});
