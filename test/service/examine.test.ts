// An installation examined as a value: findings by their codes, for whom, and that one fault hides no other.

import assert from "node:assert/strict";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { InstallationFinding } from "../../src/service/examine/finding.ts";
import { tamper } from "../ledger/sqlite-files.ts";
import { bearer, bearerAtFiles, codes, OPERATOR, ok, type Serving, serving } from "./serving.ts";

const KEY = "keys/ledger.key";
const ANCHOR = "anchor/checkpoints.txt";
const DATABASE = "ledger/dedalus.db";

const wrongIn = (findings: readonly InstallationFinding[]) =>
  findings.flatMap(({ check, refusals }) => refusals.map(({ code }) => `${check} ${code}`));
const codeOf = (findings: readonly InstallationFinding[], wanted: string) =>
  findings.find(({ check }) => check === wanted)?.code;

const examined = async ({ ledger }: Serving, environment?: string) =>
  (await ledger.examine(OPERATOR, environment === undefined ? {} : { environment })).findings;

const tokenOf = async ({ open }: Serving, role: "approver" | "auditor"): Promise<string> => {
  const service = open();
  const made = await service.createToken(OPERATOR, { days: 1, kind: "person", name: role, roles: [role] });
  await service.close();
  return ok(made).value.token ?? assert.fail("it is shown once");
};

test("an installation that is well has findings and no refusals, for the service and at its files alike", async (t) => {
  const at = await serving(t);
  const findings = await examined(at);
  assert.deepEqual(wrongIn(findings), []);
  assert.deepEqual(
    ["secrets", "desired", "signing-key", "anchor", "ledger", "records", "files"].map((one) => codeOf(findings, one)),
    ["secrets-wanted", "desired-read", "key-read", "anchor-used", "ledger-fits", "records-whole", "files-there"],
  );
  const { head, value } = ok(await at.open().examine(OPERATOR, {}));
  assert.deepEqual(
    value.findings.map(({ code }) => code),
    findings.map(({ code }) => code),
  );
  assert.equal(head.size, (await at.records()).length);
});

test("every fault is named, and none hides another", async (t) => {
  const at = await serving(t);
  writeFileSync(join(at.folder, "desired.yaml"), "version: 1\nenvironment: away\nvms: []\n");
  chmodSync(join(at.folder, ANCHOR), 0o644);
  rmSync(join(at.folder, `${DATABASE}-saved-state`), { force: true });
  tamper(join(at.folder, DATABASE), "DELETE FROM lines WHERE seq = (SELECT max(seq) FROM lines)");
  assert.deepEqual(wrongIn(await examined(at)), [
    "desired desired-foreign",
    "ledger ledger-cut-short",
    "files file-open",
  ]);
});

test("a desired file that is not there is a fault where nobody could register one otherwise, and nowhere else", async (t) => {
  const said = async (more: string, isRegistered: boolean) => {
    const at = await serving(t, more);
    if (!isRegistered)
      for (const path of [DATABASE, ANCHOR]) rmSync(join(at.folder, path), { force: true, recursive: true });
    rmSync(join(at.folder, "desired.yaml"));
    const findings = await examined(at);
    return [codeOf(findings, "desired"), wrongIn(findings).filter((one) => one.startsWith("desired"))];
  };
  assert.deepEqual(await said("", true), ["desired-registered", []]);
  assert.deepEqual(await said("", false), ["desired-bad", ["desired file-unreadable"]]);
  assert.deepEqual(await said("service: {}\n", false), ["desired-awaited", []]);
});

test("without a usable key nothing of the ledger is told, and with it everything is", async (t) => {
  const at = await serving(t);
  rmSync(join(at.folder, KEY));
  const findings = await examined(at);
  assert.deepEqual(wrongIn(findings), ["signing-key key-unusable"]);
  assert.deepEqual([codeOf(findings, "unchecked"), codeOf(findings, "ledger")], ["no-key", undefined]);
});

test("a lost anchor is a finding at the files, and one that was begun anew is told with who did it", async (t) => {
  const at = await serving(t);
  rmSync(join(at.folder, ANCHOR));
  const lost = await examined(at);
  assert.deepEqual([wrongIn(lost), codeOf(lost, "ledger")], [["anchor anchor-absent"], "ledger-unanchored"]);
  ok(await at.ledger.reAnchor(OPERATOR, { reason: "its disk burnt" }));
  const again = (await examined(at)).find(({ check }) => check === "ledger");
  assert.equal(again?.code, "ledger-fits-again");
  assert.equal(again?.kind === "own" && again.reAnchored?.by, "alice");
});

test("an environment's provider is asked where there is somebody to ask; one that is not configured is a finding", async (t) => {
  const at = await serving(t);
  const home = (await examined(at, "home")).find(({ check }) => check === "provider");
  assert.deepEqual([home?.code, home?.refusals], ["provider-none", []]);
  const away = await examined(at, "away");
  assert.deepEqual(
    [codeOf(away, "provider"), wrongIn(away)],
    ["provider-unconfigured", ["provider environment-unknown"]],
  );
});

test("at the files a token that proves nobody is a finding, and through the service a refusal", async (t) => {
  const at = await serving(t);
  const [approver, auditor] = [await tokenOf(at, "approver"), await tokenOf(at, "auditor")];
  const known = (await at.ledger.examine(bearerAtFiles(approver), {})).findings;
  assert.deepEqual([codeOf(known, "caller"), wrongIn(known)], ["caller-known", []]);
  const nobody = (await at.ledger.examine(bearerAtFiles("dedalus_x"), {})).findings;
  assert.deepEqual([codeOf(nobody, "caller"), wrongIn(nobody)], ["caller-unknown", ["caller actor-unknown"]]);
  const service = at.open();
  assert.deepEqual(codes(await service.examine(bearer("dedalus_x"), {})), ["actor-unknown"]);
  assert.deepEqual(codes(await service.examine(bearer(approver), {})), ["role-missing"]);
  assert.deepEqual(wrongIn(ok(await service.examine(bearer(auditor), {})).value.findings), []);
});

test("a service that cannot open its ledger says why, and the installation is examined at its files", async (t) => {
  const at = await serving(t);
  rmSync(join(at.folder, KEY));
  assert.deepEqual(codes(await at.open().examine(OPERATOR, {})), ["key-unusable"]);
  assert.ok((await examined(at)).length > 0);
});
