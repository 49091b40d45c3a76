// B3: a role holds where it was granted. Whoever has it in one environment has it in no other, and not for what is of
// all of them; nobody hands it on beyond that.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Grants, rolesHeldIn } from "../../src/kernel/command/role-grants.ts";
import type { Role } from "../../src/kernel/command/roles.ts";
import { commandOf, KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { actorRefusal, MAY, readerRefusal } from "../../src/kernel/decide/actors.ts";
import { explanationOf } from "../../src/kernel/decide/agree.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import {
  ALICE,
  type Ask,
  CAROL,
  freshToken,
  lastId,
  planned,
  refusalsOf,
  type Story,
  story,
  tokenOf,
  tokenRequest,
} from "../kernel/story.ts";
import { coded } from "../spine/world.ts";

/** Somebody with these roles in home alone. */
const givenAtHome = (told: Story, id: string, ...roles: readonly Role[]): void => {
  const kind = roles.includes("agent") ? "agent" : "person";
  const made = told.ask(tokenRequest(told, { environments: ["home"], id, kind, roles }));
  assert.equal(made.kind, "done", JSON.stringify(made));
};
/** As a door asks for them in this environment. */
const asIn = (told: Story, id: string, environment: string | undefined): Ask & { readonly by: Actor } => {
  const { grants, kind } = get(told.state().subjects, id) ?? assert.fail(`${id} has a token`);
  const by = { id, kind, roles: rolesHeldIn(grants, environment) };
  return { by, door: "service", ...(environment === undefined ? { everywhere: true } : { environment }) };
};

const frozenIn = (environment: string | undefined): readonly Refusal[] => {
  const told = story();
  givenAtHome(told, "homer", "operator");
  return refusalsOf(told.ask({ kind: "freeze", reason: "incident" }, asIn(told, "homer", environment)));
};
cannot("B3", "operate another environment than the one that the role was granted for", {
  neighbour: () => frozenIn("home"),
  offence: () => coded("role-elsewhere", frozenIn("away")),
});
cannot("B3", "operate everything by a role that was granted for one environment", {
  neighbour: () => frozenIn("home"),
  offence: () => coded("role-elsewhere", frozenIn(undefined)),
});

cannot("B2", "claim the roles of one environment in another", {
  neighbour: () => claimed("home"),
  offence: () => coded("actor-unknown", claimed("away")),
});
const claimed = (environment: string): readonly Refusal[] => {
  const told = story();
  givenAtHome(told, "homer", "operator");
  const { by } = asIn(told, "homer", "home");
  return refusalsOf(told.ask({ kind: "freeze", reason: "incident" }, { by, door: "service", environment }));
};

const approvedBy = (environment: string): readonly Refusal[] => {
  const told = story();
  givenAtHome(told, "homer", "approver");
  const { id, of } = planned(told, { environment });
  const plan = recall(told.state().plans, id) ?? assert.fail("it is planned");
  const explanation = explanationOf(told.state(), plan, of.step).hash;
  const approve = { explanation, kind: "approve", of, reason: "agreed" } as const;
  return refusalsOf(told.ask(approve, asIn(told, "homer", environment)));
};
cannot("B3", "approve a step in an environment that the approver's role was not granted for", {
  neighbour: () => approvedBy("home"),
  offence: () => coded("role-elsewhere", approvedBy("away")),
});

/** Somebody of home names home, and a plan of another environment. */
const canceledBy = (id: string, environment: string): readonly Refusal[] => {
  const told = story();
  givenAtHome(told, "homer", "operator");
  const plan = planned(told, { environment }).id;
  const asking = id === "alice" ? { by: ALICE, environment: "home" } : asIn(told, id, "home");
  return refusalsOf(told.ask({ kind: "cancel", plan, reason: "not needed" }, asking));
};
test("to whoever has no role in its environment a plan is unknown, and others are told whose it is", () => {
  assert.deepEqual(canceledBy("homer", "home"), []);
  assert.deepEqual(
    canceledBy("homer", "away").map(({ code }) => code),
    ["plan-unknown"],
  );
  assert.deepEqual(
    canceledBy("alice", "away").map(({ code, facts }) => [code, facts]),
    [["plan-foreign", { of: "away" }]],
  );
});

/** homer, who operates home, makes a token for these environments. */
const made = (environments: "all" | readonly string[]): readonly Refusal[] => {
  const told = story();
  givenAtHome(told, "homer", "operator");
  const request = tokenRequest(told, { environments, id: "marge", kind: "person", roles: ["observer"] });
  return refusalsOf(told.ask(request, asIn(told, "homer", undefined)));
};
cannot("B3", "grant a role for an environment in which one is not operator", {
  neighbour: () => made(["home"]),
  offence: () => coded("grant-beyond", made(["home", "away"])),
});
cannot("B3", "grant a role for all environments as operator of one", {
  neighbour: () => made(["home"]),
  offence: () => coded("grant-beyond", made("all")),
});
cannot("B3", "grant a role for an environment that is not configured", {
  neighbour: () => madeByOperator(["home", "away"]),
  offence: () => coded("environment-unknown", madeByOperator(["home", "moon"])),
});
const madeByOperator = (environments: readonly string[]): readonly Refusal[] => {
  const told = story();
  return refusalsOf(told.ask(tokenRequest(told, { environments, id: "marge", kind: "person", roles: ["observer"] })));
};
cannot("P7-A1", "make tokens without being operator anywhere", {
  neighbour: () => madeWith("operator"),
  offence: () => coded("role-missing", madeWith("approver")),
});
const madeWith = (role: Role): readonly Refusal[] => {
  const told = story();
  givenAtHome(told, "homer", role);
  const request = tokenRequest(told, { environments: ["home"], id: "marge", kind: "person", roles: ["observer"] });
  return refusalsOf(told.ask(request, asIn(told, "homer", undefined)));
};

/** homer revokes, or rotates, a token with roles in these environments. */
const ended = (act: "revoke" | "rotate", environments: "all" | readonly string[]): readonly Refusal[] => {
  const told = story();
  givenAtHome(told, "homer", "operator");
  const subject = { environments, id: "marge", kind: "person", roles: ["observer"] } as const;
  told.ask(tokenRequest(told, subject));
  const request =
    act === "revoke"
      ? ({ act, kind: "token", token: tokenOf(told, "marge") } as const)
      : ({ act, ...freshToken(told.now(), 900), kind: "token", subject: "marge" } as const);
  return refusalsOf(told.ask(request, asIn(told, "homer", undefined)));
};
for (const act of ["revoke", "rotate"] as const) {
  cannot("B3", `${act} a token that reaches beyond one's own environments`, {
    neighbour: () => ended(act, ["home"]),
    offence: () => coded("grant-beyond", ended(act, ["home", "away"])),
  });
  test(`a token of another environment is unknown to whoever would ${act} it`, () => {
    assert.deepEqual(
      ended(act, ["away"]).map(({ code }) => code),
      ["token-unknown"],
    );
  });
}

test("everybody but a sensor takes another token in the place of their own, wherever its roles hold", () => {
  const told = story();
  givenAtHome(told, "homer", "observer");
  givenAtHome(told, "robbie", "agent");
  told.ask(tokenRequest(told, { environments: ["home"], id: "probe", kind: "agent", roles: ["sensor"] }));
  const rotated = (subject: string): string => {
    const request = { act: "rotate", ...freshToken(told.now(), told.records.length), kind: "token", subject } as const;
    return told.ask(request, asIn(told, subject, undefined)).kind;
  };
  assert.deepEqual(["homer", "robbie", "probe"].map(rotated), ["done", "done", "refused"]);
});

cannot("B3", "be judged by the roles of one environment for what is of all", {
  neighbour: () => aboutAll(undefined),
  offence: () => coded("environment-unknown", aboutAll("home")),
});
/** A command that a door made by itself, with an environment that its kind does not have. */
const aboutAll = (environment: string | undefined): readonly Refusal[] => {
  const told = story();
  const desk = {
    actor: ALICE,
    configHash: told.records[0]?.configHash ?? assert.fail("it began"),
    door: "local",
    ids: told.ids,
    instance: told.instance,
    now: told.now,
    words: told.headHash(),
  } as const;
  const command = commandOf(desk, { kind: "accept-clock", reason: "the battery was empty", size: 1 });
  const given = environment === undefined ? command : { ...command, environment };
  const refusal = actorRefusal(MAY, told.state(), given, told.now());
  return refusal === undefined ? [] : [refusal];
};

cannot("B3", "tell how an intent went on in another environment than its own", {
  neighbour: () => dispatchedIn("home"),
  offence: () => coded("plan-foreign", dispatchedIn("away")),
});
const dispatchedIn = (environment: string): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told);
  const challenge = told.ask({ kind: "challenge", of });
  const explanation = challenge.kind === "challenged" ? challenge.explanation : assert.fail(JSON.stringify(challenge));
  told.ask({ confirmation: { challenge: lastId(told), explanation }, kind: "apply", of });
  const intent = lastId(told);
  const results = [
    told.ask({ intent, kind: "dispatched", reference: "task-1" }, { by: KERNEL_ACTOR, environment }),
    told.ask(
      { cause: "provider-done", intent, kind: "outcome", outcome: "succeeded", said: "running" },
      { by: KERNEL_ACTOR, environment },
    ),
  ];
  assert.equal(new Set(results.map(({ kind }) => kind === "refused")).size, 1, "both or neither");
  return results.flatMap(refusalsOf);
};

cannot("B3", "remark on a plan in another environment than its own", {
  neighbour: () => remarkedIn("home"),
  offence: () => coded("plan-foreign", remarkedIn("away")),
});
const remarkedIn = (environment: string): readonly Refusal[] => {
  const told = story();
  const { id: about } = planned(told);
  return refusalsOf(
    told.ask({ about, kind: "annotate", text: "on purpose" }, { by: CAROL, door: "service", environment }),
  );
};

const GRANTS: Grants = [{ environments: ["home"], roles: ["auditor", "operator"] }];
const EVE = { actor: { id: "eve", kind: "person" }, grants: GRANTS } as const;
const refusing = (refusal: Refusal | undefined): readonly Refusal[] => (refusal === undefined ? [] : [refusal]);
for (const readable of ["export", "installation", "proof", "records"] as const) {
  cannot("B3", `read of the whole ledger by a role that was granted for one environment: ${readable}`, {
    neighbour: () => refusing(readerRefusal(EVE, "tokens")),
    offence: () => coded("role-elsewhere", refusing(readerRefusal(EVE, readable))),
  });
}
for (const readable of ["drift", "inventory"] as const) {
  cannot("B3", `ask the provider of another environment for: ${readable}`, {
    neighbour: () => refusing(readerRefusal(EVE, readable, "home")),
    offence: () => coded("role-elsewhere", refusing(readerRefusal(EVE, readable, "away"))),
  });
}
