// What somebody who may not ask is told, whole: as whom they came and by which token, what they asked for and what they
// may do; and what is wrong with a name, a token or a lift of a freeze.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bearerOf, readerRefusal } from "../../src/kernel/decide/actors.ts";
import { nameRefusal } from "../../src/kernel/decide/token-acts.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { DAY_MS } from "../../src/kernel/state/spans.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { later } from "../../src/spine/values/instant.ts";
import { readerOf } from "./granted.ts";
import {
  ALICE,
  type Ask,
  BOB,
  explanationHash,
  freshToken,
  planned,
  ROBO,
  refusalsOf,
  story,
  tokenOf,
  tokenRequest,
} from "./story.ts";

const SERVICE: Ask = { door: "service" };

test("whoever is not known is told as whom they came, and by which token if they showed one", () => {
  const told = story();
  const noted = (by: Actor, asking: Ask = {}) =>
    refusalsOf(told.ask({ kind: "annotate", text: "seen" }, { by, ...SERVICE, ...asking }));
  const facts = { actor: "bob", kind: "person" };
  assert.deepEqual(noted(BOB, { token: undefined }), [refuse("actor-unknown", { cause: "actor", facts })]);
  const token = tokenOf(told, "robo");
  assert.deepEqual(noted(BOB, { token }), [refuse("actor-unknown", { cause: "actor", facts: { ...facts, token } })]);
  assert.deepEqual(noted(BOB), []);
  // Whoever shows a token is judged by it, also at the ledger's own files.
  assert.deepEqual(noted(ALICE, { door: "local", token }), [
    refuse("actor-unknown", { cause: "actor", facts: { actor: "alice", kind: "person", token } }),
  ]);
  assert.deepEqual(noted(ALICE, { door: "local" }), []);
});

test("the operator at the ledger's own files has every role of a person, and is known by all of them", () => {
  const roles = ["approver", "auditor", "observer", "operator"];
  const noted = (shown: readonly string[]) => {
    const facts = { actor: "alice", kind: "person" };
    const by: Actor = { id: "alice", kind: "person", roles: shown };
    const refusals = refusalsOf(story().ask({ kind: "annotate", text: "seen" }, { by }));
    if (refusals.length > 0) assert.deepEqual(refusals, [refuse("actor-unknown", { cause: "actor", facts })]);
    return refusals.length === 0;
  };
  assert.ok(noted(roles));
  assert.ok(noted(roles.toReversed()));
  for (const role of roles) assert.ok(!noted(roles.filter((one) => one !== role)), role);
  assert.ok(!noted([...roles, "agent"]));
});

test("a token that has ended is told with its end, at a command as at a door", () => {
  const told = story();
  const { expiresAt, hash, token } = get(told.state().subjects, "bob") ?? assert.fail("bob has a token");
  const over = refuse("token-expired", { cause: "token", facts: { actor: "bob", expiresAt, token } });
  assert.deepEqual(bearerOf(told.state(), hash, expiresAt, "local"), over);
  assert.deepEqual(
    bearerOf(told.state(), sha256("x"), expiresAt, "local"),
    refuse("actor-unknown", { cause: "token" }),
  );
  told.pass(30 * DAY_MS);
  assert.deepEqual(refusalsOf(told.ask({ kind: "annotate", text: "seen" }, { by: BOB, ...SERVICE })), [over]);
});

test("an agent that decides, and whoever lacks the role, are told what they asked for", () => {
  const told = story();
  const { of } = planned(told);
  const explanation = explanationHash(told, of);
  const approved = told.ask({ explanation, kind: "approve", of, reason: "agreed" }, { by: ROBO, ...SERVICE });
  assert.deepEqual(refusalsOf(approved), [
    refuse("agent-decides", { cause: "asked", facts: { actor: "robo", asked: "approve" } }),
  ]);
  const frozen = told.ask({ kind: "freeze", reason: "incident" }, { by: BOB, ...SERVICE });
  const facts = { actor: "bob", asked: "freeze", roles: ["approver"] };
  assert.deepEqual(refusalsOf(frozen), [refuse("role-missing", { cause: "others", facts })]);
});

test("whoever may not read something is told what, and what they may do instead", () => {
  const bare: Actor = { ...BOB, roles: [] };
  assert.deepEqual(
    readerRefusal(readerOf(bare), "account"),
    refuse("role-missing", { cause: "none", facts: { actor: "bob", asked: "account" } }),
  );
  assert.deepEqual(
    readerRefusal(readerOf(BOB), "drift"),
    refuse("role-missing", { cause: "others", facts: { actor: "bob", asked: "drift", roles: ["approver"] } }),
  );
  assert.equal(readerRefusal(readerOf(BOB), "account"), undefined);
});

/** Who reads what, one role at a time; "agent" is an agent, everybody else a person. */
const READERS = {
  account: ["agent", "approver", "auditor", "observer", "operator"],
  drift: ["agent", "observer", "operator"],
  export: ["auditor", "operator"],
  installation: ["auditor", "operator"],
  inventory: ["operator"],
  proof: ["auditor", "operator"],
  records: ["auditor", "operator"],
  tokens: ["auditor", "operator"],
} as const;
test("each thing that can be read is for the roles that the table gives it, and for nobody else", () => {
  for (const [readable, roles] of Object.entries(READERS)) {
    const may = READERS.account.filter((role) => {
      const actor: Actor = { id: "eve", kind: role === "agent" ? "agent" : "person", roles: [role] };
      return readerRefusal(readerOf(actor), readable as keyof typeof READERS) === undefined;
    });
    assert.deepEqual(may, roles, readable);
  }
});

test("a name that is reserved is told apart from one that is not formed as names are", () => {
  for (const name of ["anonymous", "dedalus", "nobody", "unknown"])
    assert.deepEqual(nameRefusal(name), refuse("subject-name", { cause: "reserved", facts: { name } }));
  for (const name of ["Erin", "", "dedalus "])
    assert.deepEqual(nameRefusal(name), refuse("subject-name", { cause: "form", facts: { name } }));
  assert.equal(nameRefusal("erin"), undefined);
});

test("a token that is not made is told for whom, and why", () => {
  const told = story();
  const made = (id: string, more: object = {}) =>
    refusalsOf(told.ask({ ...tokenRequest(told, { id, kind: "person", roles: ["observer"] }), ...more }));
  assert.deepEqual(made("alice"), [refuse("subject-name", { cause: "operator", facts: { operator: "alice" } })]);
  assert.deepEqual(made("bob"), [refuse("token-known", { cause: "subject", facts: { subject: "bob" } })]);
  const token = tokenOf(told, "bob");
  assert.deepEqual(made("erin", { token }), [refuse("token-known", { cause: "in-use", facts: { token } })]);
  const at = told.now();
  const expiresAt = later(at, 365 * DAY_MS + 1);
  assert.deepEqual(made("erin", { expiresAt, token: "0123456789" }), [
    refuse("token-end", { cause: "end", facts: { at, expiresAt, token: "0123456789" } }),
  ]);
  assert.deepEqual(made("erin", { token: "0123456789" }), []);
});

test("a token that is not there is told by its id, or by whose it would be", () => {
  const told = story();
  const token = "t999999999";
  assert.deepEqual(refusalsOf(told.ask({ act: "revoke", kind: "token", token })), [
    refuse("token-unknown", { cause: "id", facts: { token } }),
  ]);
  const fresh = freshToken(told.now(), 99);
  assert.deepEqual(refusalsOf(told.ask({ act: "rotate", ...fresh, kind: "token", subject: "erin" })), [
    refuse("token-unknown", { cause: "subject", facts: { subject: "erin" } }),
  ]);
});

test("roles that a program may not have are told with all that were asked for", () => {
  const told = story();
  const made = (kind: "agent" | "person", ...roles: Parameters<typeof tokenRequest>[1]["roles"]) =>
    refusalsOf(told.ask(tokenRequest(told, { id: `eve${told.records.length}`, kind, roles })));
  assert.deepEqual(made("agent", "agent", "approver"), [
    refuse("agent-decides", { cause: "roles", facts: { roles: ["agent", "approver"] } }),
  ]);
  for (const kind of ["agent", "person"] as const)
    assert.deepEqual(made(kind, "sensor", "observer"), [
      refuse("sensor-alone", { cause: kind, facts: { roles: ["observer", "sensor"] } }),
    ]);
  assert.deepEqual(made("person", "sensor"), [
    refuse("sensor-alone", { cause: "person", facts: { roles: ["sensor"] } }),
  ]);
  for (const roles of [["agent", "observer"], ["sensor"], []] as const) assert.deepEqual(made("agent", ...roles), []);
  assert.deepEqual(made("person", "approver", "operator"), []);
});

test("a freeze that is not there is told for everything, or for the environment", () => {
  const told = story();
  const lifted = (asking: Ask) => refusalsOf(told.ask({ kind: "unfreeze", reason: "over" }, asking));
  const environment = "home";
  assert.deepEqual(lifted({ everywhere: true }), [refuse("freeze-absent", { cause: "everything" })]);
  assert.deepEqual(lifted({ environment }), [
    refuse("freeze-absent", { cause: "environment", facts: { environment } }),
  ]);
  // Whether it is configured is not asked: what was frozen can be lifted after its section is gone.
  assert.deepEqual(lifted({ environment: "nowhere" }), [
    refuse("freeze-absent", { cause: "environment", facts: { environment: "nowhere" } }),
  ]);
  told.ask({ kind: "freeze", reason: "incident" }, { environment });
  assert.deepEqual(lifted({ everywhere: true }), [refuse("freeze-absent", { cause: "everything" })]);
  assert.deepEqual(lifted({ environment }), []);
});
