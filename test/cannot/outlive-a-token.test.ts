// B1, P7-A2: what a token agreed to, asked for or was challenged with ends with the token.

import assert from "node:assert/strict";
import { test } from "node:test";
import { get } from "../../src/kernel/state/persistent-map.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { instantOf, msOf } from "../../src/spine/values/instant.ts";
import { cannot } from "../cannot.ts";
import {
  ALICE,
  apply,
  approve,
  BOB,
  CAROL,
  DAN,
  explanationHash,
  planned,
  ROBO,
  refusalsOf,
  type Story,
  story,
  tokenRequest,
} from "../kernel/story.ts";
import { coded } from "../spine/world.ts";
import { AT_SERVICE, minted, mintedLocally, revoked, rotated, STOP } from "./minted-tokens.ts";

/** bob approved; then something happens to a token. */
const after = (happens: (told: Story) => void): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, { ...STOP, by: CAROL });
  approve(told, of, BOB);
  happens(told);
  return refusalsOf(apply(told, of));
};

cannot("P7-A2", "count the approval of a token that was revoked", {
  neighbour: () => after((told) => revoked(told, "robo")),
  offence: () =>
    coded(
      "approval-missing",
      after((told) => revoked(told, "bob")),
    ),
});
cannot("P7-A2", "count the approval of a token that was rotated, whoever did that", {
  neighbour: () => after((told) => void rotated(told, "carol", CAROL)),
  offence: () =>
    coded(
      "approval-missing",
      after((told) => void rotated(told, "bob", BOB)),
    ),
});
cannot("P7-A2", "inherit an approval with the name of whoever gave it", {
  neighbour: () =>
    after((told) => {
      revoked(told, "robo");
      minted(told, DAN, "robo", "agent");
    }),
  offence: () =>
    coded(
      "approval-missing",
      after((told) => {
        revoked(told, "bob");
        mintedLocally(told, "bob", "approver");
      }),
    ),
});
cannot("B1", "apply what somebody asked for whose token was revoked, or inherit it with their name", {
  neighbour: () => robosPlan((told) => void rotated(told, "robo", ROBO)),
  offence: () =>
    coded(
      "plan-closed",
      robosPlan((told) => {
        revoked(told, "robo");
        minted(told, DAN, "robo", "agent");
      }),
    ),
});
const robosPlan = (happens: (told: Story) => void): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, { by: ROBO });
  approve(told, of, BOB);
  happens(told);
  return refusalsOf(told.ask({ kind: "apply", of }, { by: ROBO, ...AT_SERVICE }));
};

cannot("P7-A2", "answer a challenge that was given to a token before", {
  neighbour: () => challenged((told) => void rotated(told, "bob", BOB)),
  offence: () =>
    coded(
      "confirmation-spent",
      challenged((told) => void rotated(told, "carol", CAROL)),
    ),
});
const challenged = (happens: (told: Story) => void): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told);
  const challenge = told.ask({ kind: "challenge", of }, { by: CAROL });
  const id = told.records.at(-1)?.auditId ?? assert.fail("it is recorded");
  assert.ok(challenge.kind === "challenged");
  happens(told);
  const confirmation = { challenge: id, explanation: challenge.explanation };
  return refusalsOf(told.ask({ confirmation, kind: "apply", of }, { by: CAROL }));
};

cannot("P7-A2", "count an approval at the instant it ends", {
  neighbour: () => approvedFor(60_000, 60_000 - 1),
  offence: () => coded("approval-missing", approvedFor(60_000, 60_000)),
});
const approvedFor = (ms: number, lateMs: number): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, STOP);
  const until = instantOf(msOf(told.now()) + ms);
  const explanation = explanationHash(told, of);
  told.ask({ explanation, kind: "approve", of, reason: "for a minute", until }, { by: BOB });
  told.pass(lateMs);
  return refusalsOf(apply(told, of));
};

test("an approval ends with the token that gave it, if the step lasts longer", () => {
  const told = story();
  const { expiresAt, ...eve } = tokenRequest(told, { id: "eve", kind: "person", roles: ["approver"] });
  const soon = instantOf(msOf(told.now()) + 60_000);
  assert.ok(soon < expiresAt);
  told.ask({ ...eve, expiresAt: soon });
  const { of } = planned(told, STOP);
  const given = approve(told, of, { id: "eve", kind: "person", roles: ["approver"] });
  assert.equal(given.kind === "approved" && given.expiresAt, soon);
  assert.equal(get(told.state().subjects, "eve")?.expiresAt, soon);
  told.pass(60_000 - 1);
  assert.equal(apply(told, of).kind, "intended");
});

test("where one person may approve their own step, whose token it was does not matter", () => {
  const told = story();
  const { of } = planned(told, { ...STOP, by: ALICE });
  assert.equal(approve(told, of, minted(told, CAROL, "eve", "approver")).kind, "approved");
  assert.equal(apply(told, of).kind, "intended");
});
