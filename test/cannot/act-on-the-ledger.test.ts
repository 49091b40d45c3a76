// Acts on the ledger itself are asked for by somebody, and judged like every other: who may sign, who may take writes
// again, who may let the ledger go on elsewhere, and when a ledger that was sealed may go on after all.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bringing } from "../../src/kernel/command/program.ts";
import type { BringingKind, RequestOf } from "../../src/kernel/command/request.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { type Readable, readerRefusal } from "../../src/kernel/decide/actors.ts";
import { entries } from "../../src/kernel/state/persistent-map.ts";
import { openIntents } from "../../src/kernel/state/recovery.ts";
import type { IntentState } from "../../src/kernel/state/state.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { cannot } from "../cannot.ts";
import { readerOf } from "../kernel/granted.ts";
import { joinOf, startsWith } from "../kernel/joining.ts";
import {
  ALICE,
  type Ask,
  apply,
  BOB,
  CAROL,
  codesOf,
  configOf,
  planned,
  ROBO,
  refusalsOf,
  type Story,
  story,
  tokenRequest,
} from "../kernel/story.ts";
import { coded } from "../spine/world.ts";

const BRINGS = bringing(configOf("single-operator"), "1");
const [COPY, OTHER, ROOT] = [sha256("a copy"), sha256("another copy"), sha256("a root")];

type LedgerAct = RequestOf<Exclude<BringingKind, "start">>;
const checkpoint: LedgerAct = { ...BRINGS, anchor: "anchor/checkpoints.txt", kind: "ledger.checkpoint" };
const why = { cause: "mark-foreign", facts: { said: "the disk was full" } } as const;
const unlock: LedgerAct = { ...BRINGS, kind: "ledger.unlock", reason: "disk enlarged", why };
const sealOf = (told: Story, changed: Partial<RequestOf<"ledger.seal">> = {}): LedgerAct => ({
  ...BRINGS,
  copy: COPY,
  kind: "ledger.seal",
  root: ROOT,
  size: told.state().size,
  to: "sqlite copy.db",
  ...changed,
});
const unseal: RequestOf<"ledger.unseal"> = { ...BRINGS, copy: COPY, kind: "ledger.unseal", reason: "its disk died" };

const restoreOf = (told: Story): RequestOf<"ledger.restore"> => ({
  ...BRINGS,
  anchored: { root: sha256("a later root"), size: told.state().size + 4 },
  copy: COPY,
  kind: "ledger.restore",
  reason: "the disk died",
  root: ROOT,
  size: told.state().size,
});

/** Each act where it would be granted to an operator. */
const SCENES: Readonly<Record<LedgerAct["kind"], (told: Story) => LedgerAct>> = {
  "ledger.checkpoint": () => checkpoint,
  "ledger.restore": restoreOf,
  "ledger.unlock": () => unlock,
  "ledger.seal": (told) => sealOf(told),
  "ledger.unseal": (told) => {
    told.ask(sealOf(told));
    return unseal;
  },
  "ledger.join": (told) => {
    startsWith(told);
    return joinOf(told);
  },
  "ledger.re-anchor": (told) => ({
    ...BRINGS,
    found: "anchor-absent",
    kind: "ledger.re-anchor",
    notes: 0,
    reason: "its disk burnt",
    root: ROOT,
    size: told.state().size,
  }),
};

const asked = (kind: LedgerAct["kind"], asking: Ask, changed: object = {}): readonly Refusal[] => {
  const told = story();
  return refusalsOf(told.ask({ ...SCENES[kind](told), ...changed } as LedgerAct, asking));
};

const EVE: Actor = { id: "eve", kind: "person", roles: ["operator"] };
for (const kind of Object.keys(SCENES) as readonly LedgerAct["kind"][]) {
  cannot("P7-A1", `ask for ${kind} without the role`, {
    neighbour: () => asked(kind, { by: CAROL }),
    offence: () => coded("role-missing", asked(kind, { by: BOB })),
  });
  cannot("P7-A1", `ask for ${kind} as an agent`, {
    neighbour: () => asked(kind, { by: ALICE }),
    offence: () => coded("role-missing", asked(kind, { by: ROBO, door: "service" })),
  });
  cannot("B2", `ask for ${kind} as somebody whom the ledger does not know`, {
    neighbour: () => asked(kind, { by: CAROL }),
    offence: () => coded("actor-unknown", asked(kind, { by: EVE })),
  });
  cannot("B2", `ask for ${kind} as the operator of a configuration through the service`, {
    neighbour: () => asked(kind, { by: ALICE, door: "local" }),
    offence: () => coded("actor-unknown", asked(kind, { by: ALICE, door: "service" })),
  });
  cannot("N7", `bring another configuration to ${kind} than its hash names`, {
    neighbour: () => asked(kind, {}),
    offence: () => coded("value-altered", asked(kind, {}, { config: configOf("four-eyes") })),
  });
}

test("an auditor signs a checkpoint, and does nothing else to the ledger", () => {
  const told = story();
  const subject = { id: "eve", kind: "person", roles: ["auditor"] } as const;
  told.ask(tokenRequest(told, subject));
  const by: Actor = subject;
  assert.deepEqual(codesOf(told.ask(checkpoint, { by })), []);
  for (const request of [unlock, sealOf(told), unseal, restoreOf(told)])
    assert.deepEqual(codesOf(told.ask(request, { by })), ["role-missing"]);
});

cannot("P7-A2", "take writes again without a reason", {
  neighbour: () => asked("ledger.unlock", {}),
  offence: () => coded("reason-missing", asked("ledger.unlock", {}, { reason: " " })),
});
cannot("P7-A2", "undo a seal without a reason", {
  neighbour: () => asked("ledger.unseal", {}),
  offence: () => coded("reason-missing", asked("ledger.unseal", {}, { reason: " " })),
});

const sealedAfter = (prepare: (told: Story) => Partial<RequestOf<"ledger.seal">>): readonly Refusal[] => {
  const told = story();
  return refusalsOf(told.ask(sealOf(told, prepare(told))));
};
cannot("P7-F1", "seal a ledger at another size than was copied", {
  neighbour: () => sealedAfter(() => ({})),
  offence: () =>
    coded(
      "seal-misplaced",
      sealedAfter((told) => ({ size: told.state().size - 1 })),
    ),
});
cannot("P7-F1", "seal a ledger for a copy that was declared gone", {
  neighbour: () => sealedAfter(again(OTHER)),
  offence: () => coded("copy-void", sealedAfter(again(COPY))),
});
function again(copy: typeof COPY) {
  return (told: Story): Partial<RequestOf<"ledger.seal">> => {
    told.ask(sealOf(told));
    told.ask(unseal);
    return { copy, size: told.state().size };
  };
}

const unsealedAfter = (prepare: (told: Story) => void): readonly Refusal[] => {
  const told = story();
  prepare(told);
  return refusalsOf(told.ask(unseal));
};
const sealed = (told: Story): void => void told.ask(sealOf(told));
cannot("P7-F1", "undo a seal where there is none", {
  neighbour: () => unsealedAfter(sealed),
  offence: () =>
    coded(
      "seal-absent",
      unsealedAfter(() => undefined),
    ),
});
cannot("P7-F1", "undo a seal that is not the last record", {
  neighbour: () => unsealedAfter(sealed),
  offence: () =>
    coded(
      "seal-absent",
      unsealedAfter((told) => {
        sealed(told);
        told.ask({ kind: "annotate", text: "the copy goes on" });
      }),
    ),
});
cannot("P7-F1", "undo a seal for another copy than it names", {
  neighbour: () => unsealedAfter(sealed),
  offence: () =>
    coded(
      "seal-absent",
      unsealedAfter((told) => void told.ask(sealOf(told, { copy: OTHER }))),
    ),
});
cannot("P7-F1", "undo a seal that was refused", {
  neighbour: () => unsealedAfter(sealed),
  offence: () =>
    coded(
      "seal-absent",
      unsealedAfter((told) => void told.ask(sealOf(told), { by: BOB })),
    ),
});

const appliedAfter = (prepare: (told: Story) => void): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told);
  prepare(told);
  return refusalsOf(apply(told, of));
};
const unsealed = (told: Story): void => {
  sealed(told);
  told.ask(unseal);
};
cannot("P7-F1", "change anything after a seal was undone, before somebody lifts the freeze", {
  neighbour: () => appliedAfter(() => undefined),
  offence: () => coded("frozen", appliedAfter(unsealed)),
});

cannot("P7-A2", "restore a ledger without a reason", {
  neighbour: () => asked("ledger.restore", {}),
  offence: () => coded("reason-missing", asked("ledger.restore", {}, { reason: " " })),
});
const restoredAt = (size: (own: number) => number): readonly Refusal[] => {
  const told = story();
  return refusalsOf(told.ask({ ...restoreOf(told), size: size(told.state().size) }));
};
for (const [what, size] of [
  ["before the end", (own: number) => own - 1],
  ["behind the end", (own: number) => own + 1],
] as const)
  cannot("N7", `record a restore ${what} of its backup`, {
    neighbour: () => restoredAt((own) => own),
    offence: () => coded("value-altered", restoredAt(size)),
  });
const restoredAfter = (prepare: (told: Story) => void): readonly Refusal[] => {
  const told = story();
  prepare(told);
  return refusalsOf(told.ask(restoreOf(told)));
};
cannot("P7-F1", "go on from a backup that ends with a seal", {
  neighbour: () =>
    restoredAfter((told) => {
      sealed(told);
      told.ask({ kind: "annotate", text: "the copy goes on" });
    }),
  offence: () => coded("backup-sealed", restoredAfter(sealed)),
});

const restore = (told: Story): void => void told.ask(restoreOf(told));
cannot("P7-F1", "change anything after a restore, before somebody lifts the freeze", {
  neighbour: () => appliedAfter(() => undefined),
  offence: () => coded("frozen", appliedAfter(restore)),
});
const lift = (told: Story): void =>
  void told.ask({ kind: "unfreeze", reason: "looked at every VM" }, { everywhere: true });
cannot("B1", "apply a plan from before a restore, after the freeze was lifted", {
  neighbour: () =>
    appliedAfter((told) => {
      told.ask({ kind: "freeze", reason: "to be sure" }, { everywhere: true });
      lift(told);
    }),
  offence: () =>
    appliedAfter((told) => {
      restore(told);
      lift(told);
    }),
});

/** A step that is being tried while the backup is made. */
const tried = (told: Story): IntentState => {
  const { of } = planned(told);
  assert.deepEqual(codesOf(apply(told, of)), []);
  const [intent] = openIntents(told.state());
  return intent ?? assert.fail("it is open");
};
const againAfter = (end: (told: Story, intent: IntentState) => void): readonly Refusal[] => {
  const told = story();
  end(told, tried(told));
  lift(told);
  return refusalsOf(apply(told, planned(told).of));
};
cannot("P7-E2", "act on a VM whose intent was open in a backup, before its outcome is known", {
  neighbour: () =>
    againAfter((told, { id: intent }) => {
      told.ask({ cause: "provider-done", intent, kind: "outcome", outcome: "succeeded" }, { by: KERNEL_ACTOR });
      restore(told);
    }),
  offence: () => coded("vm-blocked", againAfter(restore)),
});

test("a restore ends every open intent as unknown, and says what was lost", () => {
  const told = story();
  const { id, vmid } = tried(told);
  const { size } = told.state();
  restore(told);
  const { blocked, open, reAnchored } = told.state();
  assert.equal(open.size, 0);
  const [[, intent] = assert.fail("it is blocked")] = [...entries(blocked)];
  assert.deepEqual([intent.id, intent.vmid, intent.end], [id, vmid, { cause: "ledger-restored", outcome: "unknown" }]);
  assert.deepEqual(
    [reAnchored?.found, reAnchored?.lost, reAnchored?.size, reAnchored?.count],
    ["ledger-cut-short", 4, size, 1],
  );
});

test("a restore with nothing known to be lost says so", () => {
  for (const anchored of [undefined, { root: ROOT, size: 1 }]) {
    const told = story();
    const { anchored: _, ...asking } = restoreOf(told);
    told.ask({ ...asking, ...(anchored === undefined ? {} : { anchored }) });
    const { reAnchored } = told.state();
    assert.deepEqual([reAnchored?.found, reAnchored?.lost], ["ledger-absent", 0]);
  }
});

const reads = (actor: Actor, readable: Readable): readonly Refusal[] => {
  const refusal = readerRefusal(readerOf(actor), readable);
  return refusal === undefined ? [] : [refusal];
};
const AUDITOR: Actor = { id: "eve", kind: "person", roles: ["auditor"] };
for (const readable of ["export", "installation", "tokens"] as const) {
  cannot("P7-A1", `read what only an auditor or an operator may: ${readable}`, {
    neighbour: () => reads(AUDITOR, readable),
    offence: () => coded("role-missing", reads(BOB, readable)),
  });
}
for (const readable of ["export", "installation", "proof", "tokens"] as const) {
  cannot("P7-A1", `let an agent read: ${readable}`, {
    neighbour: () => reads(ALICE, readable),
    offence: () => coded("role-missing", reads({ ...ROBO, roles: ["agent", "auditor", "operator"] }, readable)),
  });
}
const SENSOR: Actor = { id: "probe", kind: "agent", roles: ["sensor"] };
for (const readable of ["account", "export", "installation", "proof", "tokens"] as const) {
  cannot("P7-A1", `let a sensor read: ${readable}`, {
    neighbour: () => reads(readable === "account" ? ROBO : ALICE, readable),
    offence: () => coded("role-missing", reads(SENSOR, readable)),
  });
}
test("everybody who is proven reads the account, an agent too", () => {
  for (const actor of [ALICE, BOB, AUDITOR, ROBO]) assert.deepEqual(reads(actor, "account"), []);
});
