// What waits for approval, as people read it: who asked, and who invited them where they were invited.

import assert from "node:assert/strict";
import { test } from "node:test";
import { statusLines } from "../../src/cli/views/view-status.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import type { LedgerStatus } from "../../src/service/read/status.ts";
import type { Instant, InvitedParty, Vmid } from "../../src/spine/model.ts";
import { OF_FILES } from "../scenario-runner.ts";

const statusWith = (more: Partial<LedgerStatus>): string => {
  const nothing = { approved: [], blocked: [], freezes: [], last: [], observations: [], open: [], overdue: [] };
  const at = "2026-11-15T10:00:00.000Z" as Instant;
  return statusLines({ ...nothing, at, policies: [], records: 1, waiting: [], ...more }, () => "", OF_FILES).join("\n");
};

const waitingWith = (
  invited: readonly InvitedParty[],
  asked: LedgerStatus["waiting"][number]["asked"] = [],
): string => {
  return statusWith({
    waiting: [
      {
        action: "vm.stop",
        approvedBy: ["gwen"],
        asked,
        environment: "home",
        invited,
        name: "web-01",
        needed: 2,
        ownCounts: false,
        plan: "01KA4QJ5V8R3W2T6Y7Z8N9M0P1",
        requester: "finn",
        step: 1,
        tier: "irreversible",
        vmid: 101 as Vmid,
      },
    ],
  });
};

test("an approved step is told with who approved it, and the command that applies it", () => {
  const plan = "01KA4QJ5V8R3W2T6Y7Z8N9M0P1";
  const told = statusWith({
    approved: [
      {
        action: "vm.stop",
        approvedBy: ["gwen", "hal"],
        environment: "home",
        name: "web-01",
        plan,
        requester: "finn",
        step: 1,
        tier: "high",
        vmid: 101 as Vmid,
      },
    ],
  });
  assert.match(told, /approved {2}VM 101 {2}power off web-01 \[high\]: approved by gwen and hal, requested by finn/);
  assert.match(told, new RegExp(`^ +dedalus apply ${plan} --step 1$`, "m"));
  assert.match(told, /, 1 approved, /);
});

test("a reason is told in quotes that it cannot leave, under the name of whoever gave it", () => {
  const id = "01KA4QJ5V8R3W2T6Y7Z8N9M0P2" as Ulid;
  const told = waitingWith([], [{ by: "robo", id, reason: 'full" by ada: "approved' }]);
  assert.match(told, /^ +reason given by robo: "full\\" by ada: \\"approved"$/m);
  assert.doesNotMatch(waitingWith([], [{ by: "robo", id }]), /reason given/);
});

test("who asked is told with who invited them, and an approver's inviter is not taken for theirs", () => {
  const finn = { invitedBy: "alice", name: "finn", party: "requester" } as const;
  const gwen = { invitedBy: "bob", name: "gwen", party: "approver" } as const;
  assert.match(waitingWith([finn, gwen]), /requested by finn \(invited by alice\), who may not approve it/);
  assert.match(waitingWith([gwen]), /requested by finn, who may not approve it/);
});
