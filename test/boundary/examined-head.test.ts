// A head that a connection sends again is not examined again, and everything that hangs on more than the head is: who
// is proven by it, and what the next head on the same connection says.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../service/bound.ts";
import { OPERATOR, ok } from "../service/serving.ts";
import { atDoor } from "./at-door.ts";
import { connected } from "./one-connection.ts";

test("the same head again is answered again, until what it shows proves nobody", async (t) => {
  const { port, served, tokenFor } = await atDoor(t);
  const token = await tokenFor("eve", ["observer"]);
  const ask = await connected(t, port);
  const head = [`host: 127.0.0.1:${port}`, `authorization: Bearer ${token}`];
  for (const path of ["/v1/plans", "/v1/plans", "/v1/whoami"]) assert.equal((await ask(path, head)).status, 200);
  ok(await served.open("one-request").revokeToken(OPERATOR, { name: "eve" }));
  let last = 200;
  await until("the end of what is remembered of the token", async () => {
    last = (await ask("/v1/plans", head)).status;
    return last !== 200;
  });
  assert.equal(last, 401);
  assert.equal((await ask("/v1/plans", head)).status, 401);
});

test("another head on the same connection is examined by itself", async (t) => {
  const { port, tokenFor } = await atDoor(t);
  const [eve, ada] = [await tokenFor("eve", ["observer"]), await tokenFor("ada", ["observer"])];
  const ask = await connected(t, port);
  const host = `host: 127.0.0.1:${port}`;
  const whoami = async (token: string): Promise<string> => {
    const { text } = await ask("/v1/whoami", [host, `authorization: Bearer ${token}`]);
    return /"id":"([a-z]+)"/.exec(text)?.[1] ?? text;
  };
  assert.deepEqual(
    [await whoami(eve), await whoami(eve), await whoami(ada), await whoami(eve)],
    ["eve", "eve", "ada", "eve"],
  );
  const bearer = `authorization: Bearer ${eve}`;
  for (const [lines, status] of [
    [["host: evil.example", bearer], 421],
    [["host: evil.example", bearer], 421],
    [[host, bearer, bearer], 400],
    [[host, bearer, "origin: https://evil.example"], 403],
    [[host], 401],
    [[host, bearer], 200],
  ] as const)
    assert.equal((await ask("/v1/whoami", lines)).status, status, lines.join());
});

test("a target that names another host is for somebody else, whatever the header says", async (t) => {
  const { port, token } = await atDoor(t);
  const ask = await connected(t, port);
  const head = [`host: 127.0.0.1:${port}`, `authorization: Bearer ${token}`];
  for (const target of ["http://evil.example/v1/whoami", "https://evil.example:7400/v1/whoami"])
    assert.equal((await ask(target, head)).status, 421, target);
  assert.equal((await ask(`http://127.0.0.1:${port}/v1/whoami`, head)).status, 200);
  assert.equal((await ask("/v1/whoami", head)).status, 200);
});
