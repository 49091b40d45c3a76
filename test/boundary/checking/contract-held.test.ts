// The contract with agents holds by every way to a service: in its process, over HTTP, by the service that the command
// line asks, and by the tools of agents. Without leave, nothing is applied, nobody is asked, and nothing stays open.

import assert from "node:assert/strict";
import { test } from "node:test";
import { atDoor } from "../at-door.ts";
import { approvedBy, byHosted, byHttp, byMcp, byRemote, checkDoors, clausesThat } from "./at-contract.ts";

const FULL = { isApplying: true, vm: "web-01", waitSeconds: 60 } as const;
/** What only the bytes of a door can show. */
const OF_BYTES = ["C1 not-at-this-door", "C3 not-at-this-door", "C4 not-at-this-door"];

const WAYS = {
  "by the tools of agents": { untried: ["C2 not-at-this-door", "C13 not-at-this-door"], way: byMcp },
  "by the service of the command line": { untried: OF_BYTES, way: byRemote },
  "in the process of the service": { untried: OF_BYTES, way: byHosted },
  "over HTTP": { untried: ["C3 not-at-this-door"], way: byHttp },
} as const;

for (const [name, { untried, way }] of Object.entries(WAYS))
  test(`every clause holds ${name} when a person approves meanwhile`, async (t) => {
    const at = await atDoor(t);
    const door = await way(at, await at.tokenFor("ci", ["agent"]));
    const checked = await checkDoors([door], { terms: FULL, waiting: (plan, step) => approvedBy(at, plan, step) });
    assert.deepEqual(clausesThat(checked, "broken"), [], JSON.stringify(checked));
    assert.deepEqual(clausesThat(checked, "not-tried"), untried);
    assert.equal(at.served.provider.counts.calls, 1);
  });

test("without leave nothing is applied, nobody is asked to approve, and no plan stays open", async (t) => {
  const at = await atDoor(t);
  const token = await at.tokenFor("ci", ["agent"]);
  const checked = await checkDoors([byHttp(at, token), byMcp(at, token)]);
  assert.deepEqual(clausesThat(checked, "broken"), []);
  const reasons = new Set(checked.flatMap(({ verdict }) => ("code" in verdict ? [verdict.code] : [])));
  assert.deepEqual([...reasons].toSorted(), ["apply-not-allowed", "not-at-this-door", "wait-not-given"]);
  const kinds = (await at.served.records()).map(({ kind }) => kind);
  for (const kind of ["apply", "request-approval", "intent"]) assert.ok(!kinds.includes(kind), kind);
  const { plans } = (await at.get("/v1/plans")).body as { readonly plans: readonly { readonly status: string }[] };
  assert.deepEqual(
    plans.map(({ status }) => status),
    ["canceled", "canceled"],
  );
});

test("where nobody approves, the request does not stay open", async (t) => {
  const at = await atDoor(t);
  const checked = await checkDoors([byHttp(at, await at.tokenFor("ci", ["agent"]))], {
    signal: AbortSignal.abort(),
    terms: { vm: "web-01", waitSeconds: 60 },
  });
  assert.deepEqual(clausesThat(checked, "broken"), []);
  assert.ok(clausesThat(checked, "not-tried").includes("C18 not-approved"));
  const { body } = await at.get("/v1/status");
  assert.deepEqual((body as { readonly waiting: unknown }).waiting, []);
  assert.equal(at.served.provider.counts.calls, 0);
});

test("by a person's token nothing is asked for that a person may decide", async (t) => {
  const at = await atDoor(t);
  const before = (await at.served.records()).length;
  const checked = await checkDoors([byHttp(at, at.token)], { terms: FULL });
  assert.deepEqual(clausesThat(checked, "broken"), ["C2 differs"]);
  assert.deepEqual(clausesThat(checked, "held"), ["C1", "C4", "C23", "C24"]);
  assert.equal((await at.served.records()).length, before);
});
