// The files of a release as somebody who got them sees them: what was signed, what was not, and what is inside the
// package.

import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { BUILT_IN } from "../tools/console/built-in.ts";
import { bundled } from "../tools/package/manifest.ts";
import { type BillLock, billOfMaterials } from "../tools/release/bill-of-materials.ts";
import { sha256Of, signStatement, statementOf } from "../tools/release/statement.ts";
import { releaseFindings } from "../tools/release/verify-release.ts";
import { ROOT } from "../tools/sources.ts";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const STATEMENT = "dedalus-0.2.0.intoto.json";
const FILES = ["dedalus-0.2.0.tgz", "dedalus-0.2.0.cdx.json", "SHA256SUMS"];

const released = (t: TestContext, statement = statementOf): string => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-released-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const file of FILES) writeFileSync(join(folder, file), file);
  const subjects = FILES.map((name) => ({ digest: { sha256: sha256Of(Buffer.from(name)) }, name }));
  const source = { digest: { gitCommit: "0".repeat(40) }, name: "source" };
  const envelope = signStatement(statement("0.2.0", [...subjects, source]), privateKey);
  writeFileSync(join(folder, STATEMENT), JSON.stringify(envelope));
  return folder;
};

test("a release that is whole has no findings; each of its files that was changed or is gone is named", (t) => {
  const folder = released(t);
  assert.deepEqual(releaseFindings(folder, publicKey), []);
  for (const about of FILES) {
    appendFileSync(join(folder, about), "x");
    assert.deepEqual(releaseFindings(folder, publicKey), [{ about, code: "file-differs" }]);
    rmSync(join(folder, about));
    assert.deepEqual(releaseFindings(folder, publicKey), [{ about, code: "file-absent" }]);
    writeFileSync(join(folder, about), about);
  }
});

test("what lies beside a release, a second statement, and the statement of another version are named", (t) => {
  const folder = released(t);
  for (const [about, code] of [
    ["dedalus-0.3.0.tgz", "file-unsigned"],
    ["dedalus-0.3.0.intoto.json", "statement-second"],
  ] as const) {
    cpSync(join(folder, STATEMENT), join(folder, about));
    assert.deepEqual(releaseFindings(folder, publicKey), [{ about, code }]);
    rmSync(join(folder, about));
  }
  const about = "dedalus-0.3.0.intoto.json";
  renameSync(join(folder, STATEMENT), join(folder, about));
  assert.deepEqual(releaseFindings(folder, publicKey), [{ about, code: "statement-misnamed" }]);
  rmSync(join(folder, about));
  assert.deepEqual(releaseFindings(folder, publicKey), [{ about: folder, code: "statement-absent" }]);
});

test("a statement that is broken, of another key or of something else is not signed, and no error", (t) => {
  const notSigned = [{ about: STATEMENT, code: "not-signed" }];
  const other = released(t, (version, subject) => ({ ...statementOf(version, subject), predicateType: "another" }));
  assert.deepEqual(releaseFindings(other, publicKey), notSigned);
  const folder = released(t);
  assert.deepEqual(releaseFindings(folder, generateKeyPairSync("ed25519").publicKey), notSigned);
  for (const text of ["", "{", "null", "{}", '{"payload":"e30=","payloadType":"x","signatures":[{"sig":""}]}']) {
    writeFileSync(join(folder, STATEMENT), text);
    assert.deepEqual(releaseFindings(folder, publicKey), notSigned, text);
  }
});

const MANIFEST = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const LOCK: BillLock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
type Bill = {
  readonly components: readonly { readonly "bom-ref": string }[];
  readonly dependencies: readonly object[];
};
const refs = ({ components }: Bill): readonly string[] => components.map((one) => one["bom-ref"]);

test("the bill of materials has every package that is bundled, with its digest, and no other", () => {
  const bill = billOfMaterials(MANIFEST, LOCK, []) as Bill;
  const inside = bundled(LOCK).map((path) => `${path.split("node_modules/").at(-1)}@${LOCK.packages[path]?.version}`);
  assert.deepEqual(refs(bill), [...new Set(inside)]);
  for (const name of ["pg", "pg-types", "yaml"])
    assert.ok(
      inside.some((ref) => ref.startsWith(`${name}@`)),
      name,
    );
});

test("what is built into the console is listed beside what is bundled", () => {
  const bill = billOfMaterials(MANIFEST, LOCK, BUILT_IN) as Bill;
  const names = refs(bill).map((ref) => ref.replace(/@[^@]+$/, ""));
  assert.deepEqual(
    BUILT_IN.filter((name) => !names.includes(name)),
    [],
  );
  assert.throws(() => billOfMaterials(MANIFEST, LOCK, ["left-pad"]));
});

test("two copies of one version are listed once", () => {
  const integrity = `sha512-${Buffer.alloc(64).toString("base64")}`;
  const packages = {
    "": { dependencies: { a: "1", b: "1" }, version: "1.0.0" },
    "node_modules/a": { dependencies: { c: "2" }, integrity, version: "1.0.0" },
    "node_modules/a/node_modules/c": { integrity, version: "2.0.0" },
    "node_modules/b": { dependencies: { c: "2" }, integrity, version: "1.0.0" },
    "node_modules/b/node_modules/c": { integrity, version: "2.0.0" },
  };
  const bill = billOfMaterials(MANIFEST, { packages }, []) as Bill;
  assert.deepEqual(refs(bill).toSorted(), ["a@1.0.0", "b@1.0.0", "c@2.0.0"]);
});

test("a package that another has below itself is listed, and needed, in its own version; one without a digest is refused", () => {
  const integrity = `sha512-${Buffer.alloc(64).toString("base64")}`;
  const packages = {
    "": { dependencies: { a: "1", b: "1" }, version: "1.0.0" },
    "node_modules/a": { dependencies: { b: "2" }, integrity, version: "1.0.0" },
    "node_modules/a/node_modules/b": { dependencies: { c: "1" }, integrity, version: "2.0.0" },
    "node_modules/b": { integrity, version: "1.0.0" },
    "node_modules/c": { integrity, version: "1.0.0" },
  };
  const bill = billOfMaterials(MANIFEST, { packages }, []) as Bill;
  assert.deepEqual(refs(bill), ["a@1.0.0", "b@2.0.0", "b@1.0.0", "c@1.0.0"]);
  assert.deepEqual(bill.dependencies.slice(1), [
    { dependsOn: ["b@2.0.0"], ref: "a@1.0.0" },
    { dependsOn: ["c@1.0.0"], ref: "b@2.0.0" },
    { dependsOn: [], ref: "b@1.0.0" },
    { dependsOn: [], ref: "c@1.0.0" },
  ]);
  const bare = { ...packages, "node_modules/c": { version: "1.0.0" } };
  assert.throws(() => billOfMaterials(MANIFEST, { packages: bare }, []));
});
