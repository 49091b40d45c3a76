// B2: four eyes are two people's also where a token was replaced since a plan was asked for, or the operator's name was
// edited.

import assert from "node:assert/strict";
import { startRequest } from "../../src/kernel/command/program.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { ALICE, approve, CAROL, configOf, DAN, freshToken, planned, refusalsOf, story } from "../kernel/story.ts";
import { coded } from "../spine/world.ts";
import { AT_SERVICE, minted, mintedLocally, STOP } from "./minted-tokens.ts";

/** Asked with a token that somebody made; then the requester gets another one, from somebody else. */
const askedThenRotated = (maker: Actor): readonly Refusal[] => {
  const told = story("four-eyes");
  const { of } = planned(told, { ...STOP, by: minted(told, maker, "mallory", "operator") });
  assert.equal(
    told.ask({ act: "rotate", ...freshToken(told.now(), 99), kind: "token", subject: "mallory" }).kind,
    "done",
  );
  return refusalsOf(approve(told, of, CAROL, AT_SERVICE));
};
cannot("B2", "approve what was asked with a token of one's own making, once the requester has another", {
  neighbour: () => askedThenRotated(DAN),
  offence: () => coded("approval-made", askedThenRotated(CAROL)),
});

/** eve's token was made at the ledger's own files, whose operator is called zed since; somebody asks under that. */
const askedSinceRenamed = (requester: Actor): readonly Refusal[] => {
  const told = story("four-eyes");
  const eve = mintedLocally(told, "eve", "approver");
  const config = { ...configOf("four-eyes"), operator: "zed" };
  told.ask(startRequest(config, "1"), { by: KERNEL_ACTOR, config });
  const { of } = planned(told, { ...STOP, by: requester, config });
  return refusalsOf(approve(told, of, eve, { ...AT_SERVICE, config }));
};
cannot(
  "B2",
  "approve with a token that was made at the ledger's own files what its operator asked for under another name",
  {
    neighbour: () => askedSinceRenamed(DAN),
    offence: () => coded("approval-made", askedSinceRenamed({ ...ALICE, id: "zed" })),
  },
);
