// dedalus invite: the link is printed once, nothing of its secret is kept, and what nobody could redeem is refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { atDesk } from "./desk.ts";
import { codesIn, edit, withLedger } from "./ledger-desk.ts";

const SERVICE = "service: { url: http://localhost:7400 }\n";

test("an invitation prints its link once; the ledger shows who was invited, and no secret", async () => {
  await withLedger(0, async (dedalus, folder) => {
    edit(folder, "dedalus.yaml", (text) => text + SERVICE);
    const invited = await dedalus("invite", "bob", "--role", "approver,observer", "--expires", "2d");
    assert.equal(invited.code, 0, invited.err);
    assert.match(invited.out, /^invited bob \(roles: approver, observer in all environments\), expires in 2 d/);
    const [, secret = ""] = /^http:\/\/localhost:7400\/invitation#(\S{40,})$/m.exec(invited.out) ?? [];
    assert.notEqual(secret, "", invited.out);
    assert.match(invited.out, /started before service\.url was written, restart it/);
    const shown = await dedalus("ledger", "show", "--json");
    assert.ok(shown.out.includes('"subject":"bob"') && !shown.out.includes(secret));
  });
});

test("an invitation of a program, for too long, or of a service without an address is refused", async () => {
  await withLedger(0, async (dedalus, folder) => {
    const nowhere = await dedalus("invite", "bob", "--role", "approver", "--json");
    assert.deepEqual([nowhere.code, codesIn(nowhere)], [2, ["invitation-refused"]]);
    edit(folder, "dedalus.yaml", (text) => text + SERVICE);
    for (const [words, code] of [
      [["--role", "approver", "--expires", "8d"], 2],
      [["--role", "approver", "--expires", "soon"], 2],
      [["--role", "agent"], 3],
    ] as const) {
      const refused = await dedalus("invite", "bob", ...words, "--json");
      assert.deepEqual([refused.code, codesIn(refused)], [code, ["invitation-refused"]], words.join(" "));
    }
    assert.equal((await dedalus("invite", "bob", "--role", "boss")).code, 2);
  });
});

test("a role that is mistyped is told the nearest, of those that can be granted so", () =>
  atDesk({}, async (dedalus) => {
    assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
    const refused = async (...words: readonly string[]) => {
      const { code, out } = await dedalus(...words, "--json");
      assert.equal(code, 2, out);
      return JSON.parse(out).error.refusals[0];
    };
    const invited = await refused("invite", "bob", "--role", "aprover");
    assert.deepEqual([invited.cause, invited.facts.meant], ["not-a-role-meant", "approver"]);
    assert.deepEqual(invited.facts.roles, ["observer", "operator", "approver", "auditor"]);
    const made = await refused("token", "create", "--name", "ci", "--role", "agnet", "--expires", "7d");
    assert.deepEqual([made.cause, made.facts.meant], ["not-a-role-meant", "agent"]);
  }));
