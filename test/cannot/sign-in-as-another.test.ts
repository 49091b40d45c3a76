// A person is who their provider says, under one name, with the roles that the newest sign-in and the newest map give.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedConfig } from "../../src/kernel/command/recorded-config.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { later } from "../../src/spine/values/instant.ts";
import { cannot } from "../cannot.ts";
import { by, GROUPS, HOUR, serve, served, servedConfigOf, signIn, someone } from "../kernel/signing-in.ts";
import {
  type Ask,
  BOB,
  codesOf,
  freshToken,
  ROBO,
  refusalsOf,
  type Story,
  story,
  tokenRequest,
} from "../kernel/story.ts";
import { coded } from "../spine/world.ts";

const ADA = by("ada", ["eyes", "ops"]);
const OPERATES = someone("ada", "approver", "operator");
const CONFIG = servedConfigOf("four-eyes");
const AT_SERVICE: Ask = { config: CONFIG, door: "service" };

/** Somebody signs in after ada did. */
const after = (...asked: Parameters<typeof signIn> extends [Story, ...infer R] ? R : never): readonly Refusal[] => {
  const told = served();
  assert.deepEqual(codesOf(signIn(told, ADA)), []);
  return refusalsOf(signIn(told, ...asked));
};
const caused = (cause: string, refusals: readonly Refusal[]): readonly Refusal[] => {
  assert.deepEqual(
    refusals.map(({ code, cause: because }) => [code, because]),
    [["sign-in-refused", cause]],
  );
  return refusals;
};

cannot("B2", "sign in under another's name", {
  neighbour: () => after(by("eve", ["eyes"]), { subject: "eve" }),
  offence: () => caused("name-taken", after(by("eve", ["eyes"]), { subject: "ada" })),
});
cannot("B2", "sign in under the name of a token's subject", {
  neighbour: () => after(by("eve", ["eyes"]), { subject: "eve" }),
  offence: () => caused("name-taken", after(by("eve", ["eyes"]), { subject: "bob" })),
});
cannot("B2", "sign in under an operator's name", {
  neighbour: () => after(by("eve", ["eyes"]), { subject: "eve" }),
  offence: () => caused("name-taken", after(by("eve", ["eyes"]), { subject: "alice" })),
});
cannot("B2", "sign in under a reserved name", {
  neighbour: () => after(by("eve", ["eyes"]), { subject: "eve" }),
  offence: () => coded("subject-name", after(by("eve", ["eyes"]), { subject: "dedalus" })),
});
cannot("B2", "have a second name", {
  neighbour: () => after(ADA),
  offence: () => caused("other-name", after(ADA, { subject: "ada-the-second" })),
});
cannot("B2", "come in by an issuer that is not configured", {
  neighbour: () => after(by("eve", ["eyes"])),
  offence: () => caused("issuer", after(by("eve", ["eyes"], "https://other.example"))),
});
cannot("B2", "come in without a role", {
  neighbour: () => after(by("eve", ["eyes"])),
  offence: () => caused("no-role", after(by("eve", ["strangers"]))),
});
cannot("B2", "sign in at the ledger's own files", {
  neighbour: () => after(by("eve", ["eyes"])),
  offence: () => caused("local", after(by("eve", ["eyes"]), {}, { door: "local" })),
});
cannot("B2", "have a session that outlives the longest", {
  neighbour: () => after(by("eve", ["eyes"]), { expiresAt: later(served().now(), 12 * HOUR) }),
  offence: () => caused("session-end", after(by("eve", ["eyes"]), { expiresAt: later(served().now(), 12 * HOUR + 1) })),
});
cannot("B2", "have a session that has ended when it begins", {
  neighbour: () => after(by("eve", ["eyes"]), { expiresAt: later(served().now(), 1) }),
  offence: () => caused("session-end", after(by("eve", ["eyes"]), { expiresAt: served().now() })),
});
cannot("B2", "hand in groups that are not in order", {
  neighbour: () => after(by("eve", ["eyes", "ops"])),
  offence: () => caused("form", after(by("eve", ["ops", "eyes"]))),
});
cannot("B2", "take the session of somebody else for a new one", {
  neighbour: () => after(by("eve", ["eyes"])),
  offence: () => {
    const told = served();
    signIn(told, ADA, { token: "t000000001" });
    return coded("token-known", refusalsOf(signIn(told, by("eve", ["eyes"]), { token: "t000000001" })));
  },
});
cannot("B2", "sign in where no provider is served", {
  neighbour: () => refusalsOf(signIn(served(), ADA)),
  offence: () => {
    const told = story("four-eyes");
    return caused("no-provider", refusalsOf(signIn(told, ADA, {}, { config: servedConfigOf("four-eyes") })));
  },
});

/** Ada freezes everything, as somebody with these roles, after what happened. */
const freezing = (happens: (told: Story) => void, roles = OPERATES, asking: Ask = {}): readonly Refusal[] => {
  const told = served();
  signIn(told, ADA);
  happens(told);
  const request = { kind: "freeze", reason: "to see" } as const;
  return refusalsOf(told.ask(request, { by: roles, everywhere: true, ...AT_SERVICE, ...asking }));
};
const nothing = (): void => undefined;
const sessionOf = (told: Story, at = -1): string => get(told.state().people, "ada")?.sessions.at(at)?.token ?? "";

cannot("B2", "say which roles one has", {
  neighbour: () => freezing(nothing),
  offence: () => coded("actor-unknown", freezing(nothing, someone("ada", "approver", "auditor", "operator"))),
});
cannot("B2", "use a session at the ledger's own files", {
  neighbour: () => freezing(nothing),
  offence: () => coded("actor-unknown", freezing(nothing, OPERATES, { door: "local" })),
});
cannot("B2", "be believed without a session", {
  neighbour: () => freezing(nothing),
  offence: () => coded("actor-unknown", freezing(nothing, OPERATES, { token: undefined })),
});
cannot("B2", "go on with a session that has ended", {
  neighbour: () => freezing((told) => told.pass(HOUR - 1)),
  offence: () =>
    coded(
      "token-expired",
      freezing((told) => told.pass(HOUR)),
    ),
});
cannot("B2", "keep a role in an older session that the newer sign-in lacks", {
  neighbour: () => freezing((told) => signIn(told, ADA)),
  offence: () => {
    let older = "";
    const told = served();
    signIn(told, ADA);
    older = sessionOf(told);
    signIn(told, by("ada", ["eyes"]));
    const request = { kind: "freeze", reason: "to see" } as const;
    const asked = (who: typeof OPERATES) =>
      refusalsOf(told.ask(request, { by: who, everywhere: true, token: older, ...AT_SERVICE }));
    assert.deepEqual(
      asked(someone("ada", "approver")).map(({ code }) => code),
      ["role-missing"],
    );
    return coded("actor-unknown", asked(OPERATES));
  },
});
cannot("B2", "keep a role that the newest map of groups does not give", {
  neighbour: () => freezing((told) => serve(told, CONFIG)),
  offence: () => {
    const narrower = servedConfigOf("four-eyes", GROUPS.slice(0, 1));
    const narrowed = (told: Story): void => {
      serve(told, narrower);
    };
    return coded("actor-unknown", freezing(narrowed, OPERATES, { config: narrower }));
  },
});
cannot("B2", "go on after signing out", {
  neighbour: () => freezing(nothing),
  offence: () =>
    coded(
      "actor-unknown",
      freezing((told) => {
        const token = sessionOf(told);
        const left = told.ask(
          { ends: "session", kind: "sign-out", token },
          { by: OPERATES, everywhere: true, ...AT_SERVICE },
        );
        assert.deepEqual(codesOf(left), []);
      }),
    ),
});
cannot("B2", "sign somebody else out without being operator", {
  neighbour: () => {
    const told = served();
    signIn(told, ADA);
    const ends = { ends: "session", kind: "sign-out", token: sessionOf(told) } as const;
    return refusalsOf(told.ask(ends, { by: OPERATES, everywhere: true, ...AT_SERVICE }));
  },
  offence: () => {
    const told = served();
    signIn(told, ADA);
    signIn(told, by("eve", ["eyes"]));
    const ends = { ends: "session", kind: "sign-out", token: sessionOf(told) } as const;
    return refusalsOf(told.ask(ends, { by: someone("eve", "approver"), everywhere: true, ...AT_SERVICE }));
  },
});

test("several sessions are open at once, few, and the oldest makes room", () => {
  const told = served();
  for (let count = 0; count < 10; count++) signIn(told, ADA);
  const person = get(told.state().people, "ada");
  assert.equal(person?.sessions.length, 8);
  assert.equal(told.state().sessions.size, 8);
  told.pass(HOUR);
  signIn(told, ADA);
  assert.equal(get(told.state().people, "ada")?.sessions.length, 1);
  assert.equal(told.state().sessions.size, 1);
});

test("a token cannot be made for somebody who signed in, nor an operator of their name be configured", () => {
  const told = served();
  signIn(told, ADA);
  const named = { ...CONFIG, operator: "ada" };
  assert.deepEqual(codesOf(serve(told, named)), ["token-known"]);
});

const noted = (who: Actor, door: "local" | "service", config = CONFIG): readonly Refusal[] => {
  const told = story("four-eyes");
  serve(told, config);
  return refusalsOf(told.ask({ kind: "annotate", text: "seen" }, { by: who, config, door }));
};
const WITHOUT: RecordedConfig = { ...CONFIG, service: { sessions: { hours: 12, idleMinutes: 30 } } };

cannot("B2", "come by a token as a person where people sign in", {
  neighbour: () => [...noted(BOB, "service", WITHOUT), ...noted(ROBO, "service"), ...noted(BOB, "local")],
  offence: () => coded("people-by-oidc", noted(BOB, "service")),
});

const made = (kind: "agent" | "person", config = CONFIG): readonly Refusal[] => {
  const told = story("four-eyes");
  serve(told, config);
  const roles = [kind === "agent" ? "agent" : "approver"] as const;
  return refusalsOf(told.ask(tokenRequest(told, { id: "newcomer", kind, roles }), { config, everywhere: true }));
};
cannot("B2", "make a token of a person where people sign in", {
  neighbour: () => [...made("person", WITHOUT), ...made("agent")],
  offence: () => coded("people-by-oidc", made("person")),
});
cannot("B2", "rotate a token of a person where people sign in", {
  neighbour: () => rotated("robo"),
  offence: () => coded("people-by-oidc", rotated("bob")),
});
const rotated = (subject: string): readonly Refusal[] => {
  const told = story("four-eyes");
  serve(told, CONFIG);
  const fresh = freshToken(told.now(), told.records.length);
  return refusalsOf(
    told.ask({ act: "rotate", ...fresh, kind: "token", subject }, { config: CONFIG, everywhere: true }),
  );
};
