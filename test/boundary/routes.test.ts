// Every route, with the example that the OpenAPI file shows: each is answered as it is described, or refused by the
// rule that holds on this ledger, and every body fits its published schema.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pathsOf } from "../../src/boundary/contract/http-route.ts";
import { ROUTED, ROUTES, type RoutedOperation } from "../../src/boundary/contract/routes.ts";
import { BODY_EXAMPLES, EXAMPLE_HASH, EXAMPLE_PLAN, PARAMETER_EXAMPLES } from "../../tools/openapi/examples.ts";
import { misfitOf } from "../cli/answer-schema.ts";
import { misdescribed } from "./as-described.ts";
import { type AtDoor, atDoor, type Replied, refusedWith } from "./at-door.ts";

/** What stands in the way on a ledger as fresh as this, by its code; everything else is answered. */
const REFUSED: { readonly [K in RoutedOperation]?: string } = {
  acceptClock: "clock-not-ahead",
  acceptIdentity: "identity-not-changed",
  blob: "usage",
  ingest: "role-missing",
  intent: "intent-unknown",
  inventory: "inventory-unavailable",
  reconcile: "vm-not-blocked",
  revoke: "approval-unknown",
  signOut: "sign-in-refused",
};

type Filled = { readonly hash: string; readonly plan: string };

const filled = (text: string, { hash, plan }: Filled): string =>
  text.replaceAll(EXAMPLE_PLAN, plan).replaceAll(EXAMPLE_HASH, hash);

/** Each plan for itself: what one example decides is not in the way of another. */
const ready = async ({ post }: AtDoor): Promise<Filled> => {
  const made = await post("/v1/plans", { environment: "home", scope: "all" });
  const { id: plan } = made.body as { readonly id: string };
  const shown = await post(`/v1/plans/${plan}/steps/1/challenges`);
  const { challenge } = shown.body as { readonly challenge: { readonly hash: string } };
  return { hash: challenge.hash, plan };
};

/** Parameters of a query without which nothing can be asked. */
const NEEDED_QUERIES: { readonly [K in RoutedOperation]?: string } = {
  comparePlans: `?with=${EXAMPLE_PLAN}`,
  stateAfter: "?at=3",
};

const ask = async (door: AtDoor, operation: RoutedOperation, path: string, of: Filled): Promise<Replied> => {
  const url = filled(
    path.replaceAll(/\{([a-z]+)\}/g, (_, name: string) => PARAMETER_EXAMPLES[name] ?? ""),
    of,
  );
  if (ROUTES[operation].method === "GET") return door.get(`${url}${filled(NEEDED_QUERIES[operation] ?? "", of)}`);
  return door.post(url, filled(JSON.stringify(BODY_EXAMPLES[operation] ?? {}), of));
};

const SERVED = "service: { url: http://localhost:7400 }\n";

test("every example of the OpenAPI file is answered as it is described, or refused by a rule", async (t) => {
  const reading = await atDoor(t);
  let asked = 0;
  for (const operation of ROUTED) {
    for (const path of pathsOf(ROUTES[operation])) {
      const door = ROUTES[operation].method === "GET" ? reading : await atDoor(t, { more: SERVED });
      const token = await door.tokenFor(`ada${asked}`, ["operator", "approver", "auditor"]);
      asked += 1;
      if (operation === "rotateToken" || operation === "revokeToken") await door.tokenFor("ci", ["agent"]);
      const of = await ready(door);
      if (operation === "unfreeze") await door.post("/v1/freezes", { environment: "home", reason: "incident" });
      const reply = await ask(
        {
          ...door,
          get: (p) => door.get(p, { token }),
          post: (p, b) => door.post(p, b, { token: operation === "apply" ? door.token : token }),
        },
        operation,
        path,
        of,
      );
      const { answer, status } = ROUTES[operation];
      const refused = REFUSED[operation];
      if (refused === undefined) {
        assert.equal(reply.status, status, `${operation} ${path}: ${reply.text.slice(0, 400)}`);
        if (answer !== "blob" && answer !== "ndjson")
          assert.equal(misfitOf(answer, reply.body as object), undefined, operation);
      } else {
        assert.equal(refusedWith(reply)[1], refused, `${operation} ${path}: ${reply.text.slice(0, 400)}`);
      }
      assert.deepEqual(misdescribed(ROUTES[operation].method, path, reply), [], `${operation} ${path}`);
    }
  }
});

test("what is ingested is answered, by a sensor", async (t) => {
  const { post, tokenFor } = await atDoor(t);
  const token = await tokenFor("probe", ["sensor"]);
  const reply = await post("/v1/telemetry", filled(JSON.stringify(BODY_EXAMPLES.ingest), { hash: "", plan: "" }), {
    token,
  });
  assert.equal(reply.status, 201, reply.text);
  assert.equal(misfitOf("ingested", reply.body as object), undefined);
});

test("what is asked of the door itself is answered", async (t) => {
  const { get, isEnding, post, token } = await atDoor(t);
  const alive = await get("/healthz", { token: null });
  assert.deepEqual([alive.body, misdescribed("GET", "/healthz", alive)], [{ alive: true }, []]);
  const ready = await get("/readyz", { token: null });
  assert.deepEqual([ready.status, misdescribed("GET", "/readyz", ready)], [200, []]);
  assert.deepEqual((ready.body as { readonly approvalModes: object }).approvalModes, { "single-operator": 1 });
  const record = await get("/v1/records/0", { token });
  assert.equal((record.body as { readonly seq: number }).seq, 0);
  assert.deepEqual(misdescribed("GET", "/v1/records/{seq}", record), []);
  assert.deepEqual(refusedWith(await get("/v1/records/9999")), [404, "usage", "record-unknown"]);
  isEnding.yes = true;
  const ending = await get("/readyz", { token: null });
  assert.deepEqual(refusedWith(ending), [503, "service-ending", ""]);
  const { domain, outcome } = ending.body as { readonly domain: string; readonly outcome: string };
  assert.deepEqual([domain, outcome], ["transport", "not_executed"]);
  assert.deepEqual(refusedWith(await post("/v1/freezes", { reason: "x" })), [503, "service-ending", ""]);
  assert.equal((await get("/v1/plans")).status, 200, "what is read is read");
});

test("records come in pages, and each names the next", async (t) => {
  const { get, post } = await atDoor(t);
  for (let time = 0; time < 3; time += 1) await post("/v1/annotations", { text: `remark ${time}` });
  type Page = { readonly records: readonly { readonly seq: number }[] };
  const seqs: number[] = [];
  for (let next: string | undefined = "/v1/records?limit=2"; next !== undefined; ) {
    const page: Replied = await get(next);
    const { records } = page.body as Page;
    assert.ok(records.length <= 2);
    seqs.push(...records.map(({ seq }) => seq));
    next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
  }
  assert.deepEqual(
    seqs,
    seqs.map((_, at) => at),
  );
  assert.ok(seqs.length >= 5);
});

test("an export has a key first and an end last", async (t) => {
  const { get, tokenFor } = await atDoor(t);
  const { status, text } = await get("/v1/export", { token: await tokenFor("ada", ["auditor"]) });
  assert.equal(status, 200);
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly kind: string });
  assert.deepEqual([lines[0]?.kind, lines.at(-1)?.kind], ["key", "end"]);
  assert.ok(lines.some(({ kind }) => kind === "bytes"));
});

test("a read waits for a record that it must include, and says so where it does not come", async (t) => {
  const { get, post } = await atDoor(t);
  const { headers } = await post("/v1/annotations", { text: "a remark" });
  assert.equal((await get(`/v1/status?at-least=${headers.get("dedalus-record")}`)).status, 200);
  assert.deepEqual(refusedWith(await get("/v1/status?at-least=100000")).slice(0, 2), [503, "ledger-behind"]);
});
