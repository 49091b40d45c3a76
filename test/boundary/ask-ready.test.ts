// A health check asks the service of a configuration at its own address, and believes its own certificate alone.

import assert from "node:assert/strict";
import { createServer as createPlain, type RequestListener } from "node:http";
import { createServer as createSecure } from "node:https";
import { type AddressInfo, createServer as createSilent, type Server } from "node:net";
import { type TestContext, test } from "node:test";
import { askReady } from "../../src/boundary/ask-ready.ts";
import { makeCertificate } from "../../src/simulator/pve/certificate.ts";
import { atDoor } from "./at-door.ts";

const heard = async (t: TestContext, server: Server): Promise<string> => {
  await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume));
  t.after(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const answering =
  (status: number): RequestListener =>
  (_, reply) =>
    reply.writeHead(status).end("{}");

test("the door of a service that can serve is ready, and one that ends is not", async (t) => {
  const { isEnding, port } = await atDoor(t);
  const listen = `127.0.0.1:${port}`;
  assert.equal(await askReady({ listen }, 2_000), "ready");
  isEnding.yes = true;
  assert.equal(await askReady({ listen }, 2_000), "not-ready");
});

test("nobody who listens, somebody who says nothing and somebody who speaks otherwise are not reached", async (t) => {
  const gone = createPlain(answering(200));
  const listen = await heard(t, gone);
  await new Promise((resume) => gone.close(resume));
  assert.equal(await askReady({ listen }, 300), "unreachable");
  const silent = createSilent(() => undefined);
  assert.equal(await askReady({ listen: await heard(t, silent) }, 300), "unreachable");
  const babbling = createSilent((socket) => void socket.end("nonsense\n"));
  assert.equal(await askReady({ listen: await heard(t, babbling) }, 300), "unreachable");
});

test("with TLS its own certificate counts, whatever name that has, and no other", async (t) => {
  const [own, other] = [1, 2].map((seed) => makeCertificate({ node: "elsewhere", seed }));
  assert.ok(own !== undefined && other !== undefined);
  const listen = await heard(t, createSecure(own, answering(200)));
  const url = "https://dedalus.example";
  assert.equal(await askReady({ certificate: own.cert, listen, url }, 2_000), "ready");
  assert.equal(await askReady({ certificate: other.cert, listen, url }, 2_000), "unreachable");
  for (const certificate of ["no certificate", ""])
    assert.equal(await askReady({ certificate, listen, url }, 2_000), "certificate-malformed");
});
