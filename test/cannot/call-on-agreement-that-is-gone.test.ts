// A token cannot be kept from being taken away, so what it agreed to, asked for or claimed is looked for once more
// right before the call. The neighbour is the same done to somebody who has no part in it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bringing, startRequest } from "../../src/kernel/command/program.ts";
import type { StepRef } from "../../src/kernel/command/request.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { judgeSinceClaim } from "../../src/kernel/decide/stands-on.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import { vmKey } from "../../src/kernel/state/state.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { cannot } from "../cannot.ts";
import {
  apply,
  approve,
  BOB,
  CAROL,
  configOf,
  DAN,
  freshToken,
  lastId,
  planned,
  ROBO,
  type Setting,
  type Story,
  story,
  tokenOf,
} from "../kernel/story.ts";
import { coded, VMID, vmidOf, state as vmState, wantRunning, wantStopped } from "../spine/world.ts";

const STOP: Setting = { vms: [vmState()], entries: [wantStopped("power-off")] };
type Between = (told: Story) => void;
const BRINGS = bringing(configOf("single-operator"), "1");

const revoking =
  ({ id }: Actor): Between =>
  (told) =>
    assert.equal(told.ask({ act: "revoke", kind: "token", token: tokenOf(told, id) }).kind, "done");
const rotating =
  ({ id }: Actor): Between =>
  (told) => {
    const fresh = freshToken(told.now(), told.records.length);
    assert.equal(told.ask({ act: "rotate", ...fresh, kind: "token", subject: id }).kind, "done");
  };

/** A stop that was asked for, approved and claimed; then something happens, and it is asked once more. */
const sinceClaim = async (
  between: Between,
  { applier = CAROL, approvers = [BOB], requester = CAROL }: Parties = {},
): Promise<readonly Refusal[]> => {
  const told = story();
  const { of } = planned(told, { ...STOP, by: requester });
  for (const one of approvers) assert.equal(approve(told, of, one).kind, "approved");
  claimed(told, of, applier);
  between(told);
  const { state } = told;
  const intent = get(state().open, vmKey("home", of.step.vmid)) ?? assert.fail("it is open");
  return judgeSinceClaim(state(), intent, of.step, async () => "none");
};
type Parties = { readonly applier?: Actor; readonly approvers?: readonly Actor[]; readonly requester?: Actor };

const claimed = (told: Story, of: StepRef, applier: Actor): void => {
  const result = applier.kind === "agent" ? told.ask({ kind: "apply", of }, { by: applier }) : apply(told, of, applier);
  assert.equal(result.kind, "intended", JSON.stringify(result));
};

const AGENT: Parties = { applier: ROBO, approvers: [BOB, CAROL], requester: ROBO };

for (const [done, between] of [
  ["revoked", revoking],
  ["rotated", rotating],
] as const) {
  cannot("P7-A2", `call on an approval whose token was ${done} after the claim`, {
    neighbour: () => sinceClaim(between(DAN)),
    offence: async () => coded("approval-missing", await sinceClaim(between(BOB))),
  });
  cannot("B2", `call with a claim whose token was ${done} after it`, {
    neighbour: () => sinceClaim(between(DAN)),
    offence: async () => coded("actor-unknown", await sinceClaim(between(CAROL))),
  });
}
cannot("P7-A2", "call on one approval of two, when the other is gone", {
  neighbour: () => sinceClaim(revoking(DAN), AGENT),
  offence: async () => coded("approval-missing", await sinceClaim(revoking(CAROL), AGENT)),
});
cannot("B1", "call for a requester who was revoked after the claim", {
  neighbour: () => sinceClaim(rotating(DAN), { requester: DAN }),
  offence: async () => coded("plan-closed", await sinceClaim(revoking(DAN), { requester: DAN })),
});

/** The ledger moves while the step is on its way; the same without an end of this one is a checkpoint. */
const sealing: Between = (told) => {
  const { size } = told.state();
  const request = { ...BRINGS, copy: sha256("a copy"), kind: "ledger.seal", root: sha256("a root"), size } as const;
  assert.equal(told.ask({ ...request, to: "elsewhere" }, { everywhere: true }).kind, "done");
};
const checkpointing: Between = (told) => {
  const request = { ...BRINGS, anchor: "anchor.txt", kind: "ledger.checkpoint" } as const;
  assert.equal(told.ask(request, { everywhere: true }).kind, "done");
};
cannot("P7-F1", "call from a ledger that was sealed after the claim: who freezes where it goes on is not seen", {
  neighbour: () => sinceClaim(checkpointing),
  offence: async () => coded("ledger-sealed", await sinceClaim(sealing)),
});

/** The requester plans something else of the same scope, which closes the plan but not what was claimed of it. */
const superseding: Between = (told) => {
  const before = lastId(told);
  const { result } = planned(told, { vms: [vmState()], entries: [wantStopped("shutdown")], by: DAN });
  assert.ok(result.kind === "planned" && result.supersedes !== undefined && before !== result.supersedes);
  assert.equal(recall(told.state().plans, result.supersedes)?.closed, "superseded");
  // What is registered is as it was planned on again.
  planned(told, STOP);
};
cannot("B1", "call for a requester who was revoked after the plan was superseded", {
  neighbour: () => sinceClaim(superseding, { requester: DAN }),
  offence: async () =>
    coded(
      "plan-closed",
      await sinceClaim(
        (told) => {
          superseding(told);
          revoking(DAN)(told);
        },
        { requester: DAN },
      ),
    ),
});

/** The section of an environment is edited while a step of home is on its way, and a program starts under that. */
const editing =
  (environment: "away" | "home"): Between =>
  (told) => {
    const own = configOf("single-operator");
    const section = own.environments[environment] ?? assert.fail("it is configured");
    const config = { ...own, environments: { ...own.environments, [environment]: { ...section, url: "https://x" } } };
    assert.equal(told.ask(startRequest(config, "1"), { by: KERNEL_ACTOR, config }).kind, "done");
  };
cannot("P7-A2", "call under another configuration than the step was claimed under", {
  neighbour: () => sinceClaim(editing("away")),
  offence: async () => {
    const refusals = await sinceClaim(editing("home"));
    assert.deepEqual(refusals, [refuse("configuration-differs", { cause: "changed", vmid: VMID })]);
    return refusals;
  },
});

test("what is gone since the claim is named: the token that claimed, the seal, the forgotten plan", async () => {
  const told = story();
  const token = tokenOf(told, CAROL.id);
  assert.deepEqual(await sinceClaim(revoking(CAROL), { requester: DAN }), [
    refuse("actor-unknown", { cause: "claimer-revoked", facts: { token }, vmid: VMID }),
  ]);
  assert.deepEqual(await sinceClaim(revoking(BOB)), [refuse("approval-missing", { cause: "gone", vmid: VMID })]);
  const [sealed, ...more] = await sinceClaim(sealing);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [sealed?.code, sealed?.cause, Object.keys(sealed?.facts ?? {})],
    ["ledger-sealed", "since-claim", ["seq"]],
  );
});

/** A start needs nobody's approval: the confirmation of whoever applies is all there is, and it went with the claim. */
const startSinceClaim = async (between: Between): Promise<readonly Refusal[]> => {
  const told = story();
  const { of } = planned(told, { by: CAROL });
  claimed(told, of, CAROL);
  between(told);
  const { state } = told;
  const intent = get(state().open, vmKey("home", of.step.vmid)) ?? assert.fail("it is open");
  return judgeSinceClaim(state(), intent, of.step, async () => "none");
};
const reAnchoring: Between = (told) => {
  const { size } = told.state();
  const verified = { found: "anchor-absent", notes: 0, reason: "the disk died", root: sha256("a root"), size } as const;
  const request = { ...BRINGS, ...verified, kind: "ledger.re-anchor" } as const;
  assert.equal(told.ask(request, { everywhere: true }).kind, "done");
};
/** The head is from the future, and an operator says so. */
const acceptingClock: Between = (told) => {
  told.pass(-3_600_000);
  const { size } = told.state();
  const accepted = told.ask({ kind: "accept-clock", reason: "it was ahead", size }, { everywhere: true });
  assert.equal(accepted.kind, "clock-accepted", JSON.stringify(accepted));
};
/** The copy is gone, and the freeze that comes with that is lifted at once. */
const unsealing: Between = (told) => {
  sealing(told);
  const copy = sha256("a copy");
  const unsealed = { ...BRINGS, copy, kind: "ledger.unseal", reason: "the copy is gone" } as const;
  assert.equal(told.ask(unsealed, { everywhere: true }).kind, "done");
  assert.equal(told.ask({ kind: "unfreeze", reason: "looked at" }, { everywhere: true }).kind, "done");
};
/** Its requester asks for another plan of the same scope; what was claimed of the first one goes on. */
const supersedingStart: Between = (told) => {
  const { result } = planned(told, {
    by: CAROL,
    entries: [wantRunning({ vmid: vmidOf(102) })],
    vms: [vmState({ status: "stopped", vmid: vmidOf(102) })],
  });
  assert.ok(result.kind === "planned" && result.supersedes !== undefined);
  planned(told, { by: DAN });
};
for (const [done, between] of [
  ["a new anchor", reAnchoring],
  ["an accepted clock", acceptingClock],
  ["a copy that was declared gone", unsealing],
] as const) {
  cannot("B1", `call with a confirmation alone behind ${done}, which voids what was agreed to before`, {
    neighbour: () => startSinceClaim(checkpointing),
    offence: async () => coded("plan-closed", await startSinceClaim(between)),
  });
  cannot("B1", `call what was claimed of a superseded plan behind ${done}`, {
    neighbour: () => startSinceClaim(supersedingStart),
    offence: async () =>
      coded(
        "plan-closed",
        await startSinceClaim((told) => {
          supersedingStart(told);
          between(told);
        }),
      ),
  });
}
