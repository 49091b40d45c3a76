// What may have ended where a ledger cannot see it (after a backup, or in a copy that is gone) does not come back to
// life when that ledger goes on.

import { bringing } from "../../src/kernel/command/program.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { cannot } from "../cannot.ts";
import { apply, CAROL, configOf, planned, refusalsOf, type Story, story, tokenRequest } from "../kernel/story.ts";
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
}
