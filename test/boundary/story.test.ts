// A plan over HTTP, from the first read to the outcome: the same answers that the command line prints, with the
// head, the record and the key in headers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { misfitOf } from "../cli/answer-schema.ts";
import { atDoor, newKey, refusedWith } from "./at-door.ts";

type Planned = { readonly id: string };
type Explained = { readonly challenge: { readonly hash: string } };
type Applied = { readonly intent: string; readonly result?: { readonly outcome: string } };

test("a step is planned, read, applied and seen to succeed", async (t) => {
  const { get, post, served } = await atDoor(t);
  const who = await get("/v1/whoami");
  assert.equal(who.status, 200, who.text);
  assert.equal(misfitOf("whoami", who.body as object), undefined);

  const planned = await post("/v1/plans", { environment: "home", scope: "all" });
  assert.equal(planned.status, 201, planned.text);
  assert.equal(misfitOf("planned", planned.body as object), undefined);
  assert.match(planned.headers.get("etag") ?? "", /^"\d+-[0-9a-f]{64}"$/);
  assert.match(planned.headers.get("dedalus-record") ?? "", /^\d+$/);
  assert.match(planned.headers.get("dedalus-correlation-id") ?? "", /^[0-9A-Z]{26}$/);
  const { id } = planned.body as Planned;

  const shown = await get(`/v1/plans/${id}`);
  assert.equal(misfitOf("planShown", shown.body as object), undefined);
  const challenged = await post(`/v1/plans/${id}/steps/1/challenges`);
  assert.equal(misfitOf("explained", challenged.body as object), undefined);
  const { challenge } = challenged.body as Explained;

  const key = newKey();
  const confirmation = { explanation: challenge.hash };
  const applied = await post(
    `/v1/plans/${id}/steps/1/applies`,
    { confirmation },
    { headers: { prefer: "wait=30" }, key },
  );
  assert.equal(applied.status, 200, applied.text);
  assert.equal(misfitOf("applying", applied.body as object), undefined);
  assert.equal((applied.body as Applied).result?.outcome, "succeeded");
  assert.equal(served.provider.counts.calls, 1);

  const again = await post(`/v1/plans/${id}/steps/1/applies`, { confirmation }, { key });
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  assert.equal((again.body as Applied).intent, (applied.body as Applied).intent);
  assert.equal(served.provider.counts.calls, 1);

  const other = await post(`/v1/plans/${id}/steps/1/applies`, {}, { key });
  assert.deepEqual(refusedWith(other).slice(0, 2), [409, "key-reused"]);

  const intent = await get(`/v1/intents/${(applied.body as Applied).intent}`);
  assert.equal(misfitOf("intentShown", intent.body as object), undefined);
  const found = await get(`/v1/keys/${key}`);
  assert.equal(misfitOf("answeredKey", found.body as object), undefined);
  const uuid = "01a1ed86-338a-7566-841a-fdb6a09d64d3";
  const remark = await post("/v1/annotations", { text: "by a key in its other spelling" }, { key: uuid });
  const foundByUuid = await get(`/v1/keys/${uuid}`);
  assert.deepEqual(Object(foundByUuid.body).record.seq, Object(remark.body).seq, foundByUuid.text);
});

test("an apply answers with its intent as soon as that is durable, and whoever leaves ends nothing", async (t) => {
  const { get, post, served } = await atDoor(t);
  const { id } = (await post("/v1/plans", { scope: "all" })).body as Planned;
  const { challenge } = (await post(`/v1/plans/${id}/steps/1/challenges`)).body as Explained;
  const open = served.provider.verdict.close();
  const applied = await post(`/v1/plans/${id}/steps/1/applies`, { confirmation: { explanation: challenge.hash } });
  assert.equal(applied.status, 202, applied.text);
  const { intent } = applied.body as Applied;
  assert.equal(applied.headers.get("location"), `/v1/intents/${intent}`);
  assert.equal("end" in ((await get(`/v1/intents/${intent}`)).body as object), false);
  open();
  for (let ended = false; !ended; ) ended = "end" in ((await get(`/v1/intents/${intent}`)).body as object);
});

test("what was not recorded since is not sent again", async (t) => {
  const { get, post } = await atDoor(t);
  const first = await get("/v1/plans");
  const tag = first.headers.get("etag") ?? "";
  const second = await get("/v1/plans", { headers: { "if-none-match": tag } });
  assert.deepEqual([second.status, second.text], [304, ""]);
  await post("/v1/annotations", { text: "a remark" });
  assert.equal((await get("/v1/plans", { headers: { "if-none-match": tag } })).status, 200);
});
