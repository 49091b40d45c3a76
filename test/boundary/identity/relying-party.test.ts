// The relying party against a real provider: who came back, and everything that signs nobody in.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { type RelyingParty, relyingPartyOf } from "../../../src/boundary/identity/relying-party.ts";
import {
  CLIENT,
  type OpenIdProvider,
  type People,
  startOpenIdProvider,
} from "../../../tools/servers/openid-provider.ts";
import { cookieJar, signInAt } from "./cookie-jar.ts";

const CALLBACK = "http://127.0.0.1:7400/sign-in/callback";
const isBack = (url: URL): boolean => url.href.startsWith(CALLBACK);

const PEOPLE: People = { "u-1": { groups: ["sre", "sre", "auditors"], name: "Ada.L" }, "u-2": {} };

const partyAt = ({ issuer }: Pick<OpenIdProvider, "issuer">, clientSecret: string = CLIENT.secret): RelyingParty =>
  relyingPartyOf({
    clientId: CLIENT.id,
    clientSecret,
    groupsClaim: "groups",
    issuer,
    nameClaim: "preferred_username",
    redirectUri: CALLBACK,
  });

const atProvider = async (work: (provider: OpenIdProvider) => Promise<void>): Promise<void> => {
  const provider = await startOpenIdProvider(PEOPLE, [CALLBACK]);
  try {
    await work(provider);
  } finally {
    await provider.close();
  }
};

const begun = async (party: RelyingParty) => {
  const beginning = await party.begin();
  if (typeof beginning === "string") throw new Error(`the provider said ${beginning}`);
  return beginning;
};

test("who signs in is issuer and sub, with groups once each and a name for display", async () => {
  await atProvider(async (provider) => {
    const party = partyAt(provider);
    const { kept, url } = await begun(party);
    const back = await signInAt(cookieJar(), url, "u-1", isBack);
    assert.deepEqual(await party.finish(new URL(back), kept), {
      groups: ["auditors", "sre"],
      issuer: provider.issuer,
      name: "Ada.L",
      sub: "u-1",
    });
  });
});

test("somebody without groups and name is known by sub alone", async () => {
  await atProvider(async (provider) => {
    const party = partyAt(provider);
    const { kept, url } = await begun(party);
    const back = await signInAt(cookieJar(), url, "u-2", isBack);
    assert.deepEqual(await party.finish(new URL(back), kept), { groups: [], issuer: provider.issuer, sub: "u-2" });
  });
});

test("a code is of use to nobody else, not twice, and not under another state, nonce or verifier", async () => {
  await atProvider(async (provider) => {
    const party = partyAt(provider);
    const [mine, other] = [await begun(party), await begun(party)];
    const back = new URL(await signInAt(cookieJar(), mine.url, "u-1", isBack));
    const mixed = [other.kept, { ...mine.kept, state: other.kept.state }];
    for (const kept of mixed) assert.equal(await party.finish(back, kept), "answer");
    assert.equal(await party.finish(back, { ...mine.kept, verifier: other.kept.verifier }), "answer");
    const second = await begun(party);
    const again = new URL(await signInAt(cookieJar(), second.url, "u-1", isBack));
    assert.equal(await party.finish(again, { ...second.kept, nonce: other.kept.nonce }), "answer");
    const third = await begun(party);
    const used = new URL(await signInAt(cookieJar(), third.url, "u-1", isBack));
    assert.equal(typeof (await party.finish(used, third.kept)), "object");
    assert.equal(await party.finish(used, third.kept), "answer");
  });
});

test("whoever declines at the provider is not signed in", async () => {
  await atProvider(async (provider) => {
    const party = partyAt(provider);
    const { kept } = await begun(party);
    const declined = new URL(`${CALLBACK}?error=access_denied&state=${kept.state}&iss=${provider.issuer}`);
    assert.equal(await party.finish(declined, kept), "declined");
  });
});

test("a client with another secret is told that the answer is of no use", async () => {
  await atProvider(async (provider) => {
    const party = partyAt(provider, "another secret");
    const { kept, url } = await begun(party);
    const back = await signInAt(cookieJar(), url, "u-1", isBack);
    assert.equal(await party.finish(new URL(back), kept), "answer");
  });
});

/** A server of which the tests need only the address, and what it says of itself. */
const atServer = async (port: number, page: (origin: string) => string, work: (origin: string) => Promise<void>) => {
  let origin = "";
  const server = createServer((_, response) =>
    response.setHeader("content-type", "application/json").end(page(origin)),
  );
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await work(origin);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
};

test("a provider that is not there is unreachable, and is asked again by the next who signs in", async () => {
  let issuer = "";
  await atServer(
    0,
    () => "",
    async (origin) => {
      issuer = origin;
    },
  );
  const party = partyAt({ issuer });
  assert.equal(await party.begin(), "unreachable");
  const metadata = (origin: string): string =>
    JSON.stringify({ authorization_endpoint: `${origin}/auth`, issuer: origin, token_endpoint: `${origin}/token` });
  await atServer(Number(new URL(issuer).port), metadata, async () => {
    const { url } = await begun(party);
    assert.equal(new URL(url).pathname, "/auth");
  });
});

test("what is no provider gives an answer of no use", async () => {
  await atServer(
    0,
    () => "<html>",
    async (origin) => {
      assert.equal(await partyAt({ issuer: origin }).begin(), "answer");
    },
  );
});
