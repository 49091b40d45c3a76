// dedalus people: who is invited or signs in is listed; people remove ends one of them by a record with a reason, and a
// name that nobody has is answered with a command that helps.

import assert from "node:assert/strict";
import { test } from "node:test";
import { codesIn, edit, withLedger } from "./ledger-desk.ts";

const SERVICE = "service: { url: http://localhost:7400 }\n";

test("who is invited is listed with their roles and inviter, and gone from the list once they are removed", async () => {
  await withLedger(0, async (dedalus, folder) => {
    edit(folder, "dedalus.yaml", (text) => text + SERVICE);
    assert.equal((await dedalus("invite", "bob", "--role", "approver", "--env", "home")).code, 0);
    const listed = await dedalus("people");
    assert.match(listed.out, /^NAME +SIGNS IN BY +ROLES +INVITED BY +LAST SIGN-IN +SESSIONS\n/);
    assert.match(listed.out, /^bob +invited, expires in \d+ d .*approver@home +\S+ +never +0$/m);
    const { people } = JSON.parse((await dedalus("people", "--json")).out) as { people: readonly { name: string }[] };
    assert.deepEqual(
      people.map(({ name }) => name),
      ["bob"],
    );
    const slip = await dedalus("people", "remove", "bbo", "--reason", "left the team");
    assert.match(slip.err, /Write bob, if that is meant[\s\S]*dedalus people/);
    const removed = await dedalus("people", "remove", "bob", "--reason", "left the team");
    assert.match(removed.out, /^removed bob; the invitation opens nothing any more\nrecord \d+\n/);
    const nobody = await dedalus("people");
    assert.match(nobody.out, /^nobody signed in or is invited\n.*dedalus token list/);
    const again = await dedalus("people", "remove", "bob", "--reason", "left the team", "--json");
    assert.deepEqual([again.code, codesIn(again)], [3, ["person-unknown"]]);
    const shown = await dedalus("ledger", "show", "--kind", "sign-out");
    assert.match(shown.out, /bob.*left the team/);
  });
});

test("whoever is known by a token is led to the command that ends it, and whoever is invited the other way", async () => {
  await withLedger(0, async (dedalus, folder) => {
    edit(folder, "dedalus.yaml", (text) => text + SERVICE);
    assert.equal((await dedalus("token", "create", "--name", "eve", "--role", "auditor", "--expires", "30d")).code, 0);
    assert.equal((await dedalus("invite", "bob", "--role", "approver")).code, 0);
    const removal = await dedalus("people", "remove", "eve", "--reason", "left the team");
    assert.match(removal.err, /dedalus token revoke --name eve/);
    const revocation = await dedalus("token", "revoke", "--name", "bob");
    assert.match(revocation.err, /dedalus people remove bob --reason/);
    const slip = await dedalus("token", "revoke", "--name", "vee");
    assert.match(slip.err, /Write eve, if that is meant[\s\S]*dedalus token list/);
  });
});

test("a program that observes has a token of its kind, whatever its role would make it", async () => {
  await withLedger(0, async (dedalus) => {
    const words = ["token", "create", "--name", "prometheus", "--role", "observer", "--expires", "30d"];
    const made = await dedalus(...words, "--kind", "agent");
    assert.match(made.out, /^token \w{10} for prometheus \(agent; roles: observer in all environments\)/);
    const wrong = await dedalus(...words, "--kind", "robot", "--json");
    assert.deepEqual([wrong.code, codesIn(wrong)], [2, ["usage"]]);
  });
});
