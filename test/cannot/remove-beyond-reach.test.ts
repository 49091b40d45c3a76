// Who removes a person, and what is left of whoever was removed: nobody reaches beyond where they operate, and nobody
// comes back by a link of their own.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedConfig } from "../../src/kernel/command/recorded-config.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { invitation, redemption, serve, someone } from "../kernel/signing-in.ts";
import {
  ALICE,
  type Ask,
  CAROL,
  codesOf,
  configOf,
  refusalsOf,
  type Story,
  story,
  tokenOf,
  tokenRequest,
} from "../kernel/story.ts";
import { coded } from "../spine/world.ts";

const CONFIG: RecordedConfig = { ...configOf("four-eyes"), service: { sessions: { hours: 12, idleMinutes: 30 } } };
const WHOLE: Ask = { config: CONFIG, everywhere: true };
const AT_DOOR: Ask = { ...WHOLE, by: KERNEL_ACTOR, door: "service" };
const LENA = someone("lena");
type Where = "all" | readonly string[];

/** Lena operates home. Finn approves somewhere, by a passkey. */
const begun = (where: Where): Story => {
  const told = story("four-eyes");
  serve(told, CONFIG);
  const lena = tokenRequest(told, { environments: ["home"], id: LENA.id, kind: "person", roles: ["operator"] });
  assert.deepEqual(codesOf(told.ask(lena, WHOLE)), []);
  const invited = invitation(told, "finn", { grants: [{ environments: where, roles: ["approver"] }] });
  assert.deepEqual(codesOf(told.ask(invited, WHOLE)), []);
  assert.deepEqual(codesOf(told.ask(redemption("finn"), AT_DOOR)), []);
  return told;
};
const removal = (subject: string) => ({ ends: "person", kind: "sign-out", reason: "left the team", subject }) as const;
const removedByLena = (where: Where): readonly Refusal[] =>
  refusalsOf(begun(where).ask(removal("finn"), { ...WHOLE, by: LENA, door: "service" }));

cannot("B3", "remove somebody who has roles beyond where one operates", {
  neighbour: () => removedByLena(["home"]),
  offence: () => coded("grant-beyond", removedByLena(["away", "home"])),
});
cannot("B3", "remove somebody who has roles everywhere, as operator of one environment", {
  neighbour: () => removedByLena(["home"]),
  offence: () => coded("grant-beyond", removedByLena("all")),
});
cannot("B2", "learn of somebody who has no role where one operates", {
  neighbour: () => removedByLena(["home"]),
  offence: () => coded("person-unknown", removedByLena(["away"])),
});
cannot("P7-A1", "remove somebody without being operator", {
  neighbour: () => refusalsOf(begun("all").ask(removal("finn"), { ...WHOLE, by: CAROL, door: "service" })),
  offence: () =>
    coded("role-missing", refusalsOf(begun("all").ask(removal("finn"), { ...WHOLE, by: someone("bob", "approver") }))),
});

/** An operator invites gwen, something happens, and she comes. */
const redeemedAfter = (happens: (told: Story) => void): readonly Refusal[] => {
  const told = begun("all");
  assert.deepEqual(codesOf(told.ask(invitation(told, "gwen"), { ...WHOLE, by: CAROL, door: "service" })), []);
  happens(told);
  return refusalsOf(told.ask(redemption("gwen"), AT_DOOR));
};
const revokes =
  (name: string) =>
  (told: Story): void => {
    const revoked = told.ask({ act: "revoke", kind: "token", token: tokenOf(told, name) }, WHOLE);
    assert.deepEqual(codesOf(revoked), []);
  };
const removes =
  (name: string) =>
  (told: Story): void =>
    assert.deepEqual(codesOf(told.ask(removal(name), { ...WHOLE, by: ALICE })), []);

cannot("B2", "come by an invitation of somebody whose token was revoked", {
  neighbour: () => redeemedAfter(revokes("dan")),
  offence: () => coded("invitation-refused", redeemedAfter(revokes("carol"))),
});
cannot("B2", "come by an invitation that an operator ended", {
  neighbour: () => redeemedAfter(removes("finn")),
  offence: () => coded("invitation-refused", redeemedAfter(removes("gwen"))),
});

test("who was invited and is ended before they came leaves a name that is free", () => {
  const told = begun("all");
  assert.deepEqual(codesOf(told.ask(invitation(told, "gwen"), WHOLE)), []);
  removes("gwen")(told);
  assert.equal(get(told.state().invitations, "gwen"), undefined);
  assert.deepEqual(codesOf(told.ask(removal("gwen"), { ...WHOLE, by: ALICE })), ["person-unknown"]);
});
