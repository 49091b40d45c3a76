// Who may ask for what: every kind of request, every role, one table that the rules promise.

import assert from "node:assert/strict";
import { test } from "node:test";
import { configHash } from "../../src/kernel/command/recorded-config.ts";
import type { Command, Door, Request, RequestKind } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { commandOf, KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { actorRefusal, MAY as TABLE } from "../../src/kernel/decide/actors.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import { OWN_WORDS } from "../../src/spine/words/own-words.ts";
import {
  apply,
  BOB,
  CAROL,
  codesOf,
  configOf,
  explanationHash,
  lastId,
  planned,
  story,
  tokenOf,
  tokenRequest,
} from "./story.ts";

type Word = "agent" | "approver" | "auditor" | "kernel" | "observer" | "operator" | "roleless";
const ROLES = ["agent", "approver", "auditor", "observer", "operator"] as const;

/** Who may; everybody else is refused. Taking in telemetry has a role of its own and is told elsewhere. */
const MAY: Readonly<Record<Exclude<RequestKind, "ingest">, readonly Word[]>> = {
  "accept-clock": ["operator"],
  "accept-identity": ["operator"],
  annotate: ["agent", "approver", "auditor", "observer", "operator"],
  apply: ["agent", "operator"],
  approve: ["approver"],
  cancel: ["agent", "operator"],
  challenge: ["operator"],
  deny: ["approver"],
  register: ["operator"],
  dispatched: ["kernel"],
  freeze: ["operator"],
  invite: ["operator"],
  "ledger.checkpoint": ["auditor", "operator"],
  "ledger.unlock": ["operator"],
  "ledger.seal": ["operator"],
  "ledger.restore": ["operator"],
  "ledger.unseal": ["operator"],
  observe: ["agent", "observer", "operator"],
  outcome: ["kernel"],
  plan: ["agent", "operator"],
  "ledger.join": ["operator"],
  "ledger.re-anchor": ["operator"],
  reconcile: ["operator"],
  redeem: ["kernel"],
  recover: ["kernel"],
  "request-approval": ["agent", "operator"],
  revoke: ["approver"],
  "sign-in": ["kernel"],
  "sign-out": ["operator"],
  start: ["kernel"],
  token: ["operator"],
  unfreeze: ["operator"],
};

/** At the door of agents; everything else is refused there, and so is every kind that is added. */
const AT_AGENT_DOOR: Partial<Record<RequestKind, Word>> = {
  apply: "agent",
  cancel: "agent",
  dispatched: "kernel",
  observe: "agent",
  outcome: "kernel",
  plan: "agent",
  "request-approval": "agent",
};

test("each request is for the roles that the table gives it, and for nobody else", () => {
  const told = story();
  const people = new Map<Word, Actor>([["kernel", KERNEL_ACTOR]]);
  for (const role of [...ROLES, "roleless"] as const) {
    const kind = role === "agent" ? "agent" : "person";
    const roles = role === "roleless" ? [] : [role];
    const subject = { id: `the-${role}`, kind, roles } as const;
    const made = told.ask(tokenRequest(told, subject));
    assert.deepEqual(codesOf(made), [], role);
    people.set(role, subject);
  }
  const asked = (kind: RequestKind, by: Actor, door: Door = "service"): Command => {
    const desk = {
      actor: by,
      configHash: configHash(configOf("single-operator")),
      door,
      ids: () => told.instance,
      instance: told.instance,
      now: told.now,
      words: OWN_WORDS.digest,
      ...(by.kind === "kernel" ? {} : { token: tokenOf(told, by.id) }),
    } as const;
    // Only who asks for which kind is judged here; what else a request holds is another's matter.
    return commandOf(desk, { kind } as Request, { environment: "home" });
  };
  const mayAsk = (kind: RequestKind, by: Actor, door?: Door): boolean =>
    actorRefusal(TABLE, told.state(), asked(kind, by, door), told.now()) === undefined;
  const nobody = actorRefusal(
    TABLE,
    told.state(),
    asked("freeze", people.get("roleless") ?? assert.fail()),
    told.now(),
  );
  assert.deepEqual([nobody?.code, nobody?.cause], ["role-missing", "none"]);
  const bob = actorRefusal(TABLE, told.state(), asked("freeze", BOB), told.now());
  assert.deepEqual([bob?.code, bob?.cause, bob?.facts["roles"]], ["role-missing", "others", ["approver"]]);
  for (const [kind, words] of Object.entries(MAY)) {
    const may = [...people].filter(([, by]) => mayAsk(kind as RequestKind, by)).map(([word]) => word);
    assert.deepEqual(may.sort(), [...words].sort(), kind);
  }
  for (const kind of Object.keys(TABLE) as RequestKind[]) {
    const may = [...people].filter(([, by]) => mayAsk(kind, by, "agent")).map(([word]) => word);
    assert.deepEqual(may, kind in AT_AGENT_DOOR ? [AT_AGENT_DOOR[kind]] : [], `${kind} at the door of agents`);
  }
});

test("a freeze stops what leads to a call, and never seeing, denying or ending what was begun", () => {
  const told = story();
  const { of } = planned(told, { by: CAROL });
  const begun = planned(told);
  apply(told, begun.of);
  const intent = lastId(told);
  told.ask({ kind: "freeze", reason: "incident" }, { environment: "home" });
  const isFrozen = (result: Result): boolean => codesOf(result).includes("frozen");
  const explanation = explanationHash(told, of);
  const reason = "as told";
  assert.ok(isFrozen(told.ask({ explanation, kind: "approve", of, reason }, { by: BOB })));
  assert.ok(isFrozen(told.ask({ kind: "request-approval", of }, { by: CAROL })));
  assert.ok(isFrozen(told.ask({ kind: "challenge", of })));
  assert.ok(isFrozen(told.ask({ kind: "apply", of })));
  assert.equal(told.ask({ kind: "deny", of, reason }, { by: BOB }).kind, "done");
  assert.equal(
    told.ask(
      { cause: "provider-done", intent, kind: "outcome", outcome: "succeeded", said: "done" },
      { by: KERNEL_ACTOR },
    ).kind,
    "ended",
  );
  assert.equal(planned(told).result.kind, "planned", "desired, observed and planned as ever");
  assert.equal(told.ask({ kind: "cancel", plan: lastId(told), reason }).kind, "done");
});

test("a freeze of everything holds in every environment until it is lifted as a whole", () => {
  const told = story();
  const { of } = planned(told);
  const frozen = (): boolean => codesOf(told.ask({ kind: "challenge", of })).includes("frozen");
  assert.ok(!frozen());
  const everywhere = { everywhere: true };
  assert.equal(told.ask({ kind: "freeze", reason: "incident" }, everywhere).kind, "done");
  assert.ok(frozen());
  assert.deepEqual(codesOf(told.ask({ kind: "unfreeze", reason: "over" })), ["freeze-absent"]);
  assert.equal(told.ask({ kind: "unfreeze", reason: "over" }, everywhere).kind, "done");
  assert.ok(!frozen());
  assert.deepEqual(codesOf(told.ask({ kind: "freeze", reason: "incident" }, { environment: "nowhere" })), [
    "environment-unknown",
  ]);
  assert.deepEqual(codesOf(told.ask({ kind: "freeze", reason: "" })), ["reason-missing"]);
});
