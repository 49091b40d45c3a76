// dedalus policy check: what it says of a policy, and of a file that is none, with its exit codes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePolicy } from "../../src/formats/policy-yaml.ts";
import { policyDigest } from "../../src/spine/plan/policy.ts";
import { cannot } from "../cannot.ts";
import { atDesk } from "./desk.ts";

const GOOD = `version: 1
tighten:
  - { action: vm.stop, to: refused }
  - { action: vm.shutdown, for: agent, to: high }
  - for: agent
    only: { days: [mon, fri], hours: [08:00-12:00, 13:00-18:00] }
    perHour: 4
`;

test("policy check says what a policy asks, a line each, in words and as data", async () => {
  await atDesk({ "empty.yaml": "version: 1\ntighten: []\n", "policy.yaml": GOOD }, async (dedalus) => {
    const { code, out } = await dedalus("policy", "check", "policy.yaml");
    assert.equal(code, 0);
    assert.deepEqual(out.trimEnd().split("\n"), [
      "every action for agent only mon fri 08:00-12:00 13:00-18:00 UTC at most 4 an hour",
      "shutdown high for agent",
      "stop refused",
    ]);
    const parsed = parsePolicy(GOOD, "policy.yaml");
    assert.ok(parsed.kind === "ok");
    const { policyDigest: digest, tighten } = JSON.parse(
      (await dedalus("policy", "check", "policy.yaml", "--json")).out,
    );
    assert.deepEqual([digest, tighten], [policyDigest(parsed.value), parsed.value.tighten]);
    assert.match((await dedalus("policy", "check", "empty.yaml")).out, /it tightens nothing/);
  });
});

const checked = async (text: string) => {
  let objections: readonly { readonly rule: string }[] = [];
  await atDesk({ "policy.yaml": text }, async (dedalus) => {
    const { code, out } = await dedalus("policy", "check", "policy.yaml", "--json");
    const { error } = JSON.parse(out);
    assert.equal(code, error === undefined ? 0 : 2);
    objections = error?.refusals ?? [];
  });
  return objections;
};
cannot("P7-A3", "pass a policy that loosens as one that could be used", {
  neighbour: () => checked("version: 1\ntighten: [{ action: vm.stop, to: high }]\n"),
  offence: () => checked("version: 1\ntighten: [{ action: vm.stop, to: low }]\n"),
});

test("a file that is not there, or none at all, is a usage error or a bad file", async () => {
  await atDesk({}, async (dedalus) => {
    assert.equal((await dedalus("policy", "check", "absent.yaml")).code, 2);
    assert.equal((await dedalus("policy", "check")).code, 2);
  });
});
