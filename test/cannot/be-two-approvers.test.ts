// P7-A2: where two people must agree, each pair of eyes is counted once.

import assert from "node:assert/strict";
import { startRequest } from "../../src/kernel/command/program.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import {
  ALICE,
  type Ask,
  approve,
  BOB,
  CAROL,
  configOf,
  planned,
  ROBO,
  refusalsOf,
  type Story,
  story,
} from "../kernel/story.ts";
import { coded } from "../spine/world.ts";
import { AT_SERVICE, minted, mintedLocally, STOP } from "./minted-tokens.ts";

/** robo asks for a stop, which needs two people; these approve it. */
const twoFor = (
  mode: "four-eyes" | "single-operator",
  approvers: (told: Story) => readonly (readonly [by: Actor, asking?: Ask])[],
): readonly Refusal[] => {
  const told = story(mode);
  const { of } = planned(told, { ...STOP, by: ROBO });
  for (const [by, asking = AT_SERVICE] of approvers(told)) {
    const result = approve(told, of, by, asking);
    assert.equal(result.kind, "approved", JSON.stringify(result));
  }
  return refusalsOf(told.ask({ kind: "apply", of }, { by: ROBO, ...AT_SERVICE }));
};
const LOCAL: Ask = { door: "local" };
cannot("P7-A2", "be two approvers with a token of one's own making", {
  neighbour: () => twoFor("four-eyes", () => [[BOB], [CAROL]]),
  offence: () =>
    coded(
      "approval-missing",
      twoFor("four-eyes", (told) => [[CAROL], [minted(told, CAROL, "puppet", "approver")]]),
    ),
});
cannot("P7-A2", "be two approvers at the ledger's own files and with a token that was made there", {
  neighbour: () => twoFor("single-operator", () => [[BOB], [CAROL]]),
  offence: () =>
    coded(
      "approval-missing",
      twoFor("single-operator", (told) => [[ALICE, LOCAL], [mintedLocally(told, "puppet", "approver")]]),
    ),
});
/** The operator's name is edited in the configuration, and somebody comes to the ledger's own files again. */
const renamed = (told: Story): readonly [Actor, Ask] => {
  const config = { ...configOf("single-operator"), operator: "zoe" };
  assert.equal(told.ask(startRequest(config, "1"), { by: KERNEL_ACTOR, config }).kind, "done");
  return [
    { ...ALICE, id: "zoe" },
    { config, door: "local" },
  ];
};
cannot("P7-A2", "be two approvers at the ledger's own files under two names", {
  neighbour: () => twoFor("single-operator", () => [[BOB], [CAROL]]),
  offence: () =>
    coded(
      "approval-missing",
      twoFor("single-operator", (told) => [[ALICE, LOCAL], renamed(told)]),
    ),
});
cannot("P7-A2", "be two approvers at the ledger's own files under another name than a token was made there", {
  neighbour: () => twoFor("single-operator", () => [[BOB], [CAROL]]),
  offence: () =>
    coded(
      "approval-missing",
      twoFor("single-operator", (told) => [[mintedLocally(told, "puppet", "approver")], renamed(told)]),
    ),
});
