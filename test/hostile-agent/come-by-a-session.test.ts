// An agent that comes by the session of a person who signed in: the real cookie of a real sign-in, with the word that
// only our own pages know.

import assert from "node:assert/strict";
import { after, before, suite } from "node:test";
import type { Replied } from "../boundary/at-door.ts";
import { type AtSignIn, atSignIn } from "../boundary/identity/at-sign-in.ts";
import { headersOf, messageOf } from "../boundary/mcp/agents.ts";
import { cannot, type Objection } from "../cannot.ts";
import { refusedIn } from "./hostile.ts";

const PEOPLE = { "u-1": { groups: ["sre"], name: "ada" } };

type SignedIn = { readonly at: AtSignIn; readonly cookie: string; readonly csrf: string };
type Shown = { readonly csrf?: string; readonly cookie: string };

suite("an agent that comes by a session", () => {
  const ends: (() => Promise<void>)[] = [];
  let signedIn: SignedIn | undefined;
  before(async () => {
    const at = await atSignIn({ after: (work) => void ends.unshift(work) }, PEOPLE);
    const jar = at.newJar();
    const { body } = await jar.get(await at.signIn(jar, "u-1"));
    const [, csrf = assert.fail(body)] = /name="csrf" value="([^"]*)"/.exec(body) ?? [];
    signedIn = { at, cookie: jar.cookies(at.origin), csrf };
  });
  after(async () => {
    for (const end of ends) await end();
  });
  const ground = (): SignedIn => signedIn ?? assert.fail("somebody has signed in");

  const ask = async (path: string, { cookie, csrf }: Shown, message?: object): Promise<Replied> => {
    const reply = await fetch(`${ground().at.origin}${path}`, {
      ...(message === undefined ? {} : { body: JSON.stringify(message), method: "POST" }),
      headers: {
        ...(message === undefined ? {} : { ...headersOf({ ...message }), "content-type": "application/json" }),
        cookie,
        ...(csrf === undefined ? {} : { "dedalus-csrf": csrf }),
      },
    });
    const text = await reply.text();
    const body = JSON.parse(text);
    return { body, headers: reply.headers, problem: body, status: reply.status, text };
  };
  /** The same person, where people are asked for. */
  const asked = async (): Promise<readonly Objection[]> => refusedIn(await ask("/v1/whoami", ground()));

  const refused = async (shown: Shown, method: string, params: object, code: string): Promise<readonly Objection[]> => {
    const before = (await ground().at.served.records()).length;
    const refusals = refusedIn(await ask("/mcp", shown, messageOf(method, { ...params })));
    assert.equal(refusals[0]?.code, code, JSON.stringify(refusals));
    assert.equal((await ground().at.served.records()).length, before, "nothing is recorded");
    return refusals;
  };
  for (const [what, params] of [
    ["tools/list", {}],
    ["tools/call", { arguments: {}, name: "list_environments" }],
    ["tools/call", { arguments: { environment: "home" }, name: "observe" }],
    ["resources/read", { uri: "dedalus://rules" }],
  ] as const) {
    cannot("B2", `ask for ${what} ${JSON.stringify(params)} at the agents' door by the session of a person`, {
      neighbour: asked,
      offence: () => refused(ground(), what, params, "agents-only"),
    });
  }
  cannot("P7-F1", "use the cookie of a person without the word of their page", {
    neighbour: asked,
    offence: () => refused({ cookie: ground().cookie }, "tools/list", {}, "request-unfit"),
  });
});
