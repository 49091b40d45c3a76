// B2, P7-A1: at the door of agents nobody else is known, and nothing is taken there that is not listed for it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../../src/kernel/command/record-body.ts";
import type { Request } from "../../src/kernel/command/request.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { bearerOf } from "../../src/kernel/decide/actors.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Instant, Refusal } from "../../src/spine/model.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { cannot } from "../cannot.ts";
import { by, serve, served, servedConfigOf, signIn, someone } from "../kernel/signing-in.ts";
import {
  ALICE,
  approve,
  BOB,
  CAROL,
  DAN,
  ENDS,
  freshToken,
  lastId,
  planned,
  ROBO,
  refusalsOf,
  type Story,
  story,
  tokenRequest,
} from "../kernel/story.ts";
import { coded } from "../spine/world.ts";

const AGENT = { door: "agent" } as const;
const SERVICE = { door: "service" } as const;
const OTHER: Actor = { id: "robo-2", kind: "agent", roles: ["agent"] };

const waiting = (asks: Actor, door: "agent" | "service"): readonly Refusal[] => {
  const told = story("four-eyes");
  const { of } = planned(told, { by: ROBO, ...AGENT });
  return refusalsOf(told.ask({ kind: "request-approval", of }, { by: asks, door }));
};
for (const person of [CAROL, DAN, BOB]) {
  cannot("B2", `ask at the door of agents as ${person.id}, a person with a token and ${person.roles.join(", ")}`, {
    neighbour: () => waiting(ROBO, "agent"),
    offence: () => coded("agents-only", waiting(person, "agent")),
  });
}
cannot("B2", "ask at the door of agents as a person who may ask at the service", {
  neighbour: () => waiting(CAROL, "service"),
  offence: () => coded("agents-only", waiting(CAROL, "agent")),
});
cannot("B2", "be the operator of the ledger's files at the door of agents", {
  neighbour: () => waiting(ROBO, "agent"),
  offence: () => coded("agents-only", waiting(ALICE, "agent")),
});

const signedIn = (): { readonly at: Instant; readonly told: Story } => {
  const told = served("four-eyes");
  signIn(told, by("olga", ["ops"]));
  return { at: told.now(), told };
};
const OLGA = someone("olga", "operator");
const CONFIG = servedConfigOf("four-eyes");
cannot("B2", "ask at the door of agents by a session", {
  neighbour: () => refusalsOf(signedIn().told.ask(NOTE, { by: OLGA, config: CONFIG, ...SERVICE })),
  offence: () => coded("agents-only", refusalsOf(signedIn().told.ask(NOTE, { by: OLGA, config: CONFIG, ...AGENT }))),
});
const NOTE: Request = { kind: "annotate", text: "seen" };

test("a person's token or session proves nobody at the door of agents, also one that has ended", () => {
  const { at, told } = signedIn();
  const hashOf = (id: string) =>
    get(told.state().subjects, id)?.hash ?? get(told.state().people, id)?.sessions[0]?.hash ?? assert.fail(id);
  const shown = (id: string, when = at) => bearerOf(told.state(), hashOf(id), when, "agent");
  const over = get(told.state().subjects, "carol")?.expiresAt ?? assert.fail("carol has a token");
  for (const id of ["bob", "carol", "dan", "olga"]) {
    assert.deepEqual(shown(id), refuse("agents-only", { facts: { actor: id } }));
    assert.deepEqual(shown(id, over), refuse("agents-only", { facts: { actor: id } }));
  }
  const robo = shown("robo");
  assert.deepEqual("code" in robo ? robo : robo.id, "robo");
});

/** What is not listed for the door: whoever asks, and whatever they may elsewhere. */
const CLOSED: Readonly<Record<string, (told: Story) => Request>> = {
  "end a session": () => ({ ends: "session", kind: "sign-out", token: "t000000000" }),
  freeze: () => ({ kind: "freeze", reason: "incident" }),
  "lift a freeze": () => ({ kind: "unfreeze", reason: "over" }),
  "make a token": (told) => tokenRequest(told, { id: "mallory", kind: "agent", roles: ["agent"] }),
  reconcile: (told) => ({ intent: lastId(told), kind: "reconcile", observation: lastId(told) }),
  remark: () => NOTE,
  "unlock the ledger": () => ({ kind: "ledger.unlock", reason: "go on" }) as Request,
};
for (const [what, request] of Object.entries(CLOSED)) {
  const asked = (): readonly Refusal[] => {
    const told = story();
    return refusalsOf(told.ask(request(told), { by: ROBO, ...AGENT }));
  };
  cannot("P7-A1", `${what} at the door of agents`, {
    neighbour: () => waiting(ROBO, "agent"),
    offence: () => coded("agent-door-closed", asked()),
  });
}
cannot("P7-A1", "rotate an agent's own token at the door of agents, where its service does it", {
  neighbour: () => {
    const told = story();
    const fresh = freshToken(told.now(), told.records.length);
    return refusalsOf(told.ask({ act: "rotate", ...fresh, kind: "token", subject: ROBO.id }, { by: ROBO, ...SERVICE }));
  },
  offence: () => {
    const told = story();
    const fresh = freshToken(told.now(), told.records.length);
    const rotated = told.ask({ act: "rotate", ...fresh, kind: "token", subject: ROBO.id }, { by: ROBO, ...AGENT });
    return coded("agent-door-closed", refusalsOf(rotated));
  },
});
cannot("P7-A1", "sign somebody in at the door of agents", {
  neighbour: () => refusalsOf(signIn(served("four-eyes"), by("olga", ["ops"]))),
  offence: () => coded("agent-door-closed", refusalsOf(signIn(served("four-eyes"), by("olga", ["ops"]), {}, AGENT))),
});
cannot("P7-A2", "approve at the door of agents", {
  neighbour: () => {
    const told = story("four-eyes");
    return refusalsOf(approve(told, planned(told, { by: ROBO, ...AGENT }).of, BOB, SERVICE));
  },
  offence: () => {
    const told = story("four-eyes");
    return coded("agent-decides", refusalsOf(approve(told, planned(told, { by: ROBO, ...AGENT }).of, ROBO, AGENT)));
  },
});

/** One agent asks, a person approves at the service, and an agent applies. */
const applied = (asks: Actor, applies: Actor, door: "agent" | "service"): readonly Refusal[] => {
  const told = story("four-eyes");
  told.ask(tokenRequest(told, { id: OTHER.id, kind: "agent", roles: ["agent"] }));
  const { of } = planned(told, { by: asks, ...AGENT });
  assert.deepEqual(refusalsOf(approve(told, of, BOB, SERVICE)), []);
  return refusalsOf(told.ask({ kind: "apply", of }, { by: applies, door }));
};
for (const door of ["agent", "service"] as const) {
  cannot("P7-A2", `apply a plan of another agent at the door ${door}`, {
    neighbour: () => [...applied(ROBO, ROBO, door), ...applied(OTHER, OTHER, door)],
    offence: () => coded("agent-foreign-plan", applied(OTHER, ROBO, door)),
  });
}
cannot("P7-A2", "apply a plan of another agent at the ledger's own files", {
  neighbour: () => locally(ROBO),
  offence: () => coded("agent-foreign-plan", locally(OTHER)),
});
const locally = (asks: Actor): readonly Refusal[] => {
  const told = story();
  told.ask(tokenRequest(told, { id: OTHER.id, kind: "agent", roles: ["agent"] }));
  const { of } = planned(told, { by: asks, door: "local" });
  assert.deepEqual(refusalsOf(approve(told, of, BOB, SERVICE)), []);
  return refusalsOf(told.ask({ kind: "apply", of }, { by: ROBO, door: "local" }));
};
cannot("P7-A2", "apply as an agent what a person asked for", {
  neighbour: () => applied(ROBO, ROBO, "agent"),
  offence: () => {
    const told = story("four-eyes");
    const { of } = planned(told, { by: DAN, ...SERVICE });
    approve(told, of, BOB, SERVICE);
    return coded("agent-foreign-plan", refusalsOf(told.ask({ kind: "apply", of }, { by: ROBO, ...AGENT })));
  },
});

cannot("P7-A2", "write at the door of agents by an instance whose configuration rules no longer", {
  neighbour: () => observedBy(CONFIG),
  offence: () => coded("instance-outdated", observedBy({ ...CONFIG, environments: {} })),
});
const observedBy = (newest: typeof CONFIG): readonly Refusal[] => {
  const told = served("four-eyes", CONFIG);
  const { of } = planned(told, { by: ROBO, config: CONFIG, ...SERVICE });
  serve(told, newest, { instance: told.other });
  return refusalsOf(told.ask({ kind: "request-approval", of }, { by: ROBO, config: CONFIG, ...AGENT }));
};

test("an agent's whole story at its own door, in an environment of four eyes, carries the door in every record", () => {
  const told = story("four-eyes");
  const { id, of } = planned(told, { by: ROBO, ...AGENT });
  assert.equal(recall(told.state().plans, id)?.bars, undefined);
  assert.equal(bodyOf(told.records.at(-1) ?? assert.fail())?.door, "agent");
  told.ask({ kind: "request-approval", of }, { by: ROBO, ...AGENT });
  approve(told, of, BOB, SERVICE);
  const from = told.records.length;
  assert.equal(told.ask({ kind: "apply", of }, { by: ROBO, ...AGENT }).kind, "intended");
  const intent = lastId(told);
  const itself = { by: KERNEL_ACTOR, ...AGENT };
  assert.deepEqual(refusalsOf(told.ask({ intent, kind: "dispatched", reference: "task" }, itself)), []);
  assert.deepEqual(refusalsOf(told.ask({ ...ENDS.succeeded, intent, kind: "outcome", reference: "task" }, itself)), []);
  for (const record of told.records.slice(from)) assert.equal(bodyOf(record)?.door, "agent");
  const again = planned(told, { by: ROBO, ...AGENT });
  const canceled = told.ask({ kind: "cancel", plan: again.id, reason: "not needed" }, { by: ROBO, ...AGENT });
  assert.deepEqual(refusalsOf(canceled), []);
});
