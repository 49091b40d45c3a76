// Who asked for a step or approved it and was invited is named with who invited them, to everybody who reads it after
// them; it decides nothing, and no hash knows of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedConfig } from "../../src/kernel/command/recorded-config.ts";
import type { RequestOf } from "../../src/kernel/command/request.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { explanationOf } from "../../src/kernel/decide/agree.ts";
import { invitedParties } from "../../src/kernel/decide/invited-parties.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { InvitedParty } from "../../src/spine/model.ts";
import { later } from "../../src/spine/values/instant.ts";
import { state as vmState, wantStopped } from "../spine/world.ts";
import { by, HOUR, invitation, passkeyOf, redemption, serve, servedConfigOf, signIn, someone } from "./signing-in.ts";
import {
  ALICE,
  type Ask,
  approve,
  BOB,
  CAROL,
  codesOf,
  configOf,
  DAN,
  freshToken,
  planned,
  type Story,
  story,
} from "./story.ts";

const SERVED: RecordedConfig = { ...configOf("four-eyes"), service: { sessions: { hours: 12, idleMinutes: 30 } } };
const SERVING: Ask = { config: SERVED, door: "service", everywhere: true };
/** She is the operator of the ledger's own files; everybody else comes to the service. */
const AT_FILES: Ask = { by: ALICE, config: SERVED, everywhere: true };
const STOP = { entries: [wantStopped("power-off")], vms: [vmState()] };

const begun = (): Story => {
  const told = story("four-eyes");
  serve(told, SERVED);
  return told;
};

/** Somebody whom `inviter` invites, signed in by a passkey of their own. */
const invite = (told: Story, name: string, inviter: Actor, role: "approver" | "operator"): Actor => {
  const grants: RequestOf<"invite">["grants"] = [{ environments: "all", roles: [role] }];
  const asking = inviter === ALICE ? AT_FILES : { ...SERVING, by: inviter };
  assert.deepEqual(codesOf(told.ask(invitation(told, name, { grants }), asking)), []);
  assert.deepEqual(codesOf(told.ask(redemption(name), { ...SERVING, by: KERNEL_ACTOR })), []);
  const session = { ...freshToken(told.now(), told.records.length), expiresAt: later(told.now(), HOUR) };
  const known = { credential: passkeyOf(name).credential, kind: "passkey" } as const;
  const signing = { by: known, kind: "sign-in", session, subject: name } as const;
  assert.deepEqual(codesOf(told.ask(signing, { ...SERVING, by: KERNEL_ACTOR })), []);
  return someone(name, role);
};

const partiesOf = (told: Story, of: RequestOf<"approve">["of"]): readonly InvitedParty[] =>
  invitedParties(told.state(), recall(told.state().plans, of.plan) ?? assert.fail("the plan is known"), of.step);

test("whoever asked and whoever approved is named with their inviter, each once", () => {
  const told = begun();
  const finn = invite(told, "finn", CAROL, "operator");
  const gwen = invite(told, "gwen", ALICE, "approver");
  const { of } = planned(told, { ...STOP, ...SERVING, by: finn });
  const asked = { invitedBy: "carol", name: "finn", party: "requester" };
  assert.deepEqual(partiesOf(told, of), [asked]);
  const plan = () => recall(told.state().plans, of.plan) ?? assert.fail("the plan is known");
  const before = explanationOf(told.state(), plan(), of.step).hash;
  for (let times = 0; times < 2; times += 1)
    assert.equal(approve(told, of, gwen, { config: SERVED, door: "service" }).kind, "approved");
  assert.deepEqual(partiesOf(told, of), [asked, { invitedBy: "alice", name: "gwen", party: "approver" }]);
  assert.equal(explanationOf(told.state(), plan(), of.step).hash, before, "who agreed makes no other explanation");
});

test("an approval of another step names nobody here", () => {
  const told = begun();
  const gwen = invite(told, "gwen", ALICE, "approver");
  const { of } = planned(told, { ...STOP, ...SERVING, by: CAROL });
  assert.equal(approve(told, of, gwen, { config: SERVED, door: "service" }).kind, "approved");
  const plan = recall(told.state().plans, of.plan) ?? assert.fail("the plan is known");
  assert.equal(invitedParties(told.state(), plan, of.step).length, 1);
  assert.deepEqual(invitedParties(told.state(), plan, { hash: plan.hash }), []);
});

test("who came by a token or by a provider of identities has no inviter, also where an invitation set the token", () => {
  const told = begun();
  assert.deepEqual(codesOf(told.ask(invitation(told, "finn"), { ...SERVING, by: CAROL })), []);
  const token = { kind: "token", ...freshToken(told.now(), told.records.length) } as const;
  assert.deepEqual(codesOf(told.ask(redemption("finn", undefined, token), { ...SERVING, by: KERNEL_ACTOR })), []);
  const { of } = planned(told, { ...STOP, ...SERVING, by: DAN });
  for (const person of [BOB, someone("finn", "approver")])
    assert.equal(approve(told, of, person, { config: SERVED, door: "service" }).kind, "approved");
  assert.deepEqual(partiesOf(told, of), []);

  const config = servedConfigOf("four-eyes");
  const signed = story("four-eyes");
  serve(signed, config);
  assert.deepEqual(codesOf(signIn(signed, by("ada", ["ops"]))), []);
  const asked = planned(signed, { ...STOP, ...SERVING, by: someone("ada", "operator"), config });
  assert.deepEqual(partiesOf(signed, asked.of), []);
});
