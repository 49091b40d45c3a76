// What may have ended where a ledger cannot see it (after a backup, or in a copy that is gone) does not come back to
// life when that ledger goes on.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bringing } from "../../src/kernel/command/program.ts";
import type { RecordedConfig } from "../../src/kernel/command/recorded-config.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { later } from "../../src/spine/values/instant.ts";
import { cannot } from "../cannot.ts";
import {
  by,
  HOUR,
  invitation,
  passkeyOf,
  redemption,
  serve,
  served,
  servedConfigOf,
  signIn,
} from "../kernel/signing-in.ts";
import {
  type Ask,
  apply,
  CAROL,
  codesOf,
  configOf,
  freshToken,
  planned,
  refusalsOf,
  type Story,
  story,
  tokenRequest,
} from "../kernel/story.ts";
import { coded } from "../spine/world.ts";

const BRINGS = bringing(configOf("single-operator"), "1");
const [COPY, ROOT] = [sha256("a copy"), sha256("a root")];
type Act = (told: Story) => void;

const restore: Act = (told) => {
  const { size } = told.state();
  told.ask({ ...BRINGS, copy: COPY, kind: "ledger.restore", reason: "the disk died", root: ROOT, size });
};
const unseal: Act = (told) => {
  const { size } = told.state();
  told.ask({ ...BRINGS, copy: COPY, kind: "ledger.seal", root: ROOT, size, to: "sqlite copy.db" });
  told.ask({ ...BRINGS, copy: COPY, kind: "ledger.unseal", reason: "its disk died" });
};
const freeze: Act = (told) => void told.ask({ kind: "freeze", reason: "to be sure" }, { everywhere: true });

/** A plan is made, something happens, the freeze is lifted, and the plan is applied. */
const appliedAfter = (act: Act): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told);
  act(told);
  told.ask({ kind: "unfreeze", reason: "looked at every VM" }, { everywhere: true });
  return refusalsOf(apply(told, of));
};

/** Carol asks with the token that she had before; a new one is made for her where it says so. */
const liftedByCarol = (act: Act, makeAgain: boolean): readonly Refusal[] => {
  const told = story();
  act(told);
  if (makeAgain) told.ask(tokenRequest(told, { id: CAROL.id, kind: "person", roles: ["approver", "operator"] }));
  return refusalsOf(told.ask({ kind: "unfreeze", reason: "it is me" }, { by: CAROL, everywhere: true }));
};

const SERVED: RecordedConfig = {
  ...configOf("single-operator"),
  service: { sessions: { hours: 12, idleMinutes: 30 } },
};
const WHOLE: Ask = { config: SERVED, everywhere: true };
const AT_DOOR: Ask = { ...WHOLE, by: KERNEL_ACTOR, door: "service" };

/** Finn is invited and sets a passkey before something happens, or after it; and signs in by it. */
const signedInByFinn = (act: Act, when: "after" | "before"): readonly Refusal[] => {
  const told = story();
  serve(told, SERVED);
  const comes: Act = () => {
    for (const result of [told.ask(invitation(told, "finn"), WHOLE), told.ask(redemption("finn"), AT_DOOR)])
      assert.deepEqual(codesOf(result), []);
  };
  const acts: readonly Act[] = when === "before" ? [comes, act] : [act, comes];
  for (const one of acts) one(told);
  const session = { ...freshToken(told.now(), told.records.length), expiresAt: later(told.now(), HOUR) };
  const { credential } = passkeyOf("finn");
  const by = { credential, kind: "passkey" } as const;
  return refusalsOf(told.ask({ by, kind: "sign-in", session, subject: "finn" }, AT_DOOR));
};

/** Finn is invited, something happens, and they come. */
const redeemedByFinn = (act: Act): readonly Refusal[] => {
  const told = story();
  serve(told, SERVED);
  assert.deepEqual(codesOf(told.ask(invitation(told, "finn"), WHOLE)), []);
  act(told);
  return refusalsOf(told.ask(redemption("finn"), AT_DOOR));
};

for (const [what, act] of [
  ["a restore", restore],
  ["a seal that was undone", unseal],
] as const) {
  cannot("B1", `apply a plan from before ${what}: it may have been applied where this ledger does not see it`, {
    neighbour: () => appliedAfter(freeze),
    offence: () => coded("plan-closed", appliedAfter(act)),
  });
  cannot("B2", `lift the freeze with a token from before ${what}: it may have been revoked since`, {
    neighbour: () => liftedByCarol(act, true),
    offence: () => coded("actor-unknown", liftedByCarol(act, false)),
  });
  cannot("B2", `sign in by a passkey from before ${what}: an operator may have ended it since`, {
    neighbour: () => signedInByFinn(act, "after"),
    offence: () => coded("sign-in-refused", signedInByFinn(act, "before")),
  });
  cannot("B2", `redeem an invitation from before ${what}: another may have taken its place since`, {
    neighbour: () => redeemedByFinn(freeze),
    offence: () => coded("invitation-refused", redeemedByFinn(act)),
  });
}

test("whom a provider of identities names keeps their name when a ledger goes on, and no session", () => {
  const told = served("single-operator");
  assert.deepEqual(codesOf(signIn(told, by("ada", ["ops"]), {}, { config: servedConfigOf("single-operator") })), []);
  restore(told);
  assert.deepEqual(get(told.state().people, "ada")?.sessions, []);
});
