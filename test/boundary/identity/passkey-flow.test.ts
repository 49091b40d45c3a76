// What the pages of passkeys answer, asked as their script asks: each challenge is of use once and for a while, and
// only a device that an invitation made known signs anybody in.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { freePort } from "../../../tools/servers/free-port.ts";
import { OPERATOR, ok, type Serving, serving } from "../../service/serving.ts";
import { openDoorWithPages } from "./at-sign-in.ts";
import { passkeyDevice } from "./passkey-device.ts";

type Replied = { readonly cookies: readonly string[]; readonly flaw?: string; readonly status: number };
type Options = { readonly challenge: string; readonly flow: string };
type AtPages = {
  readonly ask: (path: string, body: object) => Promise<Replied>;
  readonly options: (path: string, body?: object) => Promise<Options>;
  readonly origin: string;
  readonly secret: string;
  readonly served: Serving;
};

const atPages = async (t: TestContext): Promise<AtPages> => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const more = `service: { listen: "127.0.0.1:${port}", url: "${origin}" }\n`;
  const served = await serving(t, more, (ports) => ({ ...ports, serves: true }));
  const service = await openDoorWithPages(t, served, port, origin, () => undefined);
  const { link = "" } = ok(await service.invite(OPERATOR, { days: 1, name: "finn", roles: ["approver"] })).value;
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${origin}${path}`, {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", origin },
      method: "POST",
    });
  return {
    ask: async (path, body) => {
      const reply = await post(path, body);
      const { flaw } = (await reply.json()) as { readonly flaw?: string };
      const known = { cookies: reply.headers.getSetCookie(), status: reply.status };
      return flaw === undefined ? known : { ...known, flaw };
    },
    options: async (path, body = {}) => (await (await post(path, body)).json()) as Options,
    origin,
    secret: link.split("#")[1] ?? "",
    served,
  };
};

const FINN = passkeyDevice("ES256", "the credential of finn");
const redeemed = async ({ ask, options, origin, secret }: AtPages): Promise<void> => {
  const { challenge, flow } = await options("/invitation/options", { secret });
  const passkey = FINN.make({ challenge, origin });
  assert.equal((await ask("/invitation/redeem", { flow, passkey, secret })).status, 200);
};

test("what a device signed is taken once, and not by who saw it", async (t) => {
  const at = await atPages(t);
  await redeemed(at);
  const { challenge, flow } = await at.options("/sign-in/passkey/options");
  const body = { flow, used: FINN.use({ challenge, origin: at.origin }) };
  const first = await at.ask("/sign-in/passkey", body);
  assert.deepEqual([first.status, first.cookies.length], [200, 1]);
  const again = await at.ask("/sign-in/passkey", body);
  assert.deepEqual([again.status, again.flaw, again.cookies], [400, "over", []]);
});

test("a challenge that was asked for too long ago signs nobody in", async (t) => {
  const at = await atPages(t);
  await redeemed(at);
  const { challenge, flow } = await at.options("/sign-in/passkey/options");
  at.served.clock.aheadMs += 5 * 60_000;
  const late = await at.ask("/sign-in/passkey", { flow, used: FINN.use({ challenge, origin: at.origin }) });
  assert.deepEqual([late.status, late.flaw], [400, "over"]);
});

test("another device, another page, or a challenge of nobody's signs nobody in", async (t) => {
  const at = await atPages(t);
  await redeemed(at);
  const flawOf = async (use: (challenge: string) => object): Promise<string | undefined> => {
    const { challenge, flow } = await at.options("/sign-in/passkey/options");
    const reply = await at.ask("/sign-in/passkey", { flow, used: use(challenge) });
    assert.deepEqual(reply.cookies, []);
    return reply.flaw;
  };
  const { origin } = at;
  const stranger = passkeyDevice("ES256", "the credential of gwen");
  const twin = passkeyDevice("ES256", "the credential of finn");
  assert.equal(await flawOf((challenge) => stranger.use({ challenge, origin })), "unknown");
  assert.equal(await flawOf((challenge) => twin.use({ challenge, origin })), "signature");
  assert.equal(await flawOf((challenge) => FINN.use({ challenge, origin: "http://localhost:1" })), "origin");
  assert.equal(await flawOf(() => FINN.use({ challenge: "mine", origin })), "challenge");
  assert.equal(
    (await at.ask("/sign-in/passkey", { flow: "x", used: FINN.use({ challenge: "x", origin }) })).flaw,
    "over",
  );
});

test("an invitation is redeemed by its secret alone, and once", async (t) => {
  const at = await atPages(t);
  const guess = { secret: "a guess", token: true };
  assert.equal((await at.ask("/invitation/redeem", guess)).flaw, "invitation-unknown");
  assert.equal((await at.ask("/invitation/redeem", { secret: at.secret, token: true })).status, 200);
  assert.equal((await at.ask("/invitation/redeem", { secret: at.secret, token: true })).flaw, "invitation-unknown");
});
