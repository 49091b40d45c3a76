// A short run of the fuzzer at a real door, and proof that it can object.

import assert from "node:assert/strict";
import { test } from "node:test";
import { chanceFrom } from "../../tools/fuzz/chance.ts";
import { objectionToReply, sendFuzzed } from "../../tools/fuzz/http-objections.ts";
import { fuzzedRequest, type OpenApi } from "../../tools/fuzz/http-request.ts";
import { openapiText } from "../../tools/openapi/openapi.ts";
import { atDoor } from "./at-door.ts";

const DOCUMENT: OpenApi = JSON.parse(openapiText());
const SEED = 7;

test("nonsense over HTTP is refused as a problem, and the service lives on", async (t) => {
  const { failures, get, token, url } = await atDoor(t);
  const statuses = new Set<number>();
  for (let at = 0; at < 300; at += 1) {
    const request = fuzzedRequest(DOCUMENT, chanceFrom(SEED + at));
    const reply = await sendFuzzed(url, token, request);
    statuses.add(reply.status);
    assert.equal(objectionToReply(reply), undefined, `${JSON.stringify(request)}: ${reply.text.slice(0, 300)}`);
  }
  assert.deepEqual(failures, []);
  assert.ok(
    [200, 400, 404].every((status) => statuses.has(status)),
    [...statuses].join(),
  );
  assert.equal((await get("/v1/whoami")).status, 200);
});

test("the fuzzer objects to a bug, to a refusal without a problem, and to what tells of the inside", () => {
  const type = "application/problem+json";
  assert.match(objectionToReply({ status: 500, text: "{}", type }) ?? "", /500/);
  assert.match(objectionToReply({ status: 404, text: "no", type: "text/plain" }) ?? "", /text\/plain/);
  assert.match(objectionToReply({ status: 404, text: "{}", type }) ?? "", /without/);
  assert.match(objectionToReply({ status: 200, text: "at run (/x/door.ts:3:1)", type: "text/plain" }) ?? "", /inside/);
  assert.equal(objectionToReply({ status: 200, text: "{}", type: "application/json" }), undefined);
});
