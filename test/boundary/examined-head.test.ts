// A head that a connection sends again is not examined again, and everything that hangs on more than the head is: who
// is proven by it, and what the next head on the same connection says.

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { OPERATOR, ok } from "../service/serving.ts";
import { atDoor } from "./at-door.ts";

/** Asks on one connection, one request after another, and gives the status of each. */
const connected = async (t: TestContext, port: number) => {
  const socket: Socket = connect(port, "127.0.0.1");
  t.after(() => socket.destroy());
  await once(socket, "connect");
  let held = "";
  socket.setEncoding("latin1");
  socket.on("data", (bytes) => {
    held += bytes;
  });
  const whole = (): string | undefined => {
    const end = held.indexOf("\r\n\r\n");
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(held)?.[1] ?? 0);
    return end < 0 || held.length < end + 4 + length ? undefined : held.slice(0, end + 4 + length);
  };
  return async (
    path: string,
    lines: readonly string[],
  ): Promise<{ readonly status: number; readonly text: string }> => {
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`);
    while (whole() === undefined) await once(socket, "data");
    const text = whole() ?? "";
    held = held.slice(text.length);
    return { status: Number(text.slice(9, 12)), text };
  };
};

test("the same head again is answered again, until what it shows proves nobody", async (t) => {
  const { port, served, tokenFor } = await atDoor(t);
  const token = await tokenFor("eve", ["observer"]);
  const ask = await connected(t, port);
  const head = [`host: 127.0.0.1:${port}`, `authorization: Bearer ${token}`];
  for (const path of ["/v1/plans", "/v1/plans", "/v1/whoami"]) assert.equal((await ask(path, head)).status, 200);
  ok(await served.open("one-request").revokeToken(OPERATOR, { name: "eve" }));
  let last = await ask("/v1/plans", head);
  for (let left = 200; left > 0 && last.status === 200; left -= 1) last = await ask("/v1/plans", head);
  assert.equal(last.status, 401);
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
